import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AccountId, MerchantId } from '../ids.ts';
import type { AutoPayout } from '../payout/auto-payout.ts';
import { weekdays } from '../payout/calendar.ts';
import type { AutoPayouts } from '../payout/ports.ts';
import { fail, ok } from '../result.ts';
import { batchGet } from './batch-get.ts';
import { changeItem, changeSteps } from './changes.ts';
import { conditionalWrite } from './conditional-write.ts';
import { getItem } from './get-item.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';
import { dueOn } from './work-list.ts';

/** Automatic payout: one per merchant, on a work list by its next run. */
const autoKey = (merchantId: MerchantId) => ({ PK: `AUTO#${merchantId}`, SK: 'AUTO' }) as const;
/** Few merchants have one, so the list is not sharded. */
const autoList = 'W#AUTO#00';

const item = z.object({
  merchantId: storedId<MerchantId>(),
  accountId: storedId<AccountId>(),
  thresholdMinor: minor,
  weekday: z.enum(weekdays),
  hour: z.number(),
  nextAt: moment,
  lastRun: orAbsent(z.object({ at: moment, outcome: z.string() })),
} satisfies Record<AttributeOf<AutoPayout>, z.ZodMiniType>);

const toAuto = (raw: unknown): AutoPayout => item.parse(raw);

const autoAttributes = ({ nextAt, lastRun, ...auto }: AutoPayout): z.input<typeof item> => ({
  ...auto,
  nextAt: nextAt.toISOString(),
  lastRun: lastRun && { ...lastRun, at: lastRun.at.toISOString() },
});

const autoItem = (auto: AutoPayout) => ({
  ...autoKey(auto.merchantId),
  ...autoAttributes(auto),
  workList: autoList,
  workDue: auto.nextAt.toISOString(),
});

/** The merchants' automatic payouts. */
export const dynamoAutoPayouts = (table: Table): AutoPayouts => ({
  find: (merchantId) => getItem(table, autoKey(merchantId), toAuto),

  async set(auto) {
    const { PK: _, SK: __, ...changes } = autoItem(auto);
    const { merchantId } = auto;
    await changeItem(table, { key: autoKey(merchantId), about: merchantId, changes, mustExist: false });
  },

  async remove(merchantId) {
    const found = await getItem(table, autoKey(merchantId), toAuto);
    if (!found) return;
    await transact(table, [
      { write: { Delete: { TableName: table.name, Key: autoKey(merchantId) } } },
      ...(await changeSteps(table, merchantId, found, {})),
    ]);
  },

  due: (now) => due(table, now),

  async ran(auto, lastRun, nextAt) {
    const put = new PutCommand({
      TableName: table.name,
      Item: autoItem({ ...auto, lastRun, nextAt }),
      ConditionExpression: 'nextAt = :planned AND accountId = :account',
      ExpressionAttributeValues: { ':planned': auto.nextAt.toISOString(), ':account': auto.accountId },
    });
    return (await conditionalWrite(table.client.send(put))) ? ok(undefined) : fail('moved_meanwhile');
  },
});

/** The most that one run reads; the rest waits for the next minute. */
const atOnce = 1000;

/** The index is eventually consistent, so each is read from the table and checked again. */
async function due(table: Table, now: Date): Promise<readonly AutoPayout[]> {
  const keys = await dueOn(table, [autoList], { now, limit: atOnce });
  const autos = await batchGet(table, keys);
  return autos.map(toAuto).filter(({ nextAt }) => nextAt <= now);
}

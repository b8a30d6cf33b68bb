import { isDeepStrictEqual } from 'node:util';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantUrls } from '../../lib/merchant/merchant-url.ts';
import type { PayoutId } from '../../lib/ids.ts';
import type { Merchant } from '../../lib/merchant/merchant.ts';
import type { Resealer } from '../../lib/merchant/ports.ts';
import type { CancelPorts } from '../../lib/payout/cancel-payout.ts';
import { SealBroken } from '../../lib/merchant/seal-broken.ts';
import type { Terms } from '../../lib/merchant/terms.ts';
import { sum } from '../../lib/money/money.ts';
import type { CreationPorts } from '../../lib/payout/create-payouts.ts';
import { createRegularPayout } from '../../lib/payout/create-regular-payout.ts';
import type { DispatchPorts } from '../../lib/payout/dispatch-payout.ts';
import { isFinalPayout, type OpenPayout, type Payout } from '../../lib/payout/payout.ts';
import type { PayoutAlarm } from '../../lib/payout/ports.ts';
import { activeOf } from '../../lib/payout/sbp-banks.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { dynamoAutoPayouts } from '../../lib/store/auto-payouts.ts';
import { toEntry } from '../../lib/store/entry-item.ts';
import { toEvent } from '../../lib/store/event-item.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoPayoutAccounts } from '../../lib/store/payout-accounts.ts';
import { balanceKey, balanceList } from '../../lib/store/balance-item.ts';
import { dynamoSbpBanks } from '../../lib/store/sbp-banks.ts';
import { dynamoPayouts } from '../../lib/store/payouts.ts';
import type { Table } from '../../lib/store/table.ts';
import { dynamoTerms } from '../../lib/store/terms.ts';
import { aMerchant, merchantId, today } from './builders.ts';
import { aCaller } from './api-event.ts';
import { freshTable } from './dynamo.ts';
import { itemsOf } from './items-of.ts';
import { payoutTerms } from './payouts.ts';
import { onlyRail, testRail } from './rail.ts';

type Given = {
  readonly availableMinor?: bigint;
  readonly merchant?: Partial<Merchant>;
  readonly terms?: Partial<Terms>;
  readonly rail?: ReturnType<typeof testRail>;
  /** How long a transaction holds its items. */
  readonly lockMs?: number;
  /** The table of another harness, which has the merchant already. */
  readonly table?: Table;
};

export const card = '4111111111111111';
export const phone = '79123456789';
export const toCard = { type: 'credit_card', number: card, holder: 'IVAN PETROV' } as const;
export const toPhone = { type: 'sbp', phone, bankId: 100000000004 } as const;
const webhook = 'https://merchant.example/payouts';

/** Seals text so that it opens only under the context with which it was sealed. */
const sealer = {
  seal: async (secret: string, context: Readonly<Record<string, string>>) =>
    Buffer.from(JSON.stringify([secret, context])).toString('base64url'),
};
const opener = {
  async open(sealed: string, context: Readonly<Record<string, string>>): Promise<string> {
    const [secret, under]: [string, unknown] = JSON.parse(Buffer.from(sealed, 'base64url').toString());
    if (!isDeepStrictEqual(under, context)) throw new SealBroken();
    return secret;
  },
};

const resealer = {
  reseal: async (sealed: string, { from, to }: Parameters<Resealer['reseal']>[1]) =>
    sealer.seal(await opener.open(sealed, from), to),
};

/** A merchant with payouts enabled on a real table; the test controls everything outside. */
export async function payoutHarness({
  availableMinor = 1_000_000n,
  merchant,
  terms,
  rail = testRail(),
  lockMs,
  table: given,
}: Given = {}) {
  const table = given ?? (await freshTable({ lockMs }));
  const merchants = dynamoMerchants(table);
  if (!given) {
    await merchants.create(
      aMerchant({ verified: true, regularPayouts: true, payoutWebhookUrl: webhook, ...merchant }),
    );
    await putBalance(table, availableMinor);
  }

  const clock = { at: today };
  const queued: { readonly id: string; readonly delaySeconds: number | undefined }[] = [];
  const notified: string[] = [];
  const alarms: string[] = [];
  const logged: unknown[] = [];
  let ids = 0;
  const sbpBanks = dynamoSbpBanks(table);
  const ports: CreationPorts & DispatchPorts & CancelPorts = {
    payouts: dynamoPayouts(table, () => payoutTerms(terms)),
    merchants,
    payoutAccounts: dynamoPayoutAccounts(table),
    activeBanks: async () => activeOf(await sbpBanks.find()),
    rails: onlyRail(rail),
    destinationSealer: sealer,
    destinationOpener: opener,
    destinationResealer: resealer,
    phoneSealer: sealer,
    fingerprintSecret: async () => 'the secret of fingerprints',
    payoutQueue: { send: async (id, { delaySeconds }) => void queued.push({ id, delaySeconds }) },
    postbackQueue: { send: async (id) => void notified.push(id) },
    alarm: (alarm: PayoutAlarm, { payout }) => void alarms.push(`${alarm} ${payout}`),
    now: () => clock.at,
    newId: (length) => String((ids += 1)).padStart(length, '0'),
    timeZone: 'UTC',
  };
  return {
    ...ports,
    table,
    merchants,
    terms: dynamoTerms(table, (currency) => payoutTerms({ ...terms, currency })),
    rail,
    clock,
    queued,
    notified,
    alarms,
    caller: aCaller(),
    log: (...line: unknown[]) => void logged.push(line),
    logged,
    publicUrl: 'https://pay.example.test',
    merchantUrls: 'public' as MerchantUrls,
    payoutAccounts: dynamoPayoutAccounts(table),
    autoPayouts: dynamoAutoPayouts(table),
    sbpBanks,
    pass: (seconds: number) => void (clock.at = new Date(clock.at.getTime() + seconds * 1000)),
  };
}

export type PayoutHarness = Awaited<ReturnType<typeof payoutHarness>>;
/** Creating payouts does not require the test rail. */
type CreationHarness = Omit<PayoutHarness, 'rail' | 'rails'> & CreationPorts;

/** Stores an opening balance as payments would have left it. */
export const putBalance = ({ client, name: TableName }: Table, available: bigint, reserved?: bigint) =>
  client.send(
    new PutCommand({
      TableName,
      Item: {
        ...balanceKey(merchantId, 'RUB'),
        workList: balanceList,
        workDue: new Date(0).toISOString(),
        merchantId,
        currency: 'RUB',
        available,
        locked: 0,
        held: 0,
        ...(reserved !== undefined && { reserved }),
      },
    }),
  );

/** A table on which `happens` runs directly after the first read of an item in this partition. */
export function afterReading(
  { client, name, backOff }: Table,
  partition: string,
  happens: () => Promise<unknown>,
): Table {
  const send = client.send.bind(client);
  let once = true;
  const interrupted = Object.assign(Object.create(client), {
    async send(command: GetCommand) {
      const answer = await send(command);
      const wanted = command instanceof GetCommand && String(command.input.Key?.['PK']).startsWith(partition);
      if (!wanted || !once) return answer;
      once = false;
      await happens();
      return answer;
    },
  });
  return { client: interrupted, name, backOff };
}

const minor = z._default(z.coerce.bigint(), 0n);
const balance = z.object({
  available: minor,
  locked: minor,
  held: minor,
  limDayTotal: minor,
  limMonthTotal: minor,
});

export async function balanceOf(table: Table) {
  const { PK, SK } = balanceKey(merchantId, 'RUB');
  const item = (await itemsOf(table)).find((each) => each.PK === PK && each.SK === SK);
  const { limDayTotal: day, limMonthTotal: month, ...money } = balance.parse(item);
  return { ...money, day, month };
}

/** Returns the kind, subject and lines of every journal entry. */
export async function journalOf(table: Table) {
  const entries = (await itemsOf(table)).filter(({ PK }) => PK.startsWith('J#')).map(toEntry);
  return entries.map(({ kind, about, lines }) => ({
    kind,
    about,
    lines: lines.map(({ account, minor: moved }) => ({ account, minor: moved })),
  }));
}

/** Returns the sum of the journal lines of an account. */
export async function movedOn(table: Table, account: string): Promise<bigint> {
  const lines = (await journalOf(table)).flatMap((entry) => entry.lines);
  return sum(lines.filter((line) => line.account === account).map((line) => line.minor));
}

export async function eventsOf(table: Table): Promise<readonly PostbackEvent['fields'][]> {
  const events = (await itemsOf(table)).filter(({ SK }) => SK === 'E').map(toEvent);
  return events.map(({ fields }) => fields);
}

/** Creates a regular payout to a card as a merchant does; throws when it is refused. */
export async function created(
  harness: CreationHarness,
  given: Partial<Parameters<typeof createRegularPayout>[1]> = {},
): Promise<OpenPayout> {
  const [payout] = await createdParts(harness, given);
  if (!payout || isFinalPayout(payout)) throw new Error('nothing was created');
  return payout;
}

export async function createdParts(
  harness: CreationHarness,
  given: Partial<Parameters<typeof createRegularPayout>[1]> = {},
): Promise<readonly Payout[]> {
  const unnamed = { orderId: undefined, idempotencyKey: undefined };
  const command = { caller: harness.caller, amount: '1000', destination: toCard, ...unnamed, ...given };
  const made = await createRegularPayout(harness, command);
  if (!made.ok) throw new Error(made.error);
  return made.value.payouts;
}

export async function reread(
  harness: Pick<PayoutHarness, 'payouts'>,
  { id }: { readonly id: PayoutId },
): Promise<Payout> {
  const payout = await harness.payouts.find(id);
  if (!payout) throw new Error('no such payout');
  return payout;
}

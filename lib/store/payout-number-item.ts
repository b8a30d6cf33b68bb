import * as z from 'zod/mini';
import type { AccountId, MerchantId } from '../ids.ts';
import type { PayoutNumber } from '../payout/account.ts';
import type { MoveRefusal } from '../payout/ports.ts';
import type { AttributeOf } from './attributes.ts';
import { getItem } from './get-item.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** Number: in its merchant's partition. */
export const payoutNumberKey = (merchantId: MerchantId, numberHash: string) =>
  ({ PK: `M#${merchantId}`, SK: `PN#${numberHash}` }) as const;

const item = z.object({
  merchantId: storedId<MerchantId>(),
  numberHash: z.string(),
  accounts: z.array(storedId<AccountId>()),
  banned: z.boolean(),
  revision: z.number(),
} satisfies Record<AttributeOf<PayoutNumber>, z.ZodMiniType>);

export const toPayoutNumber = (raw: unknown): PayoutNumber => item.parse(raw);

/** Reads the number; one without a stored account is not banned. */
export const findNumber = async (
  table: Table,
  merchantId: MerchantId,
  numberHash: string,
): Promise<PayoutNumber> =>
  (await getItem(table, payoutNumberKey(merchantId, numberHash), toPayoutNumber)) ?? {
    merchantId,
    numberHash,
    accounts: [],
    banned: false,
    revision: 0,
  };

/** The step that writes the number, on condition that its revision is unchanged since it was read. */
export const putNumber = (
  { name: TableName }: Table,
  { revision, ...after }: PayoutNumber,
): TransactionStep<MoveRefusal> => ({
  write: {
    Put: {
      TableName,
      Item: { ...payoutNumberKey(after.merchantId, after.numberHash), ...after, revision: revision + 1 },
      ConditionExpression: revision === 0 ? 'attribute_not_exists(PK)' : 'revision = :revision',
      ...(revision > 0 && { ExpressionAttributeValues: { ':revision': revision } }),
    },
  },
  onConditionFailed: 'moved_meanwhile',
});

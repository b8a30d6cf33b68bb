import * as z from 'zod/mini';
import type { AccountId, MerchantId } from '../ids.ts';
import { balanceCurrencies } from '../money/money.ts';
import type { PayoutAccount } from '../payout/account.ts';
import { accountTypes, shownMask } from '../payout/destination.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/** Payout account: in its merchant's partition. */
export const payoutAccountKey = (merchantId: MerchantId, accountId: AccountId) =>
  ({ PK: `M#${merchantId}`, SK: `${payoutAccountPrefix}${accountId}` }) as const;
export const payoutAccountPrefix = 'PA#';

const item = z.object({
  id: storedId<AccountId>(),
  merchantId: storedId<MerchantId>(),
  type: z.enum(accountTypes),
  currency: z.enum(balanceCurrencies),
  mask: z.pipe(z.string(), z.transform(shownMask)),
  destination: z.object({ sealed: z.string() }),
  numberHash: orAbsent(z.string()),
  banned: z.boolean(),
  available: z.boolean(),
  createdAt: moment,
} satisfies Record<AttributeOf<PayoutAccount>, z.ZodMiniType>);

/** Parses an account; its destination stays sealed. */
export const toPayoutAccount = (raw: unknown): PayoutAccount => item.parse(raw);

const attributesOf = (account: PayoutAccount): z.input<typeof item> => ({
  ...account,
  createdAt: account.createdAt.toISOString(),
});

export const payoutAccountItem = (account: PayoutAccount) => ({
  ...payoutAccountKey(account.merchantId, account.id),
  ...attributesOf(account),
});

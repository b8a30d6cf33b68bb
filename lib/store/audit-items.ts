import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { balanceCurrencies } from '../money/money.ts';
import type { ReadRecord } from '../operator/audit/rule.ts';
import type { AuditItem } from '../operator/audit/source.ts';
import { toAdjustment } from './adjustment-item.ts';
import { flawsIn } from './audit-filing.ts';
import { toBill, toBillOfOrder, toKeyReference, toNewestReference, toOrderReference } from './bill-item.ts';
import { toChargeback } from './chargeback-item.ts';
import { toClaim } from './claim-item.ts';
import { decisionKeyFrom, toDecision, toProposal } from './decision-item.ts';
import { toEntry } from './entry-item.ts';
import { toEvent } from './event-item.ts';
import { toCaller, toMerchant, tokenHashFrom } from './merchant-item.ts';
import { minor } from './minor.ts';
import { toPayment } from './payment-item.ts';
import { toPayoutAccount } from './payout-account-item.ts';
import { toPayoutBalance } from './payout-balance.ts';
import { toKnownAccount, toPayoutClaim, toPayoutGroup } from './payout-claims.ts';
import { toPayout } from './payout-item.ts';
import { toPayoutNumber } from './payout-number-item.ts';
import { toRefund } from './refund-item.ts';
import { toShop, toShopReference } from './shop-item.ts';
import { storedId } from './stored-id.ts';

const keys = z.looseObject({ PK: z.string(), SK: z.string() });
type Item = z.infer<typeof keys>;
export type Key = { readonly PK: string; readonly SK: string };

/**
 * Reads what the audit judges in an item: its record, and its flaws. An item that does not parse as its key says, or whose key is
 * of no kind (lib/store/README.md), is reported, not skipped. `isMigrated`: the migration of lists has ended, so every item is on its list.
 */
export function auditItem(raw: unknown, { isMigrated = false } = {}): AuditItem {
  const item = keys.parse(raw);
  const key = keyText(item);
  const name = `${item.PK} ${item.SK}`;
  const unreadable = (why: string): AuditItem => ({ key, records: [{ kind: 'unreadable', key: name, why }] });
  const read = readers.find(({ is }) => is.test(name));
  if (!read)
    return others.test(name)
      ? { key, records: [] }
      : unreadable('this version knows no kind of item with such a key');
  try {
    const record = read.as(item);
    return { key, records: [record, ...flawsIn(item, record, { isMigrated })] };
  } catch (error) {
    return unreadable(error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error));
  }
}

/** A key as one text, and back. */
export const keyText = ({ PK, SK }: Key): string => JSON.stringify([PK, SK]);
const keyParts = z.tuple([z.string(), z.string()]);
export function keyOf(text: string): Key {
  const [PK, SK] = keyParts.parse(JSON.parse(text));
  return { PK, SK };
}

const minorOrNone = z._default(minor, 0n);
const balance = z.object({
  available: minorOrNone,
  locked: minorOrNone,
  held: minorOrNone,
  reserved: minorOrNone,
});
const balanceName = z.tuple([storedId<MerchantId>(), z.enum(balanceCurrencies)]);

/** Reads `BAL#<merchant>`, `A#<CUR>`. */
function toBalanceRecord({ PK, SK, ...item }: Item): ReadRecord {
  const [merchantId, currency] = balanceName.parse([PK.slice('BAL#'.length), SK.slice('A#'.length)]);
  const { usage } = toPayoutBalance(item);
  return { kind: 'balance', merchantId, balance: { currency, ...balance.parse(item) }, usage };
}

/** Readers by key pattern. */
const readers: readonly { readonly is: RegExp; readonly as: (item: Item) => ReadRecord }[] = [
  { is: /^M#\S+ M$/, as: (item) => ({ kind: 'merchant', merchant: toMerchant(item) }) },
  {
    is: /^T#\S+ T$/,
    as: (item) => ({ kind: 'token', tokenHash: tokenHashFrom(item), caller: toCaller(item) }),
  },
  { is: /^M#\S+ SHOP#/, as: (item) => ({ kind: 'shop_reference', ...toShopReference(item) }) },
  { is: /^M#\S+ PA#/, as: (item) => ({ kind: 'payout_account', account: toPayoutAccount(item) }) },
  { is: /^M#\S+ PN#/, as: (item) => ({ kind: 'payout_number', number: toPayoutNumber(item) }) },
  { is: /^O#\S+ O$/, as: (item) => ({ kind: 'bill_reference', reference: toOrderReference(item) }) },
  {
    is: /^I#[^#]+#bill\/create#\S+ I$/,
    as: (item) => ({ kind: 'bill_reference', reference: toKeyReference(item) }),
  },
  { is: /^OL#\S+ S#/, as: (item) => ({ kind: 'bill_reference', reference: toNewestReference(item) }) },
  { is: /^OL#\S+ B#/, as: (item) => ({ kind: 'bill_reference', reference: toBillOfOrder(item) }) },
  {
    is: /^I#[^#]+#payout\/create#\S+ I$/,
    as: (item) => ({ kind: 'payout_claim', claim: toPayoutClaim(item) }),
  },
  { is: /^G#\S+ G$/, as: (item) => ({ kind: 'group', group: toPayoutGroup(item) }) },
  { is: /^G#\S+ KNOWN$/, as: (item) => ({ kind: 'known_account', known: toKnownAccount(item) }) },
  {
    is: /^(?:OPERATOR|APPROVER)#/,
    as: (item) => ({ kind: 'decision', key: decisionKeyFrom(item), made: toDecision(item) }),
  },
  { is: /^PR#\S+ PR$/, as: (item) => ({ kind: 'proposal', proposal: toProposal(item) }) },
  { is: /^S#\S+ S$/, as: (item) => ({ kind: 'shop', shop: toShop(item) }) },
  { is: /^B#\S+ B$/, as: (item) => ({ kind: 'bill', bill: toBill(item) }) },
  { is: /^B#\S+ P#/, as: (item) => ({ kind: 'payment', payment: toPayment(item) }) },
  { is: /^B#\S+ R#/, as: (item) => ({ kind: 'refund', refund: toRefund(item) }) },
  { is: /^G#\S+ PO#/, as: (item) => ({ kind: 'payout', payout: toPayout(item) }) },
  { is: /^E#\S+ E$/, as: (item) => ({ kind: 'event', event: toEvent(item) }) },
  { is: /^ADJ#\S+ ADJ$/, as: (item) => ({ kind: 'adjustment', adjustment: toAdjustment(item) }) },
  { is: /^CB#/, as: (item) => ({ kind: 'chargeback', chargeback: toChargeback(item) }) },
  { is: /^CL#/, as: (item) => ({ kind: 'claim', claim: toClaim(item) }) },
  { is: /^J#/, as: (item) => ({ kind: 'entry', entry: toEntry(item) }) },
  { is: /^BAL#\S+ A#/, as: toBalanceRecord },
];

/** The keys of the other kinds of items, which hold neither money nor unfinished work of a payment or payout. */
const others = new RegExp(
  `^(${[
    String.raw`M#\S+ TERMS#`,
    String.raw`I#[^#]+#duplicate#\S+ I$`,
    String.raw`I#[^#]+#refund\/create#\S+ I$`,
    String.raw`EP#\S+ EP$`,
    String.raw`AUTO#\S+ AUTO$`,
    '(CHANGE|CONTACT|CALLS|REC|DICT|UNKNOWN|RECEIPT|RL|AUDIT|SEAL|MIGRATION)#',
    'RATES ',
  ].join('|')})`,
);

import type { BillReference } from '../../bill/reference.ts';
import type { DecisionKey } from '../../decision/decision.ts';
import { entryId } from '../../ledger/entry.ts';
import type { AuditRecord, Difference, Flaw, Invariant } from './records.ts';

/** A record that was read. */
export type ReadRecord = Exclude<AuditRecord, Flaw>;
export type RecordKind = ReadRecord['kind'];
export type RecordOf<K extends RecordKind> = Extract<AuditRecord, { readonly kind: K }>;

/** The lists of records that a rule may ask for: the payments of a bill, the refunds of a payment, the payouts of a group. */
export const listedTogether = {
  payments_of: 'payment',
  refunds_of: 'refund',
  payouts_of: 'payout',
} as const satisfies Readonly<Record<string, RecordKind>>;
/** The most refunds of one payment that are listed: more are not added up. */
export const mostRefundsListed = 20_000;
export type ListKind = keyof typeof listedTogether;

/** A record by its id, or a list by the id of what it belongs to. Entries by `entryId`, balances by `<merchant> <CUR>`. */
export type Ref = { readonly kind: RecordKind | ListKind; readonly id: string };

/** What was asked for, as far as the table has it. */
export interface Found {
  one<K extends RecordKind>(kind: K, id: string): RecordOf<K> | undefined;
  all<L extends ListKind>(list: L, id: string): readonly RecordOf<(typeof listedTogether)[L]>[];
}

/**
 * What must hold of each record of a kind, recomputed from the records that it depends on. Pure, so the same rule judges a record
 * when it is streamed, when a difference is confirmed by a second read, and in the simulation.
 */
export type Rule<K extends RecordKind> = {
  readonly invariant: Invariant;
  readonly of: K;
  readonly needs: (record: RecordOf<K>) => readonly Ref[];
  /** Returns what is wrong, a sentence each; empty when the rule holds. Equal records give equal sentences. */
  readonly broken: (record: RecordOf<K>, found: Found, now: Date) => readonly string[];
};

/** A rule of any kind of record. */
export type AnyRule = {
  readonly of: RecordKind;
  readonly needs: (record: AuditRecord) => readonly Ref[];
  readonly differences: (record: AuditRecord, found: Found, now: Date) => readonly Difference[];
};

/** Makes a rule one of the list: it asks nothing and finds nothing for records of other kinds. */
export const rule = <K extends RecordKind>({ invariant, of, needs, broken }: Rule<K>): AnyRule => {
  const isOf = (record: AuditRecord): record is RecordOf<K> => record.kind === of;
  return {
    of,
    needs: (record) => (isOf(record) ? needs(record) : []),
    differences: (record, found, now) =>
      isOf(record)
        ? broken(record, found, now).map((text) => ({ invariant, about: refText(refOf(record)), text }))
        : [],
  };
};

/** Whether the record was read: it is no flaw of an item. */
export const isRead = (record: AuditRecord): record is ReadRecord =>
  record.kind !== 'unreadable' && record.kind !== 'misfiled';

/** Returns how a record is found again. */
export function refOf(record: ReadRecord): Ref {
  return { kind: record.kind, id: idOf(record) };
}

export const refText = ({ kind, id }: Ref): string => `${kind} ${id}`;

/** Returns what identifies a decision: `operator <name> <id>`. */
export const decisionId = ({ role, by, id }: DecisionKey): string => `${role} ${by} ${id}`;

const billReferenceId = ({ of, merchantId, shopId, hash, billId }: BillReference): string =>
  [
    of,
    merchantId,
    ...(shopId === undefined ? [] : [shopId]),
    hash,
    ...(of === 'order_bill' ? [billId] : []),
  ].join(' ');

export function idOf(record: ReadRecord): string {
  switch (record.kind) {
    case 'merchant':
      return record.merchant.id;
    case 'shop':
      return record.shop.id;
    case 'balance':
      return `${record.merchantId} ${record.balance.currency}`;
    case 'entry':
      return entryId(record.entry);
    case 'bill':
      return record.bill.id;
    case 'payment':
      return record.payment.id;
    case 'refund':
      return record.refund.id;
    case 'payout':
      return record.payout.id;
    case 'token':
      return record.tokenHash;
    case 'shop_reference':
      return `${record.merchantId} ${record.shopId}`;
    case 'payout_account':
      return `${record.account.merchantId} ${record.account.id}`;
    case 'payout_number':
      return `${record.number.merchantId} ${record.number.numberHash}`;
    case 'known_account':
      return `${record.known.merchantId} ${record.known.accountHash}`;
    case 'bill_reference':
      return billReferenceId(record.reference);
    case 'payout_claim':
      return `${record.claim.merchantId} ${record.claim.keyHash}`;
    case 'group':
      return record.group.groupId;
    case 'decision':
      return decisionId(record.key);
    case 'proposal':
      return record.proposal.id;
    case 'adjustment':
      return record.adjustment.id;
    case 'chargeback':
      return record.chargeback.id;
    case 'claim':
      return record.claim.id;
    case 'event':
      return record.event.id;
  }
}

/** Finds records among those given: all of a small table, as the simulation reads it. */
export function foundIn(records: readonly AuditRecord[]): Found {
  const byRef = new Map<string, AuditRecord>();
  const lists = new Map<string, AuditRecord[]>();
  const addTo = (ref: Ref, record: AuditRecord) =>
    lists.set(refText(ref), [...(lists.get(refText(ref)) ?? []), record]);
  for (const record of records) {
    if (!isRead(record)) continue;
    byRef.set(refText(refOf(record)), record);
    if (record.kind === 'payment') addTo({ kind: 'payments_of', id: record.payment.billId }, record);
    if (record.kind === 'refund') addTo({ kind: 'refunds_of', id: record.refund.paymentId }, record);
    if (record.kind === 'payout') addTo({ kind: 'payouts_of', id: record.payout.groupId }, record);
  }
  return {
    one<K extends RecordKind>(kind: K, id: string) {
      const record = byRef.get(refText({ kind, id }));
      const isOf = (each: AuditRecord): each is RecordOf<K> => each.kind === kind;
      return record && isOf(record) ? record : undefined;
    },
    all<L extends ListKind>(list: L, id: string) {
      const isOf = (each: AuditRecord): each is RecordOf<(typeof listedTogether)[L]> =>
        each.kind === listedTogether[list];
      return (lists.get(refText({ kind: list, id })) ?? []).filter(isOf);
    },
  };
}

import { describe, expect, it } from 'vitest';
import type { Bill } from '../../lib/bill/bill.ts';
import { toPaymentId } from '../../lib/ids.ts';
import { type Adjustment, adjustmentEntry, rejected } from '../../lib/ledger/adjustment.ts';
import type { Entry, Line } from '../../lib/ledger/entry.ts';
import { duplicateCaptureEntry, refundEntry } from '../../lib/payment/payment-postings.ts';
import { releaseEntry, reserveEntry, settleEntry } from '../../lib/payout/payout-postings.ts';
import { audit } from '../../lib/operator/audit/audit.ts';
import type { AuditRecord, AuditSource } from '../../lib/operator/audit/records.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { anAdjustment, anApprovedAdjustment, decisionBy } from '../support/adjustments.ts';
import {
  aBill,
  aMerchant,
  aPayment,
  aShop,
  type BillTraits,
  merchantId,
  otherPaymentId,
  paymentId,
  shopId,
  today,
} from '../support/builders.ts';
import { aPayout } from '../support/payouts.ts';

const now = () => new Date('2026-11-22T00:00:00Z');

const sourceOf = (...passes: readonly (readonly AuditRecord[])[]): AuditSource => {
  let pass = 0;
  return {
    async *records() {
      yield* passes[Math.min(pass, passes.length - 1)] ?? [];
      pass += 1;
    },
  };
};

const found = async (...records: readonly AuditRecord[]) => {
  const { differences } = await audit({ auditSource: sourceOf(records), now });
  return differences.map(({ invariant, text }) => `${invariant} ${text}`);
};

const rub = (account: Line['account'], minor: bigint): Line => ({ account, currency: 'RUB', minor });
const capture = (
  lines: readonly Line[] = [rub('acquirer', -10_050n), rub('available', 9_849n), rub('fees', 201n)],
): AuditRecord => ({
  kind: 'entry',
  entry: { about: paymentId, kind: 'CAPTURE', merchantId, lines, at: today, adjustment: undefined },
});
const balance = (available: bigint, locked = 0n, held = 0n, reserved = 0n): AuditRecord => ({
  kind: 'balance',
  merchantId,
  balance: { currency: 'RUB', available, locked, held, reserved },
});
const bill = (traits: BillTraits = {}): AuditRecord => ({
  kind: 'bill',
  bill: aBill(traits.type === 'MULTI' ? traits : { status: 'SUCCESS', paidBy: paymentId, ...traits }),
});
const payment = (traits: Partial<Payment> = {}, listed = false): AuditRecord => ({
  kind: 'payment',
  payment: aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n, feeMinor: 201n, ...traits }),
  listed,
});
const entry = (posted: Entry): AuditRecord => ({ kind: 'entry', entry: posted });
const adjustment = (proposedOrDecided: Adjustment, listed = false): AuditRecord => ({
  kind: 'adjustment',
  adjustment: proposedOrDecided,
  listed,
});
const payout = (traits: Partial<Payout> = {}, listed = true): AuditRecord => ({
  kind: 'payout',
  payout: aPayout({ merchantId, ...traits }),
  listed,
});

const paid = [bill(), payment(), capture(), balance(9_849n)];

const posting = {
  merchantId,
  currency: 'RUB',
  sentMinor: 100_000n,
  commissionMinor: 1_000n,
  at: today,
} as const;
const { id: payoutId, groupId } = aPayout();
/** An adjustment of a million kopecks, which covers the payouts. */
const fund = anApprovedAdjustment({ id: 'fund', amount: { minor: 1_000_000n, currency: 'RUB' } });
const funded = [adjustment(fund), entry(adjustmentEntry(fund))];
const reserved = [...funded, entry(reserveEntry({ ...posting, about: groupId }))];

const event = (traits: Partial<PostbackEvent> = {}, listed = false): AuditRecord => ({
  kind: 'event',
  event: {
    id: `pay.${paymentId}.SUCCESS`,
    kind: 'payment',
    merchantId,
    shopId,
    supersededByBill: undefined,
    sealedPhone: undefined,
    status: 'SUCCESS',
    fields: {},
    state: 'DELIVERED',
    attempts: [],
    tries: 1,
    createdAt: today,
    nextAt: today,
    ...traits,
  },
  listed,
});
const shopWithUrl = (since: string): AuditRecord => ({
  kind: 'shop',
  shop: aShop({ resultUrl: 'https://cafe.example/result', resultUrlSince: new Date(since) }),
});

describe('audit finds no difference in', () => {
  it('an installation without data', async () => {
    expect(await found()).toEqual([]);
  });

  it('a paid bill', async () => {
    expect(await found(...paid)).toEqual([]);
  });

  it('an unfinished payout, a paid one and a failed one', async () => {
    expect(await found(...reserved, payout(), balance(899_000n, 100_000n, 1_000n))).toEqual([]);
    const settled = entry(settleEntry({ ...posting, about: payoutId }));
    const success = payout({ status: 'SUCCESS' }, false);
    expect(await found(...reserved, settled, success, balance(899_000n))).toEqual([]);
    const released = entry(releaseEntry({ ...posting, about: payoutId }));
    expect(
      await found(...reserved, released, payout({ status: 'FAIL' }, false), balance(1_000_000n)),
    ).toEqual([]);
  });

  it('several adjustments about one payment', async () => {
    const both = [
      anApprovedAdjustment({ id: 'a1', about: paymentId }),
      anApprovedAdjustment({ id: 'a2', about: paymentId }),
    ];
    const posted = both.flatMap((each) => [adjustment(each), entry(adjustmentEntry(each))]);
    expect(await found(...posted, balance(20_000n))).toEqual([]);
  });

  it('a payment from before the shop had a Result URL', async () => {
    expect(await found(...paid, shopWithUrl('2026-11-21T18:00:00Z'))).toEqual([]);
  });
});

describe('audit finds', () => {
  it('entry_balances: an entry that does not sum to zero, and with it accounts_sum_to_zero', async () => {
    const lines = [rub('acquirer', -10_050n), rub('available', 9_849n), rub('fees', 202n)];
    expect(await found(bill(), payment(), capture(lines), balance(9_849n))).toEqual([
      `entry_balances entry CAPTURE of ${paymentId} sums to 0.01 RUB, not to zero`,
      'accounts_sum_to_zero all RUB accounts together hold 0.01, not zero',
    ]);
  });

  it('balance_matches_journal: a balance that differs from the sum of its lines', async () => {
    const differences = await found(bill(), payment(), capture(), balance(9_850n));
    expect(differences).toContain(
      `balance_matches_journal balance ${merchantId} RUB available is 98.50, but its journal lines sum to 98.49`,
    );
  });

  it('balance_matches_journal: a missing balance item', async () => {
    const differences = await found(bill(), payment(), capture());
    expect(differences).toContain(
      `balance_matches_journal balance ${merchantId} RUB available is 0.00, but its journal lines sum to 98.49`,
    );
  });

  it('balance_not_negative: a balance below zero', async () => {
    const taken = anApprovedAdjustment({ direction: 'debit', amount: { minor: 1n, currency: 'RUB' } });
    expect(await found(adjustment(taken), entry(adjustmentEntry(taken)), balance(-1n))).toEqual([
      `balance_not_negative balance ${merchantId} RUB available is -0.01, below zero`,
    ]);
  });

  it('reserves_match_payouts: a balance that reserves more than unfinished payouts need', async () => {
    const settled = entry(settleEntry({ ...posting, about: payoutId }));
    const differences = await found(
      ...reserved,
      settled,
      payout({ status: 'SUCCESS' }, false),
      balance(899_000n, 100_000n),
    );
    expect(differences).toContain(
      `reserves_match_payouts balance ${merchantId} RUB locked is 1000.00, but its unfinished payouts reserve 0.00`,
    );
  });

  it('reserves_match_payouts: a final payout without its entry, and an entry without its payout', async () => {
    expect(
      await found(...reserved, payout({ status: 'SUCCESS' }, false), balance(899_000n, 100_000n, 1_000n)),
    ).toContain(`reserves_match_payouts payout ${payoutId} is final, but has no SETTLE entry`);
    const settled = entry(settleEntry({ ...posting, about: payoutId }));
    expect(await found(...reserved, settled, payout({ status: 'FAIL' }, false), balance(899_000n))).toContain(
      `reserves_match_payouts payout ${payoutId} has a SETTLE entry that its state does not account for`,
    );
  });

  it('captures_match_payments: a paid payment without a CAPTURE, a CAPTURE without a paid payment, and one of another amount', async () => {
    expect(await found(bill(), payment())).toEqual([
      `captures_match_payments payment ${paymentId} is paid, but has no CAPTURE entry`,
    ]);
    expect(await found(capture(), balance(9_849n))).toEqual([
      `captures_match_payments payment ${paymentId} has a CAPTURE entry, but is not paid`,
    ]);
    expect(await found(bill(), payment({ receivedMinor: 10_000n }), capture(), balance(9_849n))).toEqual([
      `captures_match_payments payment ${paymentId} received 100.00, but its CAPTURE entry took 100.50`,
    ]);
  });

  it('captures_match_payments: a DONE failed payment whose late money was not refunded', async () => {
    const { id } = aPayment();
    const late = duplicateCaptureEntry(aPayment(), 10_050n, today);
    const refund = refundEntry(aPayment(), 10_050n, today);
    const failed = (phase: Payment['phase']) => payment({ id, status: 'FAIL', phase }, phase !== 'DONE');
    expect(await found(failed('REFUNDING'), entry(late))).toEqual([]);
    expect(await found(failed('DONE'), entry(late), entry(refund))).toEqual([]);
    expect(await found(failed('DONE'), entry(late))).toEqual([
      `captures_match_payments payment ${id} failed, but 100.50 of it was not refunded`,
    ]);
  });

  it('captures_match_payments: a MULTI bill that is NEW although it has a paid payment', async () => {
    const [, , posted, available] = paid;
    const multi = (status: Bill['status']) => [
      bill({ type: 'MULTI', status }),
      payment({ billType: 'MULTI' }),
      posted!,
      available!,
    ];
    expect(await found(...multi('SUCCESS'))).toEqual([]);
    expect(await found(...multi('NEW'))).toEqual([
      `captures_match_payments bill ${aBill().id} has a paid payment, but shows NEW`,
    ]);
  });

  it('captures_match_payments: a NORMAL bill that is paid twice, or does not name its paid payment', async () => {
    const second = `${aBill().id}00Payment2`;
    const twice = [
      ...paid.slice(0, 3),
      payment({ id: toPaymentId(second) }),
      entry({
        about: second,
        kind: 'CAPTURE',
        merchantId,
        lines: [rub('acquirer', -10_050n), rub('available', 10_050n)],
        at: today,
        adjustment: undefined,
      }),
      balance(19_899n),
    ];
    expect(await found(...twice)).toEqual([
      `captures_match_payments bill ${aBill().id} is paid by ${paymentId} and ${second}, but names ${paymentId}`,
    ]);
    expect(await found(bill({ paidBy: undefined }), ...paid.slice(1))).toEqual([
      `captures_match_payments bill ${aBill().id} is paid by ${paymentId}, but names none`,
    ]);
  });

  it('events_match_states: a missing postback of a payment', async () => {
    expect(await found(...paid, shopWithUrl('2026-11-20T00:00:00Z'))).toEqual([
      `events_match_states postback pay.${paymentId}.SUCCESS is missing`,
    ]);
    expect(await found(...paid, event(), shopWithUrl('2026-11-20T00:00:00Z'))).toEqual([]);
  });

  it('events_match_states: a missing postback of a payout', async () => {
    const merchant: AuditRecord = {
      kind: 'merchant',
      merchant: aMerchant({
        payoutWebhookUrl: 'https://cafe.example/payouts',
        payoutWebhookSince: new Date('2026-11-20T00:00:00Z'),
      }),
    };
    const released = entry(releaseEntry({ ...posting, about: payoutId }));
    expect(
      await found(
        merchant,
        ...reserved,
        released,
        payout({ status: 'DECLINED' }, false),
        balance(1_000_000n),
      ),
    ).toEqual([`events_match_states postback po.${payoutId}.DECLINED is missing`]);
  });

  it('no missing postback of a payout after 90 days, when the event has expired', async () => {
    const webhook = { payoutWebhookUrl: 'https://cafe.example/payouts', payoutWebhookSince: new Date(0) };
    const merchant: AuditRecord = { kind: 'merchant', merchant: aMerchant(webhook) };
    const released = entry(releaseEntry({ ...posting, about: payoutId }));
    const createdAt = new Date(now().getTime() - 90 * 24 * 3600_000);
    const declined = payout({ status: 'DECLINED', createdAt }, false);
    expect(await found(merchant, ...reserved, released, declined, balance(1_000_000n))).toEqual([]);
  });

  it('no missing postback of a payment after 180 days, when the delivered event has expired', async () => {
    const day = 24 * 3600_000;
    const createdAt = new Date(now().getTime() - 181 * day);
    const delivered = paid.map((record) =>
      record.kind === 'payment'
        ? { ...record, payment: { ...record.payment, createdAt, deliveredAt: createdAt } }
        : record,
    );
    expect(await found(...delivered, shopWithUrl('1970-01-01T00:00:00Z'))).toEqual([]);
  });

  it('events_match_states: a postback of a state that its payment is not in', async () => {
    expect(
      await found(
        bill({ status: 'PROCESS', paidBy: undefined }),
        payment({ status: 'PROCESS', phase: 'CAPTURING' }, true),
        event(),
      ),
    ).toEqual([
      `events_match_states postback pay.${paymentId}.SUCCESS reports a state that its payment or payout is not in`,
    ]);
  });

  it('work_lists_complete: unfinished items that are on no work list', async () => {
    const unlisted = [
      payment({ status: 'PROCESS', phase: 'AUTHORIZING' }),
      payment({ id: otherPaymentId, status: 'FAIL', phase: 'VOIDING' }),
      ...reserved,
      payout({ status: 'ERROR' }, false),
      balance(899_000n, 100_000n, 1_000n),
    ];
    expect(await found(...unlisted)).toEqual([
      `work_lists_complete payment ${paymentId} is PROCESS/AUTHORIZING, but is on no work list`,
      `work_lists_complete payment ${otherPaymentId} is FAIL/VOIDING, but is on no work list`,
      `work_lists_complete payout ${payoutId} is ERROR, but is on no work list`,
    ]);
    expect(await found(...paid, event({ state: 'DEAD' }))).toEqual([
      `work_lists_complete postback pay.${paymentId}.SUCCESS is DEAD, but is on no work list`,
    ]);
  });

  it('work_lists_complete: a proposed adjustment that is on no work list', async () => {
    expect(await found(adjustment(anAdjustment()))).toEqual([
      `work_lists_complete adjustment ${anAdjustment().id} is PROPOSED, but is on no work list`,
    ]);
    expect(await found(adjustment(anAdjustment(), true))).toEqual([]);
  });

  it('adjustments_match_entries: an approved adjustment without its entry, and an entry without an approval', async () => {
    const approved = anApprovedAdjustment({ id: 'a1' });
    expect(await found(adjustment(approved))).toEqual([
      'adjustments_match_entries adjustment a1 is approved, but has no ADJUST entry',
    ]);
    const posted = [entry(adjustmentEntry(approved)), balance(10_000n)];
    const unapproved = ['adjustments_match_entries adjustment a1 has an ADJUST entry, but is not approved'];
    expect(await found(...posted)).toEqual(unapproved);
    expect(await found(...posted, adjustment(anAdjustment({ id: 'a1' }), true))).toEqual(unapproved);
    const refused = rejected(anAdjustment({ id: 'a1' }), { ...decisionBy('petr'), reason: 'no' });
    expect(await found(...posted, adjustment(refused))).toEqual(unapproved);
  });

  it('adjustments_match_entries: an entry with another amount or another approver', async () => {
    const approved = anApprovedAdjustment({ id: 'a1' });
    const more = adjustmentEntry({ ...approved, amount: { minor: 10_001n, currency: 'RUB' } });
    expect(await found(adjustment(approved), entry(more), balance(10_001n))).toEqual([
      expect.stringMatching(
        /^adjustments_match_entries adjustment a1 was approved as "available 100\.00 .*is "available 100\.01 /,
      ),
    ]);
    const byIvan = adjustmentEntry({ ...approved, decision: decisionBy('ivan') });
    expect(await found(adjustment(approved), entry(byIvan), balance(10_000n))).toEqual([
      expect.stringMatching(/^adjustments_match_entries .*olga and petr: .*olga and ivan: /),
    ]);
  });

  it.each([1, -1])(
    'adjustments_match_entries: two entries of one adjustment, in either order',
    async (order) => {
      const approved = anApprovedAdjustment({ id: 'a1' });
      const once = adjustmentEntry(approved);
      const twice = [entry(once), entry({ ...once, about: paymentId })];
      const read = order === 1 ? twice : twice.toReversed();
      expect(await found(adjustment(approved), ...read, balance(20_000n))).toEqual([
        expect.stringMatching(
          /^adjustments_match_entries adjustment a1 was approved as .*, but its ADJUST entry is .* and /,
        ),
      ]);
    },
  );

  it('adjustments_match_entries: an ADJUST entry without an adjustment', async () => {
    const named = adjustmentEntry(anApprovedAdjustment({ about: paymentId }));
    const bare = { ...named, adjustment: undefined };
    expect(await found(entry(bare), balance(10_000n))).toEqual([
      `adjustments_match_entries ADJUST entry of ${paymentId} names no adjustment`,
    ]);
  });

  it('an item that cannot be parsed', async () => {
    expect(await found({ kind: 'unreadable', key: 'B#1 B', why: 'amount is missing' })).toEqual([
      'items item B#1 B cannot be read: amount is missing',
    ]);
  });
});

describe('a table that changes while it is read', () => {
  it('is read again, and a difference that is gone then does not count', async () => {
    const torn = [bill(), payment(), balance(9_849n)];
    const report = await audit({ auditSource: sourceOf(torn, paid), now });
    expect(report).toMatchObject({ differences: [], passes: 2 });
  });

  it('a difference counts when every pass finds it', async () => {
    const torn = [bill(), payment()];
    const report = await audit({ auditSource: sourceOf(torn), now });
    expect(report).toMatchObject({
      differences: [{ invariant: 'captures_match_payments' }],
      passes: 3,
      items: 2,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { toMerchantId, toPaymentId } from '../../lib/ids.ts';
import { type Chargeback, decidedChargeback } from '../../lib/ledger/chargeback.ts';
import { type Claim, claimEntry, type ClaimMove, movedClaim } from '../../lib/ledger/claim.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import type { Decision, Proposable } from '../../lib/decision/decision.ts';
import type { Proposal } from '../../lib/decision/proposal.ts';
import type { Payment, PaymentDecision } from '../../lib/payment/payment.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import { chargebackPosting } from '../../lib/payment/chargeback-postings.ts';
import { chargebackEvent } from '../../lib/payment/chargeback-postback.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import { aBill, aPayment, merchantId, otherShopId, paymentId, today } from '../support/builders.ts';
import { aChargeback } from '../support/chargebacks.ts';
import { judged, shopRecords } from '../support/judged.ts';

const id = `${paymentId}.chargeback.1`;
const success = aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n, feeMinor: 201n });
const paid: readonly AuditRecord[] = [
  ...shopRecords(),
  { kind: 'bill', bill: aBill({ status: 'SUCCESS', paidBy: paymentId, current: paymentId, fenced: true }) },
  { kind: 'payment', payment: success },
  { kind: 'entry', entry: captureEntry(success, 10_050n, today) },
];

const verdict = {
  id: 'p',
  proposedBy: 'olga',
  approvedBy: 'petr',
  reason: 'case 4711',
  at: today,
  bearer: 'merchant',
  posted: undefined,
} as const;
const confirmed = decidedChargeback(aChargeback(), 'CONFIRMED', verdict);
/** 10.00 of the 40.00 is available: 30.00 is owed. */
const { entry: posted, claim } = chargebackPosting(success, confirmed, 1_000n);
if (!claim) throw new Error('There is a claim');
const byTwo = { by: 'olga', approvedBy: 'petr', reason: 'insolvent', at: today } as const;
const collected: ClaimMove = {
  id: 'c',
  kind: 'collected',
  minor: 500n,
  by: 'olga',
  approvedBy: undefined,
  reason: undefined,
  at: today,
};
const once = movedClaim(claim, collected);
const writtenOff: ClaimMove = { id: 'd', kind: 'written_off', minor: 1_000n, ...byTwo };
const twice = movedClaim(once, writtenOff);
const moves = [claimEntry(once, collected), claimEntry(twice, writtenOff)] as const;

const item = (chargeback: Chargeback): AuditRecord => ({ kind: 'chargeback', chargeback });
const owed = (of: Claim): AuditRecord => ({ kind: 'claim', claim: of });
const entry = (of: Entry): AuditRecord => ({ kind: 'entry', entry: of });

type Parts = {
  readonly chargeback: Chargeback;
  readonly posted: Entry | undefined;
  readonly claim: Claim | undefined;
  readonly moves: readonly Entry[];
};
/** A confirmed chargeback whose claim was collected in part and written off in part, with what a corruption changed. */
const all = (changed: Partial<Parts> = {}): readonly AuditRecord[] => {
  const parts = { chargeback: confirmed, posted, claim: twice, moves, ...changed };
  return [
    ...paid,
    item(parts.chargeback),
    ...(parts.posted ? [entry(parts.posted)] : []),
    ...(parts.claim ? [owed(parts.claim)] : []),
    ...parts.moves.map(entry),
  ];
};

const platform = decidedChargeback(aChargeback(), 'CONFIRMED', { ...verdict, bearer: 'platform' });
const surplus = decidedChargeback(
  aChargeback({
    direction: 'surplus',
    seen: { state: 'captured', heldMinor: 14_050n, refundedMinor: undefined },
  }),
  'CONFIRMED',
  {
    ...verdict,
    bearer: undefined,
  },
);

/** Without what the people who decided are asked for: see the last tests. */
const wrong = (records: readonly AuditRecord[]) =>
  judged(records)
    .filter((each) => !each.startsWith('decisions_were_made'))
    .toSorted();

/** The same loss, which was posted to the shop's refund URL. */
const postedLoss = decidedChargeback(aChargeback(), 'CONFIRMED', { ...verdict, posted: true });
const postback = chargebackEvent(postedLoss, success);
if (!postback) throw new Error('There is a postback');
const told = (event: PostbackEvent | undefined, chargeback = postedLoss): readonly AuditRecord[] => [
  ...all({ chargeback }),
  ...(event ? [{ kind: 'event', event } as const] : []),
];

describe('the audit of chargebacks’ postbacks', () => {
  const eventId = postback.id;
  const differs = (what: string) => [
    `events_match_states postback ${eventId} differs from its chargeback in ${what}`,
  ];

  it('finds no difference in one that says what its chargeback and payment say', () => {
    expect(wrong(told(postback))).toEqual([]);
    expect(wrong(told({ ...postback, state: 'DEAD', tries: 11 }))).toEqual([]);
  });

  it.each<[string, Partial<PostbackEvent>]>([
    ['merchantId', { merchantId: toMerchantId('AnotherMerchant0') }],
    ['shopId', { shopId: otherShopId }],
    ['sentAfter', { sentAfter: undefined }],
    ['supersededByBill', { supersededByBill: success.billId }],
    ['status', { status: 'OPEN' }],
    ['createdAt', { createdAt: new Date(0) }],
    ['Amount', { fields: { ...postback.fields, Amount: '4.00' } }],
    ['Currency', { fields: { ...postback.fields, Currency: 'USD' } }],
    ['BillId', { fields: { ...postback.fields, BillId: 'AnotherAnotherBi' } }],
    ['fields', { fields: Object.fromEntries(Object.entries(postback.fields).toReversed()) }],
    ['fields, Note', { fields: { ...postback.fields, Note: 'x' } }],
  ])('finds another %s', (what, changes) => {
    expect(wrong(told({ ...postback, ...changes }))).toEqual(differs(what));
  });

  it('finds one that is missing while it must be retained, and none after that', () => {
    expect(wrong(told(undefined))).toEqual([`events_match_states postback ${eventId} is missing`]);
    const later = new Date(today.getTime() + 91 * 24 * 3600_000);
    expect(judged(told(undefined), later).filter((each) => each.includes('postback'))).toEqual([]);
  });

  it('finds one of a chargeback that was not posted, that is not confirmed, or that does not exist', () => {
    const none = [`events_match_states postback ${eventId} is about no chargeback that was posted`];
    expect(wrong(told(postback, confirmed))).toEqual(none);
    expect(wrong([...paid, item(aChargeback()), { kind: 'event', event: postback }])).toEqual(none);
    expect(wrong([...paid, { kind: 'event', event: postback }])).toEqual(none);
  });

  it('finds a chargeback that was posted though it is no confirmed loss', () => {
    const odd = decidedChargeback(aChargeback(), 'DISMISSED', {
      ...verdict,
      bearer: undefined,
      posted: true,
    });
    expect(wrong([...paid, item(odd)])).toContain(
      `events_match_states chargeback ${id} was posted, though it is a loss and DISMISSED`,
    );
  });
});

describe('the audit of chargebacks finds no difference in', () => {
  it.each<[string, readonly AuditRecord[]]>([
    ['an open one', [...paid, item(aChargeback())]],
    ['a confirmed one whose claim was collected and written off in part', all()],
    [
      'one that the platform bears',
      [...paid, item(platform), entry(chargebackPosting(success, platform, 0n).entry)],
    ],
    ['a surplus', [...paid, item(surplus), entry(chargebackPosting(success, surplus, 0n).entry)]],
    [
      'a loss after an entered surplus that was dismissed since',
      [
        ...paid,
        item({
          ...surplus,
          status: 'DISMISSED',
          seen: undefined,
          entered: { id: 'e', by: 'olga', reason: 'letter' },
        }),
        item(
          aChargeback({
            number: 2,
            id: `${paymentId}.chargeback.2`,
            amount: { minor: 14_050n, currency: 'RUB' },
            seen: { state: 'refunded', heldMinor: 0n, refundedMinor: undefined },
          }),
        ),
      ],
    ],
    [
      'a dismissed one',
      [...paid, item(decidedChargeback(aChargeback(), 'DISMISSED', { ...verdict, bearer: undefined }))],
    ],
    [
      'one that was decided by a clock that is five minutes behind',
      [
        ...paid,
        item({
          ...decidedChargeback(aChargeback(), 'DISMISSED', { ...verdict, bearer: undefined }),
          at: new Date(today.getTime() + 5 * 60_000),
        }),
      ],
    ],
  ])('%s', (_state, records) => {
    expect(wrong(records)).toEqual([]);
  });
});

const entered = { id: 'e', by: 'olga', reason: 'letter' } as const;
const ofEntry = `chargebacks_match_entries entry ${paymentId}`;
const authorization = posted.adjustment ?? { id, reason: '', proposedBy: '', approvedBy: '' };
const booked = 'acquirer 40.00 RUB, available -10.00 RUB, claims -30.00 RUB';
const another = toPaymentId(aPayment().id.replace('Payment1', 'Payment2'));

describe('the audit of chargebacks finds', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'a confirmation without its entry',
      all({ posted: undefined }),
      [`${ofEntry} CHARGEBACK#${id} is missing, but its chargeback accounts for it`],
    ],
    [
      'an entry without its confirmation',
      [...paid, item(aChargeback()), entry(posted)],
      [`${ofEntry} CHARGEBACK#${id} was posted, but no chargeback accounts for it`],
    ],
    [
      'an entry that names nobody',
      [...paid, entry({ ...posted, adjustment: undefined })],
      [`${ofEntry} CHARGEBACK was posted, but no chargeback accounts for it`],
    ],
    [
      'an entry of the other kind',
      all({ posted: { ...posted, kind: 'SURPLUS' } }),
      [
        `${ofEntry} CHARGEBACK#${id} is missing, but its chargeback accounts for it`,
        `${ofEntry} SURPLUS#${id} was posted, but no chargeback accounts for it`,
      ],
    ],
    [
      'another amount, approved by another person',
      all({
        posted: {
          ...posted,
          lines: posted.lines.map((line) =>
            line.account === 'acquirer' ? { ...line, minor: 4_001n } : line,
          ),
          adjustment: { ...authorization, approvedBy: 'ivan' },
        },
      }),
      [
        `entry_balances entry ${paymentId} CHARGEBACK#${id} sums to 0.01 RUB, not to zero`,
        `${ofEntry} CHARGEBACK#${id} says ${booked.replace('40.00', '40.01')}; ${id} by olga and ivan: case 4711, but its chargeback accounts for ${booked}; ${id} by olga and petr: case 4711`,
      ],
    ],
    [
      'one that its decision makes another’s burden',
      all({ chargeback: { ...confirmed, decision: { ...verdict, bearer: undefined } } }),
      [
        `chargebacks_match_entries chargeback ${id} is borne by nobody, though it is a loss and CONFIRMED`,
        `claims_match_entries claim ${id} is of no confirmed chargeback that the merchant bears`,
        `${ofEntry} CHARGEBACK#${id} says ${booked}, but its chargeback accounts for acquirer 40.00 RUB, correction -40.00 RUB`,
      ],
    ],
    [
      'one that a person decided alone',
      all({
        chargeback: { ...confirmed, decision: { ...verdict, approvedBy: 'Olga' } },
        posted: { ...posted, adjustment: { ...authorization, approvedBy: 'Olga' } },
      }),
      [`chargebacks_match_entries chargeback ${id} was decided by one person`],
    ],
    [
      'one that was decided before it was known',
      [
        ...paid,
        item({
          ...aChargeback(),
          status: 'DISMISSED',
          decision: { ...verdict, bearer: undefined, at: new Date(0) },
        }),
      ],
      [`chargebacks_match_entries chargeback ${id} was decided before it was known`],
    ],
    [
      'one of another merchant, in another currency, under another number, of nothing',
      [
        ...paid,
        item(
          aChargeback({
            merchantId: toMerchantId('StolenStolenStol'),
            amount: { minor: 0n, currency: 'USD' },
            id: `${paymentId}.chargeback.7`,
          }),
        ),
      ],
      [
        `chargeback ${paymentId}.chargeback.7 has currency "USD", but its payment has "RUB"`,
        `chargeback ${paymentId}.chargeback.7 has id "${paymentId}.chargeback.7", but its payment has "${id}"`,
        `chargeback ${paymentId}.chargeback.7 has merchantId "StolenStolenStol", but its payment has "${merchantId}"`,
        `chargeback ${paymentId}.chargeback.7 is of 0.00`,
        `chargeback ${paymentId}.chargeback.7 leaves 100.50 of the payment, but its acquirer held 60.50`,
      ].map((text) => `chargebacks_match_entries ${text}`),
    ],
    [
      'one of a payment that is not paid, and one of no payment',
      [
        ...shopRecords(),
        { kind: 'payment', payment: aPayment() },
        { kind: 'bill', bill: aBill({ status: 'PROCESS', current: paymentId, lockUntil: today }) },
        item(aChargeback()),
        item(aChargeback({ paymentId: another, id: `${another}.chargeback.1` })),
      ],
      [
        `chargebacks_match_entries chargeback ${id} is about a payment that is PROCESS`,
        `chargebacks_match_entries chargeback ${another}.chargeback.1 is about payment ${another}, which does not exist`,
      ],
    ],
    [
      'one that leaves another amount than its acquirer held',
      [...paid, item(aChargeback({ amount: { minor: 4_001n, currency: 'RUB' } }))],
      [`chargebacks_match_entries chargeback ${id} leaves 60.49 of the payment, but its acquirer held 60.50`],
    ],
    [
      'more than the payment received, after an item that a person entered',
      [
        ...paid,
        item(aChargeback({ seen: undefined, entered })),
        item(
          aChargeback({
            number: 2,
            id: `${paymentId}.chargeback.2`,
            amount: { minor: 6_051n, currency: 'RUB' },
            seen: undefined,
            entered,
          }),
        ),
      ],
      [`chargebacks_match_entries chargeback ${paymentId}.chargeback.2 leaves -0.01 of the payment`],
    ],
    [
      'one whose previous is gone',
      [...paid, item(aChargeback({ number: 2, id: `${paymentId}.chargeback.2` }))],
      [`chargebacks_match_entries chargeback ${paymentId}.chargeback.2 follows ${id}, which does not exist`],
    ],
  ])('%s', (_corruption, records, differences) => {
    expect(wrong(records)).toEqual(differences.toSorted());
  });
});

const ofClaim = `claims_match_entries claim ${id}`;

describe('the audit of claims finds', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'a claim that is gone, with its entries',
      all({ claim: undefined, moves: [] }),
      [
        `${ofEntry} CHARGEBACK#${id} says ${booked}, but its chargeback accounts for acquirer 40.00 RUB, available -40.00 RUB`,
      ],
    ],
    [
      'a claim of another amount than its entry, of another merchant and time',
      all({
        claim: {
          ...claim,
          merchantId: toMerchantId('StolenStolenStol'),
          at: new Date(0),
          amount: { minor: 2_000n, currency: 'RUB' },
          openMinor: 2_000n,
        },
        moves: [],
      }),
      [
        `${ofClaim} has at "1970-01-01T00:00:00.000Z", but its chargeback has "${today.toISOString()}"`,
        `${ofClaim} has merchantId "StolenStolenStol", but its chargeback has "${merchantId}"`,
        `${ofEntry} CHARGEBACK#${id} says ${booked}, but its chargeback accounts for acquirer 40.00 RUB, available -20.00 RUB, claims -20.00 RUB`,
      ],
    ],
    [
      'a claim of more than was charged back, though its entry agrees',
      all({
        posted: {
          ...posted,
          lines: [
            { account: 'acquirer', currency: 'RUB', minor: 4_000n },
            { account: 'available', currency: 'RUB', minor: 1_000n },
            { account: 'claims', currency: 'RUB', minor: -5_000n },
          ],
        },
        claim: { ...claim, amount: { minor: 5_000n, currency: 'RUB' }, openMinor: 5_000n },
        moves: [],
      }),
      [
        `${ofClaim} has minor "5000", but its chargeback has "4000"`,
        `${ofEntry} CHARGEBACK#${id} says acquirer 40.00 RUB, available 10.00 RUB, claims -50.00 RUB, but its chargeback accounts for acquirer 40.00 RUB, claims -40.00 RUB`,
      ],
    ],
    [
      'a claim of no chargeback',
      [...paid, owed(claim)],
      [`${ofClaim} is of no confirmed chargeback that the merchant bears`],
    ],
    [
      'a claim that is not what its moves left, and a move of nothing',
      all({ claim: { ...twice, openMinor: 0n } }),
      [`${ofClaim} of 30.00 was closed by 15.00, but 0.00 is owed`],
    ],
    [
      'a move of nothing, and a write-off by one person',
      all({
        claim: {
          ...movedClaim(once, { ...writtenOff, approvedBy: undefined }),
          openMinor: 3_000n,
          moves: [{ ...collected, minor: 0n }],
        },
        moves: [claimEntry({ ...claim, moves: [collected] }, { ...collected, minor: 0n })],
      }),
      [`${ofClaim} has a move of 0.00`],
    ],
    [
      'a write-off by one person',
      all({
        claim: movedClaim(claim, { ...writtenOff, approvedBy: 'OLGA' }),
        moves: [
          claimEntry(movedClaim(claim, { ...writtenOff, approvedBy: 'OLGA' }), {
            ...writtenOff,
            approvedBy: 'OLGA',
          }),
        ],
      }),
      [`${ofClaim} was written off by olga alone`],
    ],
    [
      'a move without its entry, and an entry without its move',
      all({ moves: [moves[0], { ...moves[1], kind: 'COLLECT' }] }),
      [
        `claims_match_entries entry ${paymentId} COLLECT#${id}.2 was posted, but no claim accounts for it`,
        `claims_match_entries entry ${paymentId} WRITE_OFF#${id}.2 is missing, but its claim accounts for it`,
      ],
    ],
  ])('%s', (_corruption, records, differences) => {
    expect(wrong(records)).toEqual(differences.toSorted());
  });
});

const made = (signed: string, decision: Decision, by = 'olga'): AuditRecord => ({
  kind: 'decision',
  key: { role: decision.kind === 'approve_proposal' ? 'approver' : 'operator', by, id: signed },
  made: { decision, at: today },
});
/** A decision that two people made, which was carried out. */
const byTwoPeople = (
  signed: string,
  decision: Proposable,
  traits: Partial<Proposal> = {},
): readonly AuditRecord[] => [
  made(signed, decision),
  made(`second-${signed}`, { kind: 'approve_proposal', proposalId: signed }, 'petr'),
  {
    kind: 'proposal',
    proposal: {
      id: signed,
      merchantId,
      decision,
      proposedBy: 'olga',
      proposedAt: today,
      status: 'DONE',
      decided: { id: `second-${signed}`, by: 'petr', at: today, reason: undefined },
      refusal: undefined,
      ...traits,
    },
  },
];
const confirmation = {
  kind: 'confirm_chargeback',
  chargebackId: id,
  bearer: 'merchant',
  reason: 'case 4711',
} as const;
const confirmedByTwo = byTwoPeople('p', confirmation);
const collection = made('c', { kind: 'collect_claim', claimId: id });
const writeOffByTwo = byTwoPeople('d', { kind: 'write_off_claim', claimId: id, reason: 'insolvent' });
const decisions = [...confirmedByTwo, collection, ...writeOffByTwo];

const letter = item(aChargeback({ seen: undefined, entered }));
const asEntered = {
  kind: 'enter_chargeback',
  paymentId,
  direction: 'loss',
  amountMinor: 4_000n,
  reason: 'letter',
} as const;

/** A payment that two people took for captured at 100.00. */
const evidence = 'statement of 21 November';
const byHand: PaymentDecision = {
  verdict: 'captured',
  id: 'r',
  by: 'olga',
  approvedBy: 'petr',
  reason: evidence,
  at: today,
};
const resolution = {
  kind: 'resolve_payment',
  paymentId,
  phase: 'AUTHORIZING',
  outcome: 'captured',
  amountMinor: 10_050n,
  evidence,
} as const;
const resolved = (given: Payment = { ...success, decisions: [byHand] }): readonly AuditRecord[] =>
  paid.map((record) => (record.kind === 'payment' ? { ...record, payment: given } : record));

const ofPayment = `payment ${paymentId} was resolved as captured by olga and petr, who made no such decision`;

describe('the audit of people’s decisions', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    ['finds none missing', [...all(), ...decisions], []],
    ['finds none missing of a letter', [...paid, letter, made('e', asEntered)], []],
    ['finds none missing of a payment by hand', [...resolved(), ...byTwoPeople('r', resolution)], []],
    [
      'finds none missing that was made before decisions were stored',
      resolved({ ...success, decisions: [{ ...byHand, id: undefined }] }),
      [],
    ],
    [
      'finds a confirmation that nobody decided',
      [...all(), collection, ...writeOffByTwo],
      [`chargeback ${id} is CONFIRMED by olga and petr, who made no such decision`],
    ],
    [
      'finds another bearer than was decided',
      [...all(), ...byTwoPeople('p', { ...confirmation, bearer: 'platform' }), collection, ...writeOffByTwo],
      [`chargeback ${id} is CONFIRMED by olga and petr, who made no such decision`],
    ],
    [
      'finds a second person who did not approve',
      [
        ...all(),
        ...byTwoPeople('p', confirmation, { status: 'PROPOSED', decided: undefined }),
        collection,
        ...writeOffByTwo,
      ],
      [`chargeback ${id} is CONFIRMED by olga and petr, who made no such decision`],
    ],
    [
      'finds a dismissal of what was to be confirmed',
      [
        ...paid,
        item({ ...confirmed, status: 'DISMISSED', decision: { ...verdict, bearer: undefined } }),
        ...byTwoPeople('p', confirmation),
      ],
      [`chargeback ${id} is DISMISSED by olga and petr, who made no such decision`],
    ],
    [
      'finds a letter of another amount',
      [...paid, letter, made('e', { ...asEntered, amountMinor: 1n })],
      [`chargeback ${id} was entered by olga, who made no such decision`],
    ],
    [
      'finds a chargeback removed with its claim and entries',
      [...paid, ...decisions],
      [`proposal d is DONE, but not with claim ${id}`, `proposal p is DONE, but not with chargeback ${id}`],
    ],
    [
      'finds moves of a claim that nobody decided',
      [...all(), ...confirmedByTwo],
      [
        `claim ${id} was collected by olga, who made no such decision`,
        `claim ${id} was written_off by olga and petr, who made no such decision`,
      ],
    ],
    ['finds a payment by hand that nobody decided', resolved(), [ofPayment]],
    [
      'finds a payment by hand of another amount, or with another outcome',
      [...resolved(), ...byTwoPeople('r', { ...resolution, amountMinor: 10_000n })],
      [ofPayment],
    ],
    [
      'finds a payment by hand with another outcome',
      [...resolved(), ...byTwoPeople('r', { ...resolution, outcome: 'failed' })],
      [ofPayment],
    ],
    [
      'finds a decision that the payment does not know',
      [...paid, ...byTwoPeople('r', resolution)],
      [`proposal r is DONE, but not with payment ${paymentId}`],
    ],
  ])('%s', (_decision, records, differences) => {
    expect(judged(records).toSorted()).toEqual(
      differences.map((each) => `decisions_were_made ${each}`).toSorted(),
    );
  });
});

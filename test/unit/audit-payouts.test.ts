import { describe, expect, it } from 'vitest';
import type { Decision } from '../../lib/decision/decision.ts';
import type { Proposal } from '../../lib/decision/proposal.ts';
import { newPayoutId, toAccountId, toGroupId, toMerchantId } from '../../lib/ids.ts';
import type { AuditRecord, Invariant } from '../../lib/operator/audit/records.ts';
import { judgeAll } from '../../lib/operator/audit/rules.ts';
import type { LimitUsage } from '../../lib/payout/limits.ts';
import { type Payout, sentMinor } from '../../lib/payout/payout.ts';
import { groupOfOrder } from '../../lib/payout/payout-group.ts';
import { payoutEvent } from '../../lib/payout/payout-postback.ts';
import { releaseEntry, settleEntry } from '../../lib/payout/payout-postings.ts';
import type { RailCall } from '../../lib/payout/rail-calls.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { aMerchant, billId, merchantId, today } from '../support/builders.ts';
import { aDecision, aGroup, aPayout, inStatus, theUsage } from '../support/payouts.ts';

const now = new Date('2026-11-22T00:00:00Z');
const otherMerchantId = toMerchantId('AnotherMerchant1');
const accountId = toAccountId('AccountAccountAc');
const approvalId = 'ApprovalApproval';
const returnId = 'ReturnReturnRetu';
const { id: payoutId, groupId } = aPayout();

/** The records of one payout: its group, its decisions, its postback, its merchant. */
type World = {
  readonly payouts: readonly Payout[];
  readonly others: readonly AuditRecord[];
};

const judged: readonly Invariant[] = [
  'payout_limits',
  'payout_groups_match',
  'payouts_match_decisions',
  'decisions_were_made',
  'events_match_states',
];
const found = ({ payouts, others }: World): readonly string[] =>
  judgeAll([...payouts.map((payout) => ({ kind: 'payout', payout }) as const), ...others], now)
    .filter(({ invariant }) => judged.some((each) => each === invariant))
    .map(({ invariant, text }) => `${invariant} ${text}`);

const decided = (id: string, decision: Decision, by = 'olga', role = 'operator' as const): AuditRecord => ({
  kind: 'decision',
  key: { role, by, id },
  made: { decision, at: today },
});
const approval = aDecision({ verdict: 'approved', id: approvalId, by: 'olga', at: today });
const approvalMade: Decision = {
  kind: 'approve_payouts',
  payouts: [{ id: payoutId, revision: 1 }],
  reason: undefined,
};
const railSaid = (answer: RailCall['answer'], call: RailCall['call'] = 'send'): RailCall => ({
  call,
  key: `${payoutId}.1`,
  answer,
  reference: undefined,
  reason: undefined,
  times: 1,
  firstAt: today,
  lastAt: today,
});

const webhook = {
  payoutWebhookUrl: 'https://cafe.example/payouts',
  payoutWebhookSince: new Date('2026-11-20T00:00:00Z'),
};
const merchant: AuditRecord = { kind: 'merchant', merchant: aMerchant(webhook) };
const group: AuditRecord = { kind: 'group', group: aGroup() };
const shared = [merchant, group, decided(approvalId, approvalMade)];

const paid = (traits: Partial<Payout> = {}): Payout =>
  aPayout({
    decisions: [approval],
    sentAt: today,
    railCalls: [railSaid('paid')],
    ...traits,
    status: 'SUCCESS',
  });

/** The postback of a final payout and the entry that was posted with it. */
function told(payout: Payout, traits: Partial<PostbackEvent> = {}): readonly AuditRecord[] {
  if (payout.status !== 'SUCCESS' && payout.status !== 'FAIL' && payout.status !== 'DECLINED') return [];
  const event = { ...payoutEvent(inStatus(payout, payout.status), undefined, today), ...traits };
  const posting = {
    about: payout.id,
    merchantId: payout.merchantId,
    currency: 'RUB',
    sentMinor: sentMinor(payout),
    commissionMinor: payout.commissionMinor,
    at: today,
  } as const;
  const entry = payout.status === 'SUCCESS' ? settleEntry(posting) : releaseEntry(posting);
  return [
    { kind: 'event', event },
    { kind: 'entry', entry },
  ];
}
const withPayout = (payout: Payout, ...others: readonly AuditRecord[]): World => ({
  payouts: [payout],
  others: [...shared, ...told(payout), ...others],
});

describe('the audit finds no difference in', () => {
  it.each<[string, Partial<Payout> & Pick<Payout, 'status'>]>([
    ['waits for a moderator', { status: 'MODERATING', decisions: [] }],
    [
      'was stopped by a ban',
      {
        status: 'MODERATING',
        decisions: [approval, aDecision({ verdict: 'stopped', by: 'rule:merchant_banned', at: today })],
      },
    ],
    [
      'a rule released',
      {
        status: 'NEW',
        decisions: [aDecision({ verdict: 'approved', by: 'rule:auto_approve_up_to', at: today })],
      },
    ],
    ['is queued', { status: 'PROCESS', decisions: [approval] }],
    ['is in ERROR', { status: 'ERROR', decisions: [approval], sentAt: today }],
    [
      'the rail refused',
      { status: 'FAIL', decisions: [approval], sentAt: today, railCalls: [railSaid('refused')] },
    ],
    [
      'was cancelled where the rail did not know it',
      { status: 'FAIL', decisions: [approval], sentAt: today, railCalls: [railSaid('unknown', 'cancel')] },
    ],
    [
      'an earlier version sent, without its calls and its deciders’ decisions',
      { status: 'SUCCESS', decisions: [{ ...approval, id: undefined }], sentAt: today },
    ],
    [
      'people declined before decisions were stored',
      { status: 'DECLINED', decisions: [aDecision({ verdict: 'declined', by: 'olga', at: today })] },
    ],
    [
      'people failed by hand although the rail once said paid',
      {
        status: 'FAIL',
        decisions: [approval, aDecision({ verdict: 'failed', by: 'olga', approvedBy: 'petr', at: today })],
        railCalls: [railSaid('paid')],
      },
    ],
  ])('a payout that %s', (_, traits) => {
    expect(found(withPayout(aPayout(traits)))).toEqual([]);
  });

  it('a payout that was paid', () => {
    expect(found(withPayout(paid()))).toEqual([]);
  });

  it('the parts of an order, one paid and one not', () => {
    const orderId = 'order 1';
    const of = { groupId: groupOfOrder(merchantId, orderId), orderId };
    const decisions = [{ ...approval, id: undefined }];
    const parts = [
      paid({ ...of, id: newPayoutId(of.groupId, 1), decisions }),
      aPayout({ ...of, id: newPayoutId(of.groupId, 2), decisions, status: 'PROCESS' }),
    ];
    const others = [
      merchant,
      { kind: 'group', group: aGroup(of) } as const,
      ...parts.flatMap((part) => told(part)),
    ];
    expect(found({ payouts: parts, others })).toEqual([]);
  });

  it('a postback of an earlier version, which shows the phone in full or masked otherwise', () => {
    const payout = paid({ accountType: 'sbp', mask: '7******6789' });
    const showing = (AccountNumber: string) => ({
      payouts: [payout],
      others: [
        ...shared,
        ...told(payout, {
          fields: { ...payoutEvent(inStatus(payout, 'SUCCESS'), undefined, today).fields, AccountNumber },
        }),
      ],
    });
    expect(found(showing('79123456789'))).toEqual([]);
    expect(found(showing('7912***6789'))).toEqual([]);
    expect(found(showing('79123450000'))).toEqual([
      `events_match_states postback po.${payoutId}.SUCCESS differs from its payout in AccountNumber`,
    ]);
  });

  it('a payout whose postback has expired, or whose merchant had no URL yet', () => {
    const createdAt = new Date(now.getTime() - 90 * 24 * 3600_000);
    const limits = { limitDay: '2026-08-24', limitMonth: '2026-08' };
    const old = { kind: 'group', group: aGroup({ createdAt }) } as const;
    const before: AuditRecord = {
      kind: 'merchant',
      merchant: aMerchant({ ...webhook, payoutWebhookSince: new Date(0) }),
    };
    const approved = decided(approvalId, approvalMade);
    const payouts = [paid({ createdAt, ...limits })];
    expect(found({ payouts, others: [before, old, approved] })).toEqual([]);
    const since: AuditRecord = {
      kind: 'merchant',
      // By a clock that is five minutes behind that of the payout.
      merchant: aMerchant({ ...webhook, payoutWebhookSince: new Date(today.getTime() - 5 * 60_000) }),
    };
    expect(found({ payouts: [paid()], others: [since, group, approved] })).toEqual([]);
  });
});

describe('payout_groups_match: the audit finds', () => {
  it('a group without payouts, and a payout without its group', () => {
    expect(found({ payouts: [], others: [group] })).toEqual([
      `payout_groups_match payout group ${groupId} has no payout`,
    ]);
    expect(found({ payouts: [aPayout()], others: [] })).toEqual([
      `payout_groups_match payout ${payoutId} has no group`,
    ]);
  });

  it('a part that is missing before another', () => {
    const second = aPayout({ id: newPayoutId(groupId, 2) });
    expect(found({ payouts: [second], others: [group] })).toEqual([
      `payout_groups_match payout group ${groupId} lacks payout ${payoutId}, but has a later one`,
    ]);
  });

  it.each<[string, Partial<Payout>]>([
    ['merchantId', { merchantId: otherMerchantId }],
    ['orderId', { orderId: 'another' }],
    ['createdAt', { createdAt: today }],
  ])('a payout whose %s is not its group’s', (name, traits) => {
    expect(found({ payouts: [aPayout(traits)], others: [group] })).toEqual([
      `payout_groups_match payout group ${groupId} and its payout ${payoutId} differ in ${name}`,
    ]);
  });

  it.each<[string, Partial<Payout>]>([
    ['isAuto', { isAuto: true }],
    ['accountHash', { accountHash: 'of another account' }],
    ['accountType', { accountType: 'sbp' }],
    ['mask', { mask: '555555******4444' }],
    ['commissionPayer', { commissionPayer: 'recipient' }],
    ['limitDay', { limitDay: '2026-11-22' }],
  ])('parts that differ in %s', (name, traits) => {
    const id = newPayoutId(groupId, 2);
    expect(found({ payouts: [aPayout(), aPayout({ ...traits, id })], others: [group] })).toEqual([
      `payout_groups_match payout group ${groupId} and its payout ${id} differ in ${name}`,
    ]);
  });

  it('a group whose id is of another order', () => {
    const orderId = 'order 1';
    const others = [{ kind: 'group', group: aGroup({ orderId }) } as const];
    expect(found({ payouts: [aPayout({ orderId })], others })).toEqual([
      `payout_groups_match payout group ${groupId} has an id that is not of its merchant and order`,
    ]);
  });

  it('a payout that names another group, or has an amount that no request leads to', () => {
    const other = toGroupId('AnotherGroupOfTwenty');
    const others = [group, { kind: 'group', group: aGroup({ groupId: other }) } as const];
    expect(found({ payouts: [aPayout({ groupId: other })], others })).toContain(
      `payout_groups_match payout ${payoutId} names the group ${other}`,
    );
    for (const traits of [
      { amount: { minor: 0n, currency: 'RUB' } as const },
      { commissionMinor: -1n },
      { commissionPayer: 'recipient', commissionMinor: 100_001n } as const,
    ])
      expect(found({ payouts: [aPayout(traits)], others: [group] })).toEqual([
        `payout_groups_match payout ${payoutId} has an amount or a fee that no request leads to`,
      ]);
  });

  it('a stored account that the merchant does not have, that has another number, or that a regular payout names', () => {
    const personal = aPayout({ kind: 'personal', accountId });
    const account = (mask: string): AuditRecord => ({
      kind: 'payout_account',
      account: {
        id: accountId,
        merchantId,
        type: 'credit_card',
        currency: 'RUB',
        mask,
        destination: { sealed: 'sealed' },
        numberHash: undefined,
        banned: false,
        available: true,
        createdAt: today,
      },
    });
    expect(found({ payouts: [personal], others: [group, account(personal.mask)] })).toEqual([]);
    expect(found({ payouts: [personal], others: [group] })).toEqual([
      `payout_groups_match payout ${payoutId} names account ${accountId}, which its merchant does not have`,
    ]);
    expect(found({ payouts: [personal], others: [group, account('555555******4444')] })).toEqual([
      `payout_groups_match payout ${payoutId} and its account ${accountId} differ in mask`,
    ]);
    expect(found({ payouts: [aPayout({ accountId })], others: [group, account(personal.mask)] })).toEqual([
      `payout_groups_match payout ${payoutId} is regular, but names a stored account`,
    ]);
  });
});

describe('payout_limits: the audit finds', () => {
  const rule = 'auto_approve_up_to';
  const byRule = { day: '2026-11-21', total: 100_000n };
  const usedUp = { auto_approve_up_to: byRule, auto_approve_known_accounts: { day: undefined, total: 0n } };
  const released = aDecision({ verdict: 'approved', by: `rule:${rule}`, at: today });
  const queued = aPayout({ status: 'NEW', decisions: [released] });
  const using = (traits: Partial<LimitUsage>, payout: Payout = queued) =>
    found({
      payouts: [payout],
      others: [
        group,
        {
          kind: 'balance',
          merchantId,
          balance: { currency: 'RUB', available: 0n, locked: 0n, held: 0n, reserved: 0n },
          usage: theUsage({ byRule: usedUp, ...traits }),
        },
      ],
    });
  const text = (what: string) => [`payout_limits payout group ${groupId} is not counted in ${what}`];

  it('nothing where the totals have room for the request, or are of a later day', () => {
    expect(using({})).toEqual([]);
    expect(using({ dayTotal: 100_001n, monthTotal: 100_001n })).toEqual([]);
    expect(using({ day: '2026-11-22', dayTotal: 0n })).toEqual([]);
    expect(using({ month: '2026-12', monthTotal: 0n })).toEqual([]);
    expect(using({ byRule: undefined })).toEqual([]);
  });

  it.each<[string, Partial<LimitUsage>]>([
    ['the limit of 2026-11-21', { dayTotal: 99_999n }],
    ['the limit of 2026-11-21', { day: undefined, dayTotal: 0n }],
    ['the limit of 2026-11', { monthTotal: 99_999n }],
    ['the limit of 2026-11', { month: '2026-10' }],
    [
      `what ${rule} released on 2026-11-21`,
      { byRule: { ...usedUp, auto_approve_up_to: { ...byRule, total: 99_999n } } },
    ],
  ])('a request that is not counted in %s', (what, traits) => {
    expect(using(traits)).toEqual(text(what));
  });

  it('a declined payout counted in what a rule released alone', () => {
    const declined = aDecision({ verdict: 'declined', by: 'olga', at: today });
    const payout = aPayout({ status: 'DECLINED', decisions: [released, declined] });
    expect(using({ dayTotal: 0n, monthTotal: 0n }, payout)).toEqual([]);
    const set = { ...usedUp, auto_approve_up_to: { ...byRule, total: 0n } };
    expect(using({ byRule: set }, payout)).toEqual(text(`what ${rule} released on 2026-11-21`));
  });
});

describe('payouts_match_decisions: the audit finds a payout', () => {
  const declined = aDecision({ verdict: 'declined', by: 'olga', at: today });
  const byTwo = { id: returnId, by: 'olga', approvedBy: 'petr', reason: 'letter', at: today };
  const returned = aDecision({ verdict: 'returned', ...byTwo, id: undefined });
  it.each<[string, Partial<Payout> & Pick<Payout, 'status'>, string]>([
    [
      'released without an approval',
      { status: 'PROCESS', decisions: [] },
      'is PROCESS, but was not approved',
    ],
    [
      'released after a ban had stopped it',
      {
        status: 'PROCESS',
        decisions: [approval, aDecision({ verdict: 'stopped', by: 'rule:merchant_banned', at: today })],
      },
      'is PROCESS, but was not approved',
    ],
    [
      'that waits, though it was approved',
      { status: 'MODERATING', decisions: [approval] },
      'waits for a moderator, but was approved',
    ],
    [
      'that goes on, though it was declined',
      { status: 'PROCESS', decisions: [approval, declined] },
      'is PROCESS, but a person said declined',
    ],
    [
      'cancelled by another merchant',
      { status: 'DECLINED', decisions: [{ ...declined, by: 'merchant:MerchantOfOthers' }] },
      'was declined by merchant:MerchantOfOthers, but a merchant can only cancel its own payouts',
    ],
    [
      'approved by its merchant',
      { status: 'PROCESS', decisions: [{ ...approval, id: undefined, by: `merchant:${merchantId}` }] },
      `was approved by merchant:${merchantId}, but a merchant can only cancel its own payouts`,
    ],
    [
      'cancelled by its merchant and a second person',
      { status: 'DECLINED', decisions: [{ ...declined, by: `merchant:${merchantId}`, approvedBy: 'petr' }] },
      `was declined by merchant:${merchantId}, but a merchant can only cancel its own payouts`,
    ],
    ['that nobody declined', { status: 'DECLINED', decisions: [] }, 'is DECLINED, but nobody declined it'],
    [
      'returned twice',
      { status: 'SUCCESS', sentAt: today, decisions: [approval, returned, returned] },
      'was returned more than once',
    ],
    [
      'returned by one person',
      {
        status: 'SUCCESS',
        sentAt: today,
        decisions: [approval, { ...returned, approvedBy: undefined }],
      },
      'was returned by one person',
    ],
    [
      'returned by one person under two names',
      { status: 'SUCCESS', sentAt: today, decisions: [approval, { ...returned, approvedBy: 'OLGA' }] },
      'was returned by one person',
    ],
    [
      'paid, though it was never sent',
      { status: 'SUCCESS', decisions: [approval] },
      'is SUCCESS, but was never sent',
    ],
    [
      'paid, though its rail never said so',
      { status: 'SUCCESS', sentAt: today, decisions: [approval], railCalls: [railSaid('accepted')] },
      'is SUCCESS, but its rail never said paid',
    ],
    [
      'failed, though its rail paid it',
      {
        status: 'FAIL',
        sentAt: today,
        decisions: [approval],
        railCalls: [railSaid('refused'), railSaid('paid', 'get')],
      },
      'is FAIL, but its rail said paid',
    ],
    [
      'failed, though its rail never refused it',
      { status: 'FAIL', sentAt: today, decisions: [approval], railCalls: [railSaid('unknown', 'get')] },
      'is FAIL, but its rail never refused it',
    ],
  ])('%s', (_, traits, why) => {
    expect(found(withPayout(aPayout(traits)))).toEqual([`payouts_match_decisions payout ${payoutId} ${why}`]);
  });

  it('that counts against the limits of another day', () => {
    for (const limits of [
      { limitDay: '2026-11-11' },
      { limitDay: '2026-12-01' },
      { limitMonth: '2026-10' },
    ]) {
      const [difference] = found({ payouts: [aPayout(limits)], others: [group] });
      expect(difference).toMatch(/^payouts_match_decisions .* but counts against the limits of /);
    }
  });

  it('that makes an account known, though it was not paid to it with a person’s approval', () => {
    const knownBy = (payout: Payout, traits = {}) =>
      found(
        withPayout(payout, {
          kind: 'known_account',
          known: {
            merchantId,
            accountHash: payout.accountHash,
            lastPaidBy: payout.id,
            approvedBy: 'olga',
            ...traits,
          },
        }),
      );
    expect(knownBy(paid())).toEqual([]);
    expect(knownBy(aPayout(), { approvedBy: undefined })).toEqual([]);
    const [unknown] = knownBy(aPayout());
    expect(unknown).toMatch(/^payouts_match_decisions an account of \S+ is known by payout /);
    expect(knownBy(paid(), { approvedBy: 'ivan' })).toEqual([expect.stringContaining('ivan approved')]);
    expect(knownBy(paid(), { accountHash: 'of another' })).toHaveLength(1);
    expect(knownBy(paid(), { merchantId: otherMerchantId })).toHaveLength(1);
  });
});

describe('decisions_were_made: the audit finds', () => {
  const returned = aDecision({
    verdict: 'returned',
    id: returnId,
    by: 'olga',
    approvedBy: 'petr',
    reason: 'letter',
    at: today,
  });
  const returning = { kind: 'return_payout', payoutId, revision: 4, evidence: ' letter ' } as const;
  const aProposal = (traits: Partial<Proposal> = {}): AuditRecord => ({
    kind: 'proposal',
    proposal: {
      id: returnId,
      merchantId,
      decision: returning,
      proposedBy: 'olga',
      proposedAt: today,
      status: 'DONE',
      decided: { id: 'SecondSecondSeco', by: 'petr', at: today, reason: undefined },
      refusal: undefined,
      ...traits,
    },
  });
  const second: AuditRecord = {
    kind: 'decision',
    key: { role: 'approver', by: 'petr', id: 'SecondSecondSeco' },
    made: { decision: { kind: 'approve_proposal', proposalId: returnId }, at: today },
  };
  const payout = paid({ decisions: [approval, returned] });
  const first = decided(returnId, returning);
  const about = (...records: readonly AuditRecord[]) => found(withPayout(payout, ...records));

  it('nothing where two people made it', () => {
    expect(about(first, aProposal(), second)).toEqual([]);
  });

  it('a payout that names a decision that nobody made, that is about another payout, or has another outcome', () => {
    const text = `decisions_were_made payout ${payoutId} was approved by olga, who made no such decision`;
    const approvedAs = (...made: readonly AuditRecord[]) =>
      found({ payouts: [paid()], others: [merchant, group, ...told(paid()), ...made] });
    expect(approvedAs()).toEqual([text]);
    expect(approvedAs(decided(approvalId, approvalMade, 'ivan'))).toEqual([text]);
    expect(approvedAs(decided(approvalId, { ...approvalMade, payouts: [] }))).toEqual([text]);
    expect(approvedAs(decided(approvalId, { ...approvalMade, reason: 'another' }))).toEqual([text]);
    expect(approvedAs(decided(approvalId, { ...approvalMade, kind: 'decline_payouts', reason: '' }))).toEqual(
      [text],
    );
  });

  it('a second person who did not agree', () => {
    const text = `decisions_were_made payout ${payoutId} was returned by olga and petr, who made no such decision`;
    expect(about(first)).toEqual([text]);
    expect(about(first, aProposal({ status: 'PROPOSED', decided: undefined }), second)).toEqual([text]);
    expect(about(first, aProposal())).toEqual([
      `decisions_were_made proposal ${returnId} was approved by petr, who made no such decision`,
    ]);
  });

  it('a proposal that is not what its proposer decided, or that its proposer approved', () => {
    const other = decided(returnId, { ...returning, revision: 5 });
    expect(about(other, aProposal(), second)).toEqual([
      `decisions_were_made proposal ${returnId} is not what olga decided`,
    ]);
    const self = { id: 'SecondSecondSeco', by: 'Olga', at: today, reason: undefined };
    expect(about(first, aProposal({ decided: self }), second)).toContain(
      `decisions_were_made proposal ${returnId} was approved by its proposer`,
    );
  });

  it('a proposal that was carried out without its payout, and one that was rejected by nobody', () => {
    expect(found(withPayout(paid(), first, aProposal(), second))).toEqual([
      `decisions_were_made proposal ${returnId} is DONE, but not with payout ${payoutId}`,
    ]);
    expect(found(withPayout(paid(), first, aProposal({ status: 'REJECTED' }), second))).toEqual([
      `decisions_were_made proposal ${returnId} was rejected by petr, who made no such decision`,
    ]);
  });

  it('nothing in a proposal for several payouts of which one was refused', () => {
    const twice = { kind: 'approve_payouts', reason: undefined } as const;
    const payouts = [
      { id: payoutId, revision: 1 },
      { id: newPayoutId(groupId, 2), revision: 1 },
      { id: newPayoutId(groupId, 3), revision: 1 },
    ];
    const proposal = aProposal({
      id: approvalId,
      decision: { ...twice, payouts: payouts.slice(0, 2) },
      refusal: `${newPayoutId(groupId, 2)} payout_changed`,
    });
    const approved: AuditRecord = {
      ...second,
      made: { decision: { kind: 'approve_proposal', proposalId: approvalId }, at: today },
    };
    const released = paid({ decisions: [{ ...approval, approvedBy: 'petr' }] });
    const others = [
      merchant,
      group,
      ...told(released),
      decided(approvalId, { ...twice, payouts }),
      proposal,
      approved,
    ];
    expect(found({ payouts: [released], others })).toEqual([]);
  });
});

describe('events_match_states: the audit finds', () => {
  const others = (payout: Payout, traits: Partial<PostbackEvent>) => [...shared, ...told(payout, traits)];
  it('a postback that was never written', () => {
    expect(found({ payouts: [paid()], others: shared })).toEqual([
      `events_match_states postback po.${payoutId}.SUCCESS is missing`,
    ]);
  });

  it('a postback about a payout that is under way, that failed, or that does not exist', () => {
    const text = `events_match_states postback po.${payoutId}.SUCCESS reports a state that its payout is not in`;
    const queued = aPayout({ status: 'PROCESS', decisions: [approval] });
    expect(found({ payouts: [queued], others: others(paid(), {}) })).toEqual([text]);
    expect(found({ payouts: [], others: told(paid()) })).toEqual([text]);
    const failed = aPayout({ status: 'FAIL', decisions: [approval], sentAt: today });
    expect(found({ payouts: [failed], others: [...others(failed, {}), ...told(paid())] })).toEqual([text]);
  });

  it.each<[string, Partial<PostbackEvent>]>([
    ['merchantId', { merchantId: otherMerchantId }],
    ['supersededByBill', { supersededByBill: billId }],
    ['createdAt', { createdAt: now }],
    ['sealedPhone', { sealedPhone: 'sealed' }],
  ])('a postback with another %s', (name, traits) => {
    expect(found({ payouts: [paid()], others: others(paid(), traits) })).toEqual([
      `events_match_states postback po.${payoutId}.SUCCESS differs from its payout in ${name}`,
    ]);
  });

  it.each(['Amount', 'Status', 'Commission', 'AccountNumber', 'BalanceAmount', 'CommissionApplyType'])(
    'a postback whose %s was changed or removed',
    (name) => {
      const { fields } = payoutEvent(inStatus(paid(), 'SUCCESS'), undefined, today);
      const text = `events_match_states postback po.${payoutId}.SUCCESS differs from its payout in ${name}`;
      const { [name]: _, ...less } = fields;
      for (const changed of [{ ...fields, [name]: 'other' }, less])
        expect(found({ payouts: [paid()], others: others(paid(), { fields: changed }) })).toEqual([text]);
    },
  );
});

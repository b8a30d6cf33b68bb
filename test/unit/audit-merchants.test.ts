import { describe, expect, it } from 'vitest';
import { referenceHash } from '../../lib/bill/reference.ts';
import type { Decision } from '../../lib/decision/decision.ts';
import { toAccountId, toMerchantId, toShopId } from '../../lib/ids.ts';
import type { Adjustment } from '../../lib/ledger/adjustment.ts';
import type { AuditRecord, Invariant } from '../../lib/operator/audit/records.ts';
import { judgeAll } from '../../lib/operator/audit/rules.ts';
import type { PayoutAccount } from '../../lib/payout/account.ts';
import { anAdjustment, decisionBy } from '../support/adjustments.ts';
import {
  aBill,
  aCaller,
  aMerchant,
  aPayment,
  aShop,
  billId,
  merchantId,
  paymentId,
  shopId,
  today,
} from '../support/builders.ts';
import { aGroup } from '../support/payouts.ts';

const later = new Date(today.getTime() + 1);
const otherMerchantId = toMerchantId('AnotherMerchant1');
const otherShopId = toShopId('AnotherShop12345');
const judged: readonly Invariant[] = [
  'tokens_match_merchants',
  'shops_match_merchants',
  'accounts_match_numbers',
  'references_match',
  'decisions_were_made',
];
const found = (...records: readonly AuditRecord[]): readonly string[] =>
  judgeAll(records, today)
    .filter(({ invariant }) => judged.some((each) => each === invariant))
    .map(({ invariant, text }) => `${invariant} ${text}`);

const merchant: AuditRecord = { kind: 'merchant', merchant: aMerchant() };
const token = (traits = {}, tokenHash = aMerchant().tokenHash): AuditRecord => ({
  kind: 'token',
  tokenHash,
  caller: aCaller(traits),
});
const tenant = [merchant, token()];

describe('tokens_match_merchants: the audit finds', () => {
  it('nothing where the token has a copy of the flags', () => {
    expect(found(...tenant)).toEqual([]);
  });

  it('a merchant without a token, and a token without a merchant', () => {
    expect(found(merchant)).toEqual([`tokens_match_merchants merchant ${merchantId} has no token`]);
    expect(found(token())).toEqual([
      `tokens_match_merchants token ${aMerchant().tokenHash.slice(0, 12)}… names merchant ${merchantId}, which does not exist`,
    ]);
  });

  it('each further token, though it was replaced, by the beginning of its hash', () => {
    expect(found(...tenant, token({}, 'earlier'), token({}, 'older'))).toEqual([
      `tokens_match_merchants token earlier… of merchant ${merchantId} is not its current one`,
      `tokens_match_merchants token older… of merchant ${merchantId} is not its current one`,
    ]);
  });

  it.each([
    ['enabled', false],
    ['banned', true],
    ['verified', true],
    ['regularPayouts', true],
    ['subscription', 'none'],
  ])('a token whose %s is not the merchant’s', (name, value) => {
    expect(found(merchant, token({ [name]: value }))).toEqual([
      `tokens_match_merchants the token of merchant ${merchantId} and the merchant differ in ${name}`,
    ]);
  });
});

describe('shops_match_merchants: the audit finds', () => {
  const shop: AuditRecord = { kind: 'shop', shop: aShop() };
  const listed = (of = merchantId): AuditRecord => ({ kind: 'shop_reference', merchantId: of, shopId });

  it('a shop without a merchant, that no merchant lists, or that another lists', () => {
    expect(found(...tenant, shop, listed())).toEqual([]);
    expect(found(shop, listed())).toEqual([
      `shops_match_merchants shop ${shopId} is of merchant ${merchantId}, which does not exist`,
    ]);
    expect(found(...tenant, shop)).toEqual([
      `shops_match_merchants shop ${shopId} is not among the shops of merchant ${merchantId}`,
    ]);
    expect(found(...tenant, shop, listed(), listed(otherMerchantId))).toEqual([
      `shops_match_merchants merchant ${otherMerchantId} lists shop ${shopId}, which is not theirs`,
    ]);
  });
});

describe('accounts_match_numbers: the audit finds', () => {
  const id = toAccountId('AccountAccountAc');
  const account = (traits: Partial<PayoutAccount> = {}): AuditRecord => ({
    kind: 'payout_account',
    account: {
      id,
      merchantId,
      type: 'credit_card',
      currency: 'RUB',
      mask: '411111******1111',
      destination: { sealed: 'sealed' },
      numberHash: 'hash',
      banned: false,
      available: true,
      createdAt: today,
      ...traits,
    },
  });
  const number = (banned = false, accounts = [id]): AuditRecord => ({
    kind: 'payout_number',
    number: { merchantId, numberHash: 'hash', accounts, banned, revision: 1 },
  });

  it('nothing where they name each other, and in an account of an earlier version', () => {
    expect(found(account(), number())).toEqual([]);
    expect(found(account({ numberHash: undefined }))).toEqual([]);
  });

  it('an account that its number does not name, and a number whose account has another', () => {
    const unknown = [`accounts_match_numbers account ${id} of ${merchantId} is not known by its number`];
    expect(found(account())).toEqual(unknown);
    expect(found(account(), number(false, []))).toEqual(unknown);
    expect(found(account({ numberHash: undefined }), number())).toEqual([
      `accounts_match_numbers a number of ${merchantId} names account ${id}, which has another number`,
    ]);
  });

  it('a ban that was lifted from one of both', () => {
    expect(found(account(), number(true))).toEqual([
      `accounts_match_numbers account ${id} of ${merchantId} is not banned, but its number is banned`,
    ]);
  });
});

describe('references_match: the audit finds', () => {
  const orderId = 'order 1';
  const bill = (traits = {}): AuditRecord => ({ kind: 'bill', bill: aBill({ orderId, ...traits }) });
  const order: Extract<AuditRecord, { kind: 'bill_reference' }>['reference'] = {
    of: 'order',
    merchantId,
    shopId,
    hash: referenceHash(orderId),
    billId,
    expiresAt: later,
  };
  const newest = { ...order, of: 'newest', expiresAt: undefined } as const;
  const key = { ...order, of: 'key', shopId: undefined, hash: referenceHash('key 1') } as const;
  const references = [order, newest, key];
  const text = (of: string) =>
    `references_match ${of} of merchant ${merchantId} leads to bill ${billId}, which is not its bill`;

  it('nothing where each leads to its bill, and in expired ones', () => {
    expect(
      found(bill(), ...references.map((reference) => ({ kind: 'bill_reference', reference }) as const)),
    ).toEqual([]);
    expect(found({ kind: 'bill_reference', reference: { ...order, expiresAt: today } })).toEqual([]);
  });

  it.each([
    ['of another merchant', { merchantId: otherMerchantId }, ['an order', 'an order', 'an Idempotency-Key']],
    ['of another shop', { shopId: otherShopId }, ['an order', 'an order']],
    ['of another order', { orderId: 'order 2' }, ['an order', 'an order']],
    ['without an order', { orderId: undefined }, ['an order', 'an order']],
  ] as const)('what leads to a bill %s', (_, traits, names) => {
    const records = references.map((reference) => ({ kind: 'bill_reference', reference }) as const);
    expect(found(bill(traits), ...records)).toEqual(names.map(text));
  });

  it('what leads to no bill', () => {
    expect(found({ kind: 'bill_reference', reference: order })).toEqual([text('an order')]);
  });

  it('an Idempotency-Key of payouts that leads to another merchant’s group, or to another request', () => {
    const group = (traits = {}): AuditRecord => ({ kind: 'group', group: aGroup(traits) });
    const { groupId, fingerprint } = aGroup();
    const claim: AuditRecord = {
      kind: 'payout_claim',
      claim: { merchantId, keyHash: 'hash', groupId, fingerprint, expiresAt: later },
    };
    expect(found(group(), claim)).toEqual([]);
    const wrong = [
      `references_match an Idempotency-Key of merchant ${merchantId} leads to payout group ${groupId}, which is not of its request`,
    ];
    expect(found(claim)).toEqual(wrong);
    expect(found(group({ merchantId: otherMerchantId }), claim)).toEqual(wrong);
    expect(found(group({ fingerprint: 'another' }), claim)).toEqual(wrong);
    expect(found({ ...claim, claim: { ...claim.claim, expiresAt: today } })).toEqual([]);
  });
});

describe('decisions_were_made: the audit finds', () => {
  const approvalId = 'ApprovalApproval';
  const proposed: Decision = {
    kind: 'propose_adjustment',
    merchantId,
    direction: 'credit',
    amount: { minor: 10_000n, currency: 'RUB' },
    reason: ' charged back by mistake ',
    about: undefined,
  };
  const { id } = anAdjustment();
  const made = (role: 'operator' | 'approver', by: string, decision: Decision): AuditRecord => ({
    kind: 'decision',
    key: { role, by, id: decision.kind === 'propose_adjustment' ? id : approvalId },
    made: { decision, at: today },
  });
  const byOlga = made('operator', 'olga', proposed);
  const byPetr = made('approver', 'petr', { kind: 'approve_adjustment', adjustmentId: id });
  const adjustment = (traits: Partial<Adjustment> = {}): AuditRecord => ({
    kind: 'adjustment',
    adjustment: anAdjustment({
      status: 'APPROVED',
      decision: decisionBy('petr', { id: approvalId }),
      ...traits,
    }),
  });
  const payment = (traits = {}): AuditRecord => ({ kind: 'payment', payment: aPayment(traits) });

  it('nothing in an adjustment that one proposed and another approved', () => {
    expect(found(adjustment(), byOlga, byPetr)).toEqual([]);
    expect(found(adjustment({ decision: decisionBy('petr') }))).toEqual([]);
    expect(found(adjustment({ status: 'PROPOSED', decision: undefined }))).toEqual([]);
  });

  it('an adjustment with another amount, direction, reason or merchant than was proposed', () => {
    for (const traits of [
      { amount: { minor: 10_001n, currency: 'RUB' } as const },
      { direction: 'debit' } as const,
      { reason: 'another' },
      { merchantId: otherMerchantId },
    ])
      expect(found(adjustment(traits), byOlga, byPetr)).toEqual([
        `decisions_were_made adjustment ${id} is not what olga proposed`,
      ]);
  });

  it('an approval that nobody gave, or that was given to another', () => {
    const text = `decisions_were_made adjustment ${id} is APPROVED by petr, who made no such decision`;
    expect(found(adjustment(), byOlga)).toEqual([text]);
    const another = made('approver', 'petr', { kind: 'approve_adjustment', adjustmentId: 'another' });
    expect(found(adjustment(), byOlga, another)).toEqual([text]);
    const asOperator = made('operator', 'petr', { kind: 'approve_adjustment', adjustmentId: id });
    expect(found(adjustment(), byOlga, asOperator)).toEqual([text]);
  });

  it('a rejection that nobody made', () => {
    const rejected = adjustment({
      status: 'REJECTED',
      decision: decisionBy('petr', { id: approvalId, reason: 'no' }),
    });
    const decision = { kind: 'reject_adjustment', adjustmentId: id, reason: 'no' } as const;
    expect(found(rejected, byOlga, made('approver', 'petr', decision))).toEqual([]);
    expect(found(rejected, byOlga, made('operator', 'petr', decision))).toEqual([]);
    expect(found(rejected, byOlga, byPetr)).toEqual([
      `decisions_were_made adjustment ${id} is REJECTED by petr, who made no such decision`,
    ]);
  });

  it('an adjustment that its proposer approved', () => {
    expect(found(adjustment({ decision: decisionBy('Olga') }))).toEqual([
      `decisions_were_made adjustment ${id} was approved by its proposer`,
    ]);
  });

  it('an adjustment about a payment of another merchant, or about none', () => {
    const about = { about: paymentId, decision: decisionBy('petr') };
    const text = `decisions_were_made adjustment ${id} is about ${paymentId}, which is not of merchant ${merchantId}`;
    expect(found(adjustment(about), payment())).toEqual([]);
    expect(found(adjustment(about), payment({ merchantId: otherMerchantId }))).toEqual([text]);
    expect(found(adjustment(about))).toEqual([text]);
  });
});

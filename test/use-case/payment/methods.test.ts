import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Acquirer } from '../../../lib/payment/acquirer.ts';
import { acquirersOf } from '../../../lib/payment/acquirers.ts';
import { hashBrowser } from '../../../lib/payment/browser.ts';
import { sandboxAcquirer } from '../../../lib/provider/sandbox-acquirer.ts';
import { kindManners } from '../../../lib/sandbox/manners.ts';
import { billId } from '../../support/builders.ts';
import { ownBrowser, type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { aSandbox, sandboxSecret, sandboxUrl } from '../../support/sandbox.ts';

/** Two acquirers: `sandbox` takes cards, `another` SBP. Each has orders of its own. */
async function twoAcquirers(given: Parameters<typeof paymentHarness>[0] = {}) {
  const harness = await paymentHarness(given);
  const sandbox = await aSandbox();
  const manners = { ...kindManners, ...given.manners };
  const another: Acquirer = {
    ...sandboxAcquirer({ url: sandboxUrl, secret: sandboxSecret, manners, fetch: sandbox.send }),
    name: 'another',
  };
  const deploy = (routes: Parameters<typeof acquirersOf>[1], deployed = [harness.acquirer, another]) =>
    void Object.assign(harness.acquirers, acquirersOf(deployed, routes));
  deploy({ card: { RUB: 'sandbox' }, sbp: { RUB: 'another' } });
  return { harness, another, deploy };
}

async function formsOf(harness: PaymentHarness, browser = ownBrowser) {
  const opened = await harness.open(browser);
  if (opened.kind !== 'payable') throw new Error(opened.kind);
  return new Map(opened.forms.map(({ method, token }) => [method, token]));
}

async function paymentsOf(harness: PaymentHarness) {
  const page = { limit: 10, cursor: undefined };
  return (await harness.payments.listOf(await harness.bill(), page)).payments;
}

describe('the ways to pay', () => {
  it('are those that take the charge, each with a form of its own', async () => {
    const { harness } = await twoAcquirers();
    const forms = await formsOf(harness);
    expect([...forms.keys()]).toEqual(['card', 'sbp']);
    expect(new Set(forms.values()).size).toBe(2);
  });

  it.each([
    ['a charge above the limit of SBP', { amount: { minor: 70_000_001n, currency: 'RUB' } }, ['card']],
    ['a charge below the limit of SBP', { amount: { minor: 99n, currency: 'RUB' } }, ['card']],
    ['a currency that no acquirer takes', { amount: { minor: 10_000n, currency: 'EUR' } }, []],
  ] as const)('for %s', async (_what, bill, methods) => {
    const { harness } = await twoAcquirers({ bill });
    expect([...(await formsOf(harness)).keys()]).toEqual(methods);
  });

  it('count the surcharge that the payer pays', async () => {
    const bill = { amount: { minor: 70_000_000n, currency: 'RUB' }, payerPaysCommission: true } as const;
    const { harness } = await twoAcquirers({ bill });
    expect([...(await formsOf(harness)).keys()]).toEqual(['card']);
  });

  it('are the form’s own: it starts a payment of its method at the acquirer of that method', async () => {
    const { harness } = await twoAcquirers();
    const forms = await formsOf(harness);
    await harness.start(forms.get('sbp') ?? '');
    expect(await paymentsOf(harness)).toMatchObject([{ method: 'sbp', acquirer: 'another', holds: false }]);
  });

  it('lead to the page again when the record no longer has the form’s method', async () => {
    const { harness, deploy } = await twoAcquirers();
    const forms = await formsOf(harness);
    deploy({ card: { RUB: 'sandbox' } });
    expect(await harness.start(forms.get('sbp') ?? '')).toEqual({ kind: 'stale_form' });
  });
});

describe('a record that is changed half-way', () => {
  it('strands nothing: an open payment finishes at its acquirer, and the next goes to the new one', async () => {
    const { harness, another, deploy } = await twoAcquirers({ bill: { type: 'MULTI' } });
    const before = await harness.begun('p1');
    deploy({ card: { RUB: 'another' } });
    const after = await harness.begun('p2');
    expect(await harness.payment(after.id)).toMatchObject({ acquirer: 'another' });

    await before.pay();
    await harness.resolve(before.id);
    expect(await harness.payment(before.id)).toMatchObject({ acquirer: 'sandbox', status: 'SUCCESS' });
    const { reference = '' } = (await harness.payment(after.id)) ?? {};
    expect(await another.look(reference)).toMatchObject({ paymentId: after.id });
  });

  it('leaves a payment open whose provider was taken out, until it is back', async () => {
    const { harness, another, deploy } = await twoAcquirers();
    const { id, pay } = await harness.begun('p1');
    await pay();
    deploy({ card: { RUB: 'another' } }, [another]);
    await harness.check(id);
    expect(await harness.payment(id)).toMatchObject({ status: 'PROCESS', phase: 'AUTHORIZING' });
    deploy({ card: { RUB: 'another' } });
    await harness.resolve(id);
    expect(await harness.payment(id)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a payer who chooses another way to pay', () => {
  it('is led on to it, and is not charged on the page of the first', async () => {
    const { harness } = await twoAcquirers({ manners: { endsOpenOrders: false } });
    const forms = await formsOf(harness);
    const card = await harness.begun('card');
    expect(await harness.start(forms.get('sbp') ?? '')).toMatchObject({ kind: 'started' });
    expect(await harness.comesBack(card.id)).toMatchObject({ kind: 'displaced', holds: true });

    await card.pay();
    await harness.resolve(card.id);
    expect(await harness.payment(card.id)).toMatchObject({ status: 'FAIL' });
    expect(await harness.atAcquirer(card.id)).toMatchObject({ state: 'voided' });
  });

  it('is told of a payment that can be neither held nor ended, with its page', async () => {
    const { harness } = await twoAcquirers({ manners: { endsOpenOrders: false } });
    const forms = await formsOf(harness);
    const first = await harness.start(forms.get('sbp') ?? '');
    if (first.kind !== 'started') throw new Error(first.kind);
    const { pageUrl } = first;
    const told = await harness.start(forms.get('card') ?? '');
    if (told.kind !== 'pending') throw new Error(told.kind);
    expect(told.resultUrl).toMatch(`/result/${told.paymentId}?key=`);
    expect(await harness.comesBack(told.paymentId)).toMatchObject({ kind: 'unpaid', method: 'sbp', pageUrl });
    expect(Object.values((await stateOf(harness)).payments)).toEqual(['PROCESS/AUTHORIZING']);
  });

  it('displaces no payment of another browser', async () => {
    const { harness } = await twoAcquirers();
    const theirs = (await formsOf(harness, 'AnotherPayersBrowser01')).get('sbp') ?? '';
    const card = await harness.begun('card');
    expect(await harness.start(theirs, { browser: 'AnotherPayersBrowser01' })).toMatchObject({
      kind: 'being_paid',
    });
    expect(await harness.payment(card.id)).toMatchObject({ phase: 'AUTHORIZING' });
    expect(await harness.bill()).toMatchObject({ current: card.id });
  });

  it('displaces nothing once the capture was requested', async () => {
    const { harness } = await twoAcquirers();
    const forms = await formsOf(harness);
    const card = await harness.begun('card');
    await card.pay();
    harness.line.fails = (call) => call === 'capture';
    await harness.resolve(card.id).catch(() => undefined);
    expect(await harness.start(forms.get('sbp') ?? '')).toMatchObject({ kind: 'pending' });
    expect(await harness.bill()).toMatchObject({ current: card.id, fenced: true });
  });
});

describe('a bill that is being paid by a payment that can be neither held nor ended', () => {
  it('says until when, and is not taken over before', async () => {
    const { harness } = await twoAcquirers({ manners: { endsOpenOrders: false } });
    await harness.start((await formsOf(harness)).get('sbp') ?? '');
    const until = new Date(harness.clock.at.getTime() + 60 * 60_000);
    harness.pass(16);
    expect(await harness.open('AnotherPayersBrowser01')).toMatchObject({ kind: 'being_paid', until });
  });
});

describe('an acquirer that does not respond', () => {
  it('is said to the payer with the other ways, of which one still works', async () => {
    const { harness } = await twoAcquirers();
    harness.line.cut = 'calls';
    const forms = await formsOf(harness);
    expect(await harness.start(forms.get('card') ?? '')).toMatchObject({
      kind: 'not_responding',
      method: 'card',
      maySwitch: true,
    });
    expect(await harness.start(forms.get('sbp') ?? '')).toMatchObject({ kind: 'started' });
  });

  it('is tried again by the same button, with the same order', async () => {
    const { harness } = await twoAcquirers();
    harness.line.cut = 'answers';
    const forms = await formsOf(harness);
    expect(await harness.start(forms.get('card') ?? '')).toMatchObject({ kind: 'not_responding' });
    harness.line.cut = undefined;
    expect(await harness.start(harness.form('another1'))).toMatchObject({ kind: 'in_progress' });
    const [payment, ...others] = await paymentsOf(harness);
    expect(others).toEqual([]);
    expect(await harness.sandbox.ordersOf(payment?.id ?? '')).toBe(1);
  });

  it('leaves no way where its payment can be neither held nor ended', async () => {
    const { harness, another } = await twoAcquirers({ manners: { endsOpenOrders: false } });
    const down: Acquirer = { ...another, start: () => Promise.reject(new Error('no answer')) };
    const routes = { card: { RUB: 'sandbox' }, sbp: { RUB: 'another' } } as const;
    Object.assign(harness.acquirers, acquirersOf([harness.acquirer, down], routes));
    expect(await harness.start((await formsOf(harness)).get('sbp') ?? '')).toMatchObject({
      kind: 'not_responding',
      method: 'sbp',
      maySwitch: false,
    });
  });

  it('is counted against the payments that it opened, by its name', async () => {
    const { harness } = await twoAcquirers();
    const forms = await formsOf(harness);
    harness.line.cut = 'calls';
    await harness.start(forms.get('card') ?? '');
    await harness.start(forms.get('sbp') ?? '');
    const told = harness.lines.map(([level, event, { provider }]) => [level, event, provider]);
    expect(told).toEqual([
      ['error', 'payment_not_opened', 'sandbox'],
      ['info', 'payment_opened', 'another'],
    ]);
  });
});

describe('a form of a page that was opened before methods could be chosen', () => {
  it('starts a card payment', async () => {
    const { harness } = await twoAcquirers();
    const old = await tokenOfAnEarlierVersion(harness);
    expect(await harness.start(old)).toMatchObject({ kind: 'started' });
    expect(await paymentsOf(harness)).toMatchObject([{ method: 'card', acquirer: 'sandbox' }]);
  });
});

/** Signed as earlier versions signed it, without a method. */
async function tokenOfAnEarlierVersion(harness: PaymentHarness): Promise<string> {
  const [secret] = await harness.pageSecrets();
  const until = Math.floor(harness.clock.at.getTime() / 1000) + 1800;
  const open = `payment1.10050.${until}.${hashBrowser(ownBrowser)}`;
  const mac = createHmac('sha256', secret).update(`payment-form:${billId}:${open}`).digest('hex');
  return `${open}.${mac}`;
}

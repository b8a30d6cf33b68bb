import { describe, expect, it } from 'vitest';
import { type PaymentId, toPaymentId } from '../../../lib/ids.ts';
import {
  type HandOutcome,
  handOutcomes,
  type PaymentPhase,
  paymentPhases,
  phaseMoves,
} from '../../../lib/payment/payment.ts';
import { outcomesByHand, resolveByHand } from '../../../lib/payment/resolve-by-hand.ts';
import { aCall } from '../../support/builders.ts';
import { type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';
import {
  displaceWithoutAnAnswer,
  twoGaveTheirCard,
  twoPaidAtTwoAcquirers,
} from '../../support/payment-situations.ts';

const declinedCard = '4000000000000002';
const pendingCaptureCard = '4000000000110082';
const stubbornCard = '4000000000110108';

type Given = Parameters<typeof paymentHarness>[0];
type Overrides = {
  readonly amountMinor?: bigint;
  readonly phase?: PaymentPhase;
  readonly by?: string;
  readonly evidence?: string;
};

/** Two people resolve the payment as it is now, while the acquirer cannot be reached. */
async function byHand(
  harness: PaymentHarness,
  paymentId: PaymentId | undefined,
  outcome: HandOutcome,
  overrides: Overrides = {},
) {
  const shown = paymentId && (await harness.payment(paymentId));
  const phase = (shown || undefined)?.phase ?? 'DONE';
  const cut = harness.line.cut;
  harness.line.cut = 'calls';
  const resolution = {
    paymentId,
    phase,
    outcome,
    amountMinor: undefined,
    by: 'olga',
    approvedBy: 'petr',
    evidence: 'back office, line 4',
    ...overrides,
  };
  return resolveByHand(harness, resolution).finally(() => (harness.line.cut = cut));
}

const anHour = 60;

async function authorizing(given?: Given) {
  const harness = await paymentHarness(given);
  const { id } = await harness.begun('p1');
  harness.pass(anHour);
  return { harness, id };
}

/** The capture was requested, and since then the acquirer does not know the payment. */
async function capturing(given?: Given) {
  const harness = await paymentHarness(given);
  const { id, pay } = await harness.begun('p1');
  await pay(pendingCaptureCard);
  await harness.resolve(id);
  Object.assign(harness.acquirer, { get: () => Promise.reject(new Error('never heard of it')) });
  harness.pass(anHour);
  return { harness, id };
}

/** The second payer took the bill over; the first cannot be voided yet. */
async function voiding() {
  const harness = await paymentHarness();
  const { id, pay } = await harness.begun('p1');
  harness.pass(15);
  await displaceWithoutAnAnswer(harness);
  await pay(stubbornCard);
  await harness.resolve(id);
  harness.pass(anHour);
  return { harness, id };
}

/** Both payers were charged; the second finished the bill, and the refund of the first fails. */
async function refunding() {
  const harness = await paymentHarness({ steps: 'one' });
  const { first, second } = await twoGaveTheirCard(harness);
  const { id } = first;
  await harness.resolve(second.id);
  harness.line.fails = (call) => call === 'refund';
  await expect(harness.resolve(id)).rejects.toThrow();
  harness.pass(anHour);
  return { harness, id };
}

async function done() {
  const harness = await paymentHarness();
  const { id, pay } = await harness.begun('p1');
  await pay(declinedCard);
  await harness.resolve(id);
  harness.pass(anHour);
  return { harness, id };
}

const inPhase = {
  AUTHORIZING: authorizing,
  CAPTURING: capturing,
  VOIDING: voiding,
  REFUNDING: refunding,
  DONE: done,
};
const expected: Readonly<Record<PaymentPhase, Readonly<Record<HandOutcome, string>>>> = {
  AUTHORIZING: { captured: 'SUCCESS/DONE', failed: 'FAIL/VOIDING' },
  CAPTURING: { captured: 'SUCCESS/DONE', failed: 'FAIL/VOIDING' },
  VOIDING: { captured: 'payment_goes_back', failed: 'FAIL/DONE' },
  REFUNDING: { captured: 'payment_goes_back', failed: 'FAIL/DONE' },
  DONE: { captured: 'payment_is_final', failed: 'payment_is_final' },
};

describe('resolving a payment by hand', () => {
  it.each(paymentPhases.flatMap((phase) => handOutcomes.map((outcome) => [phase, outcome] as const)))(
    'in %s as %s has the outcome of its phase',
    async (phase, outcome) => {
      const { harness, id } = await inPhase[phase]();
      const before = await stateOf(harness);
      const resolved = await byHand(harness, id, outcome);
      expect(resolved.ok ? `${resolved.value.status}/${resolved.value.phase}` : resolved.error).toBe(
        expected[phase][outcome],
      );
      expect(resolved.ok).toBe(outcomesByHand[phase].includes(outcome));
      if (!resolved.ok) expect(await stateOf(harness)).toEqual(before);
    },
  );

  it('follows the table of phase transitions', () => {
    for (const phase of paymentPhases)
      for (const outcome of outcomesByHand[phase]) {
        const [, after = ''] = expected[phase][outcome].split('/');
        expect(phaseMoves[phase]).toContain(after);
        if (outcome === 'captured') expect(phaseMoves[phase]).toContain('REFUNDING');
      }
  });

  it('is refused until the payment is an hour old: the sweep resolves it until then', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    harness.pass(59.99);
    expect(await byHand(harness, id, 'captured')).toEqual({ ok: false, error: 'payment_is_young' });
    expect(await byHand(harness, id, 'failed')).toEqual({ ok: false, error: 'payment_is_young' });
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, entries: [] });
    harness.pass(0.01);
    expect(await byHand(harness, id, 'failed')).toMatchObject({ ok: true });
  });

  it.each([
    ['captured', 0n],
    ['captured', 10_051n],
    ['failed', 10_050n],
  ] as const)('refuses an impossible amount: %s, %s', async (outcome, amountMinor) => {
    const { harness, id } = await authorizing();
    expect(await byHand(harness, id, outcome, { amountMinor })).toEqual({
      ok: false,
      error: 'amount_not_possible',
    });
  });

  it.each([
    ['by', '', 'person_invalid'],
    ['evidence', ' ', 'reason_invalid'],
    ['evidence', 'line\nbreak', 'reason_invalid'],
    ['evidence', 'card 4111.1111.1111.1111', 'reason_holds_card_number'],
  ] as const)('requires a valid name and evidence: %s %j is %s', async (field, text, error) => {
    const { harness, id } = await authorizing();
    expect(await byHand(harness, id, 'captured', { [field]: text })).toEqual({ ok: false, error });
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, entries: [] });
  });

  it('is refused when the payment has moved since it was shown, or does not exist', async () => {
    const { harness, id } = await capturing();
    const seen = { phase: 'AUTHORIZING' } as const;
    expect(await byHand(harness, id, 'failed', seen)).toEqual({ ok: false, error: 'payment_changed' });
    for (const unknown of [undefined, toPaymentId(`${id.slice(0, -2)}p9`)])
      expect(await byHand(harness, unknown, 'failed')).toEqual({ ok: false, error: 'payment_not_found' });
  });
});

describe('captured, by hand', () => {
  it('settles as if the acquirer had captured: payment, bill, balance, entry and postback', async () => {
    const { harness, id } = await capturing();
    harness.pass(600);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({
      bill: { fenced: true },
      payments: { p1: 'PROCESS/CAPTURING' },
    });

    await byHand(harness, id, 'captured');

    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1'],
      events: ['p1 SUCCESS PENDING'],
      waiting: 0,
    });
    expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    expect(harness.queued).toEqual([`pay.${id}.SUCCESS`]);
    expect(await harness.payment(id)).toMatchObject({
      receivedMinor: 10_050n,
      feeMinor: 201n,
      decisions: [
        {
          verdict: 'captured',
          by: 'olga',
          approvedBy: 'petr',
          reason: 'back office, line 4',
          at: harness.now(),
        },
      ],
    });
  });

  it('of less than the charge ends as UNDERPAID', async () => {
    const { harness, id } = await authorizing();
    await byHand(harness, id, 'captured', { amountMinor: 9_045n });
    expect(await stateOf(harness)).toMatchObject({ bill: { status: 'UNDERPAID', paidBy: 'p1' } });
    expect(await harness.available()).toMatchObject({ RUB: 8_864n });
  });

  it('moves a MULTI bill to SUCCESS', async () => {
    const { harness, id } = await authorizing({ bill: { type: 'MULTI' } });
    await byHand(harness, id, 'captured');
    expect((await harness.bill()).status).toBe('SUCCESS');
  });

  it('for a bill that another payment finished is a duplicate capture, refunded by the next sweep', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { first, second } = await twoGaveTheirCard(harness);
    await harness.resolve(second.id);
    harness.pass(anHour);

    expect(await byHand(harness, first.id, 'captured')).toMatchObject({
      ok: true,
      value: { phase: 'REFUNDING' },
    });
    await harness.sweep();

    expect(await stateOf(harness)).toMatchObject({
      bill: { paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2'],
      events: ['p1 FAIL SUPERSEDED', 'p2 SUCCESS PENDING'],
      charged: 10_050,
      waiting: 0,
    });
    expect((await harness.payment(first.id))?.decisions).toHaveLength(1);
  });

  it('at an acquirer that is no longer configured is refunded there, and closed by hand', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { first, next } = await twoPaidAtTwoAcquirers(harness);
    const { id } = first;
    harness.pass(anHour);
    await harness.sweep();

    await byHand(harness, id, 'captured');
    harness.pass(1);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/REFUNDING' }, waiting: 1 });
    await byHand(harness, id, 'failed');

    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2'],
      waiting: 1,
    });
    // Whether the acquirer has a fee to tell is not known while it is not configured.
    expect((await harness.payment(id))?.afterCapture).toMatchObject({ fee: 'due', checks: 0 });
    expect((await harness.payment(id))?.decisions?.map(({ verdict }) => verdict)).toEqual([
      'captured',
      'failed',
    ]);
    expect(next.calls.filter((call) => call.includes('p1'))).toEqual([]);
  });
});

describe('failed, by hand', () => {
  it.each([
    ['AUTHORIZING', authorizing],
    ['CAPTURING', capturing],
  ])('in %s releases the bill for the next attempt, and notifies the merchant', async (_phase, given) => {
    const { harness, id } = await given();
    await byHand(harness, id, 'failed');
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', fenced: false, failures: 1 },
      payments: { p1: 'FAIL/VOIDING' },
      entries: [],
      events: ['p1 FAIL PENDING'],
      waiting: 1,
    });
    expect(harness.queued).toEqual([`pay.${id}.FAIL`]);
    expect(await harness.open()).toMatchObject({ kind: 'payable' });
    expect(await byHand(harness, id, 'failed')).toEqual({ ok: false, error: 'void_is_under_way' });
    harness.pass(anHour);
    await byHand(harness, id, 'failed');
    expect(await stateOf(harness)).toMatchObject({
      bill: { failures: 1 },
      payments: { p1: 'FAIL/DONE' },
      events: ['p1 FAIL PENDING'],
      waiting: 0,
    });
  });

  it('in VOIDING leaves the bill to the payment that holds it', async () => {
    const { harness, id } = await voiding();
    await byHand(harness, id, 'failed');
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'PROCESS', failures: 0 },
      payments: { p1: 'FAIL/DONE', p2: 'PROCESS/AUTHORIZING' },
      entries: [],
    });
  });

  it('in REFUNDING posts the refund once and sends no postback', async () => {
    const { harness, id } = await refunding();
    await byHand(harness, id, 'failed');
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2'],
      events: ['p1 FAIL SUPERSEDED', 'p2 SUCCESS PENDING'],
      waiting: 0,
    });
    expect(harness.queued).not.toContain(`pay.${id}.FAIL`);
  });

  it('ends the late void of a payment that had failed before, without a second postback', async () => {
    const { harness, id } = await done();
    const failed = await harness.payment(id);
    if (!failed) throw new Error('no payment');
    await harness.payments.startVoid(failed, aCall());
    expect(await byHand(harness, id, 'failed')).toMatchObject({ ok: true });
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', failures: 1 },
      payments: { p1: 'FAIL/DONE' },
      events: ['p1 FAIL PENDING'],
      waiting: 0,
    });
  });

  it('of a payment that was charged unseen is detected by the sweep, and the money is refunded', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { id, pay } = await harness.begun('p1');
    harness.pass(55);
    await pay();
    harness.pass(6);
    await byHand(harness, id, 'failed');
    await harness.sweep();
    expect(harness.alarms).toEqual(['late_money p1']);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', failures: 1 },
      payments: { p1: 'FAIL/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      events: ['p1 FAIL PENDING'],
      charged: 0,
      waiting: 0,
    });
  });

  it('is cancelled at the acquirer by the sweep, so that nobody can pay on the open card page', async () => {
    const { harness, id } = await authorizing();
    await byHand(harness, id, 'failed');
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0 });
    expect(await harness.atAcquirer(id)).toMatchObject({ state: 'voided' });
  });

  /** Two people ended the void of an order that the acquirer leaves open. */
  async function ended() {
    const harness = await paymentHarness({ steps: 'one' });
    const { id, pay } = await harness.begun('p1');
    const { get } = harness.acquirer;
    Object.assign(harness.acquirer, { get: async () => ({ state: 'pending' }) });
    for (const _ of ['failed', 'ended']) {
      harness.pass(anHour);
      await byHand(harness, id, 'failed');
    }
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 1 });
    Object.assign(harness.acquirer, { get });
    return { harness, pay };
  }

  it('although the acquirer has it open is queried there a day later: what was charged unseen is refunded', async () => {
    const { harness, pay } = await ended();
    // Its notification is lost.
    await pay();
    harness.pass(24 * anHour);
    await harness.sweep();
    expect(harness.alarms).toEqual(['late_money p1']);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      events: ['p1 FAIL PENDING'],
      charged: 0,
    });
  });

  it('although the acquirer has it open leaves the work list after a week', async () => {
    const { harness } = await ended();
    for (const days of [1, 6]) {
      expect((await stateOf(harness)).waiting).toBe(1);
      harness.pass(days * 24 * anHour);
      await harness.sweep();
    }
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, entries: [], waiting: 0 });
    expect(harness.alarms).toEqual([]);
  });

  it('is followed by a refund when the acquirer captures money later', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { id, pay } = await harness.begun('p1');
    harness.pass(anHour);
    await byHand(harness, id, 'failed');
    await pay();
    await harness.notice(id);
    expect(harness.alarms).toEqual(['late_money p1']);
    expect(await stateOf(harness)).toMatchObject({
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      charged: 0,
    });
  });
});

describe('a sweep that resolves the payment concurrently', () => {
  /** Another step moves the payment between the read and the write of the resolution by hand. */
  const losingTheRace = (harness: PaymentHarness, id: string): PaymentHarness => ({
    ...harness,
    payments: {
      ...harness.payments,
      async findWithBill(of) {
        const found = await harness.payments.findWithBill(of);
        await harness.resolve(toPaymentId(id));
        return found;
      },
    },
  });

  const signature = { by: 'olga', evidence: 'statement' } as const;

  it.each(handOutcomes)('and is first refuses the decision "%s" with the reason', async (outcome) => {
    const harness = await paymentHarness();
    const { id: paymentId, pay } = await harness.begun('p1');
    await pay();
    harness.pass(anHour);
    const resolved = await resolveByHand(losingTheRace(harness, paymentId), {
      ...signature,
      paymentId,
      phase: 'AUTHORIZING',
      outcome,
      amountMinor: undefined,
    });
    const contradiction = { contradictedBy: 'acquirer', says: 'captured 100.50' };
    expect(resolved).toEqual({ ok: false, error: outcome === 'failed' ? contradiction : 'payment_changed' });
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1'],
      events: ['p1 SUCCESS PENDING'],
    });
    expect((await harness.payment(paymentId))?.decisions).toBeUndefined();
  });

  it('and ten people settle it once', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { id: paymentId, pay } = await harness.begun('p1');
    await pay();
    harness.pass(anHour);
    const resolution = {
      ...signature,
      paymentId,
      phase: 'AUTHORIZING',
      outcome: 'captured',
      amountMinor: undefined,
    } as const;
    const people = Array.from({ length: 10 }, () => resolveByHand(harness, resolution));
    const [, ...results] = await Promise.all([harness.sweep(), ...people]);

    expect(results.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    for (const result of results)
      if (!result.ok) expect(['payment_changed', 'payment_is_final']).toContain(result.error);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1'],
      events: ['p1 SUCCESS PENDING'],
      waiting: 0,
    });
    expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    expect(harness.queued).toHaveLength(1);
  });
});

import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { newGroupId, newPayoutId } from '../../lib/ids.ts';
import type { NewTransfer, RailView, Transfer } from '../../lib/payout/payout-rail.ts';
import { ProviderBusy } from '../../lib/provider-port.ts';
import { aTransfer } from '../support/rail.ts';
import type { RailPromises, RailSubject, TransferFate } from './rail-subject.ts';

const hour = 60;

/** A transfer of a group of its own: a real rail remembers the keys and transfers of the last run. */
function newTransfer(part: number, given: Partial<NewTransfer>): NewTransfer {
  const groupId = newGroupId((length) => randomBytes(length / 2).toString('hex'));
  const payoutId = newPayoutId(groupId, part);
  const { about } = aTransfer(part);
  return aTransfer(part, { payoutId, key: `${payoutId}.1`, about: { ...about, groupId }, ...given });
}
const reference = expect.stringMatching(/^\S{1,64}$/);

/**
 * The promises of a `PayoutRail` that the payout protocol relies on, as sentences that every adapter must pass. `makeSubject`
 * makes an adapter with a rail of its own, in which nothing has happened.
 */
export function describeRail(
  name: string,
  promises: RailPromises,
  makeSubject: () => Promise<RailSubject>,
): void {
  describe(name, () => {
    const suite = { promises, ...newSubjects(promises, makeSubject) };
    describe('a transfer', () => transfers(suite));
    describe('a lost answer', () => lostAnswers(suite));
    if (meets(promises, ['refused', 'refused_later', 'rejected', 'forbidden']))
      describe('a refusal', () => refusals(suite));
    if (meets(promises, ['account_empty', 'account_empty_later']))
      describe('an empty account', () => emptyAccounts(suite));
    describe('a search', () => searches(suite));
    describe('a cancellation', () => cancellations(suite));
    if (promises.changes) describe('a change without us', () => changes(suite));
    describe('the statement of a day', () => statements(suite));
  });
}

const meets = ({ fates }: RailPromises, some: readonly TransferFate[]): boolean =>
  some.some((fate) => fates.includes(fate));

type Suite = { readonly promises: RailPromises } & ReturnType<typeof newSubjects>;

function newSubjects({ fates, searchLagSeconds }: RailPromises, makeSubject: () => Promise<RailSubject>) {
  const made: RailSubject[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((subject) => subject.stop()));
  });

  /** A rail, and the first attempt of a payout that meets this fate there. */
  const meeting = async (fate: TransferFate, given: Partial<NewTransfer> = {}) => {
    const at = await makeSubject();
    made.push(at);
    const called = { firstCallAt: at.now(), lastCallAt: at.now() };
    const transfer = await at.meets(newTransfer(1, { ...called, ...given }), fate);
    return { at, rail: at.rail, transfer };
  };
  const canMeet = (fate: TransferFate): boolean => fates.includes(fate);
  /** Lets the search catch up. */
  const searchable = (at: RailSubject) => at.pass(Math.ceil(searchLagSeconds / 60));
  return { meeting, canMeet, searchable };
}

const known = (transfer: NewTransfer, view: RailView): NewTransfer => ({
  ...transfer,
  reference: view.reference,
});

/** Queries the transfer until it has ended. */
async function ended({ rail, pass }: RailSubject, transfer: Transfer): Promise<RailView> {
  for (let asks = 0; asks < 10; asks += 1) {
    const view = await rail.get(transfer);
    if (view.state !== 'accepted') return view;
    await pass(1);
  }
  throw new Error('The transfer did not end');
}

/** Sends the transfer and follows it to its end. */
async function sentToEnd(at: RailSubject, transfer: NewTransfer): Promise<RailView> {
  const view = await at.rail.send(transfer);
  return view.state === 'accepted' ? ended(at, known(transfer, view)) : view;
}

/** The next attempt, with its own key. */
const nextAttempt = (transfer: NewTransfer): NewTransfer => ({
  ...transfer,
  attempt: 2,
  key: `${transfer.payoutId}.2`,
  reference: undefined,
});

function transfers({ meeting, canMeet, promises }: Suite): void {
  it('is paid once under its key, however often it is sent', async () => {
    const { at, rail, transfer } = await meeting('paid');
    const first = await rail.send(transfer);
    expect(first).toMatchObject({ state: expect.stringMatching(/^(?:paid|accepted)$/), reference });
    const again = await rail.send(transfer);
    expect(again.reference).toBe(first.reference);
    expect(await ended(at, known(transfer, first))).toMatchObject({
      state: 'paid',
      reference: first.reference,
    });
    expect(await at.paidOut(transfer.payoutId)).toEqual([transfer.amountMinor]);
  });

  it('is paid once by many requests at the same time', async () => {
    const { at, rail, transfer } = await meeting('paid');
    const views = await Promise.allSettled(Array.from({ length: 5 }, () => rail.send(transfer)));
    const answered = views.flatMap((each) => (each.status === 'fulfilled' ? [each.value.reference] : []));
    expect(new Set(answered).size).toBe(1);
    await sentToEnd(at, transfer);
    expect(await at.paidOut(transfer.payoutId)).toEqual([transfer.amountMinor]);
  });

  it.each([100n, 12_345n, 100_001n])('is paid to the kopeck: %d', async (amountMinor) => {
    const { at, transfer } = await meeting('paid', { amountMinor });
    expect(await sentToEnd(at, transfer)).toMatchObject({ state: 'paid' });
    expect(await at.paidOut(transfer.payoutId)).toEqual([amountMinor]);
  });

  if (promises.isOwn)
    it('is the same under its key until 22 hours after the first call', async () => {
      const { at, rail, transfer } = await meeting('paid');
      const first = await rail.send(transfer);
      await at.pass(22 * hour);
      expect((await rail.send(transfer)).reference).toBe(first.reference);
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });

  if (promises.isOwn)
    it('is read by its reference for months', async () => {
      const { at, rail, transfer } = await meeting('paid');
      const { reference: first } = await sentToEnd(at, transfer);
      await at.pass(60 * 24 * hour);
      expect(await rail.get({ ...transfer, reference: first })).toMatchObject({
        state: 'paid',
        reference: first,
      });
    });

  if (canMeet('paid_later'))
    it('that is accepted is paid later, under the same reference', async () => {
      const { at, rail, transfer } = await meeting('paid_later');
      const view = await rail.send(transfer);
      expect(view).toEqual({ state: 'accepted', reference });
      expect(await at.paidOut(transfer.payoutId)).toEqual([]);
      expect(await ended(at, known(transfer, view))).toEqual({ state: 'paid', reference: view.reference });
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });

  it('that was never sent is unknown', async () => {
    const { rail, transfer } = await meeting('paid');
    expect(await rail.get(transfer)).toEqual({ state: 'unknown' });
  });

  if (!promises.tombstones)
    it('under a reference that the rail never gave is unknown', async () => {
      const { at, rail, transfer } = await meeting('paid');
      const view = await sentToEnd(at, transfer);
      const forged = `${view.reference?.slice(0, -1)}${view.reference?.endsWith('0') ? '1' : '0'}`;
      expect(await rail.get({ ...transfer, reference: forged })).toEqual({ state: 'unknown' });
    });
}

function lostAnswers({ meeting, canMeet, searchable, promises }: Suite): void {
  it.each(['call', 'answer'] as const)(
    '(the %s was lost) leaves the outcome unknown, and the same key pays once',
    async (what) => {
      const { at, rail, transfer } = await meeting('paid');
      at.loseNext(what);
      await expect(rail.send(transfer)).rejects.toThrow();
      expect(await sentToEnd(at, transfer)).toMatchObject({ state: 'paid' });
      expect(await at.paidOut(transfer.payoutId)).toEqual([transfer.amountMinor]);
    },
  );

  it('is found by our id, once the search shows it, also after the life of the key', async () => {
    const { at, rail, transfer } = await meeting('paid');
    at.loseNext('answer');
    await expect(rail.send(transfer)).rejects.toThrow();
    await searchable(at);
    const found = await ended(at, transfer);
    expect(found).toMatchObject({ state: 'paid', reference });
    if (promises.isOwn) await at.pass(30 * hour);
    expect(await rail.get(transfer)).toEqual(found);
    expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
  });

  it('to a query leaves the outcome unknown', async () => {
    const { at, rail, transfer } = await meeting('paid');
    await rail.send(transfer);
    at.loseNext('answer');
    await expect(rail.get(transfer)).rejects.toThrow();
  });

  it.each((['fails_before', 'fails_after'] as const).filter(canMeet))(
    '(500, the transfer %s) leaves the outcome unknown, and the same key pays once',
    async (fate) => {
      const { at, rail, transfer } = await meeting(fate);
      await expect(rail.send(transfer)).rejects.not.toBeInstanceOf(ProviderBusy);
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(fate === 'fails_after' ? 1 : 0);
      expect(await sentToEnd(at, transfer)).toMatchObject({ state: 'paid' });
      expect(await at.paidOut(transfer.payoutId)).toEqual([transfer.amountMinor]);
    },
  );

  if (canMeet('busy'))
    it('is not what a busy rail gives: the call was not carried out', async () => {
      const { at, rail, transfer } = await meeting('busy');
      const busy = await rail.send(transfer).catch((error: unknown) => error);
      expect(busy).toBeInstanceOf(ProviderBusy);
      expect(busy).toMatchObject({ retryAfterMs: expect.any(Number) });
      await searchable(at);
      expect(await rail.get(transfer)).toEqual({ state: 'unknown' });
      expect(await sentToEnd(at, transfer)).toMatchObject({ state: 'paid' });
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });
}

function refusals({ meeting, canMeet, searchable }: Suite): void {
  it.each((['refused', 'refused_later'] as const).filter(canMeet))(
    'of the transfer (%s) is final, has its reference, and pays nothing',
    async (fate) => {
      const { at, rail, transfer } = await meeting(fate);
      const view = await sentToEnd(at, transfer);
      expect(view).toMatchObject({ state: 'refused', reference, reason: expect.any(String) });
      expect(await rail.get(known(transfer, view))).toEqual(view);
      expect(await rail.send(transfer)).toEqual(view);
      expect(await at.paidOut(transfer.payoutId)).toEqual([]);
    },
  );

  const ofTheCall = [
    ['rejected', 'refused'],
    ['forbidden', 'not_taken'],
  ] as const;
  it.each(ofTheCall.filter(([fate]) => canMeet(fate)))(
    'of the call (%s) is %s without a reference, and made no transfer',
    async (fate, state) => {
      const { at, rail, transfer } = await meeting(fate);
      const view = await rail.send(transfer);
      expect(view).toMatchObject({ state, reason: expect.any(String) });
      expect(view.reference).toBeUndefined();
      await searchable(at);
      expect(await rail.get(transfer)).toEqual({ state: 'unknown' });
      expect(await at.paidOut(transfer.payoutId)).toEqual([]);
    },
  );

  if (canMeet('forbidden'))
    it('of our credentials leaves the next attempt free', async () => {
      const { at, rail, transfer } = await meeting('forbidden');
      await rail.send(transfer);
      expect(await sentToEnd(at, nextAttempt(transfer))).toMatchObject({ state: 'paid' });
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });
}

function emptyAccounts({ meeting, canMeet, promises }: Suite): void {
  it.each((['account_empty', 'account_empty_later'] as const).filter(canMeet))(
    '(%s) moves nothing',
    async (fate) => {
      const { at, rail, transfer } = await meeting(fate);
      const view = await sentToEnd(at, transfer);
      expect(view).toMatchObject({ state: 'provider_empty', reference });
      expect(await rail.get(known(transfer, view))).toMatchObject({ state: 'provider_empty' });
      expect(await at.paidOut(transfer.payoutId)).toEqual([]);
    },
  );

  if (canMeet('account_empty') && promises.tombstones)
    it('lets the same key pay later', async () => {
      const { at, transfer } = await meeting('account_empty');
      await sentToEnd(at, transfer);
      expect(await sentToEnd(at, transfer)).toMatchObject({ state: 'paid' });
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });

  if (canMeet('account_empty') && !promises.tombstones)
    it('ends the attempt for good: its key never pays, and the next attempt does', async () => {
      const { at, rail, transfer } = await meeting('account_empty');
      const over = await sentToEnd(at, transfer);
      expect(await rail.send(transfer)).toEqual(over);
      const paid = await sentToEnd(at, nextAttempt(transfer));
      expect(paid).toMatchObject({ state: 'paid', reference });
      expect(paid.reference).not.toBe(over.reference);
      expect(await rail.get({ ...transfer, reference: over.reference })).toEqual(over);
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });
}

function searches({ meeting, canMeet, searchable, promises }: Suite): void {
  it('by our id reports a transfer with its reference', async () => {
    const { at, rail, transfer } = await meeting('paid');
    const view = await rail.send(transfer);
    await searchable(at);
    expect(await rail.get(transfer)).toMatchObject({ reference: view.reference });
  });

  if (promises.searchLagSeconds > 0)
    it('that lags reports `unknown`, although the transfer is paid', async () => {
      const { at, rail, transfer } = await meeting('paid');
      const view = await sentToEnd(at, transfer);
      expect(await rail.get(transfer)).toEqual({ state: 'unknown' });
      expect(await rail.get(known(transfer, view))).toMatchObject({ state: 'paid' });
      expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
    });

  if (!promises.tombstones)
    it('reports an earlier attempt that is paid before the one that is asked for', async () => {
      const { at, rail, transfer } = await meeting('paid');
      const paid = await sentToEnd(at, transfer);
      await searchable(at);
      expect(await rail.get(nextAttempt(transfer))).toMatchObject({
        state: 'paid',
        reference: paid.reference,
      });
    });

  if (!promises.tombstones && canMeet('account_empty'))
    it('reports no attempt that has ended for another', async () => {
      const { at, rail, transfer } = await meeting('account_empty');
      await sentToEnd(at, transfer);
      await searchable(at);
      expect(await rail.get(nextAttempt(transfer))).toEqual({ state: 'unknown' });
    });

  it('never reports the transfer of another payout', async () => {
    const { at, rail, transfer } = await meeting('paid');
    await sentToEnd(at, transfer);
    await searchable(at);
    const another = newTransfer(2, { firstCallAt: at.now(), lastCallAt: at.now() });
    expect(await rail.get(another)).toEqual({ state: 'unknown' });
  });
}

function cancellations({ meeting, canMeet, promises }: Suite): void {
  if (!promises.tombstones)
    it('is not offered without tombstones, and changes nothing', async () => {
      const { at, rail, transfer } = await meeting('paid');
      await expect(rail.cancel(transfer)).rejects.toThrow();
      expect(await sentToEnd(at, transfer)).toMatchObject({ state: 'paid' });
    });

  if (promises.tombstones)
    it('of an unknown key refuses it from then on', async () => {
      const { at, rail, transfer } = await meeting('paid');
      expect(await rail.cancel(transfer)).toMatchObject({ state: 'refused' });
      expect(await rail.send(transfer)).toMatchObject({ state: 'refused' });
      expect(await rail.get(transfer)).toMatchObject({ state: 'refused' });
      expect(await at.paidOut(transfer.payoutId)).toEqual([]);
    });

  if (promises.tombstones)
    it('does not touch a transfer that the rail has', async () => {
      const fates = (['paid', 'paid_later'] as const).filter(canMeet);
      for (const fate of fates) {
        const { at, rail, transfer } = await meeting(fate);
        const view = await rail.send(transfer);
        expect(await rail.cancel(known(transfer, view))).toEqual(view);
        expect(await ended(at, known(transfer, view))).toMatchObject({ state: 'paid' });
      }
    });
}

function changes({ meeting }: Suite): void {
  it('of a paid transfer is reported', async () => {
    const { at, rail, transfer } = await meeting('paid');
    const view = await sentToEnd(at, transfer);
    await at.change(view.reference ?? '', 'refused');
    expect(await rail.get(known(transfer, view))).toMatchObject({
      state: 'refused',
      reference: view.reference,
    });
  });

  it('of a refused transfer is reported', async () => {
    const { at, rail, transfer } = await meeting('refused');
    const view = await sentToEnd(at, transfer);
    await at.change(view.reference ?? '', 'paid');
    expect(await rail.get(known(transfer, view))).toMatchObject({ state: 'paid', reference: view.reference });
    expect(await at.paidOut(transfer.payoutId)).toHaveLength(1);
  });
}

function statements({ meeting, canMeet, promises }: Suite): void {
  it('has the transfers that were paid in it, to the kopeck, with both ids', async () => {
    const { at, rail, transfer } = await meeting('paid', { amountMinor: 150_001n });
    const from = new Date(at.now().getTime() - 60_000);
    const { reference: paid } = await sentToEnd(at, transfer);
    if (canMeet('refused')) {
      const called = { firstCallAt: at.now(), lastCallAt: at.now() };
      await sentToEnd(at, await at.meets(newTransfer(2, called), 'refused'));
    }
    const to = new Date(from.getTime() + 24 * 3_600_000);
    const stated = async (period: { readonly from: Date; readonly to: Date }) =>
      (await rail.statement(period)).filter(({ ourId }) => promises.isOwn || ourId === transfer.payoutId);
    const lines = await stated({ from, to });
    expect(lines).toMatchObject([
      { kind: 'payout', reference: paid, ourId: transfer.payoutId, amountMinor: 150_001n, currency: 'RUB' },
    ]);
    const [line] = lines;
    expect(await stated({ from: line?.at ?? from, to })).toHaveLength(1);
    expect(await stated({ from, to: line?.at ?? to })).toEqual([]);
  });

  if (canMeet('paid_later'))
    it('has a transfer that was sent before midnight and paid after it on the day of its payment', async () => {
      const { at, rail, transfer } = await meeting('paid_later');
      await rail.send(transfer);
      const midnight = new Date(at.now().getTime() + 60_000);
      await at.pass(3);
      await sentToEnd(at, transfer);
      const dayMs = 24 * 3_600_000;
      const before = { from: new Date(midnight.getTime() - dayMs), to: midnight };
      const since = { from: midnight, to: new Date(midnight.getTime() + dayMs) };
      expect(await rail.statement(before)).toEqual([]);
      expect(await rail.statement(since)).toMatchObject([{ ourId: transfer.payoutId }]);
    });

  if (promises.isOwn)
    it('is empty where nothing was paid', async () => {
      const { at, rail } = await meeting('paid');
      const to = new Date(at.now().getTime() + 24 * 3_600_000);
      expect(await rail.statement({ from: at.now(), to })).toEqual([]);
    });
}

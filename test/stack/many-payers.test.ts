import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { CommandError } from '../../lib/installation/command-error.ts';
import { payBill } from '../../lib/cli/payer.ts';
import { lossyProxy } from '../support/lossy-proxy.ts';
import { balanceOf, cards, get, newBill } from '../support/merchant-calls.ts';
import { aMerchantServer, isGenuine, type MerchantServer } from '../support/merchant-server.ts';
import { giveCard, openForm, paymentOn, sendForm } from '../support/payer-steps.ts';
import { untilDrained } from '../support/queue-watch.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** How often each race is run; PAYLINK_REPEATS=200 is the long run. */
const repeats = numbers(Number(process.env['PAYLINK_REPEATS'] ?? 1));
const isLong = repeats.length > 1;
/** With one step a double charge is refunded, not prevented: fewer payers show the same. */
const payersIn = { two: numbers(50), one: numbers(isLong ? 50 : 16) };
const displaced = numbers(isLong ? 50 : 12);
const listed = z.array(z.object({ id: z.string(), status: z.string() }));

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

const mostTries = 20;

/** A payer who sees that the acquirer is not responding tries again: on a busy machine it may answer too late. */
async function payPatiently(page: URL, tries = 1): ReturnType<typeof payBill> {
  try {
    return await payBill(page, cards.pays);
  } catch (error) {
    const isUnavailable = error instanceof CommandError && error.code === 'unavailable';
    if (!isUnavailable || tries === mostTries) throw error;
    return payPatiently(page, tries + 1);
  }
}

describe.each(['two', 'one'] as const)(
  'many payers of one NORMAL bill, in steps: %s, where a transaction holds its items for 15 ms',
  (steps) => {
    const payers = payersIn[steps];
    let server: MerchantServer;
    let way: Awaited<ReturnType<typeof lossyProxy>>;
    let stack: Stack;
    let operator: Operator;
    let tables: Tables;

    beforeAll(async () => {
      [server, way] = await Promise.all([aMerchantServer(), lossyProxy()]);
      const variables = { SANDBOX_URL: `${way.origin}/sandbox` };
      stack = await startStack({ urls: server.urls, steps, variables, lockMs: 15 });
      way.leadTo(stack.baseUrl);
      [operator, tables] = [await operatorAt(stack), tablesOf(stack)];
    }, 120_000);

    afterAll(async () => {
      tables.close();
      await operator.leave();
      await stack.stop();
      await Promise.all([way.close(), server.close()]);
    });

    /** Until no postback is pending: none in the queue, and none due for the sweep. */
    async function lastPostbacks(): Promise<void> {
      await untilDrained(stack, 'postbacks');
      await stack.sweep();
      await untilDrained(stack, 'postbacks');
    }

    /** One SUCCESS, one credit, one success postback, one charge that was not refunded. Returns the number of charges. */
    async function expectOnePaid(billId: string, before: number): Promise<number> {
      const payments = listed.parse((await get(stack.demo, 'bill/payments', { id: billId })).body['data']);
      const winners = payments.filter(({ status }) => status !== 'FAIL');
      expect(winners).toMatchObject([{ status: 'SUCCESS' }]);
      const [winner] = winners;
      expect((await get(stack.demo, 'bill/status', { id: billId })).body['status']).toBe('SUCCESS');
      expect(Number((await balanceOf(stack.demo)).available)).toBe(before + 980);

      const { orders } = await sandboxBooks(stack);
      const charges = orders.filter(({ paymentId }) => paymentId.startsWith(billId));
      const kept = charges.filter(({ captured, refunded }) => captured !== refunded);
      expect(kept).toMatchObject([{ paymentId: winner?.id, captured: 100_000, refunded: 0 }]);

      await server.postback('result', { TrsId: winner?.id ?? '', Status: 'SUCCESS' });
      await lastPostbacks();
      const told = payments.flatMap(({ id }) => server.postbacks('result', { TrsId: id, Status: 'SUCCESS' }));
      expect(told).toHaveLength(1);
      isGenuine(told[0]!, stack.demo);
      expect(await operator.json('audit')).toMatchObject({ agrees: true });
      return charges.length;
    }

    it.each(repeats)('all pay at the same moment: one is charged (%i)', { timeout: 300_000 }, async () => {
      const before = Number((await balanceOf(stack.demo)).available);
      const { billId, page } = await newBill(stack.demo);

      const journeys = await Promise.allSettled(payers.map(() => payPatiently(page)));

      const refused = journeys.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused.filter(({ code }) => code !== 'paid' && code !== 'being_paid')).toEqual([]);
      const handedOn = journeys.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(new Set(handedOn.map(({ status, paymentId }) => `${status} ${paymentId}`)).size).toBe(1);
      expect(await expectOnePaid(billId, before)).toBe(1);
    });

    it.each(repeats)(
      'each has a payment of their own and gave their card: one is charged (%i)',
      { timeout: 300_000 },
      async () => {
        const before = Number((await balanceOf(stack.demo)).available);
        const { billId, page } = await newBill(stack.demo);
        const forms = await Promise.all(displaced.map(() => openForm(page)));

        // The acquirer does not respond, so a payer whose lock is over cannot be stopped on the card page.
        way.decide(({ path }) => (/\/orders\/\w+(\/cancel)?$/.test(path) ? 'refused' : 'passes'));
        const payments: string[] = [];
        const waysBack: string[] = [];
        for (const form of forms) {
          await tables.letLockEnd(billId);
          const cardPage = (await sendForm(page, form)) ?? '';
          const wayBack = await giveCard(cardPage, cards.paysWithoutNotice);
          waysBack.push(wayBack);
          payments.push(paymentOn(wayBack));
        }
        expect(new Set(payments).size).toBe(displaced.length);

        way.decide(() => 'passes');
        const comeBack = () => waysBack.map((back) => fetch(back));
        await Promise.all([...comeBack(), ...comeBack(), stack.sweep()]);
        // A delivery under way would lose its lease to the time that passes, and come a second time.
        await untilDrained(stack, 'postbacks');
        await tables.letTimePass();
        await stack.sweep();

        // With one step all were charged at once, and all but one were refunded.
        expect(await expectOnePaid(billId, before)).toBe(steps === 'one' ? displaced.length : 1);
      },
    );

    it('made no call that the roles do not allow', () => {
      expect(stack.refusals()).toEqual([]);
    });
  },
);

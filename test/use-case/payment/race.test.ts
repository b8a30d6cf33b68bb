import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../../lib/ids.ts';
import { billId } from '../../support/builders.ts';
import { paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { aCard } from '../../support/sandbox.ts';

const fifty = Array.from({ length: 50 }, (_, at) => at);

describe.each([0, 15])(
  'fifty payers at once on one NORMAL bill, held by a transaction for %i ms',
  (lockMs) => {
    it.each(['two', 'two', 'two', 'one', 'one'] as const)(
      'with a %s-step acquirer: one success, one charge, one credit, one event',
      async (steps) => {
        const harness = await paymentHarness({ steps, notices: true, lockMs });
        const forms = fifty.map((at) => harness.form(`${at}`.padStart(8, '0')));
        const answers = await Promise.all(
          forms.map((form, at) => harness.start(form, { sourceIp: `198.51.100.${at}` })),
        );
        const pages = answers.flatMap((answer) => ('pageUrl' in answer ? [answer.pageUrl] : []));
        expect(answers.filter(({ kind }) => kind === 'started')).toHaveLength(1);
        expect(new Set(pages).size).toBe(1);

        await Promise.all(pages.map((page) => harness.sandbox.pay(page, aCard)));
        harness.pass(1);
        await harness.sweep();
        const { charged, entries, events, bill, payments, waiting } = await stateOf(harness);
        expect({ charged, waiting }).toEqual({ charged: 10_050, waiting: 0 });
        expect([entries.length, events.length]).toEqual([1, 1]);
        expect(Object.values(payments)).toEqual(['SUCCESS/DONE']);
        expect(bill.status).toBe('SUCCESS');
        expect(await harness.available()).toMatchObject({ RUB: 9_849n });
        expect(harness.queued).toHaveLength(1);
        expect((await harness.sandbox.books()).acquirer.orders).toHaveLength(1);
      },
    );

    it.each([1, 2, 3, 4, 6])('who open, take over, pay and return in any order, round %i', async (round) => {
      const harness = await paymentHarness({ steps: round % 2 === 0 ? 'one' : 'two', lockMs });
      const nonceOf = (payer: number) => `${payer}`.padStart(8, '0');
      const opened = new Map<number, string>();
      const paid = new Set<number>();
      /** Each payer opens the card page, pays there and returns, one action per turn. */
      async function turn(payer: number): Promise<void> {
        const page = opened.get(payer);
        if (page === undefined) {
          const answer = await harness.start(harness.form(nonceOf(payer)), {
            sourceIp: `198.51.100.${payer}`,
          });
          if ('pageUrl' in answer) opened.set(payer, answer.pageUrl);
        } else if (paid.has(payer)) await harness.resolve(toPaymentId(`${billId}00${nonceOf(payer)}`));
        else {
          paid.add(payer);
          await harness.sandbox.pay(page, aCard);
        }
      }
      const order = (at: number) => (at * 7919 * round + 104_729) % 151;
      const turns = fifty
        .flatMap((payer) => [payer, payer + 50, payer + 100])
        .toSorted((a, b) => order(a) - order(b));
      for (let from = 0; from < turns.length; from += 5) {
        harness.pass(6);
        // From time to time the acquirer acts but its responses are lost.
        harness.line.cut = (from / 5 + round) % 3 === 0 ? 'answers' : undefined;
        await Promise.allSettled(turns.slice(from, from + 5).map((at) => turn(at % 50)));
      }
      harness.line.cut = undefined;
      for (const page of opened.values()) await harness.sandbox.pay(page, aCard);
      for (let minute = 0; minute < 20; minute += 1) {
        harness.pass(10);
        await harness.sweep();
      }

      const { charged, entries, payments, bill, waiting, events } = await stateOf(harness);
      expect(Object.keys(payments).length).toBeGreaterThan(1);
      expect(waiting).toBe(0);
      expect({ charged, status: bill.status }).toEqual({ charged: 10_050, status: 'SUCCESS' });
      expect(Object.values(payments).filter((payment) => payment === 'SUCCESS/DONE')).toHaveLength(1);
      expect(entries.filter((entry) => entry.startsWith('CAPTURE'))).toHaveLength(1);
      expect(events.filter((event) => event.includes('SUCCESS'))).toHaveLength(1);
      expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    });
  },
);

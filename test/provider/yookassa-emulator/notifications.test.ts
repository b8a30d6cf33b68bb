import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startNotifier } from '../../../infra/yookassa-emulator/notifications.ts';
import { aReceiver } from '../../support/receiver.ts';

const hours = 60 * 60 * 1000;
const payment = { id: '2e8dd95a-000f-5000-a000-1e3515f51c18', status: 'succeeded' };

/** A shop that answers with the status of `answers` in turn, the last one for ever, and a notifier with a clock of its own. */
async function aShop(answers: readonly number[] = [200]) {
  const bodies: unknown[] = [];
  const receiver = await aReceiver((request, response) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body));
      response.writeHead(answers[Math.min(bodies.length, answers.length) - 1] ?? 200).end();
    });
  });
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  let now = Date.UTC(2026, 0, 1);
  const folder = await mkdtemp(join(tmpdir(), 'notifications-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const options = { now: () => now, folder };
  const notifier = startNotifier(options);
  notifier.setUrl(receiver.url);
  const later = async (milliseconds: number) => {
    now += milliseconds;
    await notifier.sendDue();
  };
  return { notifier, bodies, later, restarted: () => startNotifier(options) };
}

describe('a notification', () => {
  it('has the event and the object as it was', async () => {
    const { notifier, bodies } = await aShop();
    await notifier.changed('payment.succeeded', payment);
    await notifier.idle();
    expect(bodies).toEqual([{ type: 'notification', event: 'payment.succeeded', object: payment }]);
    expect(notifier.pending()).toEqual([]);
  });

  it.each([500, 404, 204, 302])('is repeated after an answer of %i, until 200', async (status) => {
    const { notifier, bodies, later } = await aShop([status, status, 200]);
    await notifier.changed('payment.canceled', payment);
    await notifier.idle();
    expect(notifier.pending()).toMatchObject([{ event: 'payment.canceled', attempts: 1 }]);

    await later(1 * hours);
    await later(1 * hours);
    await later(1 * hours);
    expect(bodies).toHaveLength(3);
    expect(notifier.pending()).toEqual([]);
  });

  it('is given up after 24 hours', async () => {
    const { notifier, bodies, later } = await aShop([500]);
    await notifier.changed('payment.succeeded', payment);
    await notifier.idle();
    for (let hour = 0; hour < 30; hour += 1) await later(1 * hours);
    expect(notifier.pending()).toEqual([]);
    expect(bodies.length).toBeGreaterThan(20);
    expect(bodies.length).toBeLessThan(31);
  });

  it('that waits is sent after a restart', async () => {
    const { notifier, bodies, later, restarted } = await aShop([500, 200]);
    await notifier.changed('payout.succeeded', payment);
    await notifier.idle();

    const second = restarted();
    expect(second.pending()).toMatchObject([{ event: 'payout.succeeded', attempts: 1 }]);
    await later(0);
    await later(1 * hours);
    expect(bodies).toHaveLength(2);
    expect(restarted().pending()).toEqual([]);
  });

  it('is not sent without an address', async () => {
    const { notifier, bodies, later } = await aShop();
    notifier.setUrl(undefined);
    await notifier.changed('payment.succeeded', payment);
    await later(1 * hours);
    expect(bodies).toEqual([]);
  });
});

describe('an unkind notification', () => {
  it('is lost', async () => {
    const { notifier, bodies, later } = await aShop();
    await notifier.changed('payment.succeeded', payment, 'lost');
    await later(25 * hours);
    expect(bodies).toEqual([]);
  });

  it('comes twice', async () => {
    const { notifier, bodies } = await aShop();
    await notifier.changed('payment.succeeded', payment, 'doubled');
    await notifier.idle();
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toEqual(bodies[1]);
  });

  it('comes an hour late', async () => {
    const { notifier, bodies, later } = await aShop();
    await notifier.changed('payment.succeeded', payment, 'late');
    await later(1 * hours - 1);
    expect(bodies).toEqual([]);
    await later(1);
    expect(bodies).toHaveLength(1);
  });

  it('follows a forged one, about a payment that does not exist', async () => {
    const { notifier, bodies } = await aShop();
    const canceled = { ...payment, status: 'canceled' };
    await notifier.changed('payment.canceled', canceled, 'forged');
    expect(bodies).toEqual([
      {
        type: 'notification',
        event: 'payment.succeeded',
        object: { id: expect.not.stringContaining(payment.id), status: 'succeeded', paid: true },
      },
      { type: 'notification', event: 'payment.canceled', object: canceled },
    ]);
  });

  it('is anything that somebody who knows the address sends', async () => {
    const { notifier, bodies } = await aShop();
    expect(await notifier.forge('{"event":"payment.succeeded"}')).toBe(200);
    expect(bodies).toEqual([{ event: 'payment.succeeded' }]);
    expect(notifier.pending()).toEqual([]);
  });
});

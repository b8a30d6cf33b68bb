import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { startEmulator, type EmulatorOptions } from '../../infra/yookassa-emulator/emulator.ts';
import {
  answerChallenge,
  chooseSbp,
  methodsOf,
  payByCard,
  paySbp,
} from '../../infra/yookassa-emulator/acts.ts';
import { runDue } from '../../infra/yookassa-emulator/due.ts';
import { advanceClock, type Change, type Subscriber } from '../../infra/yookassa-emulator/world.ts';

/** The body of an answer: the fields that tests read by name. */
const anAnswer = z.looseObject({
  id: z.optional(z.string()),
  status: z.optional(z.string()),
  items: z.optional(z.array(z.looseObject({ id: z.optional(z.string()) }))),
  next_cursor: z.optional(z.string()),
});

const anExchange = z.object({
  at: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  idempotenceKey: z.nullable(z.string()),
  request: z.unknown(),
  answer: z.unknown(),
});

type CallOptions = {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** An emulator of its own with a clock that stands still, and a caller with the credentials of each path. */
export async function anEmulator(options: Partial<EmulatorOptions> = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'yookassa-'));
  const started = Date.now();
  const emulator = await startEmulator({ folder, holdMs: 50, now: () => started, ...options });
  onTestFinished(async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { world } = emulator;
  let keys = 0;

  async function call(
    method: string,
    path: string,
    body?: unknown,
    { key, headers = {}, signal }: CallOptions = {},
  ) {
    const isPayout = /^\/(?:payouts|sbp_banks)/.test(path);
    const [id, secretKey] = isPayout
      ? [emulator.gatewayId, emulator.gatewaySecretKey]
      : [emulator.shopId, emulator.secretKey];
    keys += 1;
    const response = await fetch(`${emulator.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secretKey}`).toString('base64')}`,
        ...(method === 'POST' && {
          'idempotence-key': key ?? `key-${keys}`,
          'content-type': 'application/json',
        }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    return { status: response.status, body: anAnswer.parse(JSON.parse(text)) };
  }

  const get = (path: string) => call('GET', path);
  const post = (path: string, body: unknown = {}, callOptions: CallOptions = {}) =>
    call('POST', path, body, callOptions);
  const made = async (path: string, body: unknown) => {
    const { status, body: answer } = await post(path, body);
    if (status !== 200) throw new Error(`POST ${path} was answered ${status} ${JSON.stringify(answer)}`);
    return answer.id ?? '';
  };
  const stored = (id: string) => {
    const payment = world.state.payments.get(id);
    if (!payment) throw new Error(`There is no payment ${id}.`);
    return payment;
  };
  const changes: Change[] = [];
  const record: Subscriber = (change) => void changes.push(change);
  world.subscribers.add(record);
  const payer = {
    mayChoose: (id: string) => methodsOf(stored(id)),
    chooses: (id: string) => chooseSbp(world, stored(id)),
    byCard: (id: string, number = '5555555555554444') =>
      payByCard(world, stored(id), { number, expiryMonth: '12', expiryYear: '2030' }),
    confirms: (id: string, confirmed = true) => answerChallenge(world, stored(id), confirmed),
    bySbp: (id: string) => paySbp(world, stored(id)),
  };
  return {
    ...emulator,
    folder,
    call,
    get,
    post,
    payer,
    /** What the vendor notifies about, in order. */
    events: () => changes.map(({ event, object }) => ({ event, id: object.id })),
    /** Creates a payment and returns its id. */
    aPayment: (change: Readonly<Record<string, unknown>> = {}) =>
      made('/payments', { ...aPaymentBody, ...change }),
    aRefund: (change: Readonly<Record<string, unknown>>) =>
      made('/refunds', { amount: rub('100.00'), ...change }),
    aPayout: (change: Readonly<Record<string, unknown>> = {}) =>
      made('/payouts', { ...aPayoutBody, ...change }),
    advance: (milliseconds: number) => {
      advanceClock(world, milliseconds);
      runDue(world);
    },
    exchanges: () =>
      readFileSync(emulator.journal, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => anExchange.parse(JSON.parse(line))),
  };
}

export const rub = (value: string) => ({ value, currency: 'RUB' });

export const aPaymentBody = {
  amount: rub('1000.00'),
  capture: true,
  confirmation: { type: 'redirect', return_url: 'https://shop.example/return' },
};

export const aPayoutBody = {
  amount: rub('1000.00'),
  payout_destination_data: { type: 'sbp', phone: '79000000000', bank_id: '100000000111' },
};

const minute = 60_000;
export const hours = (count: number): number => count * 60 * minute;
export const days = (count: number): number => hours(24 * count);

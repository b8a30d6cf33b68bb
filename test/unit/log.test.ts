import { describe, expect, it } from 'vitest';
import { warningsTo } from '../../infra/local/functions/function-log.ts';
import { idsOf, namedIds } from '../../lib/http/named-ids.ts';
import { apiEvent } from '../support/api-event.ts';
import { kindOf, type Log, type LogFields } from '../../lib/log.ts';
import { written } from '../support/written.ts';

const secret = 'pl_test_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kM9nP2rS5uV8x';
const card = '5213243715986404';
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const fields: Required<LogFields> = {
  endpoint: 'bill-create',
  page: 'pay-page',
  error: 'AWS.SimpleQueueService.NonExistentQueue',
  code: 'ECONNREFUSED',
  build: '3fa94c01be77',
  at: '1:20345 1:1042',
  why: 'failing_for_days',
  requestId: uuid,
  invocation: uuid,
  messageId: uuid,
  merchant: 'aB3dE6gH9jK2mN5p',
  bill: 'aB3dE6gH9jK2mN5p',
  payment: 'aB3dE6gH9jK2mN5p00aB3dE6gH',
  refund: 'aB3dE6gH9jK2mN5p00aB3dE6gHkL7mN8',
  payout: 'aB3dE6gH9jK2mN5pQ8sT01',
  postback: 'po.aB3dE6gH9jK2mN5pQ8sT01.SUCCESS',
  day: '2026-11-20',
  seal: '4111111111111111'.padEnd(64, 'a'),
  provider: 'yookassa',
};

async function logged(level: string, given: Readonly<Record<string, unknown>>): Promise<string> {
  const values = JSON.stringify([level, 'it_failed', given]);
  return written(`import { log } from './lib/runtime/log.ts'; log(...${values});`);
}

describe('a line of the log', () => {
  it('says what happened, to which of our things, in which request', async () => {
    expect(JSON.parse(await logged('error', fields))).toEqual({
      level: 'error',
      event: 'it_failed',
      ...fields,
    });
    for (const endpoint of [fields.merchant, '3B3dE6gH9jK2mN5p.refund'])
      expect(JSON.parse(await logged('alarm', { endpoint }))).toEqual({
        level: 'alarm',
        event: 'it_failed',
        endpoint,
      });
  });

  it('has no other fields', async () => {
    const others = { token: secret, message: secret, cause: { secret } };
    expect(JSON.parse(await logged('error', others))).toEqual({ level: 'error', event: 'it_failed' });
    const write: Log = () => undefined;
    // @ts-expect-error -- no line may say it
    write('error', 'it_failed', { token: secret });
    // @ts-expect-error -- nor whole things
    write('error', 'it_failed', { error: new Error(secret) });
  });

  it('holds under no name what has another shape: no secret, no number of a card or a phone, no sentence', async () => {
    const values: readonly unknown[] = [
      secret,
      card,
      Number(card),
      '79037418265',
      79_037_418_265,
      'could not open the door',
      { secret },
      `aB3dE6gH9jK2mN5p\n{"level":"alarm"}`,
      'A'.repeat(129),
    ];
    const names = Object.keys(fields);
    const lines = values.map((value) => Object.fromEntries(names.map((name) => [name, value])));
    const said = await written(`
      import { log } from './lib/runtime/log.ts';
      for (const line of ${JSON.stringify(lines)}) log('error', 'it_failed', line);
    `);
    const removed = Object.fromEntries(names.map((name) => [name, '[removed]']));
    const line = JSON.stringify({ level: 'error', event: 'it_failed', ...removed });
    expect(said.trimEnd().split('\n')).toEqual(values.map(() => line));
  });

  it('of a failure is shown by npm start as one line, any other is not', async () => {
    const shown: string[] = [];
    const show = warningsTo((line) => shown.push(line));
    for (const level of ['info', 'error']) {
      const text = await logged(level, { endpoint: 'bill-create', error: 'TypeError' });
      show({ functionName: 'paylink-local-bill-create', text: text.trimEnd(), stream: 'stdout' });
    }
    expect(shown).toEqual([
      'paylink-local-bill-create: event it_failed, endpoint bill-create, error TypeError',
    ]);
  });
});

describe('what a line says of an error', () => {
  it.each([
    [new TypeError(secret), { error: 'TypeError' }],
    [Object.assign(new Error(secret), { code: 'ECONNREFUSED' }), { error: 'Error', code: 'ECONNREFUSED' }],
    [secret, { error: 'unknown' }],
  ])('is its name and its code', (error, kind) => expect(kindOf(error)).toEqual(kind));
});

describe('an id that a caller names', () => {
  it.each([
    ['aB3dE6gH9jK2mN5p', { bill: 'aB3dE6gH9jK2mN5p' }],
    ['aB3dE6gH9jK2mN5p00aB3dE6gH', { payment: 'aB3dE6gH9jK2mN5p00aB3dE6gH' }],
    ['aB3dE6gH9jK2mN5pQ8sT01', { payout: 'aB3dE6gH9jK2mN5pQ8sT01' }],
    [fields.refund, { refund: fields.refund }],
    [card, {}],
    [`${card}123456`, {}],
    [secret, {}],
    ['aB3dE6gH9jK2mN5p ', {}],
    ['', {}],
    [['aB3dE6gH9jK2mN5p'], {}],
    [undefined, {}],
  ])('is known by its shape: %j', (text, named) => expect(namedIds(text)).toEqual(named));

  it('is read from the request as the endpoint reads it, without the blanks around it', async () => {
    expect(await idsOf(apiEvent('GET', { query: { id: ' aB3dE6gH9jK2mN5p ' } }))).toEqual({
      bill: 'aB3dE6gH9jK2mN5p',
    });
  });

  it('is that of the payment that a refund is requested of', async () => {
    expect(await idsOf(apiEvent('GET', { query: { payment_id: fields.payment } }))).toEqual({
      payment: fields.payment,
    });
  });
});

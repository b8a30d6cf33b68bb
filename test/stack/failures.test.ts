import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { warningsTo } from '../../infra/local/functions/function-log.ts';
import { tablesOf } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** Not a time zone: a function that shows a time fails after its reads. */
const variables = { TIME_ZONE: 'Nowhere/Nothing' };

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ variables });
}, 120_000);

afterAll(() => stack.stop());

/** Calls the API; returns the request's id and the lines that npm start prints for it. */
async function ask(path: string, init: RequestInit = {}) {
  const before = stack.logs().length;
  const headers = { authorization: `Bearer ${stack.demo.apiToken}` };
  const { status, headers: answered } = await fetch(`${stack.baseUrl}/api/v1/${path}`, { ...init, headers });
  const requestId = answered.get('x-amzn-requestid');
  const shown: string[] = [];
  const show = warningsTo((line) => shown.push(line));
  await expect
    .poll(() =>
      stack
        .logs()
        .slice(before)
        .some((line) => line.startsWith('gateway ')),
    )
    .toBe(true);
  for (const line of stack.logs().slice(before)) {
    const [, functionName = '', text = ''] = /^(\S+) (.*)$/s.exec(line) ?? [];
    show({ functionName, text, stream: 'stdout' });
  }
  return { status, requestId, shown };
}

describe('a 500 response', () => {
  it('is one line of npm start that names the request, the merchant and the bill', async () => {
    const { shopId, merchantId } = stack.demo;
    await ask('bill/create', { method: 'POST', body: new URLSearchParams({ shop_id: shopId, amount: '1' }) });
    const tables = tablesOf(stack);
    const [, bill = ''] = /"B#([0-9A-Za-z]{16})"/.exec(JSON.stringify(await tables.items())) ?? [];
    tables.close();

    const { status, requestId, shown } = await ask(`bill/status?id=${bill}`);

    expect(status).toBe(500);
    expect(bill).not.toBe('');
    const about = `requestId ${requestId}, invocation [0-9a-f-]{36}, merchant ${merchantId}, bill ${bill}`;
    expect(shown).toEqual([
      expect.stringMatching(
        new RegExp(
          `bill-status: event endpoint_failed, endpoint bill-status, error RangeError, build [0-9a-f]{12}, at [0-9: ]+, ${about}$`,
        ),
      ),
    ]);
  });
});

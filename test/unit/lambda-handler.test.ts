import { describe, expect, it } from 'vitest';
import { written } from '../support/written.ts';

const secret = 'pl_test_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kM9nP2rS5uV8x';
const card = '5213243715986404';
const ids = {
  requestId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  invocation: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
};

describe('a function that fails', () => {
  const failing = (made: string) =>
    written(`
      import { lambdaHandler, PublicError } from './lib/runtime/lambda-handler.ts';
      const secrets = new TypeError('no key for ${secret} ${card}', { cause: new Error('${secret}') });
      const event = { body: '${card}', requestContext: { requestId: '${ids.requestId}' } };
      // Lambda's runtime prints all of what was thrown.
      await lambdaHandler(${made})(event, { awsRequestId: '${ids.invocation}' }).catch((error) => console.error(error));
    `);

  it.each([
    ['at its work', '() => async () => { throw secrets; }'],
    ['at its work, not even asynchronously', '() => () => { throw secrets; }'],
    ['before it, for want of what it works with', '() => { throw secrets; }'],
    ['before it, later', 'async () => { throw secrets; }'],
  ])('%s says the error’s name and the request, never its words', async (_when, made) => {
    const [line = '', ...thrown] = (await failing(made)).split('\n');
    expect(JSON.parse(line)).toEqual({
      level: 'error',
      event: 'function_failed',
      error: 'TypeError',
      ...ids,
    });
    expect(thrown[0]).toBe(
      `Error: The function failed; the log line function_failed of invocation ${ids.invocation} names the error.`,
    );
    expect(line + thrown.join('\n')).not.toMatch(/no key|pl_test|5213|cause/);
  });

  it('on purpose says so itself: only then does the gateway know an unknown caller', async () => {
    const text = await failing(`() => async () => { throw new PublicError('Unauthorized'); }`);
    expect(text).toMatch(/^\w+: Unauthorized\n/);
    expect(text).not.toContain('function_failed');
  });

  it('names its request in every line that it writes, and in its alarms', async () => {
    const text = await written(`
      import { lambdaHandler } from './lib/runtime/lambda-handler.ts';
      import { alarm, log } from './lib/runtime/log.ts';
      const say = lambdaHandler(() => async ({ pause }) => {
        await new Promise((resolve) => setTimeout(resolve, pause));
        alarm('late_money', { payment: 'aB3dE6gH9jK2mN5p00aB3dE6gH' });
      });
      const other = '${ids.requestId}';
      await Promise.all([say({ pause: 20 }, { awsRequestId: '${ids.invocation}' }), say({ pause: 0 }, { awsRequestId: other })]);
      log('info', 'afterwards', {});
    `);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: 'alarm', invocation: ids.requestId, payment: 'aB3dE6gH9jK2mN5p00aB3dE6gH' },
      { level: 'alarm', invocation: ids.invocation },
      { level: 'info', event: 'afterwards' },
    ]);
    expect(lines[2]).not.toHaveProperty('invocation');
  });
});

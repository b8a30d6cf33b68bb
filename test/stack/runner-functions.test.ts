import { describe, expect, it } from 'vitest';
import { payloadOf, run } from './runner-kit.ts';

const counter = `
let count = 0;
exports.handler = async () => { count += 1; return count; };`;

describe('a function here', () => {
  it('has the environment of the template and of Lambda, and nothing of the process around it', async () => {
    process.env['A_SECRET_OF_THE_MACHINE'] = 'seen';
    const code = 'exports.handler = async () => process.env;';
    const runner = await run({
      functions: {
        env: {
          code,
          variables: {
            TABLE_NAME: 'table',
            API: { 'Fn::Sub': 'https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}/live' },
          },
        },
      },
    });

    const payload = payloadOf(await runner.invoke('env', {}));

    expect(payload).toMatchObject({
      TABLE_NAME: 'table',
      API: runner.baseUrl,
      AWS_LAMBDA_FUNCTION_NAME: 'test-env',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_SQS: runner.endpoints.AWS_ENDPOINT_URL_SQS,
    });
    expect(payload).not.toHaveProperty('A_SECRET_OF_THE_MACHINE');
    expect(payload).not.toHaveProperty('PATH');
  });

  it('keeps its state between events', async () => {
    const runner = await run({ functions: { counter: { code: counter } } });

    await runner.invoke('counter', {});

    expect(await runner.invoke('counter', {})).toEqual({ ok: true, payload: 2 });
  });

  it('never handles two events at once in one place', async () => {
    const code = `
      let busy = 0, most = 0;
      exports.handler = async () => {
        most = Math.max(most, ++busy);
        await new Promise((resolve) => setTimeout(resolve, 5));
        busy -= 1;
        return most;
      };`;
    const runner = await run({ functions: { slow: { code } } });

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => runner.invoke('slow', {})));

    expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.payload))).toEqual(new Set([1]));
  });

  it('is stopped at its timeout, and handles the next event in a new process', async () => {
    const code = `
      let count = 0;
      exports.handler = async ({ hang }) => { count += 1; while (hang); return count; };`;
    const runner = await run({ functions: { stuck: { code, timeout: 1 } } });
    await runner.invoke('stuck', {});

    const outcome = await runner.invoke('stuck', { hang: true });

    expect(outcome).toMatchObject({ ok: false, errorMessage: 'Task timed out after 1.00 seconds' });
    expect(await runner.invoke('stuck', {})).toEqual({ ok: true, payload: 1 });
  });

  it('knows its remaining time', async () => {
    const code = 'exports.handler = async (_event, context) => context.getRemainingTimeInMillis();';
    const runner = await run({ functions: { timed: { code, timeout: 7 } } });

    const outcome = await runner.invoke('timed', {});

    expect(outcome.ok && outcome.payload).toBeGreaterThan(0);
    expect(outcome.ok && outcome.payload).toBeLessThanOrEqual(7000);
  });

  it('that cannot be loaded says why in one sentence, at each event', async () => {
    const runner = await run({
      functions: { broken: { code: 'throw new Error("TABLE_NAME is not set.");' } },
    });

    const outcome = await runner.invoke('broken', {});

    expect(outcome).toMatchObject({ ok: false, errorMessage: 'TABLE_NAME is not set.' });
    expect(runner.lines).toContainEqual({
      functionName: 'test-broken',
      stream: 'runner',
      text: 'could not start: TABLE_NAME is not set.',
    });
    expect(await runner.invoke('broken', {})).toMatchObject({ ok: false });
  });

  it('that throws fails only the event it was handling', async () => {
    const code =
      'exports.handler = async (event) => { if (event.fail) throw new TypeError("no"); return "yes"; };';
    const runner = await run({ functions: { moody: { code } } });

    expect(await runner.invoke('moody', { fail: true })).toMatchObject({
      ok: false,
      errorType: 'TypeError',
      errorMessage: 'no',
    });
    expect(await runner.invoke('moody', {})).toEqual({ ok: true, payload: 'yes' });
  });

  it('that exits its process affects nothing else', async () => {
    const code = 'exports.handler = async ({ end }) => { if (end) process.exit(3); return "alive"; };';
    const runner = await run({ functions: { rash: { code } } });

    expect(await runner.invoke('rash', { end: true })).toMatchObject({
      ok: false,
      errorType: 'Runtime.ExitError',
    });
    expect(await runner.invoke('rash', {})).toEqual({ ok: true, payload: 'alive' });
  });

  it('writes its console to the log, line by line', async () => {
    const code = 'exports.handler = async () => { console.log("one\\ntwo"); console.error("three"); };';
    const runner = await run({ functions: { talker: { code } } });

    await runner.invoke('talker', {});

    await expect
      .poll(() => runner.lines.map(({ text, stream }) => `${stream} ${text}`).toSorted())
      .toEqual(['stderr three', 'stdout one', 'stdout two']);
  });
});

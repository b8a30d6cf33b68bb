import { describe, expect, it } from 'vitest';
import type { ProviderCalls } from '../../lib/provider-port.ts';
import { limitedFetch } from '../../lib/provider/limited-fetch.ts';
import { dynamoProviderCalls } from '../../lib/store/provider-calls.ts';
import { freshTable } from '../support/dynamo.ts';

const url = 'https://api.example/v3/payments';
const ok = () => new Response('{}');
const tooMany = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status: 429, headers });

type Given = {
  readonly atOnce?: number;
  readonly perSecond?: number;
  readonly calls?: ProviderCalls;
  readonly answer?: () => Response | Promise<Response>;
};

/** A limiter on a clock that moves only while a call waits for its turn. */
async function aLimiter({ atOnce = 10, perSecond = 10, calls, answer = ok }: Given = {}) {
  const table = await freshTable();
  let now = Date.parse('2030-06-15T12:00:00Z');
  const sent: number[] = [];
  const waited: number[] = [];
  const logged: string[] = [];
  const start = now;
  const limiter = (process = dynamoProviderCalls(table)) =>
    limitedFetch({
      provider: 'yookassa',
      limits: { atOnce, perSecond },
      calls: calls ?? process,
      now: () => new Date(now),
      delay: async (ms) => {
        waited.push(ms);
        now += ms;
      },
      log: (_level, event) => void logged.push(event),
      fetch: async () => {
        sent.push(now - start);
        return answer();
      },
    });
  return { limiter, call: limiter(), sent, waited, logged, pass: (ms: number) => (now += ms) };
}

describe('a call to a provider', () => {
  it('waits for the next second when this one is full', async () => {
    const { call, sent } = await aLimiter({ perSecond: 2 });
    for (let n = 0; n < 5; n += 1) await call(url);
    expect(sent).toEqual([0, 0, 1000, 1000, 2000]);
  });

  it('waits while as many of this process are under way as may be', async () => {
    const answers: (() => void)[] = [];
    const { call, sent } = await aLimiter({
      atOnce: 2,
      answer: () => new Promise((resolve) => answers.push(() => resolve(ok()))),
    });
    const all = [call(url), call(url), call(url)];
    await expect.poll(() => answers.length).toBe(2);
    expect(sent).toHaveLength(2);
    answers[0]?.();
    await expect.poll(() => answers.length).toBe(3);
    for (const answer of answers) answer();
    expect(await Promise.all(all)).toHaveLength(3);
  });

  it('is refused as ProviderBusy, and not sent, when its deadline is over while it waits for its place', async () => {
    const answers: (() => void)[] = [];
    const { call, sent } = await aLimiter({
      atOnce: 1,
      answer: () => new Promise((resolve) => answers.push(() => resolve(ok()))),
    });
    const first = call(url);
    await expect.poll(() => answers.length).toBe(1);
    const deadline = new AbortController();
    const second = call(url, { signal: deadline.signal });
    deadline.abort();
    await expect(second).rejects.toMatchObject({ name: 'ProviderBusy' });
    await expect(call(url, { signal: deadline.signal })).rejects.toMatchObject({ name: 'ProviderBusy' });
    answers[0]?.();
    await first;
    expect(sent).toHaveLength(1);
    const next = call(url);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    expect((await next).status).toBe(200);
  });

  it('leaves its place when it fails', async () => {
    const { call } = await aLimiter({ atOnce: 1, answer: () => Promise.reject(new Error('no answer')) });
    await expect(call(url)).rejects.toThrow('no answer');
    await expect(call(url)).rejects.toThrow('no answer');
  });

  it('is refused as ProviderBusy, and not sent, when it would wait for more than two seconds', async () => {
    const { call, sent } = await aLimiter({ answer: () => tooMany({ retry_after: 3_000 }) });
    await call(url);
    await expect(call(url)).rejects.toMatchObject({ name: 'ProviderBusy', retryAfterMs: 3_000 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['the milliseconds of the body', tooMany({ retry_after: 1_500 }), 1_500],
    ['the seconds of the header', tooMany('later', { 'retry-after': '2' }), 2_000],
    ['a second when it does not say', tooMany({}), 1_000],
  ])('after a 429 waits for %s, then is sent', async (_what, answer, ms) => {
    const { call, sent } = await aLimiter({ answer: () => answer.clone() });
    expect((await call(url)).status).toBe(429);
    await call(url);
    expect(sent).toEqual([0, ms]);
  });

  it('is not stopped for more than a minute, whatever the provider says', async () => {
    const { call, pass } = await aLimiter({ answer: () => tooMany({ retry_after: 86_400_000 }) });
    await call(url);
    await expect(call(url)).rejects.toMatchObject({ retryAfterMs: 60_000 });
    pass(60_000);
    expect((await call(url)).status).toBe(429);
  });

  it('in another function stops too after a 429', async () => {
    const { limiter, sent } = await aLimiter({ answer: () => tooMany({ retry_after: 3_000 }) });
    await limiter()(url);
    await expect(limiter()(url)).rejects.toMatchObject({ name: 'ProviderBusy', retryAfterMs: 3_000 });
    expect(sent).toHaveLength(1);
  });

  it('after a 429 reads no more than the words of an error', async () => {
    let read = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 1;
        if (read > 200) controller.close();
        else controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
    });
    const { call } = await aLimiter({ answer: () => new Response(endless, { status: 429 }) });
    expect((await call(url)).status).toBe(429);
    expect(read).toBeLessThan(20);
  });

  it('leaves the answer of a 429 readable for the adapter', async () => {
    const { call } = await aLimiter({ answer: () => tooMany({ retry_after: 1_500 }) });
    expect(await (await call(url)).json()).toEqual({ retry_after: 1_500 });
  });

  it('is sent when the table cannot be reached, with a line in the log', async () => {
    const broken = () => Promise.reject(new Error('no table'));
    const { call, sent, logged } = await aLimiter({ calls: { take: broken, pause: broken } });
    await call(url);
    expect(sent).toHaveLength(1);
    expect(logged).toEqual(['provider_calls_not_counted']);
  });
});

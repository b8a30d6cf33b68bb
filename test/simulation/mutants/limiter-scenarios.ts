import { limitedFetch } from '../../../lib/provider/limited-fetch.ts';
import type { ProviderCalls } from '../../../lib/provider-port.ts';
import type { World } from '../harness/world.ts';

const url = 'https://api.test/v3/payments';

/** Two functions at one provider, which answers `first` and then 200, and how often it was called. */
function twoFunctions(first: Response, calls: ProviderCalls) {
  const answers = [first];
  let called = 0;
  const limiter = () =>
    limitedFetch({
      provider: 'yookassa',
      limits: { atOnce: 1, perSecond: 1 },
      calls,
      now: () => new Date(0),
      delay: async () => undefined,
      log: () => undefined,
      fetch: async () => {
        called += 1;
        return answers.shift() ?? new Response('{}');
      },
    });
  return { one: limiter(), other: limiter(), called: () => called };
}

/** The first function is told to wait; the second calls. */
export async function callsAfterBusy(world: World): Promise<void> {
  let pausedUntil = 0;
  const calls: ProviderCalls = {
    take: async () => pausedUntil,
    pause: async (_provider, until) => void (pausedUntil = until.getTime()),
  };
  const busy = new Response('{"retry_after":30000}', { status: 429 });
  const { one, other, called } = twoFunctions(busy, calls);
  await one(url);
  await other(url).catch(() => undefined);
  if (called() > 1) world.violate('provider', 'a function calls a provider that has told another to wait');
}

/** The second of the provider is used up. */
export async function callsBeyondRate(world: World): Promise<void> {
  const calls: ProviderCalls = { take: async () => 5_000, pause: async () => undefined };
  const { one, called } = twoFunctions(new Response('{}'), calls);
  await one(url).catch(() => undefined);
  if (called() > 0) world.violate('provider', 'a provider is called more often than its record allows');
}

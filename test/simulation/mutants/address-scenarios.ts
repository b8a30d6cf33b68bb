import { create as merchantBalance } from '../../../functions/merchant-balance.ts';
import { mayCallFrom } from '../../../lib/http/api-addresses.ts';
import { aCaller, apiEvent, lambdaContext } from '../../support/api-event.ts';
import type { World } from '../harness/world.ts';

/** The address of the event's request is 192.0.2.1. A banned merchant's request is refused for its address all the same. */
export async function usedFromElsewhere(world: World): Promise<void> {
  const caller = aCaller({ apiAddresses: ['203.0.113.0/24'], banned: true });
  const endpoint = { log: () => undefined, timeZone: 'UTC', publicUrl: undefined };
  const ran = await world.pump(
    world.invoke('merchant balance', (ports) =>
      merchantBalance({ ...ports, ...endpoint })(apiEvent('GET', { caller }), lambdaContext),
    ),
  );
  if (ran.kind !== 'done' || !ran.done.body.includes('ip_access_denied'))
    world.violate('token', 'a token is accepted from an address that it is not tied to');
}

export async function unreadableSource(world: World): Promise<void> {
  const ranges = ['203.0.113.0/24', 'nonsense'];
  for (const source of ['', 'test-invoke-source-ip', '203.0.113.0/24', '203.0.113.7, 198.51.100.1'])
    if (mayCallFrom(ranges, source))
      world.violate('token', 'a token is accepted from a text that is no address');
}

import type { PayoutId } from '../../../lib/ids.ts';
import type { Caller } from '../../../lib/merchant/merchant.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import type { KnownMerchant } from '../harness/population.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { PausedHandler } from './paused-handler.ts';

export function thirdMerchant({ population }: World): KnownMerchant {
  const merchant = population.merchants[2];
  if (!merchant) throw new Error('The population has three merchants');
  return merchant;
}

export const goodCard = '4111111111111111';

/** The caller from an authorization that may be outdated. */
export const caller = ({ id: merchantId }: KnownMerchant): Caller => ({
  merchantId,
  enabled: true,
  banned: false,
  verified: true,
  regularPayouts: true,
  subscription: 'active',
  apiAddresses: undefined,
  shards: undefined,
});

export const request = (ports: Ports, merchant: KnownMerchant, amount: string, number = goodCard) =>
  createRegularPayout(ports, {
    caller: caller(merchant),
    destination: { type: 'credit_card', number, holder: 'IVAN PETROV' },
    amount,
    orderId: amount,
    idempotencyKey: undefined,
  });

export async function payOut(
  world: World,
  merchant: KnownMerchant,
  amount: string,
  card = goodCard,
): Promise<PayoutId> {
  const ran = await world.pump(
    world.invoke('create payout', (ports) => request(ports, merchant, amount, card)),
  );
  const [payout] = ran.kind === 'done' && ran.done.ok ? ran.done.value.payouts : [];
  if (!payout) throw new Error('The scenario needs a payout');
  return payout.id;
}

/** Suspends the handler before a call of this name, runs `happens`, then lets the handler continue. */
export async function meanwhile(
  world: World,
  at: RegExp,
  handle: (ports: Ports) => Promise<unknown>,
  happens: () => Promise<unknown>,
): Promise<void> {
  const handler = new PausedHandler(world, handle);
  await handler.goTo(at);
  await happens();
  await handler.end();
}

import { faultOf, type DisturbedCall, type HttpFault } from '../manners.ts';
import { minorUnits } from '../money.ts';
import type { World } from '../world.ts';

type Request = {
  readonly path: string;
  readonly idempotenceKey: string;
  readonly body: unknown;
};

/** The fault that the amount of a POST selects. It disturbs the first call under a key; a repeated call is served. */
export function amountFault(world: World, { path, idempotenceKey, body }: Request): HttpFault | undefined {
  const fault = disturbing(world, path, body);
  return fault && world.faults.isFirst(`${path} ${idempotenceKey}`) ? fault : undefined;
}

function disturbing({ state }: World, path: string, body: unknown): HttpFault | undefined {
  const [, resource, id, action] =
    /^\/(payments|refunds|payouts)(?:\/([^/]+)\/(capture|cancel))?$/.exec(path) ?? [];
  if (id !== undefined) {
    const payment = state.payments.get(id);
    const call: DisturbedCall = action === 'capture' ? 'capture' : 'cancel';
    return payment && faultOf('payment', payment.askedMinor, call);
  }
  const minor = minorOf(body);
  if (minor === undefined) return undefined;
  if (resource === 'payments') return faultOf('payment', minor, 'create');
  if (resource === 'refunds') return faultOf('refund', minor, 'create');
  return resource === 'payouts' ? faultOf('payout', minor, 'create') : undefined;
}

function minorOf(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null || !('amount' in body)) return undefined;
  const { amount } = body;
  if (typeof amount !== 'object' || amount === null || !('value' in amount)) return undefined;
  const { value } = amount;
  return typeof value === 'string' && /^\d{1,10}\.\d{2}$/.test(value) ? minorUnits(value) : undefined;
}

import { createHash } from 'node:crypto';
import type { ApiObject, KeyRecord, KeyResult } from '../records.ts';
import type { World } from '../world.ts';
import { ApiError, invalid } from './errors.ts';

const parameter = 'Idempotence-Key';

/** Checks the header: 1 to 64 letters, digits and `-_.+`. */
export function readKey(header: string | undefined): string {
  if (header === undefined || header === '')
    throw invalid(parameter, 'Missing required header Idempotence-Key');
  if (!/^[0-9a-zA-Z_.+-]{1,64}$/.test(header))
    throw invalid(
      parameter,
      'An idempotence key is 1 to 64 letters, digits, hyphens, underscores, dots and pluses.',
    );
  return header;
}

type Keyed = {
  /** The account and the key. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly at: number;
};

/**
 * Acts once under a key. A repeated request gets the object as it is now, or the refusal of the first. The same key with another
 * request is refused. A key is forgotten after 24 hours.
 */
export function once(world: World, keyed: Keyed, act: () => ApiObject): ApiObject {
  const { state } = world;
  const fingerprint = fingerprintOf(keyed);
  const known = state.key(keyed.id, keyed.at);
  if (known) return repeated(world, known, fingerprint);
  const remember = (result: KeyResult) =>
    state.save({ kind: 'key', id: keyed.id, firstUsedAt: keyed.at, fingerprint, result });
  return state.atomically(() => {
    try {
      const object = act();
      remember({ kind: 'object', of: object.kind, id: object.id });
      return object;
    } catch (thrown) {
      if (thrown instanceof ApiError) remember({ kind: 'refusal', status: thrown.status, body: thrown.body });
      throw thrown;
    }
  });
}

function repeated({ state }: World, { fingerprint, result }: KeyRecord, asked: string): ApiObject {
  if (fingerprint !== asked) throw invalid(parameter, 'Idempotence key duplicated');
  if (result.kind === 'refusal') throw ApiError.again(result.status, result.body);
  const objects = { payment: state.payments, refund: state.refunds, payout: state.payouts };
  const object = objects[result.of].get(result.id);
  if (!object) throw new Error(`A key refers to the unknown ${result.of} ${result.id}.`);
  return object;
}

const fingerprintOf = ({ method, path, body }: Keyed): string =>
  createHash('sha256')
    .update(`${method} ${path} ${JSON.stringify(sorted(body))}`)
    .digest('hex');

/** Two bodies are the same when they differ only in the order of their fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

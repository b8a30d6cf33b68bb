import { fail, ok, type Result } from '../result.ts';
import { type Unreachable, whyUnreachable } from './unreachable.ts';

/** A network call that either comes to an end before the deadline or is given up. */
export async function within<T>(deadline: AbortSignal, call: Promise<T>): Promise<Result<T, Unreachable>> {
  const given = Promise.withResolvers<never>();
  const giveUp = () => given.reject(deadline.reason);
  deadline.addEventListener('abort', giveUp, { once: true });
  try {
    return ok(await Promise.race([call, given.promise]));
  } catch (error) {
    // Whatever went wrong out there is an outcome of the attempt; the operator reads it in the attempt's record.
    return fail(deadline.aborted ? 'timeout' : whyUnreachable(error));
  } finally {
    deadline.removeEventListener('abort', giveUp);
  }
}

import { fail, ok, type Result } from '../result.ts';
import { type Unreachable, whyUnreachable } from './unreachable.ts';

/** Awaits a network call until the deadline. Returns its value, or why the server was unreachable. */
export async function within<T>(deadline: AbortSignal, call: Promise<T>): Promise<Result<T, Unreachable>> {
  const given = Promise.withResolvers<never>();
  const giveUp = () => given.reject(deadline.reason);
  deadline.addEventListener('abort', giveUp, { once: true });
  try {
    return ok(await Promise.race([call, given.promise]));
  } catch (error) {
    // A network error is an outcome of the attempt, which the operator finds in the attempt's record.
    return fail(deadline.aborted ? 'timeout' : whyUnreachable(error));
  } finally {
    deadline.removeEventListener('abort', giveUp);
  }
}

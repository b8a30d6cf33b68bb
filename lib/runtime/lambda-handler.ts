import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { kindOf } from '../log.ts';
import { withDeadline } from './deadlines.ts';
import { cached, cacheMs } from './cached.ts';
import { duringInvocation, log } from './log.ts';

type Handler<Event, Returned> = (event: Event, context: Context) => Promise<Returned>;

/** An error whose message, a fixed text, Lambda may print and API Gateway reads. */
export class PublicError extends Error {}

/**
 * Returns a Lambda handler that creates its dependencies at the first call rather than at import: a test can import the file without
 * an environment, and a failure is answered instead of ending the process. They are created again every few minutes, because a
 * secret among them may have been rotated. Lambda prints the message and stack of a thrown error, which may contain secrets:
 * the handler logs only the error's name, code and position, and throws another error in its place.
 */
export function lambdaHandler<Event, Returned>(
  make: () => Handler<Event, Returned> | Promise<Handler<Event, Returned>>,
): (event: Event, context: Context) => Promise<Returned> {
  const made = cached(async () => make(), { forMs: cacheMs });
  return (event, context) => {
    const { awsRequestId: invocation } = context;
    const requestId = requestIdOf(event);
    const ids = { invocation, ...(requestId !== undefined && { requestId }) };
    const remaining = () => context.getRemainingTimeInMillis();
    return duringInvocation(ids, async () => {
      try {
        const handle = await made();
        return await withDeadline(remaining, () => handle(event, context));
      } catch (error) {
        if (error instanceof PublicError) throw error;
        log('error', 'function_failed', kindOf(error));
        throw safeError(invocation);
      }
    });
  };
}

const fromGateway = z.object({ requestContext: z.object({ requestId: z.string() }) });
const requestIdOf = (event: unknown): string | undefined =>
  fromGateway.safeParse(event).data?.requestContext.requestId;

const safeError = (invocation: string): Error =>
  new Error(`The function failed; the log line function_failed of invocation ${invocation} names the error.`);

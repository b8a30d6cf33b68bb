import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { kindOf } from '../log.ts';
import { withDeadline } from './deadlines.ts';
import { kept, usuallyKeptMs } from './kept.ts';
import { duringInvocation, log } from './log.ts';

type Handler<Event, Returned> = (event: Event, context: Context) => Promise<Returned>;

/** An error that Lambda may print and API Gateway reads: its message is one of our own fixed texts. */
export class PublicError extends Error {}

/**
 * A Lambda handler whose dependencies are made at its first call, not when its file is read: so a test may import
 * the file without an environment, and a failure is answered instead of ending the process. They are made anew every few
 * minutes, for a rotated secret may be a part of them. Lambda prints the message
 * and the stack of whatever a handler throws, and secrets ride in them: so only the error's name is logged, and another
 * error is thrown in its place.
 */
export function lambdaHandler<Event, Returned>(
  make: () => Handler<Event, Returned> | Promise<Handler<Event, Returned>>,
): (event: Event, context: Context) => Promise<Returned> {
  const made = kept(async () => make(), { forMs: usuallyKeptMs });
  return (event, context) => {
    const { awsRequestId: invocation } = context;
    const remaining = () => context.getRemainingTimeInMillis();
    return duringInvocation({ invocation, requestId: requestIdOf(event) }, async () => {
      try {
        const handle = await made();
        return await withDeadline(remaining, () => handle(event, context));
      } catch (error) {
        if (error instanceof PublicError) throw error;
        log('error', 'function_failed', kindOf(error));
        throw withoutWords(invocation);
      }
    });
  };
}

const fromGateway = z.object({ requestContext: z.object({ requestId: z.string() }) });
const requestIdOf = (event: unknown): string | undefined =>
  fromGateway.safeParse(event).data?.requestContext.requestId;

const withoutWords = (invocation: string): Error =>
  new Error(`The function failed; its line function_failed of invocation ${invocation} names the error.`);

import type { Context } from 'aws-lambda';
import { lazy } from './lazy.ts';

type Handler<Event, Answer> = (event: Event, context: Context) => Promise<Answer>;

/**
 * A Lambda handler whose dependencies are made at its first call, not when its file is read: so a test may import
 * the file without an environment, and a failure is answered instead of ending the process.
 */
export function lambdaHandler<Event, Answer>(
  make: () => Handler<Event, Answer> | Promise<Handler<Event, Answer>>,
): (event: Event, context: Context) => Promise<Answer> {
  const made = lazy(async () => make());
  return async (event, context) => {
    const handle = await made();
    return handle(event, context);
  };
}

/** Set by the build to the bundle's id; absent when the sources run unbundled, as in tests. */
declare const PAYLINK_BUILD: string | undefined;

/** The bundle's id, from which `npm run paylink -- where <build> <line:column>` finds the source. */
export const build: string | undefined = typeof PAYLINK_BUILD === 'string' ? PAYLINK_BUILD : undefined;

const mostFrames = 8;

/**
 * Returns the positions of an error's calls in the bundle, innermost first: `1:20345 1:1042`. Takes only numbers from the stack, and
 * skips the message, which may contain lines that look like frames. Never throws: the log of a failure must not fail.
 */
export function positionsOf({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const frames = framesOf(stack, message).matchAll(/[/\\]index\.js:(\d{1,6}):(\d{1,7})\)?$/gm);
  const positions = [...frames].slice(0, mostFrames).map(([, line, column]) => `${line}:${column}`);
  return positions.length === 0 ? undefined : positions.join(' ');
}

/**
 * Returns the part of the stack after the message. The stack has the message of the error's creation: if the message was changed
 * since, as the AWS SDK does, only the last lines are known to be frames.
 */
function framesOf(stack: string, message: unknown): string {
  const start = typeof message === 'string' ? stack.indexOf(message) : -1;
  if (typeof message === 'string' && start !== -1) return stack.slice(start + message.length);
  const lines = stack.split('\n');
  return lines.slice(lines.findLastIndex((line) => !/^ +at /.test(line)) + 1).join('\n');
}

/** Set by the build to the bundle's id; absent when the sources run unbundled, as in tests. */
declare const PAYLINK_BUILD: string | undefined;

/** The bundle's id, from which `npm run paylink -- where <build> <line:column>` finds the source. */
export const build: string | undefined = typeof PAYLINK_BUILD === 'string' ? PAYLINK_BUILD : undefined;

const mostFrames = 8;

/**
 * Returns the positions of an error's calls in the bundle, innermost first: `1:20345 1:1042`. Takes only numbers from the stack, and
 * skips the message, which may contain lines that look like frames.
 */
export function positionsOf({ stack = '', message }: Error): string | undefined {
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .matchAll(/[/\\]index\.js:(\d{1,6}):(\d{1,7})\)?$/gm);
  const positions = [...frames].slice(0, mostFrames).map(([, line, column]) => `${line}:${column}`);
  return positions.length === 0 ? undefined : positions.join(' ');
}

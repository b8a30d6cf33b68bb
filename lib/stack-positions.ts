/** Set by the build to the bundle's id; absent where the sources themselves run, as in tests. */
declare const PAYLINK_BUILD: string | undefined;

/** Which bundle this is. `npm run paylink -- where <build> <line:column>` finds the source by it. */
export const build: string | undefined = typeof PAYLINK_BUILD === 'string' ? PAYLINK_BUILD : undefined;

const mostFrames = 8;

/**
 * Where in the bundle an error was made and through which calls: `1:20345 1:1042`, the innermost first. Nothing but numbers is
 * taken from the stack, and nothing from its message, which may have lines that look like frames.
 */
export function positionsOf({ stack = '', message }: Error): string | undefined {
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .matchAll(/[/\\]index\.js:(\d{1,6}):(\d{1,7})\)?$/gm);
  const positions = [...frames].slice(0, mostFrames).map(([, line, column]) => `${line}:${column}`);
  return positions.length === 0 ? undefined : positions.join(' ');
}

import { liveSandbox } from '../lib/runtime/sandbox.ts';
import type { GatewayEvent } from '../lib/sandbox/request.ts';
import { sandbox } from '../lib/sandbox/sandbox.ts';

export const create = sandbox;

let live: ReturnType<typeof create> | undefined;

export function handler(event: GatewayEvent) {
  live ??= create(liveSandbox());
  return live(event);
}

import type { SandboxManners } from './manners.ts';
import type { Table } from './table.ts';

/** The sandbox's dependencies. It is a separate party: only the secret is shared with the service. */
export type SandboxDeps = {
  readonly table: Table;
  readonly manners: SandboxManners;
  /** Shared with the service: the bearer token of its calls and the key of the notifications' signatures. */
  readonly secret: () => Promise<string>;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly delay: (ms: number) => Promise<void>;
  /** Sends the notifications. */
  readonly fetch: typeof fetch;
  /** The sandbox's base URL, `…/sandbox`. Absent: the request's own domain and stage. */
  readonly url: string | undefined;
};

import type { Table } from './table.ts';

/** What the sandbox is given; it is a party of its own and shares nothing with the service but the secret. */
export type SandboxDeps = {
  readonly table: Table;
  /** Shared with the service: bearer of its calls, key of the notices' signatures. */
  readonly secret: () => Promise<string>;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly delay: (ms: number) => Promise<void>;
  /** Sends the notices. */
  readonly fetch: typeof fetch;
  /** The address of all this, `…/sandbox`; absent: on the request's own domain and stage. */
  readonly url?: string | undefined;
};

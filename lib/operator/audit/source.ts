import type { MerchantId } from '../../ids.ts';
import type { AuditRecord } from './records.ts';
import type { Found, Ref } from './rule.ts';

/** The part of the table that is audited, whole for what it selects; without both: everything. */
export type AuditScope = {
  /** What belongs to this merchant. */
  readonly merchantId: MerchantId | undefined;
  /** What was created or posted from then on, and items without a time, such as balances. */
  readonly since: Date | undefined;
};

/** An item of the table, by a text that identifies its key, with what the audit reads in it: nothing, a record, its flaws. */
export type AuditItem = { readonly key: string; readonly records: readonly AuditRecord[] };

/** Some items, by eventually consistent reads. */
export type AuditPage = {
  readonly items: readonly AuditItem[];
  /** Returns what these records depend on: from the page where it has it, otherwise by eventually consistent reads. */
  readonly load: (refs: readonly Ref[]) => Promise<Found>;
  /** The cursor from which the audit continues after this page; undefined: it was the last. */
  readonly next: string | undefined;
};

/** The table, as the audit reads it. No method holds more than some pages in memory, however large the table is. */
export interface AuditSource {
  /** Streams the items of the scope in any order, from the beginning or from a page's cursor. Throws for text that is no cursor. */
  pages(scope: AuditScope, after: string | undefined): AsyncIterable<AuditPage>;
  /** Reads the items under these keys again, strongly consistent. Those that are gone are left out. */
  again(keys: readonly string[]): Promise<readonly AuditItem[]>;
  /** Returns what these refs name, by strongly consistent reads. */
  load(refs: readonly Ref[]): Promise<Found>;
}

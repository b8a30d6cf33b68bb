import { describe, expect, it } from 'vitest';
import { audit } from '../../lib/operator/audit/audit.ts';
import type { BalanceBooks } from '../../lib/operator/audit/balance-check.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import { foundIn, isRead } from '../../lib/operator/audit/rule.ts';
import type { AuditSource } from '../../lib/operator/audit/source.ts';
import { confirmPauseMs } from '../../lib/operator/audit/records-step.ts';
import { merchantId, today } from '../support/builders.ts';
import { theUsage } from '../support/payouts.ts';

const balance = (available: bigint): AuditRecord => ({
  kind: 'balance',
  merchantId,
  balance: { currency: 'RUB', available, locked: 0n, held: 0n, reserved: 0n },
  usage: theUsage(),
});
const wrong = { kind: 'unreadable', key: 'B#1 B', why: 'amount is missing' } as const;
const right = balance(0n);

const noDays = {
  timeZone: 'UTC',
  reconciliations: { list: async () => [] },
  books: {
    journalOf: async () => ({ until: async () => [] }),
    payments: async () => [],
    payouts: async () => [],
  },
};

const noSeals = {
  auditRuns: { current: async () => undefined, ended: async () => undefined },
  seals: {
    checkpoints: async () => [],
    allOf: async () => [],
    headsOf: async () => [],
    named: async () => [],
    linesOf: async () => undefined,
  },
  sealedJournal: {
    merchants: async () => [],
    createdAt: async () => undefined,
    entriesOf: async function* none() {},
  },
};

/** A table of one item per page, whose items are read again as `later` says, read by read. */
function tableOf(items: readonly AuditRecord[], ...later: readonly AuditRecord[]) {
  const reads: string[] = [];
  const left = [...later];
  const load = async () => foundIn(items.filter(isRead));
  const auditSource: AuditSource = {
    async *pages(_scope, after) {
      const begin = Number(after ?? 0);
      for (const [at, record] of items.entries()) {
        if (at < begin) continue;
        reads.push(`page ${at}`);
        const next = at + 1 < items.length ? String(at + 1) : undefined;
        yield { items: [{ key: String(at), records: [record] }], load, next };
      }
    },
    async again(keys) {
      reads.push(`again ${keys.join(' ')}`);
      return keys.map((key) => ({ key, records: [left.shift() ?? right] }));
    },
    load,
  };
  const balanceBooks: BalanceBooks = {
    missing: async () => [],
    async *names() {},
    balance: async () => undefined,
    closing: async () => undefined,
    async *postings() {},
  };
  const wait = async (ms: number) => void reads.push(`wait ${ms}`);
  return { ports: { ...noDays, ...noSeals, auditSource, balanceBooks, now: () => today, wait }, reads };
}

describe('a difference in a page', () => {
  it('is told when two strongly consistent reads of the item show it, some seconds apart', async () => {
    const { ports, reads } = tableOf([right, wrong], wrong, wrong);
    const { differences } = await audit(ports);
    expect(differences).toEqual([
      { invariant: 'items', about: 'B#1 B', text: 'item B#1 B cannot be read: amount is missing' },
    ]);
    expect(reads.slice(-3)).toEqual(['again 1', `wait ${confirmPauseMs}`, 'again 1']);
  });

  it.each([
    ['the first', [right]],
    ['the second', [wrong, right]],
    ['the second, where something else is wrong', [wrong, { ...wrong, why: 'status is missing' }]],
  ])('is not told when %s of these reads does not show it', async (_, later) => {
    const { ports } = tableOf([wrong], ...later);
    expect((await audit(ports)).differences).toEqual([]);
  });
});

describe('an audit', () => {
  it('waits for nothing when every page is right, and counts what it read', async () => {
    const { ports, reads } = tableOf([right, right]);
    expect(await audit(ports)).toEqual({
      differences: [],
      counts: { seals: 0, checkpoints: 0, items: 2, days_not_reconciled: 8 },
      next: undefined,
    });
    expect(reads.filter((read) => !read.startsWith('page'))).toEqual([]);
  });

  it('that is interrupted confirms what it suspects and says where it continues', async () => {
    const { ports } = tableOf([wrong, right, right], wrong, wrong);
    let pages = 0;
    const first = await audit(ports, { after: 'records', mayGoOn: () => (pages += 1) < 2 });
    expect(first).toMatchObject({
      differences: [{ about: 'B#1 B' }],
      counts: { items: 1 },
      next: 'records.1',
    });
    const rest = await audit(tableOf([wrong, right, right]).ports, { after: first.next });
    expect(rest).toEqual({ differences: [], counts: { items: 2, days_not_reconciled: 8 }, next: undefined });
  });

  it('refuses text that is no cursor', async () => {
    await expect(audit(tableOf([]).ports, { after: 'x' })).rejects.toThrow('cursor');
  });
});

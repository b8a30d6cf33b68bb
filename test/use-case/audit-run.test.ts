import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { create } from '../../functions/audit.ts';
import { continueAudit } from '../../lib/operator/audit/run.ts';
import { dynamoAuditRuns } from '../../lib/store/audit-runs.ts';
import type { Table } from '../../lib/store/table.ts';
import { auditPortsOn } from '../support/audit.ts';
import { itemsOf } from '../support/items-of.ts';
import { anEntry, post } from '../support/seals.ts';
import { freshTable } from '../support/dynamo.ts';

const minute = 60_000;

/** The function on an empty table, at a time that the test sets. */
async function aService() {
  const table = await freshTable();
  const clock = { at: new Date('2026-11-22T12:00:00.000Z'), leftMs: 15 * minute };
  const alarms: string[] = [];
  const events: string[] = [];
  const auditRuns = dynamoAuditRuns(table);
  const ports = {
    ...auditPortsOn({ table, now: () => clock.at }),
    auditRuns,
    sealArchive: undefined,
    remainingMs: () => clock.leftMs,
    timeZone: 'Europe/Moscow',
    log: (_level: string, event: string) => void events.push(event),
    alarm: (name: string) => void alarms.push(name),
  };
  return {
    table,
    clock,
    alarms,
    events,
    ports,
    results: () => auditRuns.results(),
    /** The schedule runs the function at this time. */
    at: async (time: string) => {
      clock.at = new Date(`2026-11-${time}:00.000Z`);
      return create(ports)();
    },
  };
}

const put = (table: Table, Item: Readonly<Record<string, unknown>>) =>
  table.client.send(new PutCommand({ TableName: table.name, Item }));

/** An item of no kind, which is a difference. */
const strange = (table: Table) => put(table, { PK: 'X#1', SK: 'X' });

describe('the scheduled audit', () => {
  it('runs once a day, from 4 o’clock of the record’s time zone on', async () => {
    const { at, events, alarms, results } = await aService();
    // 03:50 in Moscow.
    expect(await at('22T00:50')).toEqual({ refused: 'nothing_due' });
    expect(await at('22T01:00')).toEqual({ ran: 'ended' });
    expect(events).toEqual(['days_sealed', 'audit_ended']);
    expect(await at('22T20:50')).toEqual({ refused: 'nothing_due' });
    expect(await at('23T01:00')).toEqual({ ran: 'ended' });
    expect(alarms).toEqual([]);
    expect(await results()).toMatchObject([
      { startedAt: new Date('2026-11-23T01:00:00Z'), differenceCount: 0, differences: [] },
    ]);
  });

  it('does not seal days anew whose seals and checkpoint were removed, without telling', async () => {
    const { at, table, results, events } = await aService();
    await post(table, anEntry('one', new Date('2026-11-20T10:00:00Z')));
    await at('22T01:00');
    expect(events).toEqual(['days_sealed', 'audit_ended']);
    for (const { PK, SK } of await itemsOf(table))
      if (PK.startsWith('SEAL#'))
        await table.client.send(new DeleteCommand({ TableName: table.name, Key: { PK, SK } }));
    await at('23T01:00');
    const [{ differences } = { differences: [] }] = await results();
    expect(differences).toContainEqual(
      expect.objectContaining({
        invariant: 'seals_chained',
        text: 'There are 0 checkpoints, but an audit before counted 1: the last ones were removed.',
      }),
    );
  });

  it('stores what it finds and raises the alarm once in a run', async () => {
    const { at, table, alarms, results } = await aService();
    await strange(table);
    await at('22T01:00');
    expect(alarms).toEqual(['books_differ']);
    expect(await results()).toMatchObject([
      { differenceCount: 1, differences: [{ invariant: 'items', about: 'X#1 X' }] },
    ]);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { PK: 'X#1', SK: 'X' } }));
    await at('23T01:00');
    expect(alarms).toEqual(['books_differ']);
    expect(await results()).toMatchObject([{ differenceCount: 0, differences: [] }]);
  });

  it('tells a difference once that both of its items show in the same words', async () => {
    const { ports, results } = await aService();
    const text = 'entry A CAPTURE is not the one that its payment accounts for';
    const differences = ['entry A CAPTURE', 'payment A'].map(
      (about) => ({ invariant: 'captures_match_payments', about, text }) as const,
    );
    const part = async () => ({ counts: {}, differences, next: undefined });
    await continueAudit(ports, [{ name: 'records', part }]);
    expect(await results()).toMatchObject([{ differenceCount: 1, differences: [{ text }] }]);
  });

  it('stops before its time is over and continues where it stopped, without a second alarm', async () => {
    const service = await aService();
    const { at, table, clock, alarms, results } = service;
    await strange(table);
    for (const id of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) await put(table, { PK: `EP#${id}`, SK: 'EP' });
    // Each page takes longer than a part may.
    const source = service.ports.auditSource;
    service.ports.auditSource = {
      ...source,
      async *pages(...given) {
        for await (const page of source.pages(...given)) {
          clock.at = new Date(clock.at.getTime() + 10 * minute);
          yield page;
        }
      },
    };
    expect(await at('22T01:00')).toEqual({ ran: 'part' });
    const [early] = await results();
    expect(early?.endedAt).toBeUndefined();
    let invocations = 1;
    for (; (await results())[0]?.endedAt === undefined; invocations += 1) await create(service.ports)();
    expect(invocations).toBeGreaterThan(1);
    expect(alarms).toEqual(['books_differ']);
    const [ended] = await results();
    expect(ended).toMatchObject({ startedAt: early?.startedAt, differenceCount: 1 });
    // With its own state and the checkpoint of the sealed days.
    expect(ended?.counts['items']).toBe(11);
  });

  it('is done by one invocation at a time, and a part that failed is repeated from where it began', async () => {
    const service = await aService();
    const { at, table, results } = service;
    await strange(table);
    const works = service.ports.auditSource;
    service.ports.auditSource = { ...works, load: () => Promise.reject(new Error('throttled')) };
    await expect(at('22T01:00')).rejects.toThrow('throttled');
    expect(await at('22T01:10')).toEqual({ refused: 'under_way' });
    service.ports.auditSource = works;
    expect(await at('22T01:20')).toEqual({ ran: 'ended' });
    expect(await results()).toMatchObject([
      { startedAt: new Date('2026-11-22T01:00:00Z'), differenceCount: 1, differences: [{ about: 'X#1 X' }] },
    ]);
  });

  it('goes on after another version, whose cursor it cannot read', async () => {
    const { at, table, results } = await aService();
    await strange(table);
    await at('22T01:00');
    for (const next of ['sealing.x', 'seals.x', 'records.x', 'balances.x', 'a_step_of_that_version.x']) {
      await put(table, {
        PK: 'AUDIT#RUN',
        SK: 'CURRENT',
        startedAt: '2026-11-22T01:30:00.000Z',
        next,
        parts: 1,
        counts: {},
        differenceCount: 0,
      });
      expect(await at('22T02:00')).toEqual({ ran: 'ended' });
    }
    expect((await results())[0]).toMatchObject({ differenceCount: 1 });
  });
});

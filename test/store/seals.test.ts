import { describe, expect, it } from 'vitest';
import type { Log } from '../../lib/log.ts';
import { noHash } from '../../lib/seal/canonical.ts';
import { closingOf } from '../../lib/seal/closing-of.ts';
import { sealDays } from '../../lib/seal/seal-days.ts';
import { putEntry } from '../../lib/store/entry-item.ts';
import { transact } from '../../lib/store/transact.ts';
import { sealingStep } from '../../lib/operator/audit/seals-step.ts';
import { merchantId } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';
import { itemsOf } from '../support/items-of.ts';
import {
  at,
  corruptions,
  dayOf,
  found,
  type Given,
  key,
  lastDays,
  other,
  remove,
  restore,
  sealingOn,
  sealKey,
  writeSealedDays,
} from '../support/sealed-days.ts';
import { anEntry, moscow, rub } from '../support/seals.ts';

const given = async (start: string) => sealingOn(await freshTable({ lockMs: 0 }), start);

describe('sealing', () => {
  it('writes and logs its checkpoint once, when the part that wrote it is repeated', async () => {
    const { ports, sealAt, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')));
    const told: (string | undefined)[] = [];
    const sealArchive = {
      keepSeal: async () => undefined,
      keepCheckpoint: async ({ hash }: { readonly hash: string }) => void told.push(`kept ${hash}`),
    };
    const log: Log = (_level, event, { seal }) => void told.push(`${event} ${seal}`);
    let looks = 0;
    const parts = await sealAt('11-21T12:00', { sealArchive, log }, () => (looks += 1) > 1);
    const after = parts[0]?.cursor;
    expect([parts.length, after]).toEqual([2, expect.any(String)]);
    expect(await sealDays({ ...ports, sealArchive, log }, { after })).toMatchObject({
      done: true,
      checkpoints: 0,
    });
    const hash = (await ports.seals.lastCheckpoint())?.checkpoint?.hash;
    expect(told).toEqual([`kept ${hash}`, `days_sealed ${hash}`]);
  });

  it('an hour after its end seals each day that has entries, from the first entry on', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    await write(
      anEntry('first', at('10-30T23:00')),
      anEntry('last-moment', new Date(at('11-19T21:00').getTime() - 1)),
      anEntry('next', at('11-19T21:00')),
      anEntry('today', at('11-20T21:00')),
      anEntry('of-another', at('11-19T22:00'), { merchantId: other }),
    );
    await sealAt('11-21T21:59');
    const [first, second, third] = await chain();
    expect([first, second, third]).toMatchObject([
      { date: '2026-10-31', count: 1, previous: noHash },
      { date: '2026-11-19', count: 1, previous: first?.hash },
      {
        date: '2026-11-20',
        count: 1,
        previous: second?.hash,
        from: at('11-19T21:00'),
        to: at('11-20T21:00'),
      },
    ]);
    expect(await chain(other)).toMatchObject([{ date: '2026-11-20', count: 1, previous: noHash }]);
    expect(await closingOf(ports, merchantId, 'RUB')).toEqual({
      to: at('11-20T21:00'),
      sums: [rub('acquirer', -300n), rub('available', 300n)],
    });
    expect((await ports.seals.lastCheckpoint())?.checkpoint).toMatchObject({
      to: at('11-20T21:00'),
      chains: 2,
      parts: 1,
    });
    expect(await ports.seals.headsOf({ date: '2026-11-20' }, 0)).toHaveLength(2);
  });

  it('changes nothing when it is repeated, and seals the next day after another 24 hours', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')), anEntry('two', at('11-21T10:00')));
    expect(await sealAt('11-21T00:00')).toMatchObject([{ done: true, written: 1 }]);
    expect(await sealAt('11-21T20:00')).toMatchObject([{ done: true, written: 0 }]);
    expect(await sealAt('11-21T22:00')).toMatchObject([{ done: true, written: 1 }]);
    expect(await chain()).toHaveLength(2);
    const [first, second] = await ports.seals.checkpoints();
    expect(second?.checkpoint).toMatchObject({
      date: '2026-11-21',
      chains: 1,
      previous: first?.checkpoint?.hash,
    });
  });

  it('continues where its time was over, in the middle of a chain, with the same seals', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    const days = ['11-01', '11-02', '11-03', '11-04', '11-05'];
    const entries = days.map((day) => anEntry(day, at(`${day}T10:00`)));
    await write(
      ...entries,
      ...entries.map((each) => ({ ...each, about: `other-${each.about}`, merchantId: other })),
    );
    let looks = 0;
    const parts = await sealAt('11-21T12:00', {}, () => (looks += 1) % 2 > 0);
    expect(parts.length).toBeGreaterThan(2);
    expect((await chain()).map(({ date }) => date)).toEqual(days.map((day) => `2026-${day}`));
    expect(await chain(other)).toHaveLength(5);
    expect((await ports.seals.lastCheckpoint())?.checkpoint).toMatchObject({ chains: 2, parts: 1 });
  });

  it('advances by a day in each part, however little time it has: a day may take longer than a part', async () => {
    const { chain, ports, post: write } = await given('11-21T12:00');
    await write(...['11-01', '11-02', '11-03'].map((day) => anEntry(day, at(`${day}T10:00`))));
    const step = sealingStep(ports);
    const scope = { merchantId: undefined, since: undefined };
    const parts = [await step.part({ scope, after: undefined, mayGoOn: () => false })];
    for (let last = parts[0]; last?.next !== undefined && parts.length < 5; parts.push(last))
      last = await step.part({ scope, after: last.next, mayGoOn: () => false });
    expect(parts.map(({ counts }) => counts['sealed'])).toEqual([1, 1, 1]);
    expect(parts.at(-1)?.next).toBeUndefined();
    expect(await chain()).toHaveLength(3);
  });

  it('after a change of the zone begins where it ended: no gap, no overlap', async () => {
    const { sealAt, chain, post: write } = await given('11-21T12:00');
    await write(
      anEntry('moscow', at('11-20T20:00')),
      anEntry('between', at('11-20T22:00')),
      anEntry('utc', at('11-22T23:00')),
    );
    await sealAt('11-21T12:00', { timeZone: moscow });
    await sealAt('11-23T12:00', { timeZone: 'UTC' });
    expect(await chain()).toMatchObject([
      { date: '2026-11-20', timeZone: moscow, to: at('11-20T21:00'), count: 1 },
      { date: '2026-11-21', timeZone: 'UTC', from: at('11-20T21:00'), to: at('11-22T00:00'), count: 1 },
      { date: '2026-11-22', timeZone: 'UTC', from: at('11-22T00:00'), to: at('11-23T00:00'), count: 1 },
    ]);
  });

  it('keeps the lines of a day, which its hash covers', async () => {
    const { sealAt, chain, ports, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')), anEntry('two', at('11-20T11:00')));
    await sealAt('11-21T12:00');
    const [seal] = await chain();
    expect(seal && (await ports.seals.linesOf(seal))).toEqual([
      expect.stringMatching(/^one CAPTURE [0-9a-f]{64}$/),
      expect.stringMatching(/^two CAPTURE [0-9a-f]{64}$/),
    ]);
  });

  it('writes each seal to the archive before the table, again after an interruption', async () => {
    const { sealAt, chain, post: write } = await given('11-21T12:00');
    await write(anEntry('one', at('11-20T10:00')));
    const kept: string[] = [];
    let isBroken = true;
    const sealArchive = {
      keepSeal: async ({ date }: { readonly date: string }) => {
        kept.push(`seal ${date}`);
        if (isBroken) throw new TypeError('The bucket does not answer');
      },
      keepCheckpoint: async ({ date }: { readonly date: string }) => void kept.push(`checkpoint ${date}`),
    };
    await expect(sealAt('11-21T12:00', { sealArchive })).rejects.toThrow('does not answer');
    expect(await chain()).toEqual([]);
    isBroken = false;
    await sealAt('11-21T12:00', { sealArchive });
    expect(kept).toEqual(['seal 2026-11-20', 'seal 2026-11-20', 'checkpoint 2026-11-20']);
    expect(await chain()).toHaveLength(1);
  });
});

/** Three sealed days of two entries each, a day without entries among them, and an entry of today. Written once for all tests. */
async function sealedDays(): Promise<Given> {
  once ??= freshTable({ lockMs: 0 })
    .then(writeSealedDays)
    .then(async (made) => ({ made, items: await itemsOf(made.table) }));
  const { made, items } = await once;
  await restore(made.table, items);
  return made;
}

let once: Promise<{ readonly made: Given; readonly items: Awaited<ReturnType<typeof itemsOf>> }> | undefined;

describe('the verification', () => {
  it('finds nothing wrong with an untouched journal, all of it or the last days, in one part or many', async () => {
    const made = await sealedDays();
    expect((await found(made)).texts).toEqual([]);
    expect((await found(made, lastDays(2))).texts).toEqual([]);
    let looks = 0;
    const inParts = await found(made, {}, () => (looks += 1) % 2 > 0);
    expect([inParts.texts, inParts.parts.length > 3]).toEqual([[], true]);
  });

  it.each(corruptions)('tells of $what', async ({ change, about, text }) => {
    const made = await sealedDays();
    await change(made);
    const { about: told, texts } = await found(made);
    expect(told.toSorted()).toEqual(about.toSorted());
    expect(texts.join('\n')).toMatch(text);
  });

  it('takes seals without a checkpoint for those of a sealing run, while one is under way', async () => {
    const made = await sealedDays();
    await remove({ PK: 'SEAL#ALL', SK: 'C#2026-11-21' })(made);
    await remove({ PK: 'SEAL#ALL', SK: 'C#2026-11-19' })(made);
    const told = async (isSealing: boolean) =>
      (await found(made, { knownCheckpoints: 2, isSealing: async () => isSealing })).texts;
    expect(await told(false)).toEqual([
      expect.stringMatching(/^No checkpoint covers the seal .* 2026-11-20/),
    ]);
    expect(await told(true)).toEqual([]);
  });

  it('says by how much the sums moved where a day had too many entries to store their hashes', async () => {
    const made = await sealedDays();
    await remove({ ...sealKey('2026-11-18'), SK: 'L#2026-11-18' })(made);
    await remove(key('11-18-a'))(made);
    expect((await found(made)).texts.join()).toMatch(
      /2 entries were sealed, 1 are there.*acquirer RUB 100, available RUB -100 minor units/,
    );
  });

  it('of the last days alone leaves older entries to the whole one', async () => {
    const made = await sealedDays();
    await remove(key('11-17-a'))(made);
    expect((await found(made, lastDays(3))).about).toEqual([]);
    expect((await found(made, lastDays(10))).about).toEqual([dayOf('11-17')]);
  });

  it('leaves late money of a merchant who was never credited alone', async () => {
    const made = await sealedDays();
    const lines = [rub('acquirer', -1n), rub('refunds_due', 1n)];
    const late = anEntry('late', at('11-18T12:00'), { merchantId: other, kind: 'DUPLICATE_CAPTURE', lines });
    await transact(made.table, [putEntry(made.table, late)]);
    expect((await found(made)).texts).toEqual([]);
  });
});

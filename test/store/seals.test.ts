import { BatchWriteCommand, DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toMerchantId } from '../../lib/ids.ts';
import { noHash } from '../../lib/seal/canonical.ts';
import { closingOf } from '../../lib/seal/closing-of.ts';
import { sealDays, type SealingPart } from '../../lib/seal/seal-days.ts';
import type { SealPorts } from '../../lib/seal/ports.ts';
import { type Seal, sealHash } from '../../lib/seal/seal.ts';
import { verifySeals } from '../../lib/seal/verify-seals.ts';
import { putEntry } from '../../lib/store/entry-item.ts';
import { toSealItem } from '../../lib/store/seal-item.ts';
import { transact } from '../../lib/store/transact.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { inBatches } from '../../lib/reconciliation/in-parallel.ts';
import type { Table } from '../../lib/store/table.ts';
import { aMerchant, merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { freshTable } from '../support/dynamo.ts';
import { anEntry, moscow, post, rub, rubOf, sealPortsOn } from '../support/seals.ts';

const other = toMerchantId('OtherMerchant001');
const at = (text: string) => new Date(`2026-${text}:00.000Z`);

/** A table with two merchants, and the sealing at a time that the test sets. */
async function given(start: string) {
  const table = await freshTable({ lockMs: 0 });
  for (const id of [merchantId, other])
    await dynamoMerchants(table).create(aMerchant({ id, createdAt: at('10-01T00:00'), tokenHash: id }));
  let now = at(start);
  const ports = sealPortsOn(table, { now: () => now });
  return {
    table,
    ports,
    post: (...entries: Parameters<typeof post>[1][]) => post(table, ...entries),
    sealAt: (text: string, traits: Partial<SealPorts> = {}, mayGoOn?: () => boolean) => {
      now = at(text);
      return sealAll({ ...ports, ...traits }, mayGoOn);
    },
    chain: async (merchant = merchantId) =>
      (await ports.seals.allOf(rubOf(merchant))).flatMap(({ seal }) => seal ?? []),
  };
}

async function sealAll(ports: SealPorts, mayGoOn = () => true): Promise<readonly SealingPart[]> {
  const parts = [await sealDays(ports, { mayGoOn })];
  for (let last = parts[0]; last && !last.done; parts.push(last))
    last = await sealDays(ports, { after: last.cursor, mayGoOn });
  return parts;
}

describe('sealing', () => {
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
    const parts = await sealAt('11-21T12:00', {}, () => (looks += 1) % 4 > 0);
    expect(parts.length).toBeGreaterThan(3);
    expect((await chain()).map(({ date }) => date)).toEqual(days.map((day) => `2026-${day}`));
    expect(await chain(other)).toHaveLength(5);
    expect((await ports.seals.lastCheckpoint())?.checkpoint).toMatchObject({ chains: 2, parts: 1 });
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

type Given = Awaited<ReturnType<typeof given>>;
type Change = (given: Given) => Promise<unknown>;

const key = (about: string) => ({ PK: `J#${about}`, SK: 'CAPTURE' });
const sealKey = (date: string) => ({ PK: `SEAL#${merchantId}#RUB`, SK: `D#${date}` });
const remove =
  (Key: Readonly<Record<'PK' | 'SK', string>>): Change =>
  ({ table }) =>
    table.client.send(new DeleteCommand({ TableName: table.name, Key }));
const set =
  (Key: Readonly<Record<'PK' | 'SK', string>>, attribute: string, value: unknown): Change =>
  ({ table }) =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key,
        UpdateExpression: 'SET #attribute = :value',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
const all =
  (...changes: readonly Change[]): Change =>
  async (on) => {
    for (const change of changes) await change(on);
  };
const add =
  (about: string, when: string, traits: Parameters<typeof anEntry>[2] = {}): Change =>
  ({ post: write }) =>
    write(anEntry(about, at(when), traits));
/** Replaces a seal as who knows the code would: with a hash that fits. */
const reseal =
  (date: string, traits: Partial<Seal>): Change =>
  async ({ table, chain }) => {
    const sealed = (await chain()).find((seal) => seal.date === date);
    if (!sealed) throw new Error(`No seal of ${date}`);
    const { hash: _old, ...content } = { ...sealed, ...traits };
    const Item = toSealItem({ ...content, hash: sealHash(content) });
    return table.client.send(new PutCommand({ TableName: table.name, Item }));
  };

/** Three sealed days of two entries each, a day without entries among them, and an entry of today. Written once for all tests. */
async function sealedDays(): Promise<Given> {
  once ??= writeSealedDays().then(async (made) => ({ made, items: await itemsOf(made.table) }));
  const { made, items } = await once;
  await restore(made.table, items);
  return made;
}

type Items = Awaited<ReturnType<typeof itemsOf>>;
let once: Promise<{ readonly made: Given; readonly items: Items }> | undefined;

async function restore({ client, name: TableName }: Table, items: Items): Promise<void> {
  const known = new Set(items.map(({ PK, SK }) => `${PK} ${SK}`));
  const added = (await itemsOf({ client, name: TableName })).filter(
    ({ PK, SK }) => !known.has(`${PK} ${SK}`),
  );
  for (const { PK, SK } of added) await client.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
  for (const batch of inBatches(items, 25)) {
    const puts = batch.map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
}

async function writeSealedDays() {
  const made = await given('11-22T12:00');
  for (const day of ['11-17', '11-18', '11-20'])
    await made.post(anEntry(`${day}-a`, at(`${day}T10:00`)), anEntry(`${day}-b`, at(`${day}T11:00`)));
  await made.post(anEntry('today', at('11-22T10:00')));
  for (const day of ['11-18', '11-19', '11-20', '11-22']) await made.sealAt(`${day}T12:00`);
  return made;
}

const lastDays = (days: number) => new Date(at('11-21T21:00').getTime() - days * 24 * 3600_000);

async function found({ ports }: Given, since?: Date, mayGoOn = () => true) {
  const scope = { merchantId: undefined, since };
  const parts = [await verifySeals(ports, scope, { mayGoOn })];
  for (let last = parts[0]; last && !last.done; parts.push(last))
    last = await verifySeals(ports, scope, { after: last.cursor, mayGoOn });
  const findings = parts.flatMap((part) => part.findings);
  return { parts, about: findings.map(({ about }) => about), texts: findings.map(({ text }) => text) };
}

describe('the verification', () => {
  const name = `${merchantId} RUB`;
  const dayOf = (date: string) => `day ${name} 2026-${date}`;
  const sealNamed = (date: string) => `seal ${name} 2026-${date}`;

  it('finds nothing wrong with an untouched journal, all of it or the last days, in one part or many', async () => {
    const made = await sealedDays();
    expect((await found(made)).texts).toEqual([]);
    expect((await found(made, lastDays(2))).texts).toEqual([]);
    let looks = 0;
    const inParts = await found(made, undefined, () => (looks += 1) % 2 > 0);
    expect([inParts.texts, inParts.parts.length > 3]).toEqual([[], true]);
  });

  it.each<[string, Change, readonly string[], RegExp]>([
    ['a removed entry', remove(key('11-18-a')), [dayOf('11-18')], /: removed: 11-18-a CAPTURE\.$/],
    [
      'a changed amount',
      set(key('11-18-b'), 'lines', [rub('acquirer', -1n), rub('available', 1n)]),
      [dayOf('11-18')],
      /: changed: 11-18-b CAPTURE\.$/,
    ],
    [
      'a changed reason',
      all(set(key('11-20-a'), 'adjustment', { id: 'x', reason: 'y', proposedBy: 'z' })),
      [dayOf('11-20')],
      /changed: 11-20-a CAPTURE/,
    ],
    [
      'an entry that cannot be read',
      set(key('11-18-b'), 'lines', 'none'),
      [dayOf('11-18')],
      /: changed: 11-18-b CAPTURE\.$/,
    ],
    [
      'an entry added to a sealed day',
      add('late', '11-18T12:00'),
      [dayOf('11-18')],
      /: added after it was sealed: late CAPTURE\.$/,
    ],
    [
      'an entry moved from one sealed day to another',
      set(key('11-18-a'), 'at', at('11-17T10:30').toISOString()),
      [dayOf('11-17'), dayOf('11-18')],
      /added after it was sealed: 11-18-a CAPTURE/,
    ],
    [
      'an entry of a day between two seals',
      add('late', '11-19T12:00'),
      [`unsealed ${name} late CAPTURE`],
      /in no seal.*late CAPTURE/,
    ],
    [
      'an entry from before the first seal',
      add('late', '11-03T12:00'),
      [`unsealed ${name} late CAPTURE`],
      /in no seal/,
    ],
    [
      'an entry between the last seal and the last checkpoint',
      add('late', '11-21T12:00'),
      [`unsealed ${name} late CAPTURE`],
      /in no seal/,
    ],
    [
      'an entry of sealed time in another currency, without a line of the merchant’s',
      add('late', '11-18T12:00', {
        kind: 'DUPLICATE_CAPTURE',
        lines: [
          { account: 'acquirer', currency: 'KZT', minor: -1n },
          { account: 'refunds_due', currency: 'KZT', minor: 1n },
        ],
      }),
      [`unsealed ${merchantId} KZT late DUPLICATE_CAPTURE`],
      /in no seal/,
    ],
    [
      'an entry of sealed time of a merchant without seals',
      add('late', '11-18T12:00', { merchantId: other }),
      [`unsealed ${other} RUB late CAPTURE`],
      /in no seal/,
    ],
    [
      'a removed seal',
      remove(sealKey('2026-11-18')),
      [sealNamed('11-18'), sealNamed('11-20'), `unsealed ${name} 11-18-a CAPTURE`],
      /is not the one that its checkpoint names/,
    ],
    [
      'a removed first seal',
      remove(sealKey('2026-11-17')),
      [sealNamed('11-17'), sealNamed('11-18'), `unsealed ${name} 11-17-a CAPTURE`],
      /does not begin its chain/,
    ],
    [
      'a chain without its last seal, with its entries',
      all(remove(sealKey('2026-11-20')), remove(key('11-20-a')), remove(key('11-20-b'))),
      [sealNamed('11-20')],
      /is not the one that its checkpoint names/,
    ],
    [
      'a changed seal',
      set(sealKey('2026-11-18'), 'count', 3),
      [sealNamed('11-18')],
      /its hash is not that of its content/,
    ],
    [
      'a seal that cannot be read',
      set(sealKey('2026-11-20'), 'sums', 'none'),
      [sealNamed('11-20'), sealNamed('11-20'), `unsealed ${name} 11-20-a CAPTURE`],
      /cannot be read/,
    ],
    [
      'a seal with other closing sums and a hash that fits',
      reseal('2026-11-20', { closing: [] }),
      [sealNamed('11-20'), sealNamed('11-20')],
      /closes with other sums/,
    ],
    [
      'a seal in the middle with a hash that fits',
      reseal('2026-11-18', { timeZone: 'UTC' }),
      [sealNamed('11-18'), sealNamed('11-20')],
      /does not follow the one of 2026-11-18/,
    ],
    [
      'a seal under the key of another day',
      async ({ table, chain }: Given) => {
        const [, , seal] = await chain();
        const Item = { ...(seal && toSealItem(seal)), SK: 'D#2026-11-21' };
        await table.client.send(new PutCommand({ TableName: table.name, Item }));
      },
      [sealNamed('11-21'), dayOf('11-20')],
      /is stored under a key that is not its own/,
    ],
    [
      'a seal of a day that is not over',
      reseal('2026-11-20', { date: '2026-11-29', to: at('11-29T21:00') }),
      [sealNamed('11-29')],
      /is of a day that is not over/,
    ],
    [
      'a changed checkpoint',
      set({ PK: 'SEAL#ALL', SK: 'C#2026-11-19' }, 'chains', 7),
      ['checkpoint 2026-11-19'],
      /its hash is not that of its content/,
    ],
    [
      'a removed checkpoint',
      remove({ PK: 'SEAL#ALL', SK: 'C#2026-11-18' }),
      ['checkpoint 2026-11-19'],
      /does not follow the one of 2026-11-17/,
    ],
    [
      'changed heads of a checkpoint',
      remove({ PK: 'SEAL#ALL', SK: 'H#2026-11-18#000000' }),
      ['checkpoint 2026-11-18'],
      /lists other seals/,
    ],
    [
      'all checkpoints gone',
      all(...['17', '18', '19', '21'].map((day) => remove({ PK: 'SEAL#ALL', SK: `C#2026-11-${day}` }))),
      [sealNamed('11-17'), sealNamed('11-18')],
      /has no checkpoint/,
    ],
  ])('tells of %s', async (_what, change, about, text) => {
    const made = await sealedDays();
    await change(made);
    const { about: told, texts } = await found(made);
    expect(told.toSorted()).toEqual(about.toSorted());
    expect(texts.join('\n')).toMatch(text);
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

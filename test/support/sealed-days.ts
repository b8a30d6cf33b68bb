import { BatchWriteCommand, DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { toMerchantId } from '../../lib/ids.ts';
import { inBatches } from '../../lib/reconciliation/in-parallel.ts';
import type { SealPorts } from '../../lib/seal/ports.ts';
import { type Seal, sealHash } from '../../lib/seal/seal.ts';
import { sealDays, type SealingPart } from '../../lib/seal/seal-days.ts';
import { verifySeals, type VerifyScope } from '../../lib/seal/verify-seals.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { toSealItem } from '../../lib/store/seal-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { aMerchant, merchantId } from './builders.ts';
import { itemsOf } from './items-of.ts';
import { anEntry, post, rub, rubOf, sealPortsOn } from './seals.ts';

export const other = toMerchantId('OtherMerchant001');
export const at = (text: string) => new Date(`2026-${text}:00.000Z`);

/** Two merchants in a table, and the sealing at a time that the test sets. */
export async function sealingOn(table: Table, start: string) {
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
  const parts = [await sealDays(ports, { after: undefined, mayGoOn })];
  for (let last = parts[0]; last && !last.done; parts.push(last))
    last = await sealDays(ports, { after: last.cursor, mayGoOn });
  return parts;
}

export type Given = Awaited<ReturnType<typeof sealingOn>>;
type Change = (given: Given) => Promise<unknown>;

export const key = (about: string) => ({ PK: `J#${about}`, SK: 'CAPTURE' });
export const sealKey = (date: string) => ({ PK: `SEAL#${merchantId}#RUB`, SK: `D#${date}` });
export const remove =
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

/** Three sealed days of two entries each, a day without entries among them, and an entry of today. */
export async function writeSealedDays(table: Table) {
  const made = await sealingOn(table, '11-22T12:00');
  for (const day of ['11-17', '11-18', '11-20'])
    await made.post(anEntry(`${day}-a`, at(`${day}T10:00`)), anEntry(`${day}-b`, at(`${day}T11:00`)));
  await made.post(anEntry('today', at('11-22T10:00')));
  for (const day of ['11-18', '11-19', '11-20', '11-22']) await made.sealAt(`${day}T12:00`);
  return made;
}

export const lastDays = (days: number) => ({
  since: new Date(at('11-21T21:00').getTime() - days * 24 * 3600_000),
});

type Verified = Partial<Pick<VerifyScope, 'since' | 'knownCheckpoints' | 'isSealing'>>;

export async function found({ ports }: Pick<Given, 'ports'>, given: Verified = {}, mayGoOn = () => true) {
  const scope = {
    merchantId: undefined,
    since: undefined,
    knownCheckpoints: 4,
    isSealing: async () => false,
    ...given,
  };
  const parts = [await verifySeals(ports, scope, { after: undefined, mayGoOn })];
  for (let last = parts[0]; last && !last.done; parts.push(last))
    last = await verifySeals(ports, scope, { after: last.cursor, mayGoOn });
  const findings = parts.flatMap((part) => part.findings);
  return { parts, about: findings.map(({ about }) => about), texts: findings.map(({ text }) => text) };
}

type Items = Awaited<ReturnType<typeof itemsOf>>;

/** Puts back these items and removes others. */
export async function restore({ client, name: TableName }: Table, items: Items): Promise<void> {
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

const name = `${merchantId} RUB`;
export const dayOf = (date: string) => `day ${name} 2026-${date}`;
const sealNamed = (date: string) => `seal ${name} 2026-${date}`;

type Corruption = readonly [what: string, change: Change, about: readonly string[], text: RegExp];
const each: readonly Corruption[] = [
  ['a removed entry', remove(key('11-18-a')), [dayOf('11-18')], /: removed: 11-18-a CAPTURE\.$/],
  [
    'a changed amount',
    set(key('11-18-b'), 'lines', [rub('acquirer', -1n), rub('available', 1n)]),
    [dayOf('11-18')],
    /: changed: 11-18-b CAPTURE\.$/,
  ],
  [
    'a changed time within the day',
    set(key('11-20-a'), 'at', at('11-20T10:30').toISOString()),
    [dayOf('11-20')],
    /: changed: 11-20-a CAPTURE\.$/,
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
    ['checkpoints', sealNamed('11-29')],
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
    ['checkpoint 2026-11-19', 'checkpoints'],
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
    ['checkpoints', 'checkpoints'],
    /There are 0 checkpoints, but an audit before counted 4.*\n.*No checkpoint covers the seal of merchant/,
  ],
  [
    'the last checkpoint gone',
    remove({ PK: 'SEAL#ALL', SK: 'C#2026-11-21' }),
    ['checkpoints', 'checkpoints'],
    /There are 3 checkpoints/,
  ],
  [
    'no trace of any seal',
    async ({ table }: Given) => {
      for (const { PK, SK } of await itemsOf(table))
        if (PK.startsWith('SEAL#'))
          await table.client.send(new DeleteCommand({ TableName: table.name, Key: { PK, SK } }));
    },
    ['checkpoints'],
    /There are 0 checkpoints/,
  ],
];

/** What somebody might do to a sealed journal, and what the verification tells of. */
export const corruptions = each.map(([what, change, about, text]) => ({ what, change, about, text }));

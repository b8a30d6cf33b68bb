import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { sealDays } from '../../lib/seal/seal-days.ts';
import { merchantKey } from '../../lib/store/merchant-item.ts';
import { merchantId } from '../support/builders.ts';
import { operatorHarness } from '../support/operator.ts';
import { anEntry, moscow, post, rub, sealPortsOn } from '../support/seals.ts';

const folder = mkdtempSync(join(tmpdir(), 'paylink-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (text: string) => new Date(`2026-${text}:00.000Z`);
const fileOf = (month: string) => join(folder, `${month}.jsonl`);
let exported: ReturnType<typeof exportedMonths> | undefined;

/** An October and a November of a merchant, written by the command. */
async function exportedMonths() {
  const harness = await operatorHarness();
  const { table } = harness;
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: merchantKey(merchantId),
      UpdateExpression: 'SET createdAt = :created',
      ExpressionAttributeValues: { ':created': at('10-01T00:00').toISOString() },
    }),
  );
  const people = { id: 'A1', reason: 'goods lost', proposedBy: 'alice', approvedBy: 'bob' };
  await post(
    table,
    anEntry('october', at('10-30T10:00')),
    anEntry('first', at('11-02T10:00')),
    anEntry('second', at('11-02T11:00')),
    anEntry('first', at('11-03T10:00'), {
      kind: 'ADJUST',
      lines: [rub('available', -40n), rub('correction', 40n)],
      adjustment: people,
    }),
    anEntry('tenge', at('11-03T11:00'), {
      kind: 'DUPLICATE_CAPTURE',
      lines: [
        { account: 'acquirer', currency: 'KZT', minor: -7n },
        { account: 'refunds_due', currency: 'KZT', minor: 7n },
      ],
    }),
    anEntry('later', at('11-19T11:00')),
  );
  await sealDays(sealPortsOn(table, { now: () => at('11-04T10:00'), timeZone: moscow }));
  const said = [];
  for (const month of ['2026-10', '2026-11'])
    said.push(await harness.json(`journal export ${merchantId} --month ${month} --out ${fileOf(month)}`));
  await harness.json(`journal export ${merchantId} --month 2026-11 --people --out ${fileOf('people')}`);
  return { harness, said };
}

const given = () => (exported ??= exportedMonths());

const verify = (...words: readonly string[]): Promise<{ readonly code: number; readonly text: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['docs/verify.mjs', ...words], (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: out + err }),
    );
  });

/** A line as this test changes it; each type has some of these. */
type Line = {
  type: string;
  key: string;
  exportedAt: string;
  entries: number;
  seals: number;
  entry: { at: string; merchant: string; lines: { amount: string }[] };
  people: unknown;
  seal: { date: string; hash: string; sums: unknown[]; closing: unknown[] };
};
const linesOf = (month: string): Line[] =>
  readFileSync(fileOf(month), 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));

describe('journal export', () => {
  it('writes the entries of each day and then its seal, without the people behind them', async () => {
    const { said } = await given();
    expect(said).toMatchObject([
      { entries: 1, seals: 1 },
      { entries: 5, seals: 3 },
    ]);
    expect(linesOf('2026-11').map(({ type, key, seal }) => `${type} ${key ?? seal?.date ?? ''}`)).toEqual([
      'header ',
      'opening 2026-10-30',
      'entry first CAPTURE',
      'entry second CAPTURE',
      'seal 2026-11-02',
      'entry first ADJUST#A1',
      'seal 2026-11-03',
      'entry later CAPTURE',
      'entry tenge DUPLICATE_CAPTURE',
      'seal 2026-11-03',
      'end ',
    ]);
    expect(readFileSync(fileOf('2026-11'), 'utf8')).not.toMatch(/alice|bob|goods lost/);
    expect(readFileSync(fileOf('people'), 'utf8')).toMatch(/alice.*goods lost/);
  });

  it('replaces no file', async () => {
    const { harness } = await given();
    const words = `journal export ${merchantId} --month 2026-11 --out ${fileOf('2026-11')}`;
    expect(await harness.type(words)).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('exists: name another file with --out'),
    });
  });
});

describe('verify.mjs', () => {
  it('recomputes balances and seals of months that follow each other', async () => {
    await given();
    const october = linesOf('2026-10').find(({ type }) => type === 'seal')?.seal.hash ?? '';
    const { code, text } = await verify(fileOf('2026-10'), fileOf('2026-11'), '--known', october);
    expect(text).toContain(`known up to 2026-10-30\n  available 2.60 RUB`);
    expect(text).toContain('with 1 entries that no seal protects yet:\n  available 3.60 RUB');
    expect(text).toMatch(/KZT: sealed up to .*; none of its seals is known/);
    expect(text).toContain('6 entries and 4 seals');
    expect(text).toMatch(/1 entries are not sealed yet. Everything agrees.\n$/);
    expect(code).toBe(0);
    expect(await verify(fileOf('people'))).toMatchObject({ code: 0 });
  });

  const only = (lines: readonly Line[], is: (line: Line) => boolean): Line => {
    const line = lines.find(is);
    if (!line) throw new Error('No such line');
    return line;
  };
  const entryOf = (lines: readonly Line[], key: string) => only(lines, (line) => line.key === key);
  const sealOf = (lines: readonly Line[], date: string) =>
    only(lines, ({ type, seal }) => type === 'seal' && seal.date === date).seal;
  const openingOf = (lines: readonly Line[]) => only(lines, ({ type }) => type === 'opening').seal;
  const setAmounts = (lines: readonly Line[], key: string, ...amounts: readonly string[]) => {
    const { entry } = entryOf(lines, key);
    entry.lines = entry.lines.map((line, at_) => ({ ...line, amount: amounts[at_] ?? line.amount }));
  };

  it.each<[string, (lines: Line[]) => unknown, RegExp]>([
    [
      'a changed amount',
      (lines) => setAmounts(lines, 'second CAPTURE', '-99', '99'),
      /2026-11-02 in RUB: the entries of that day are not those that were sealed/,
    ],
    [
      'lines that do not balance',
      (lines) => setAmounts(lines, 'later CAPTURE', '-99'),
      /Entry later CAPTURE does not balance: its RUB lines add up to 1/,
    ],
    ['a removed entry', (lines) => lines.splice(2, 1), /counts 2 entries, and the file has 1 of that day/],
    [
      'an entry under another key',
      (lines) => (entryOf(lines, 'later CAPTURE').key = 'other CAPTURE'),
      /has a key that is not its own/,
    ],
    [
      'an entry of a day that is not sealed although later ones are',
      (lines) => (entryOf(lines, 'later CAPTURE').entry.at = '2026-11-01T10:00:00.000Z'),
      /Entry later CAPTURE of 2026-11-01T10:00:00.000Z is in no seal/,
    ],
    [
      'a removed seal',
      (lines) => lines.splice(4, 1),
      /2026-11-03 in RUB does not follow the one of 2026-10-30/,
    ],
    [
      'a changed seal',
      (lines) => (sealOf(lines, '2026-11-03').sums = []),
      /2026-11-03 in RUB has a hash that is not its own/,
    ],
    [
      'other closing sums',
      (lines) => (sealOf(lines, '2026-11-03').closing = []),
      /2026-11-03 in RUB closes with other sums/,
    ],
    [
      'another opening than the file before ends with',
      (lines) => (openingOf(lines).hash = 'f'.repeat(64)),
      /2026-10-30 in RUB is not the seal that the file before ends with/,
    ],
    ['a file that was cut off', (lines) => lines.pop(), /has no end: it was cut off/],
    [
      'an entry of another merchant',
      (lines) => (entryOf(lines, 'later CAPTURE').entry.merchant = 'Other'),
      /is of merchant Other/,
    ],
    [
      'an entry that is there twice',
      (lines) => {
        lines.splice(6, 0, entryOf(lines, 'later CAPTURE'));
        only(lines, ({ type }) => type === 'end').entries += 1;
      },
      /Entry later CAPTURE is there twice/,
    ],
    [
      'a chain that is left out',
      (lines) => {
        lines.splice(1, 6);
        Object.assign(
          only(lines, ({ type }) => type === 'end'),
          { entries: 1, seals: 1 },
        );
      },
      /leaves out the chain in RUB, of which the file before has The seal of 2026-10-30/,
    ],
    [
      'entries whose seals were taken away',
      (lines) => {
        lines.splice(6, 1);
        setAmounts(lines, 'first ADJUST#A1', '-4', '4');
        only(lines, ({ type }) => type === 'end').seals = 2;
      },
      /Entry first ADJUST#A1 of 2026-11-03T10:00:00.000Z was not sealed when the file was written, on 2026-11-21/,
    ],
    [
      'text that steers a terminal or ends its line',
      (lines) => (entryOf(lines, 'later CAPTURE').key = 'x\u001b[2J\n\u2028Everything agrees.'),
      /Entry x\?\[2J\?\?Everything agrees. has a key/,
    ],
    [
      'other people',
      (lines) => (entryOf(lines, 'first ADJUST#A1').people = { id: 'A1', reason: 'a gift' }),
      /the people are not those of its hash/,
    ],
  ])('tells of %s', async (name, change, text) => {
    await given();
    const lines = linesOf('2026-11');
    change(lines);
    const file = fileOf(name.replaceAll(' ', '-'));
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const { code, text: said } = await verify(fileOf('2026-10'), file);
    expect(said).toMatch(text);
    expect(code).toBe(1);
  });

  it('tells of a known hash that no seal has, of a file that is no export, and of seals before the first that are missing', async () => {
    await given();
    const known = await verify(fileOf('2026-11'), '--known', 'f'.repeat(64));
    for (const words of [['--known'], ['--known', 'f'], [`--known=${'f'.repeat(64)}`]])
      expect(await verify(fileOf('2026-11'), ...words)).toMatchObject({
        code: 2,
        text: expect.stringContaining('Usage'),
      });
    expect(known).toMatchObject({ code: 1, text: expect.stringContaining('No seal has the hash ffff') });
    expect(await verify('package.json')).toMatchObject({ code: 2 });
    expect(await verify(folder)).toMatchObject({ code: 2 });
    const malformed = linesOf('2026-11');
    setAmounts(malformed, 'later CAPTURE', '0x64', '-0x64');
    writeFileSync(fileOf('malformed'), malformed.map((line) => JSON.stringify(line)).join('\n'));
    expect(await verify(fileOf('malformed'))).toMatchObject({
      code: 2,
      text: expect.stringMatching(/line 8, is no line of an export/),
    });
    const withoutOpening = linesOf('2026-11').filter(({ type }) => type !== 'opening');
    writeFileSync(fileOf('no-opening'), withoutOpening.map((line) => JSON.stringify(line)).join('\n'));
    const alone = await verify(fileOf('no-opening'));
    expect(alone).toMatchObject({ code: 1, text: expect.stringMatching(/is not the first of its chain/) });
  });
});

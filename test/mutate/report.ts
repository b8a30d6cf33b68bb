import type { Mutant } from './mutants.ts';

/** `by`: the test file that failed, the type check, or a timeout; undefined if the mutant survived. */
export type Tried = { readonly mutant: Mutant; readonly by: string | undefined };

/** Returns the folder to which a file is counted: `lib/payout`, `functions`, `infra`. */
export const roomOf = (file: string): string => {
  const [top = '', room = ''] = file.split('/');
  return top === 'lib' && !room.endsWith('.ts') ? `${top}/${room}` : top;
};

const shortened = (text: string, most: number): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

/** Describes the change in one line: `lib/payout/moves.ts:100 property dropped: sentAt: decision.at,`. */
export function told({ file, line, operator, original, replacement }: Mutant): string {
  const change = replacement.trim() === '' ? '' : ` -> ${shortened(replacement, 60)}`;
  return `${file}:${line} ${operator}: ${shortened(original, 90)}${change}`;
}

/** Formats the results as a table with one row per folder and a total. */
export function table(sites: readonly Mutant[], tried: readonly Tried[]): string {
  const rooms = [...new Set(sites.map(({ file }) => roomOf(file)))].toSorted();
  const row = (name: string, isOf: (file: string) => boolean) => {
    const mine = tried.filter(({ mutant }) => isOf(mutant.file));
    const found = mine.filter(({ by }) => by !== undefined).length;
    return [name, sites.filter(({ file }) => isOf(file)).length, mine.length, found, mine.length - found];
  };
  const rows = [
    ['room', 'sites', 'sampled', 'found', 'survived'],
    ...rooms.map((room) => row(room, (file) => roomOf(file) === room)),
    row('all', () => true),
  ];
  const width = Math.max(...rows.map(([name]) => String(name).length));
  return rows
    .map(
      ([name, ...counts]) =>
        String(name).padEnd(width) + counts.map((count) => String(count).padStart(10)).join(''),
    )
    .join('\n');
}

/** Returns the 95 % confidence interval (Wilson) of a share, in percent. */
export function interval(found: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 100];
  const z = 1.96;
  const share = found / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const percent = (end: number): number => Math.min(100, Math.max(0, (100 * end) / (1 + (z * z) / of)));
  return [percent(middle - half), percent(middle + half)];
}

/** Formats the closing summary of the command. */
export function closing(tried: readonly Tried[]): string {
  const survivors = tried.filter(({ by }) => by === undefined);
  const found = tried.length - survivors.length;
  const [low, high] = interval(found, tried.length);
  const score = `${found} of ${tried.length} found: ${((100 * found) / tried.length).toFixed(1)} % (95 % confidence: ${low.toFixed(1)} to ${high.toFixed(1)}).`;
  if (survivors.length === 0) return `${score} Every change was noticed: try another seed.`;
  return (
    `${score}\nSurvived:\n${survivors.map(({ mutant }) => `  ${told(mutant)}`).join('\n')}\n` +
    'For each: write the test that fails with this change, or delete the unneeded code, then check it with ' +
    '--at <file>:<line>. A change that no caller can observe may remain.'
  );
}

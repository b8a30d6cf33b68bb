import { MovedBalances } from './missing-balances.ts';
import type { Difference } from './records.ts';
import { judge, needsOf } from './rules.ts';
import type { AuditItem } from './source.ts';
import type { AuditPorts, AuditStep } from './steps.ts';

/** The pause between the two strongly consistent reads that confirm a difference: longer than any write takes. */
export const confirmPauseMs = 5_000;
/** The most suspicions that a part collects before it confirms them, which bounds its memory. */
const mostSuspicions = 1_000;

/**
 * Judges every item of the scope by the rules. Reads while others write show differences that are none, so whatever looks wrong is
 * read again strongly, twice, with a pause between; only what both reads show is a difference.
 */
export const recordsStep = (ports: AuditPorts): AuditStep => ({
  name: 'records',
  async part({ scope, after, mayGoOn }) {
    const suspicious: string[] = [];
    const moved = new MovedBalances();
    let items = 0;
    let next = after;
    for await (const page of ports.auditSource.pages(scope, after)) {
      items += page.items.length;
      moved.see(page.items);
      next = page.next;
      suspicious.push(...(await suspiciousIn(page, ports.now())));
      if (next === undefined || suspicious.length >= mostSuspicions || !mayGoOn({ items })) break;
    }
    const differences = [...(await confirmed(ports, suspicious)), ...(await moved.missing(ports))];
    return { counts: { items }, differences, next };
  },
});

type Page = { readonly items: readonly AuditItem[]; readonly load: AuditPorts['auditSource']['load'] };

/** Returns the keys of the items that a rule objects to. */
const suspiciousIn = async (page: Page, now: Date): Promise<readonly string[]> =>
  [...(await judged(page, now))].map(([key]) => key);

/** Returns the differences of each item that has some, by its key. */
async function judged({ items, load }: Page, now: Date): Promise<ReadonlyMap<string, readonly Difference[]>> {
  const found = await load(items.flatMap(({ records }) => records.flatMap(needsOf)));
  const differences = items.map(
    ({ key, records }) => [key, records.flatMap((record) => judge(record, found, now))] as const,
  );
  return new Map(differences.filter(([, each]) => each.length > 0));
}

/** Returns the differences of these items that two strongly consistent reads show, some seconds apart. */
async function confirmed(
  { auditSource, now, wait }: AuditPorts,
  suspicious: readonly string[],
): Promise<readonly Difference[]> {
  const read = async (keys: readonly string[]) =>
    judged({ items: await auditSource.again(keys), load: (refs) => auditSource.load(refs) }, now());
  if (suspicious.length === 0) return [];
  const first = await read(suspicious);
  if (first.size === 0) return [];
  await wait(confirmPauseMs);
  const second = await read([...first.keys()]);
  return [...second].flatMap(([key, differences]) => {
    const before = new Set((first.get(key) ?? []).map(textOf));
    return differences.filter((each) => before.has(textOf(each)));
  });
}

const textOf = ({ invariant, about, text }: Difference): string => `${invariant} ${about} ${text}`;

import type { MerchantId } from '../ids.ts';
import { billCurrencies } from '../money/money.ts';
import { dayOf, type Period } from '../reconciliation/day.ts';
import { canonicalAuthorization, canonicalEntry } from './canonical.ts';
import type { SealReadPorts } from './ports.ts';
import { canonicalSeal, type Chain, type Seal } from './seal.ts';

export type ExportRequest = {
  readonly merchantId: MerchantId;
  /** `2026-11`, in the time zone. */
  readonly month: string;
  readonly timeZone: string;
  /** Whether the people and reasons behind entries are named; without them an entry shows their hash. */
  readonly withPeople: boolean;
};

/** A line of an export: an object with its `type` (docs/seals.md). */
export type ExportLine = Readonly<Record<string, unknown>> & {
  readonly type: 'header' | 'opening' | 'entry' | 'seal' | 'end';
};

/**
 * Reads a merchant's journal of a month with its seals, for `verify.mjs`: per currency the last seal before, the entries, and the seals of the
 * month's days. Entries that are not sealed yet are there as well. A month's seals are those whose date is in it.
 */
export async function* exportJournal(
  ports: SealReadPorts,
  request: ExportRequest,
): AsyncGenerator<ExportLine> {
  const { merchantId, month, timeZone, withPeople } = request;
  yield {
    type: 'header',
    format: 'paylink-journal-1',
    merchant: merchantId,
    month,
    timeZone,
    exportedAt: ports.now().toISOString(),
  };
  const counts = { entries: 0, seals: 0 };
  for (const currency of billCurrencies) {
    const chain = { merchantId, currency };
    const { opening, seals, period } = await sealsOf(ports, chain, request);
    if (opening) yield { type: 'opening', seal: sealShown(opening) };
    const waiting = [...seals];
    for await (const page of ports.sealedJournal.entriesOf(chain, period)) {
      for (const { id, at, entry } of page) {
        // A seal follows the entries of its day, so its reader holds one day at a time.
        for (let [seal] = waiting; seal && at >= seal.to; [seal] = waiting)
          yield { type: 'seal', seal: sealShown(waiting.shift() ?? seal) };
        counts.entries += 1;
        const people = withPeople && entry?.adjustment && canonicalAuthorization(entry.adjustment);
        yield {
          type: 'entry',
          currency,
          ...(entry ? { key: id, entry: canonicalEntry(entry) } : { unreadable: id }),
          ...(people && { people }),
        };
      }
    }
    counts.seals += seals.length;
    for (const seal of waiting) yield { type: 'seal', seal: sealShown(seal) };
  }
  yield { type: 'end', ...counts };
}

const sealShown = (seal: Seal) => ({ ...canonicalSeal(seal), hash: seal.hash });

type SealsOfMonth = {
  /** The last seal before the month's. */
  readonly opening: Seal | undefined;
  readonly seals: readonly Seal[];
  /** The month, with the days of all its seals. */
  readonly period: Period;
};

async function sealsOf(
  { seals }: SealReadPorts,
  chain: Chain,
  { month, timeZone }: Pick<ExportRequest, 'month' | 'timeZone'>,
): Promise<SealsOfMonth> {
  const all = (await seals.allOf(chain)).flatMap(({ seal }) => seal ?? []);
  const within = all.filter(({ date }) => date.startsWith(month));
  const opening = all.findLast(({ date }) => date < month);
  const next = all.find(({ date }) => date > `${month}-99`);
  const begins = [dayOf(`${month}-01`, timeZone).from, ...within.map(({ from }) => from)];
  const ends = [dayOf(`${nextMonth(month)}-01`, timeZone).from, ...within.map(({ to }) => to)];
  return {
    opening,
    seals: within,
    // A change of the zone may have moved the first or last hours to a day of the neighbouring month.
    period: {
      from: latest([earliest(begins), ...(opening ? [opening.to] : [])]),
      to: earliest([latest(ends), ...(next ? [next.from] : [])]),
    },
  };
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
}

const earliest = (dates: readonly Date[]): Date => new Date(Math.min(...dates.map((date) => date.getTime())));
const latest = (dates: readonly Date[]): Date => new Date(Math.max(...dates.map((date) => date.getTime())));

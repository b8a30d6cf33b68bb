import type { Authorization, Entry, Line } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import type { TimelineStep } from './timeline.ts';

/** A journal entry in one line: `SETTLE locked -100.00, held -1.00, clearing +100.00, fees +1.00 RUB`. */
export const entryStep = ({ at, about, kind, lines, adjustment }: Entry): TimelineStep => ({
  at,
  id: about,
  what: `journal ${kind}: ${lines.map(lineText).join(', ')}${adjustment ? authorizationText(kind, adjustment) : ''}`,
});

const authorizationText = (
  kind: Entry['kind'],
  { id, proposedBy, approvedBy, reason }: Authorization,
): string => {
  const what = kind === 'ADJUST' ? `adjustment ${id}` : id;
  const people =
    approvedBy === undefined ? `by ${proposedBy}` : `proposed by ${proposedBy}, approved by ${approvedBy}`;
  return ` (${what}, ${people}: ${reason})`;
};

const lineText = ({ account, minor, currency }: Line): string =>
  `${account} ${minor > 0n ? '+' : ''}${toDecimal(minor)} ${currency}`;

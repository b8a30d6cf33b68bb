import type { Entry, Line } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';
import type { Step } from './timeline.ts';

/** A journal entry in one line: `SETTLE locked -100.00, held -1.00, clearing +100.00, fees +1.00 RUB`. */
export const entryStep = ({ at, about, kind, lines }: Entry): Step => ({
  at,
  id: about,
  what: `journal ${kind}: ${lines.map(lineText).join(', ')}`,
});

const lineText = ({ account, minor, currency }: Line): string =>
  `${account} ${minor > 0n ? '+' : ''}${toDecimal(minor)} ${currency}`;

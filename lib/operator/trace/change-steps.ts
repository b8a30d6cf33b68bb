import type { Change } from '../../merchant/change.ts';
import type { TimelineStep } from './timeline.ts';

/** A change of a setting in one line: `terms set by olga: dayLimitMinor 100000 -> 300000`. */
export const changeStep = ({ about, at, by, what, before, after }: Change): TimelineStep => {
  // A DynamoDB map does not preserve the order of its keys.
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const fields = names.map((name) => `${name} ${before[name] ?? '-'} -> ${after[name] ?? '-'}`);
  return { at, id: about, what: [`${what} by ${by}`, fields.join(', ')].filter(Boolean).join(': ') };
};

import type { PostAnswer } from './ports.ts';

/** What an answer means for the event: delivered by any 2xx, never again after 410, tried again otherwise. */
type Verdict = 'delivered' | 'gone' | 'failed';

/** Reads the verdict off an answer; none at all is a failure. */
export function verdictOf(answer: PostAnswer): Verdict {
  if (answer.kind !== 'answered') return 'failed';
  if (answer.status >= 200 && answer.status < 300) return 'delivered';
  return answer.status === 410 ? 'gone' : 'failed';
}

const overloadedStatuses = [429, 502, 504];

/** The receiver, or what stands before it, has too much to do: the gap until the next try is doubled. */
export const isOverloaded = (answer: PostAnswer): boolean =>
  answer.kind === 'answered' && overloadedStatuses.includes(answer.status);

/** The word that names the answer in the history of attempts. That redirects are not followed is news to many. */
export function outcomeName(answer: PostAnswer): string {
  if (answer.kind !== 'answered') return answer.why;
  return answer.status >= 300 && answer.status < 400 ? `${answer.status}_redirect` : answer.status.toString();
}

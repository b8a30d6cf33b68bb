import type { PostAnswer } from './ports.ts';

/** The meaning of a response: any 2xx delivers, 410 pauses the endpoint, all else is retried. */
type Verdict = 'delivered' | 'gone' | 'failed';

/** Returns the verdict on a response; no response is a failure. */
export function verdictOf(answer: PostAnswer): Verdict {
  if (answer.kind !== 'answered') return 'failed';
  if (answer.status >= 200 && answer.status < 300) return 'delivered';
  return answer.status === 410 ? 'gone' : 'failed';
}

const overloadedStatuses = [429, 502, 504];

/** Whether the receiver, or a proxy in front of it, is overloaded: the gap until the next try is doubled. */
export const isOverloaded = (answer: PostAnswer): boolean =>
  answer.kind === 'answered' && overloadedStatuses.includes(answer.status);

/** Returns the name of the response in the history of attempts. `_redirect` shows that redirects are not followed. */
export function outcomeName(answer: PostAnswer): string {
  if (answer.kind !== 'answered') return answer.why;
  return answer.status >= 300 && answer.status < 400 ? `${answer.status}_redirect` : answer.status.toString();
}

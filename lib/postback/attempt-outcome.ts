import type { Attempt, PostbackEvent } from './event.ts';
import type { DeliveryOutcome, PostAnswer } from './ports.ts';
import { type Chance, delayAfter, nextAttemptAfter } from './schedule.ts';
import { redact } from './redact.ts';
import { isOverloaded, outcomeName, verdictOf } from './verdict.ts';

type Tried = {
  readonly answer: PostAnswer;
  readonly at: Date;
  readonly now: Date;
  readonly signature: string;
  /** Further secrets or personal data in the request that must not be stored with the response. */
  readonly redactions?: readonly string[];
};

/** Returns the outcome of an event after an attempt in which a request was sent. */
export function outcomeOfAttempt(
  { tries }: Pick<PostbackEvent, 'tries'>,
  tried: Tried & {
    /** Whether the endpoint is now paused, until the operator resumes it. */
    readonly paused: boolean;
  },
  chance: Chance,
): DeliveryOutcome {
  const { answer, paused, now } = tried;
  const made = { attempt: attemptOf(tried), counts: true, nextAttempt: undefined };
  if (verdictOf(answer) === 'delivered') return { ...made, state: 'DELIVERED' };
  if (paused) return { ...made, state: 'PAUSED' };

  const retryAfterSeconds = answer.kind === 'answered' ? answer.retryAfterSeconds : undefined;
  const failure = { tries: tries + 1, overloaded: isOverloaded(answer), retryAfterSeconds };
  const delayMs = delayAfter(failure, chance);
  return delayMs === undefined
    ? { ...made, state: 'DEAD' }
    : { ...made, state: 'RETRY', nextAttempt: nextAttemptAfter(now, delayMs) };
}

/** Returns what is stored and shown of an attempt in which a request was sent. */
export function attemptOf({ answer, at, now, signature, redactions = [] }: Tried): Attempt {
  const made = { at, ms: now.getTime() - at.getTime(), outcome: outcomeName(answer), answer: undefined };
  if (answer.kind !== 'answered' || answer.body === '') return made;
  // A receiver may echo its request: no valid signature, no phone and nothing of the payer may be stored.
  return { ...made, answer: redact(answer.body.replaceAll(signature, '[signature]'), redactions) };
}

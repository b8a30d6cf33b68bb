import { isDeepStrictEqual } from 'node:util';

/** The values of a secret that a provider may accept: the current one, then previous ones while a new one comes into use. */
export type Accepted<Value> = readonly [Value, ...Value[]];

/** Returns what this process has read of the secret. `renewed`: reads it again, unless it was read a moment ago. */
export type Credentials<Value> = (how?: { readonly renewed: true }) => Promise<Accepted<Value>>;

type Sending<Value, Answer> = {
  /** Whether a value may stand in for the current one: only one of the same account, where that account's objects are. */
  readonly isSameAccount?: (current: Value, other: Value) => boolean;
  readonly send: (value: Value) => Promise<Answer>;
};

/**
 * Sends a call with the current value, and after a 401, which says that nothing was carried out, with the others. A secret that
 * was replaced after this process read it is read again. So a call survives the replacement, whichever side is first.
 * Returns the last 401 when no value is accepted.
 */
export async function sendWithEach<Value, Answer extends { readonly status: number }>(
  credentials: Credentials<Value>,
  { isSameAccount = () => true, send }: Sending<Value, Answer>,
): Promise<Answer> {
  const [current, ...others] = await credentials();
  const tried: Value[] = [current];
  let answer = await send(current);

  const tryThese = async (values: readonly Value[]): Promise<void> => {
    for (const value of values) {
      if (answer.status !== 401) return;
      if (!isSameAccount(current, value) || tried.some((each) => isDeepStrictEqual(each, value))) continue;
      tried.push(value);
      answer = await send(value);
    }
  };
  await tryThese(others);
  if (answer.status === 401) await tryThese(await credentials({ renewed: true }));
  return answer;
}

/** Providers repeat notifications for 24 hours; a day more, so that the operator can change what is set at the provider. */
const previousCountsMs = 48 * 60 * 60_000;

/** Whether the previous value of a provider's secret still counts, given since when the current one exists. */
export function standingOfPrevious(since: Date | undefined, now: Date): 'accepted' | 'over' {
  return since !== undefined && now.getTime() - since.getTime() < previousCountsMs ? 'accepted' : 'over';
}

import { railStates, type RailView } from './payout-rail.ts';

export const railCallNames = ['send', 'get', 'cancel'] as const;
/** `no_answer`: a timeout, an error of the rail, an unreadable answer, or a crash of ours. `busy`: not carried out. */
export const railAnswers = [...railStates, 'no_answer', 'busy'] as const;

/** Equal calls to the rail with equal answers: the evidence for a person who must find out what became of a payout. */
export type RailCall = {
  readonly call: (typeof railCallNames)[number];
  readonly key: string;
  readonly answer: (typeof railAnswers)[number];
  readonly reference: string | undefined;
  readonly reason: string | undefined;
  readonly times: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
};

/** One call and its answer. */
export type Asked = Pick<RailCall, 'call' | 'key'> & {
  readonly at: Date;
  readonly answer: RailAnswer;
};
export type RailAnswer = RailView | { readonly state: 'no_answer' | 'busy'; readonly reason?: string };

/** Many attempts can only follow an account that stays empty; the latest ones are of interest. */
const mostKept = 40;

/** Returns the calls with this one added. */
export function withCall(calls: readonly RailCall[], { call, key, at, answer }: Asked): readonly RailCall[] {
  const { state, reason } = answer;
  const reference = 'reference' in answer ? answer.reference : undefined;
  const same = calls.find(isSame({ call, key, answer: state, reference, reason }));
  if (same) {
    const again = { ...same, times: same.times + 1, lastAt: at };
    return calls.map((each) => (each === same ? again : each));
  }
  return [...calls, { call, key, answer: state, reference, reason, times: 1, firstAt: at, lastAt: at }].slice(
    -mostKept,
  );
}

/** Returns the calls with those of another reading of the payout that they lack. */
export const withCallsOf = (calls: readonly RailCall[], others: readonly RailCall[]): readonly RailCall[] =>
  [...calls, ...others.filter((other) => !calls.some(isSame(other)))].slice(-mostKept);

type Told = Pick<RailCall, 'call' | 'key' | 'answer' | 'reference' | 'reason'>;

const isSame =
  (one: Told) =>
  (other: Told): boolean =>
    one.call === other.call &&
    one.key === other.key &&
    one.answer === other.answer &&
    one.reference === other.reference &&
    one.reason === other.reason;

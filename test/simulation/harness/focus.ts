/** The clients of a run. The focus `mixed` draws all of them; each other focus draws more of one part in the same time. */
export type Client =
  | 'payer'
  | 'rivals'
  | 'bill'
  | 'toggle'
  | 'look'
  | 'payout'
  | 'refund'
  | 'cancel'
  | 'moderate'
  | 'operate'
  | 'refresh'
  | 'notice'
  | 'postback'
  | 'retry'
  | 'dispatch'
  | 'check'
  | 'refund_check'
  | 'sweep';

const mixed: Readonly<Record<Client, number>> = {
  payer: 24,
  rivals: 6,
  bill: 8,
  toggle: 2,
  look: 2,
  payout: 9,
  refund: 10,
  cancel: 2,
  moderate: 6,
  operate: 4,
  refresh: 5,
  notice: 14,
  postback: 22,
  retry: 8,
  dispatch: 22,
  check: 14,
  refund_check: 10,
  sweep: 5,
};

type Weights = Readonly<Record<Client, number>>;
/** The weight of each client, how many run concurrently, and the minutes by which the clock jumps, each with its weight. */
type Shape = {
  readonly weights: Weights;
  readonly clients: number;
  readonly leaps: Readonly<Record<number, number>>;
};

const allLeaps = { 0.3: 6, 1: 8, 5: 4, 16: 9, 25: 1, 61: 1.5, 200: 0.7, 1500: 0.7 };

export const focuses = {
  mixed: { weights: mixed, clients: 16, leaps: allLeaps },
  bills: {
    weights: {
      ...mixed,
      rivals: 14,
      bill: 5,
      look: 0,
      payout: 0,
      refund: 2,
      cancel: 0,
      moderate: 0,
      operate: 1,
      dispatch: 0,
      postback: 8,
    },
    clients: 10,
    leaps: { 0.3: 5, 1: 5, 16: 12, 61: 0.5 },
  },
  payouts: {
    weights: {
      ...mixed,
      payer: 5,
      rivals: 0,
      bill: 3,
      toggle: 0,
      look: 0,
      payout: 24,
      cancel: 6,
      moderate: 14,
      operate: 10,
      postback: 6,
    },
    clients: 16,
    leaps: allLeaps,
  },
} as const satisfies Readonly<Record<string, Shape>>;
export type Focus = keyof typeof focuses;

export const isFocus = (text: string): text is Focus => text in focuses;

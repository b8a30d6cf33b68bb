import { toDecimal } from '../money/money.ts';
import type { Movement } from './books.ts';
import { maskOf } from './card.ts';
import { outcomeOfTransfer, type TransferOutcome } from './test-values.ts';

export const transferStates = ['unknown', 'accepted', 'paid', 'refused', 'provider_empty'] as const;
type TransferState = (typeof transferStates)[number];

export const destinationTypes = ['card', 'sbp'] as const;
type Destination = { readonly type: (typeof destinationTypes)[number]; readonly account: string };

/** A transfer request. */
export type TransferRequest = {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly destination: Destination;
};

/** A transfer of the sandbox rail. It stores the mask of a card, nothing else. */
export type Transfer = {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly account: string;
  readonly state: TransferState;
  readonly outcome: TransferOutcome;
  /** The rail's own reference. */
  readonly reference: string;
  /** Status queries that are still answered "accepted". */
  readonly pendingPolls: number;
  readonly reason: string | undefined;
};

/** How the response fails, whatever was done. */
export type TransferFault = 'fails' | 'times_out' | 'garbled';
export type TransferStep = {
  readonly to: Transfer;
  readonly movement?: Movement;
  readonly fault?: TransferFault;
};

const queriesWhileAccepted = 2;

/** The stored form of a destination: a phone in full, a card's mask. */
const accountOf = ({ type, account }: Destination): string => (type === 'card' ? maskOf(account) : account);

/** Whether the key was used for another transfer: the client's error. */
export const isSameTransfer = (transfer: Transfer, request: TransferRequest): boolean =>
  transfer.reason === 'cancelled' ||
  (transfer.amountMinor === request.amountMinor &&
    transfer.currency === request.currency &&
    transfer.account === accountOf(request.destination));

/** Sends once per key; undefined when nothing is left to do. */
export function send(
  known: Transfer | undefined,
  request: TransferRequest,
  reference: string,
): TransferStep | undefined {
  if (known?.state === 'unknown' || known?.state === 'provider_empty') return pay(known);
  if (known) return undefined;

  const { key, amountMinor, currency, destination } = request;
  const outcome = outcomeOfTransfer(destination.type, destination.account, toDecimal(amountMinor));
  const account = accountOf(destination);
  return firstTries[outcome]({
    key,
    amountMinor,
    currency,
    account,
    state: 'unknown',
    outcome,
    reference,
    pendingPolls: 0,
    reason: undefined,
  });
}

const firstTries: Readonly<Record<TransferOutcome, (transfer: Transfer) => TransferStep>> = {
  paid: (transfer) => pay(transfer),
  paid_later: (transfer) => ({
    to: { ...transfer, state: 'accepted', pendingPolls: queriesWhileAccepted },
  }),
  refused: (transfer) => ({ to: { ...transfer, state: 'refused', reason: 'account_refused' } }),
  empty_account: (transfer) => ({ to: { ...transfer, state: 'provider_empty' } }),
  fails_before: (transfer) => ({ to: transfer, fault: 'fails' }),
  fails_after: (transfer) => ({ ...pay(transfer), fault: 'fails' }),
  times_out: (transfer) => ({ ...pay(transfer), fault: 'times_out' }),
  garbled: (transfer) => ({ ...pay(transfer), fault: 'garbled' }),
};

const pay = (transfer: Transfer): TransferStep => ({
  to: { ...transfer, state: 'paid' },
  movement: {
    kind: 'paid_out',
    subject: transfer.key,
    amountMinor: transfer.amountMinor,
    currency: transfer.currency,
  },
});

/** The client queries: an accepted transfer is paid after a set number of queries. */
export function askAbout(transfer: Transfer): TransferStep | undefined {
  if (transfer.state !== 'accepted') return undefined;
  return transfer.pendingPolls > 0
    ? { to: { ...transfer, pendingPolls: transfer.pendingPolls - 1 } }
    : pay(transfer);
}

/** After this no request under the key pays. An accepted or paid transfer is unchanged. */
export function cancelTransfer(known: Transfer | undefined, key: string): TransferStep | undefined {
  if (known && known.state !== 'unknown' && known.state !== 'provider_empty') return undefined;
  return { to: { ...(known ?? neverSent(key)), state: 'refused', reason: 'cancelled' } };
}

const neverSent = (key: string): Transfer => ({
  key,
  amountMinor: 0n,
  currency: '',
  account: '',
  state: 'refused',
  outcome: 'refused',
  reference: '',
  pendingPolls: 0,
  reason: undefined,
});

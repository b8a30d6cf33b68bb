import { toDecimal } from '../money/money.ts';
import type { Movement } from './books.ts';
import { maskOf } from './card.ts';
import { outcomeOfTransfer, type TransferOutcome } from './test-values.ts';

export const transferStates = ['unknown', 'accepted', 'paid', 'refused', 'provider_empty'] as const;
type TransferState = (typeof transferStates)[number];

export const destinationTypes = ['card', 'sbp'] as const;
type Destination = { readonly type: (typeof destinationTypes)[number]; readonly account: string };

/** What a client of the rail asks to be sent. */
export type TransferRequest = {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly destination: Destination;
};

/** A transfer of the sandbox rail. Of a card it knows the mask, nothing else. */
export type Transfer = {
  readonly key: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly account: string;
  readonly state: TransferState;
  readonly outcome: TransferOutcome;
  /** The rail's own name for it. */
  readonly reference: string;
  /** Questions that are still answered "accepted". */
  readonly pendingPolls: number;
  readonly reason?: string | undefined;
};

/** How the answer goes wrong, whatever was done. */
export type TransferFault = 'fails' | 'times_out' | 'garbled';
export type TransferStep = {
  readonly to: Transfer;
  readonly movement?: Movement | undefined;
  readonly fault?: TransferFault | undefined;
};

const questionsWhileAccepted = 2;

/** What is kept of a destination: a phone in full, a card's mask. */
const accountOf = ({ type, account }: Destination): string => (type === 'card' ? maskOf(account) : account);

/** The same key for other money is a mistake of the client. */
export const isSameTransfer = (transfer: Transfer, request: TransferRequest): boolean =>
  transfer.reason === 'cancelled' ||
  (transfer.amountMinor === request.amountMinor &&
    transfer.currency === request.currency &&
    transfer.account === accountOf(request.destination));

/** Sends once per key: undefined when there is nothing left to do for it. */
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
  });
}

const firstTries: Readonly<Record<TransferOutcome, (transfer: Transfer) => TransferStep>> = {
  paid: (transfer) => pay(transfer),
  paid_later: (transfer) => ({
    to: { ...transfer, state: 'accepted', pendingPolls: questionsWhileAccepted },
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

/** The client asks: an accepted transfer is paid after so many questions. */
export function askAbout(transfer: Transfer): TransferStep | undefined {
  if (transfer.state !== 'accepted') return undefined;
  return transfer.pendingPolls > 0
    ? { to: { ...transfer, pendingPolls: transfer.pendingPolls - 1 } }
    : pay(transfer);
}

/** After this no request under the key pays anything; what is accepted or paid stays. */
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
});

import { toDecimal } from '../money/money.ts';
import type { Movement } from './books.ts';
import { maskOf } from './card.ts';
import type { SandboxManners } from './manners.ts';
import { outcomeOfTransfer, type TransferOutcome } from './test-values.ts';

export const transferStates = ['unknown', 'accepted', 'paid', 'refused', 'provider_empty'] as const;
type TransferState = (typeof transferStates)[number];

export const destinationTypes = ['card', 'sbp'] as const;
type Destination = { readonly type: (typeof destinationTypes)[number]; readonly account: string };

/** A transfer request. */
export type TransferRequest = {
  readonly key: string;
  /** The client's id of what is paid out, under which its transfers are found. */
  readonly payoutId: string | undefined;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly destination: Destination;
};

/** A transfer of the sandbox rail. It stores the mask of a card, nothing else. */
export type Transfer = {
  readonly key: string;
  readonly payoutId: string | undefined;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly account: string;
  /** `unknown`: a request was received and not acted upon. No query shows it. */
  readonly state: TransferState;
  readonly outcome: TransferOutcome;
  /** The rail's own reference. */
  readonly reference: string;
  /** When the key was first used; undefined in transfers of earlier versions, whose keys are known for ever. */
  readonly at: Date | undefined;
  /** Status queries that are still answered "accepted". */
  readonly pendingPolls: number;
  readonly reason: string | undefined;
};

/** How the response fails, whatever was done. */
export type TransferFault = 'fails' | 'times_out' | 'garbled' | 'rejected' | 'forbidden' | 'busy';
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

type Circumstances = {
  readonly reference: string;
  readonly at: Date;
  readonly manners: Pick<SandboxManners, 'tombstones' | 'repeatsRefusals'>;
  /** The client has tried this payout before, under another key. */
  readonly triedBefore: boolean;
};

/** Sends once per key; undefined when nothing is left to do. */
export function send(
  known: Transfer | undefined,
  request: TransferRequest,
  { reference, at, manners, triedBefore }: Circumstances,
): TransferStep | undefined {
  if (known) return sendKnown(known, manners);
  const { key, payoutId, amountMinor, currency, destination } = request;
  const planned = outcomeOfTransfer(destination.type, destination.account, toDecimal(amountMinor));
  const outcome = triedBefore && oncePerPayout.has(planned) ? 'paid' : planned;
  const account = accountOf(destination);
  return firstTries[outcome]({
    key,
    payoutId,
    amountMinor,
    currency,
    account,
    state: 'unknown',
    outcome,
    reference,
    at,
    pendingPolls: 0,
    reason: undefined,
  });
}

/** What happens to a payout once: its next attempt is paid. */
const oncePerPayout: ReadonlySet<TransferOutcome> = new Set(['empty_account', 'empty_later', 'forbidden']);

/** A kind rail pays under the key whose transfer it has not made. Otherwise a transfer without money has ended for good. */
function sendKnown(
  known: Transfer,
  { tombstones, repeatsRefusals }: Circumstances['manners'],
): TransferStep | undefined {
  if (known.state === 'provider_empty') return tombstones ? pay(known) : undefined;
  if (known.state !== 'unknown') return undefined;
  if (known.outcome === 'rejected') return { to: known, fault: 'rejected' };
  if (known.outcome === 'forbidden' && repeatsRefusals) return { to: known, fault: 'forbidden' };
  return pay(known);
}

const firstTries: Readonly<Record<TransferOutcome, (transfer: Transfer) => TransferStep>> = {
  paid: (transfer) => pay(transfer),
  paid_later: (transfer) => accept(transfer),
  refused: (transfer) => ({ to: { ...transfer, state: 'refused', reason: 'account_refused' } }),
  empty_account: (transfer) => ({ to: { ...transfer, state: 'provider_empty' } }),
  empty_later: (transfer) => accept(transfer),
  refused_later: (transfer) => accept(transfer),
  fails_before: (transfer) => ({ to: transfer, fault: 'fails' }),
  fails_after: (transfer) => ({ ...pay(transfer), fault: 'fails' }),
  times_out: (transfer) => ({ ...pay(transfer), fault: 'times_out' }),
  garbled: (transfer) => ({ ...pay(transfer), fault: 'garbled' }),
  rejected: (transfer) => ({ to: transfer, fault: 'rejected' }),
  forbidden: (transfer) => ({ to: transfer, fault: 'forbidden' }),
  busy: (transfer) => ({ to: transfer, fault: 'busy' }),
};

const accept = (transfer: Transfer): TransferStep => ({
  to: { ...transfer, state: 'accepted', pendingPolls: queriesWhileAccepted },
});

const pay = (transfer: Transfer): TransferStep => ({
  to: { ...transfer, state: 'paid', reason: undefined },
  movement: {
    kind: 'paid_out',
    subject: transfer.payoutId ?? transfer.key,
    amountMinor: transfer.amountMinor,
    currency: transfer.currency,
    ...(transfer.payoutId !== undefined && {
      named: { reference: transfer.reference, ourId: transfer.payoutId, order: undefined },
    }),
  },
});

/** The client queries: an accepted transfer ends after a set number of queries. */
export function askAbout(transfer: Transfer): TransferStep | undefined {
  if (transfer.state !== 'accepted') return undefined;
  if (transfer.pendingPolls > 0) return { to: { ...transfer, pendingPolls: transfer.pendingPolls - 1 } };
  if (transfer.outcome === 'empty_later') return { to: { ...transfer, state: 'provider_empty' } };
  if (transfer.outcome === 'refused_later')
    return { to: { ...transfer, state: 'refused', reason: 'account_refused' } };
  return pay(transfer);
}

/** After this no request under the key pays. An accepted or paid transfer is unchanged. */
export function cancelTransfer(known: Transfer | undefined, key: string, at: Date): TransferStep | undefined {
  if (known && known.state !== 'unknown' && known.state !== 'provider_empty') return undefined;
  return { to: { ...(known ?? neverSent(key, at)), state: 'refused', reason: 'cancelled' } };
}

const neverSent = (key: string, at: Date): Transfer => ({
  key,
  payoutId: undefined,
  amountMinor: 0n,
  currency: '',
  account: '',
  state: 'refused',
  outcome: 'refused',
  reference: '',
  at,
  pendingPolls: 0,
  reason: undefined,
});

/** The rail changes its mind about a transfer that had ended: by hand, for tests. Each transfer is paid once at most. */
export function changeTransfer(transfer: Transfer, to: 'paid' | 'refused'): TransferStep | undefined {
  if (transfer.state === to || transfer.state === 'unknown') return undefined;
  if (to === 'refused') return { to: { ...transfer, state: 'refused', reason: 'returned' } };
  return transfer.reason === 'returned'
    ? { to: { ...transfer, state: 'paid', reason: undefined } }
    : pay(transfer);
}

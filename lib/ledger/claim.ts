import { Defect } from '../defect.ts';
import type { MerchantId, PaymentId } from '../ids.ts';
import type { BalanceCurrency, Money } from '../money/money.ts';
import type { Result } from '../result.ts';
import type { Entry, EntryKind } from './entry.ts';
import type { Recomputation } from './recomputation.ts';

/** How part of a claim was closed: debited from the merchant's balance, or borne by the platform. */
export const claimMoveKinds = ['collected', 'written_off'] as const;

export type ClaimMove = {
  /** The id of the decision: carrying it out again is recognised by it. */
  readonly id: string;
  readonly kind: (typeof claimMoveKinds)[number];
  /** Above zero. */
  readonly minor: bigint;
  readonly by: string;
  /** The second person; undefined where the claim was collected, which takes one. */
  readonly approvedBy: string | undefined;
  readonly reason: string | undefined;
  readonly at: Date;
};

/** What a merchant owes the platform since a chargeback exceeded the available balance. */
export type Claim = {
  /** The id of its chargeback. */
  readonly id: string;
  readonly paymentId: PaymentId;
  readonly merchantId: MerchantId;
  /** What was not available when the chargeback was confirmed. Above zero. */
  readonly amount: Money<BalanceCurrency>;
  /** What is still owed. It only falls, so it identifies the claim's revision. */
  readonly openMinor: bigint;
  readonly at: Date;
  /** Oldest first. */
  readonly moves: readonly ClaimMove[];
};

export interface Claims {
  find(id: string): Promise<Claim | undefined>;
  /** All claims of a payment; strongly consistent. */
  ofPayment(paymentId: PaymentId): Promise<readonly Claim[]>;
  /**
   * Writes claim, balance and journal entry in one transaction, on condition that the claim is unchanged since it was read
   * and that what is collected is available.
   */
  move(
    before: Claim,
    after: Claim,
    entry: Entry,
  ): Promise<Result<void, 'claim_changed' | 'balance_not_enough'>>;
  /** The claims of which something is owed, oldest first. */
  listOpen(): Promise<readonly Claim[]>;
}

export const isClosedClaim = ({ openMinor }: Pick<Claim, 'openMinor'>): boolean => openMinor === 0n;

/** Returns the claim after part of it was closed. Throws when that is nothing, or more than is owed. */
export function movedClaim(claim: Claim, move: ClaimMove): Claim {
  if (move.minor <= 0n || move.minor > claim.openMinor)
    throw new Defect('CLAIM_MOVE_IMPOSSIBLE', 'A claim is closed by more than zero and at most what is owed');
  return { ...claim, openMinor: claim.openMinor - move.minor, moves: [...claim.moves, move] };
}

/** Returns the COLLECT or WRITE_OFF entry of the move that led to this claim (README.md of this folder). */
export function claimEntry({ id, paymentId, merchantId, amount, moves }: Claim, last: ClaimMove): Entry {
  const { currency } = amount;
  const isCollected = last.kind === 'collected';
  return {
    about: paymentId,
    kind: isCollected ? 'COLLECT' : 'WRITE_OFF',
    merchantId,
    lines: [
      { account: isCollected ? 'available' : 'correction', currency, minor: -last.minor },
      { account: 'claims', currency, minor: last.minor },
    ],
    at: last.at,
    adjustment: {
      id: `${id}.${moves.length}`,
      reason: last.reason ?? `claim ${id}`,
      proposedBy: last.by,
      approvedBy: last.approvedBy,
    },
  };
}

/** A move of a claim, by its number from 0. */
type NumberedMove = { readonly claim: Claim; readonly number: number };

const moveAgain =
  (kind: EntryKind): Recomputation<NumberedMove> =>
  ({ claim, number }) => {
    const move = claim.moves[number];
    const entry = move && claimEntry({ ...claim, moves: claim.moves.slice(0, number + 1) }, move);
    return entry?.kind === kind ? entry : undefined;
  };

export const collectionAgain = moveAgain('COLLECT');
export const writeOffAgain = moveAgain('WRITE_OFF');

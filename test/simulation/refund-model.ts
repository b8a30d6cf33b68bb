import type { RefundFee } from '../../lib/merchant/terms.ts';
import type { Bearer, ChargebackDirection } from '../../lib/ledger/chargeback.ts';
import { type Found, type Move, searchProtocol } from './model/search.ts';
import { happens } from './refund-model/acquirer.ts';
import { compares, decides, enters } from './refund-model/chargebacks.ts';
import { isSettled, violationIn } from './refund-model/invariants.ts';
import { requests } from './refund-model/request.ts';
import {
  type Books,
  booksText,
  type Lane,
  laneText,
  type Manners,
  type Mutant,
  newRefund,
  receivedMinor,
  type RefundLane,
  workerText,
} from './refund-model/state.ts';
import { works } from './refund-model/worker.ts';

/*
 * The refunds of one captured payment (lib/refund/README.md) in every interleaving: requests create them, workers and notifications advance
 * them, the acquirer decides, people enter and decide chargebacks, others take captured money back, and everybody may crash at any point.
 */

export type Scope = {
  /** What each request asks for. */
  readonly refunds: readonly (bigint | 'full')[];
  /** How many workers each refund has at the same time. */
  readonly workers: number;
  readonly manners: Partial<Manners>;
  readonly letters?: readonly { readonly direction: ChargebackDirection; readonly minor: bigint }[];
  readonly bearer?: Bearer;
  readonly refundFee?: RefundFee;
  /** What the merchant has; by default the net of the capture and the fee. */
  readonly availableMinor?: bigint;
  readonly mutant?: Mutant;
};

const kind: Manners = {
  answers: ['succeeded', 'rejected'],
  isSlow: false,
  listLags: false,
  ages: false,
  takesBack: false,
};

/** Searches all reachable states breadth-first until a violation; without one, for states in which a refund can end no more. */
export function searchRefunds(scope: Scope): Found {
  const { refunds, workers, letters = [], bearer = 'merchant', refundFee = 'kept', mutant } = scope;
  const manners = { ...kind, ...scope.manners };
  const availableMinor = scope.availableMinor ?? receivedMinor;
  const isCompared = manners.takesBack || letters.length > 0 || mutant?.startsWith('compare');
  const lanes: readonly Lane[] = [
    ...refunds.map((asks) => newRefund(asks, workers)),
    ...letters.map((letter): Lane => ({ kind: 'letter', ...letter, step: { kind: 'none' } })),
    ...(isCompared
      ? [{ kind: 'comparison', step: { kind: 'none' } } as const, { kind: 'decision', bearer } as const]
      : []),
  ];
  return searchProtocol<Books, Lane>({
    shared: {
      totals: undefined,
      chargebacks: [],
      available: availableMinor,
      locked: 0n,
      borne: 0n,
      refundedThere: 0n,
      pendingThere: 0n,
      takenBack: 0n,
      wasTakenBack: false,
      fault: undefined,
    },
    lanes,
    sharedText: booksText,
    laneText,
    movesOf: (_place, books, lane): readonly Move<Books, Lane>[] => {
      switch (lane.kind) {
        case 'refund':
          return refundMoves(books, lane);
        case 'letter':
          return enters(books, lane, mutant);
        case 'comparison':
          return compares(books, lane, manners.takesBack, mutant);
        case 'decision':
          return decides(books, lane);
      }
    },
    waits: () => false,
    violationIn: (books, all) => violationIn(books, all, availableMinor),
    isSettled,
  });

  function refundMoves(shared: Books, lane: RefundLane): readonly Move<Books, Lane>[] {
    const { stored } = lane;
    if (!stored) return requests(shared, lane, { refundFee, mutant });
    return [
      ...happens(shared, lane, manners),
      ...lane.workers.flatMap((worker, place) =>
        place > 0 && workerText(worker) === workerText(lane.workers[place - 1]!)
          ? []
          : works({ shared, lane, stored, place, manners, mutant }),
      ),
    ];
  }
}

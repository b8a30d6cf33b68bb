import { Defect } from '../defect.ts';
import type { CommissionPayer } from '../merchant/terms.ts';
import { fail, ok, type Result } from '../result.ts';
import { assess, type AssessmentPorts, type CreationRefusal, type NewRequest } from './assess.ts';
import { type CreatePersonalPayout, personalRequest } from './create-personal-payout.ts';
import { type CreateRegularPayout, regularRequest } from './create-regular-payout.ts';
import type { PartCost } from './cost.ts';
import type { AccountType } from './destination.ts';
import { localTime } from './calendar.ts';
import { reservation } from './limits.ts';
import { type Payout, sentMinor } from './payout.ts';
import type { Payouts } from './ports.ts';
import { numbersOfLimits, type NumbersOfLimits, type RefusalNumbers } from './refusal-numbers.ts';
import { identify, type PayoutRequest } from './request-identity.ts';

export type QuotePorts = AssessmentPorts & {
  readonly payouts: Pick<Payouts, 'loadCreationContext' | 'findGroup'>;
};

/** The fields of one of the two creations. */
export type QuotePayout =
  | ({ readonly kind: 'personal' } & CreatePersonalPayout)
  | ({ readonly kind: 'regular' } & CreateRegularPayout);

/** Why a person must approve a payout. `review`: no rule of the operator releases it; neither the rule nor its numbers are named. */
export const approvalReasons = ['possible_duplicate', 'review'] as const;
type Approval = (typeof approvalReasons)[number] | undefined;

/** What a creation with the same fields would do now. */
export type Quote = {
  readonly accountType: AccountType;
  readonly mask: string;
  readonly commissionPayer: CommissionPayer;
  readonly parts: readonly PartCost[];
  /** Both limits as they are now, so without payouts that do not exist yet. */
  readonly limits: NumbersOfLimits;
  /** Undefined when a rule releases it, and for payouts that wait for no person. */
  readonly approval: Approval;
  /** A creation would return the payouts of an earlier request, whose numbers these are, and create nothing. */
  readonly alreadyCreated: boolean;
};

/**
 * Returns what a creation with these fields would do now, or its refusal: the same reads, and nothing is stored, sealed or
 * reserved. It promises nothing: balance, limits and rules apply as they are when the payout is created.
 */
export async function quotePayout(
  ports: QuotePorts,
  command: QuotePayout,
): Promise<Result<Quote, CreationRefusal, RefusalNumbers>> {
  if (command.kind === 'regular' && !command.caller.regularPayouts) return fail('unauthorized_action');
  const request = requestOf(command);
  const identity = await identify(ports, request);
  const assessed = await assess(ports, request, identity);
  if (!assessed.ok) return assessed;
  const { context, earlier } = assessed.value;
  const today = localTime(identity.query.now, ports.timeZone);
  const { terms, usage } = context;
  const limits = numbersOfLimits(terms, reservation(0n, terms, usage, today), usage);
  const quote = earlier
    ? earlierQuote(await ports.payouts.findGroup(earlier.groupId))
    : newQuote(assessed.value);
  return ok({ ...quote, limits });
}

function requestOf(command: QuotePayout): PayoutRequest {
  if (command.kind === 'personal') {
    const { kind: _personal, ...fields } = command;
    return personalRequest(fields);
  }
  const { kind: _regular, ...fields } = command;
  return regularRequest(fields);
}

type WithoutLimits = Omit<Quote, 'limits'>;

/** The quote of a request that would create payouts. */
const newQuote = ({ plan, context }: Pick<NewRequest, 'plan' | 'context'>): WithoutLimits => ({
  accountType: plan.recipient.type,
  mask: plan.recipient.mask,
  commissionPayer: plan.commissionPayer,
  parts: plan.parts,
  approval: approvalOf({ isWaiting: !plan.ruleUse, isDuplicate: context.duplicateSeen }),
  alreadyCreated: false,
});

function earlierQuote(payouts: readonly Payout[]): WithoutLimits {
  const [first] = payouts;
  if (!first) throw new Defect('PAYOUT_GROUP_MISSING', 'An earlier request has payouts');
  const { accountType, mask, commissionPayer, possibleDuplicate: isDuplicate } = first;
  const isWaiting = payouts.some(({ status }) => status === 'MODERATING');
  const parts = payouts.map((payout) => ({
    amountMinor: payout.amount.minor,
    commissionMinor: payout.commissionMinor,
    sentMinor: sentMinor(payout),
  }));
  const approval = approvalOf({ isWaiting, isDuplicate });
  return { accountType, mask, commissionPayer, parts, approval, alreadyCreated: true };
}

type Waiting = { readonly isWaiting: boolean; readonly isDuplicate: boolean };

function approvalOf({ isWaiting, isDuplicate }: Waiting): Approval {
  if (!isWaiting) return undefined;
  return isDuplicate ? 'possible_duplicate' : 'review';
}

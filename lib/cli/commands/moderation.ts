import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../../installation/command-error.ts';
import { readPayoutId } from '../../ids.ts';
import { mostPayouts } from '../../decision/decision.ts';
import type { PayoutVerdict } from '../../decision/moderate-payouts.ts';
import {
  isProposed,
  looksDuplicate,
  type QueueFilter,
  selectOrders,
  type Waiting,
  type WaitingOrder,
  waitingOrders,
} from '../../payout/moderation-queue.ts';
import { type Payout, sentMinor } from '../../payout/payout.ts';
import { takingTwoPeople } from '../../payout/second-person.ts';
import { toDecimal } from '../../money/money.ts';
import { addCommand } from '../add-command.ts';
import { decide } from '../decide.ts';
import { outcomeOf } from '../failure.ts';
import { duplicatesLeftOut, ordersTable, proposedLeftOut, totalOf, waitingView } from '../moderation-told.ts';
import type { OperatorContext } from '../operator-context.ts';
import { amount, wholeNumber } from '../options.ts';
import { type CommandOutput, counted } from '../output.ts';
import { proposalOutput } from '../proposal-told.ts';
import { refuse, required, sentenceOf } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { payoutView } from '../views.ts';

export type FilterOptions = {
  readonly merchant?: string;
  readonly min?: bigint;
  readonly max?: bigint;
  readonly olderThan?: number;
  readonly known?: true;
  readonly new?: true;
};
type DecisionOptions = FilterOptions & { readonly reason?: string; readonly revision?: number };

export const filterOptions = () => [
  new Option('--merchant <merchant>', 'only payouts of this merchant'),
  amount('min', 'only orders whose parts add up to at least this'),
  amount('max', 'only orders whose parts add up to at most this'),
  new Option('--older-than <age>', 'only payouts that have waited at least this long: 30m, 6h, 2d').argParser(
    readAge,
  ),
  new Option('--known', 'only to accounts that were paid before with a person’s approval').conflicts('new'),
  new Option('--new', 'only to other accounts').conflicts('known'),
];

const minutesOf = { m: 1, h: 60, d: 1440 } as const;

/** Parses `6h` to milliseconds. */
function readAge(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd')
    throw new InvalidArgumentError('Give minutes, hours or days, like 30m, 6h or 2d.');
  return Number(count) * minutesOf[unit] * 60_000;
}

const filterOf = (
  { merchant, min, max, olderThan, known, new: isNew }: FilterOptions,
  now: Date,
): QueueFilter => ({
  merchantId: merchant,
  minMinor: min,
  maxMinor: max,
  createdBy: olderThan === undefined ? undefined : new Date(now.getTime() - olderThan),
  known: known ?? (isNew ? false : undefined),
});

/** Returns the payouts in moderation that match the options, grouped by order. */
export async function ordersModerating(
  context: Pick<OperatorContext, 'payouts' | 'terms' | 'proposals' | 'now'>,
  options: FilterOptions,
): Promise<readonly WaitingOrder[]> {
  const waiting = await withFacts(context, await context.payouts.listModerating());
  return selectOrders(waitingOrders(waiting), filterOf(options, context.now()));
}

type Facts = Pick<OperatorContext, 'payouts' | 'terms' | 'proposals'>;

/** Adds to each payout what a moderator should know. A proposal about an older revision is void. */
async function withFacts(context: Facts, payouts: readonly Payout[]): Promise<readonly Waiting[]> {
  const [known, taking, open] = await Promise.all([
    context.payouts.toKnownAccounts(payouts),
    takingTwoPeople(context, payouts),
    context.proposals.listOpen(),
  ]);
  const proposals = new Map(
    open.flatMap(({ id, proposedBy: by, decision }) =>
      decision.kind === 'approve_payouts'
        ? decision.payouts.map((shown) => [`${shown.id} ${shown.revision}`, { id, by }] as const)
        : [],
    ),
  );
  return payouts.map((payout) => {
    const proposal = proposals.get(`${payout.id} ${payout.revision}`);
    const secondPerson = proposal || taking.has(payout.id) ? { proposal } : undefined;
    return { payout, known: known.has(payout.id), secondPerson };
  });
}

/** Returns the list as a command's output. */
export function moderationOutput(orders: readonly WaitingOrder[], now: Date): CommandOutput {
  const json = orders.flat().map((waiting) => waitingView(waiting, now));
  const text = ordersTable(orders, now, 'No payout is waiting for moderation.');
  return { json, text: orders.length === 0 ? text : `${text}\n\n${totalOf(orders)}.` };
}

const revisionOption = () =>
  wholeNumber(
    'revision',
    [0, 999_999_999],
    'revision of the one payout, as in payouts list: refused if the payout has changed since',
  );

export function addApprove(group: Command, shell: Shell): void {
  addModeration(group, shell, {
    kind: 'approve_payouts',
    usage: 'approve [payouts...]',
    description: 'approve payouts: those named, or all waiting ones that match the options',
    reason: new Option('--reason <text>', 'the reason; recorded with the payouts'),
    question: 'Send',
    done: 'approved',
    example: 'payouts approve --merchant 3f9KpQ7sXv2LmN8b --max 50000 --known',
  });
}

export function addDecline(group: Command, shell: Shell): void {
  addModeration(group, shell, {
    kind: 'decline_payouts',
    usage: 'decline [payouts...]',
    description:
      'decline payouts that wait for approval, or named ones that are not sent yet: the money returns to the balance and the merchant gets a postback',
    reason: new Option('--reason <text>', 'the reason; recorded with the payouts').makeOptionMandatory(),
    question: 'Decline',
    done: 'declined',
    example: 'payouts decline 7QbXr5TkM2wYc9LpVe4s00 --reason "the account is not the merchant’s"',
  });
}

type Moderation = {
  readonly kind: 'approve_payouts' | 'decline_payouts';
  readonly usage: string;
  readonly description: string;
  readonly reason: Option;
  readonly question: string;
  readonly done: string;
  readonly example: string;
};

function addModeration(group: Command, shell: Shell, spec: Moderation): void {
  const { kind, usage, description, example, question, done } = spec;
  addCommand<DecisionOptions>(group, shell, {
    usage,
    description,
    options: [...filterOptions(), spec.reason, revisionOption()],
    example,
    run: async (context, { args: ids, options, by, confirm }) => {
      const chosen = await selected(context, ids, options);
      const { orders, leftOut } = kind === 'approve_payouts' ? withoutProposed(chosen) : chosen;
      const payouts = orders.flat();
      if (payouts.length === 0 && ids.length > 0) return refuse('payout_proposed');
      if (payouts.length === 0)
        return {
          json: result([], payouts),
          text: ['No waiting payout matches these options.', ...leftOut].join('\n'),
        };
      await confirm(asking(question, orders, leftOut, context.now()));
      const shown = payouts.map(({ payout }) => ({
        id: payout.id,
        revision: options.revision ?? payout.revision,
      }));
      const verdicts = await decideAll(
        context,
        (some) =>
          kind === 'approve_payouts'
            ? { kind, payouts: some, reason: options.reason }
            : { kind, payouts: some, reason: options.reason ?? '' },
        { shown, by: await by(), tell: shell.err },
      );
      const [only] = payouts;
      return only && payouts.length === 1 && ids.length > 0
        ? decisionOutput(context, verdicts, only.payout, done)
        : decisionsOutput(verdicts, payouts, done);
    },
  });
}

type Selected = { readonly orders: readonly WaitingOrder[]; readonly leftOut: readonly string[] };

/** Leaves out payouts that one person has already released: approving them again would only create a second proposal. */
function withoutProposed({ orders, leftOut }: Selected): Selected {
  const payouts = orders.flat();
  const others = waitingOrders(payouts.filter((waiting) => !isProposed(waiting)));
  return { orders: others, leftOut: [...leftOut, ...proposedLeftOut(payouts)] };
}

/** Returns the payouts named by id, in any state; or those in moderation that match the options, without possible duplicates. */
async function selected(
  context: OperatorContext,
  ids: readonly string[],
  options: DecisionOptions,
): Promise<Selected> {
  const isFiltered = hasFilter(options);
  if (ids.length > 0) {
    if (isFiltered) throw new CommandError('Name payouts by their ids or by options, not both.', 'usage');
    if (options.revision !== undefined && ids.length > 1)
      throw new CommandError('--revision goes with one payout.', 'usage');
    return { orders: waitingOrders(await named(context, ids)), leftOut: [] };
  }
  if (!isFiltered)
    throw new CommandError(
      'Name the payouts, or select them with --merchant, --min, --max, --older-than, --known or --new.',
      'nothing_named',
    );
  if (options.revision !== undefined) throw new CommandError('--revision goes with one payout.', 'usage');
  const orders = await ordersModerating(context, options);
  return { orders: orders.filter((order) => !looksDuplicate(order)), leftOut: duplicatesLeftOut(orders) };
}

export const hasFilter = ({ merchant, min, max, olderThan, known, new: isNew }: FilterOptions): boolean =>
  [merchant, min, max, olderThan, known, isNew].some((option) => option !== undefined);

async function named(context: Facts, ids: readonly string[]): Promise<readonly Waiting[]> {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const payoutId = required(readPayoutId(id), 'payout_not_found');
      return required(await context.payouts.find(payoutId), 'payout_not_found');
    }),
  );
  return withFacts(context, found);
}

const firstLines = 10;

/** Returns the question with the first orders, the count and the sum. */
function asking(
  question: string,
  orders: readonly WaitingOrder[],
  leftOut: readonly string[],
  now: Date,
): string {
  const [lines, more] = [orders.slice(0, firstLines), orders.length - firstLines];
  const [only, ...others] = orders.flat();
  if (only && others.length === 0 && leftOut.length === 0)
    return [
      ...(only.secondPerson ? ['This needs a second person, who decides after you.'] : []),
      `${question} ${toDecimal(sentMinor(only.payout))} ${only.payout.amount.currency} to ${only.payout.mask}?`,
    ].join('\n');
  return [
    ordersTable(lines, now, ''),
    ...(more > 0 ? [`… and ${counted(more, 'order')} more: payouts list --moderating shows them all.`] : []),
    ...leftOut,
    `${question} ${totalOf(orders)}?`,
  ].join('\n');
}

const moneyOf = ({ amount: { minor, currency } }: Payout): string => `${toDecimal(minor)} ${currency}`;

type DecisionOf = (shown: readonly Shown[]) => Parameters<typeof decide>[1];
type Shown = { readonly id: string; readonly revision: number };

/** The size of a batch. Each batch is a separate decision, and progress is shown after each. */
const batch = Math.min(100, mostPayouts);

/**
 * Decides the payouts in batches. An error of the first batch ends the command, because nothing is done yet. A later error
 * must not hide the results of earlier batches, so it is reported for each remaining payout.
 */
async function decideAll(
  context: OperatorContext,
  decision: DecisionOf,
  { shown, by, tell }: { readonly shown: readonly Shown[]; readonly by: string; readonly tell: Shell['err'] },
): Promise<readonly PayoutVerdict[]> {
  const verdicts: PayoutVerdict[] = [];
  for (let from = 0; from < shown.length; from += batch) {
    const some = shown.slice(from, from + batch);
    try {
      const outcome = await decide(context, decision(some), { by });
      if (outcome.kind === 'payouts') verdicts.push(...outcome.verdicts);
    } catch (error) {
      if (from === 0) throw error;
      tell(outcomeOf(error).sentence);
      return [...verdicts, ...each(some, 'answer_lost'), ...each(shown.slice(from + batch), 'not_reached')];
    }
    if (shown.length > batch) tell(`${verdicts.length} of ${shown.length} payouts are done.`);
  }
  return verdicts;
}

const each = (payouts: readonly Shown[], refusal: 'answer_lost' | 'not_reached'): readonly PayoutVerdict[] =>
  payouts.map(({ id }) => ({ id, refusal }));

function result(verdicts: readonly PayoutVerdict[], payouts: readonly Waiting[]) {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return payouts.map(({ payout: { id } }) => ({
    id,
    refusal: byId.get(id)?.refusal ?? null,
    proposalId: byId.get(id)?.proposalId ?? null,
  }));
}

/** Returns the output for a single named payout. Throws a `CommandError` if it was refused. */
async function decisionOutput(
  context: OperatorContext,
  [verdict]: readonly PayoutVerdict[],
  { id }: Pick<Payout, 'id'>,
  done: string,
): Promise<CommandOutput> {
  if (verdict?.refusal !== undefined) return refuse(verdict.refusal);
  if (verdict?.proposalId !== undefined) return proposalOutput(context, verdict.proposalId);
  const payout = required(await context.payouts.find(id), 'payout_not_found');
  const text = `Payout ${id} was ${done}: ${moneyOf(payout)} to ${payout.mask} is ${payout.status} now.`;
  return { json: payoutView(payout), text };
}

/** Returns the output: a sentence for the decided payouts, one for those that need a second person, a line per refusal. */
export function decisionsOutput(
  verdicts: readonly PayoutVerdict[],
  payouts: readonly Waiting[],
  done: string,
): Required<CommandOutput> {
  const refused = verdicts.filter(({ refusal }) => refusal !== undefined);
  const proposed = verdicts.filter(({ proposalId }) => proposalId !== undefined);
  const notMoved = new Set([...refused, ...proposed].map(({ id }) => id));
  const moved = waitingOrders(payouts.filter(({ payout }) => !notMoved.has(payout.id)));
  const lines = refused.map(({ id, refusal = '' }) => `${id}: ${sentenceOf(refusal)}`);
  const sentence = moved.length === 0 ? `Nothing was ${done}.` : `${totalOf(moved)}: ${done}.`;
  const isLost = refused.some(({ refusal }) => refusal === 'answer_lost');
  const heading = `${counted(refused.length, 'payout')} ${isLost ? 'refused or not answered' : 'refused'}:`;
  const rest = refused.length === 0 ? [] : [heading, ...lines];
  return {
    json: result(verdicts, payouts),
    text: [sentence, ...waitsFor(proposed, payouts), ...rest].join('\n'),
    exitCode: refused.length === 0 ? 0 : 1,
  };
}

/** Returns the lines about proposals. Each batch has its own. */
function waitsFor(proposed: readonly PayoutVerdict[], payouts: readonly Waiting[]): readonly string[] {
  if (proposed.length === 0) return [];
  const ids = new Set(proposed.map(({ id }) => id));
  const orders = waitingOrders(payouts.filter(({ payout }) => ids.has(payout.id)));
  const proposals = [...new Set(proposed.map(({ proposalId = '' }) => proposalId))];
  return [
    `${totalOf(orders)}: above the sum that one person may approve, so a second person decides:`,
    ...proposals.map((id) => `proposals approve ${id}`),
  ];
}

import { type Command, Option } from 'commander';
import { readPayoutId } from '../../ids.ts';
import { CommandError } from '../../installation/command-error.ts';
import { toDecimal } from '../../money/money.ts';
import { listPayouts, payoutLists } from '../../payout/list-payouts.ts';
import { type Payout, sentMinor } from '../../payout/payout.ts';
import { type ErrorOutcome, errorOutcomes } from '../../payout/resolve-error.ts';
import { type CommandOutput, table } from '../output.ts';
import { listed, type ListOptions, listOptions } from '../list-command.ts';
import { merchantOption, openPayouts, type PayoutFilter, payoutFilters } from '../list-sources.ts';
import { payoutColumns, payoutFields } from '../listed-fields.ts';
import type { OperatorContext } from '../operator-context.ts';
import { choice, wholeNumber } from '../options.ts';
import { decide } from '../decide.ts';
import { proposalOutput } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';
import {
  addApprove,
  addDecline,
  type FilterOptions,
  filterOptions,
  hasFilter,
  ordersModerating,
  moderationOutput,
} from './moderation.ts';
import { payoutView } from '../views.ts';

type Listed = { readonly moderating?: true; readonly error?: true };
type ListedPayouts = Listed & FilterOptions & PayoutFilter & ListOptions;
type DecisionOptions = { readonly revision?: number };

/** A decision applies to the payout as it was shown. */
const revisionOption = () =>
  wholeNumber(
    'revision',
    [0, 999_999_999],
    'revision as in payouts list: refused if the payout has changed since',
  );
const requiredText = (name: string, description: string) =>
  new Option(`--${name} <text>`, description).makeOptionMandatory();

export function payoutCommands(group: Command, shell: Shell): void {
  addList(group, shell);
  addApprove(group, shell);
  addDecline(group, shell);
  addResolve(group, shell);
  addReturned(group, shell);
}

function addList(group: Command, shell: Shell): void {
  addCommand<ListedPayouts>(group, shell, {
    usage: 'list',
    description:
      'show payouts, newest first, in pages; with --moderating those that wait for a person, with --error those in ERROR',
    options: [
      new Option('--moderating', 'only payouts that wait for moderation'),
      new Option('--error', 'only payouts in ERROR, which a person must resolve'),
      ...filterOptions(),
      ...payoutFilters(),
      ...listOptions(),
    ],
    example: 'payouts list --moderating --older-than 6h',
    run: async (context, { options }) => {
      if (!isAboutWaiting(options)) return listed(context, shell, payoutList, options);
      if (isAboutAll(options))
        throw new CommandError(
          'Omit what lists all payouts: --order, --status, --account-type, dates.',
          'usage',
        );
      if (hasFilter(options) && options.error)
        throw new CommandError('These options are for payouts in moderation: omit --error.', 'usage');
      if (hasFilter(options) || (options.moderating && !options.error))
        return moderationOutput(await ordersModerating(context, options), context.now());
      const payouts = await waiting(context, options);
      return waitingOutput(payouts, await context.payouts.toKnownAccounts(payouts), options);
    },
  });
}

const payoutList = {
  noun: 'payouts',
  filters: [merchantOption(), ...payoutFilters()],
  open: openPayouts,
  fields: payoutFields,
  columns: payoutColumns,
};

/** Whether payouts that wait for a person are asked for; `--merchant` alone lists all of the merchant's. */
const isAboutWaiting = ({ merchant: _, ...options }: ListedPayouts): boolean =>
  options.moderating === true || options.error === true || hasFilter(options);

const isAboutAll = ({ order, status, accountType, since, until, after, csv }: ListedPayouts): boolean =>
  [order, status, accountType, since, until, after, csv].some((option) => option !== undefined);

function addResolve(group: Command, shell: Shell): void {
  addCommand<DecisionOptions & { readonly as: ErrorOutcome; readonly evidence: string }>(group, shell, {
    usage: 'resolve <payout>',
    description: 'settle a payout in ERROR by hand, or check it at the provider again',
    options: [
      choice(
        'as',
        errorOutcomes,
        'check it at the provider again, or set the outcome that you found out',
      ).makeOptionMandatory(),
      requiredText('evidence', 'the source of this; recorded with the payout'),
      revisionOption(),
    ],
    example:
      'payouts resolve 7QbXr5TkM2wYc9LpVe4s00 --as paid --evidence "bank statement of 21 November, line 4"',
    run: async (context, { args: [payoutId = ''], options, by, confirm }) => {
      const { as: outcome, evidence } = options;
      const shown = await payoutNamed(context, payoutId);
      await confirm(`Resolve ${sentOf(shown)} to ${shown.mask} as "${outcome}"?`);
      const revision = options.revision ?? shown.revision;
      const decision = { kind: 'resolve_payout', payoutId, revision, outcome, evidence } as const;
      const done = await decide(context, decision, { by: await by() });
      if (done.kind === 'proposal') return proposalOutput(context, done.id);
      return decided(await payoutNamed(context, payoutId), `resolved as ${outcome}`);
    },
  });
}

function addReturned(group: Command, shell: Shell): void {
  addCommand<{ readonly evidence: string }>(group, shell, {
    usage: 'returned <payout>',
    description: 'propose to book the return of a paid payout: a second person approves it',
    options: [requiredText('evidence', 'the source of this; recorded with the payout')],
    example: 'payouts returned 7QbXr5TkM2wYc9LpVe4s00 --evidence "returned by the bank on 24 November"',
    run: async (context, { args: [payoutId = ''], options: { evidence }, by, confirm }) => {
      const { revision, ...shown } = await payoutNamed(context, payoutId);
      await confirm(`Return ${sentOf(shown)} to the merchant’s balance?`);
      const decision = { kind: 'return_payout', payoutId, revision, evidence } as const;
      const done = await decide(context, decision, { by: await by() });
      return proposalOutput(context, done.kind === 'payouts' ? '' : done.id);
    },
  });
}

async function waiting(context: OperatorContext, { moderating, error }: Listed): Promise<readonly Payout[]> {
  const asked = payoutLists.filter((list) => (list === 'moderating' ? moderating : error));
  const lists = asked.length === 0 ? payoutLists : asked;
  return (await Promise.all(lists.map((list) => listPayouts(context, list)))).flat();
}

async function payoutNamed({ payouts }: OperatorContext, id: string): Promise<Payout> {
  const payoutId = required(readPayoutId(id), 'payout_not_found');
  return required(await payouts.find(payoutId), 'payout_not_found');
}

const moneyOf = ({ amount }: Payout): string => `${toDecimal(amount.minor)} ${amount.currency}`;
/** The sum that the recipient gets: the fee may be deducted from the amount. */
const sentOf = (payout: Parameters<typeof sentMinor>[0]): string =>
  `${toDecimal(sentMinor(payout))} ${payout.amount.currency}`;

function waitingOutput(
  payouts: readonly Payout[],
  toKnown: ReadonlySet<string>,
  asked: Listed,
): CommandOutput {
  const json = payouts.map((each) => ({ ...payoutView(each), accountKnown: toKnown.has(each.id) }));
  const rows = payouts.map((each) => [
    each.id,
    each.status,
    moneyOf(each),
    each.mask,
    toKnown.has(each.id) ? 'known' : 'new',
    each.merchantId,
    each.revision,
    noteOn(each),
  ]);
  const titles = ['payout', 'status', 'amount', 'account', 'recipient', 'merchant', 'revision', 'note'];
  return { json, text: table(titles, rows, noneOf(asked)) };
}

/** What a moderator should know, and why a payout waits for a person again. */
const noteOn = (payout: Payout): string =>
  [
    ...(payout.possibleDuplicate ? ['looks like a duplicate of an earlier one'] : []),
    ...[payoutView(payout).reason].filter((reason) => reason !== null),
  ].join('; ');

function noneOf({ moderating, error }: Listed): string {
  if (moderating && !error) return 'No payout is waiting for moderation.';
  return error && !moderating ? 'No payout is in ERROR.' : 'No payout is waiting for a person.';
}

function decided(payout: Payout, what: string): CommandOutput {
  const json = payoutView(payout);
  const text = `Payout ${payout.id} was ${what}: ${moneyOf(payout)} to ${payout.mask} is ${payout.status} now.`;
  return { json, text };
}

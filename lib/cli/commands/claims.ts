import { type Command, Option } from 'commander';
import { CommandError } from '../../installation/command-error.ts';
import { type Claim, isClosedClaim } from '../../ledger/claim.ts';
import { toDecimal } from '../../money/money.ts';
import { addCommand } from '../add-command.ts';
import { availableOf, claimTold } from '../chargeback-told.ts';
import { decide } from '../decide.ts';
import type { OperatorContext } from '../operator-context.ts';
import { counted, table } from '../output.ts';
import { proposalOutput } from '../proposal-told.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { claimView } from '../views.ts';

export function claimCommands(group: Command, shell: Shell): void {
  addList(group, shell);
  addCollect(group, shell);
  addWriteOff(group, shell);
}

function addList(group: Command, shell: Shell): void {
  addCommand<{ readonly merchant?: string }>(group, shell, {
    usage: 'list',
    description: 'show open claims, with what the merchant has available now; trace shows closed ones',
    options: [new Option('--merchant <id>', 'only this merchant’s claims')],
    example: 'claims list',
    run: async (context, { options: { merchant } }) => {
      const claims = await openClaims(context, merchant);
      const rows = await Promise.all(
        claims.map(async ({ id, merchantId, openMinor, amount, at }) => [
          id,
          merchantId,
          `${toDecimal(openMinor)} ${amount.currency}`,
          `${toDecimal(amount.minor)} ${amount.currency}`,
          await availableOf(context, merchantId, amount.currency),
          at.toISOString(),
        ]),
      );
      const titles = ['claim', 'merchant', 'owed', 'of', 'available', 'since'];
      return { json: claims.map(claimView), text: table(titles, rows, 'No claim is open.') };
    },
  });
}

const openClaims = async ({ claims }: OperatorContext, merchant: string | undefined) =>
  (await claims.listOpen()).filter(({ merchantId }) => merchant === undefined || merchantId === merchant);

function addCollect(group: Command, shell: Shell): void {
  addCommand<{ readonly all?: true; readonly merchant?: string }>(group, shell, {
    usage: 'collect [claim]',
    description:
      'debit what is owed from the merchant’s balance, up to what is available: one claim, a merchant’s, or all, the oldest first',
    options: [
      new Option('--merchant <id>', 'every open claim on this merchant'),
      new Option('--all', 'every open claim').conflicts('merchant'),
    ],
    example: 'claims collect --all',
    run: async (context, { args: [id], options: { all, merchant }, by, confirm }) => {
      const claims = await chosen(context, { id, all, merchant });
      await confirm(`Collect what is available now of ${counted(claims.length, 'claim')}?`);
      const who = await by();
      const after: Claim[] = [];
      for (const claim of claims) after.push(await collected(context, claim, who));
      const lines = after.map((claim, at) => lineOf(claims[at] ?? claim, claim));
      return {
        json: after.map(claimView),
        text: [...lines, 'claims list shows what is still owed.'].join('\n'),
      };
    },
  });
}

type Choice = {
  readonly id: string | undefined;
  readonly all: true | undefined;
  readonly merchant: string | undefined;
};

async function chosen(context: OperatorContext, { id, all, merchant }: Choice): Promise<readonly Claim[]> {
  if (id !== undefined) return [await claimNamed(context, id)];
  if (all === undefined && merchant === undefined)
    throw new CommandError('Name a claim, or give --merchant or --all: see claims list.', 'nothing_named');
  return openClaims(context, merchant);
}

/** Of several claims on one merchant the first takes what is available, so nothing may be left for the next. */
async function collected(context: OperatorContext, claim: Claim, by: string): Promise<Claim> {
  const decision = { kind: 'collect_claim', claimId: claim.id } as const;
  try {
    await decide(context, decision, { by });
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'nothing_available') throw error;
  }
  return claimNamed(context, claim.id);
}

function lineOf(before: Claim, { id, openMinor, amount: { currency } }: Claim): string {
  const taken = before.openMinor - openMinor;
  if (taken === 0n) return `Claim ${id}: nothing is available, ${toDecimal(openMinor)} ${currency} is owed.`;
  const rest = openMinor === 0n ? 'it is closed' : `${toDecimal(openMinor)} ${currency} is still owed`;
  return `Claim ${id}: ${toDecimal(taken)} ${currency} collected, ${rest}.`;
}

function addWriteOff(group: Command, shell: Shell): void {
  addCommand<{ readonly reason: string }>(group, shell, {
    usage: 'write-off <claim>',
    description: 'propose that the platform bears what is still owed, for another person to approve',
    options: [new Option('--reason <text>', 'the reason; recorded permanently').makeOptionMandatory()],
    example: 'claims write-off uW3kZ9sLq0TbXc5V00aB4dE6fG.chargeback.1 --reason "the merchant is insolvent"',
    run: async (context, { args: [id = ''], options: { reason }, by, confirm }) => {
      const claim = await claimNamed(context, id);
      await confirm(`Propose to write off ${claimTold(claim)}?`);
      const done = await decide(
        context,
        { kind: 'write_off_claim', claimId: id, reason },
        { by: await by() },
      );
      if (done.kind === 'proposal') return proposalOutput(context, done.id);
      const after = await claimNamed(context, id);
      return {
        json: claimView(after),
        text: `Claim ${id} is ${isClosedClaim(after) ? 'closed' : 'open'}: see trace ${after.paymentId}.`,
      };
    },
  });
}

const claimNamed = async ({ claims }: OperatorContext, id: string): Promise<Claim> =>
  required(await claims.find(id), 'claim_not_found');

import { type Command, Option } from 'commander';
import { isPayoutId, readAccountId, readMerchantId } from '../../ids.ts';
import type { BalanceCurrency } from '../../money/money.ts';
import type { PayoutAccount } from '../../payout/account.ts';
import { forgetAccount } from '../../payout/forget-account.ts';
import { addPayoutAccount, indexPayoutAccounts, setPayoutAccount } from '../../payout/payout-accounts.ts';
import { readNumber } from '../hidden-input.ts';
import type { OperatorContext } from '../operator-context.ts';
import { keyValues, table } from '../output.ts';
import { balanceCurrency, choice, picked, requireChanges, wholeNumber, yesNo } from '../options.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand, addGroup } from '../add-command.ts';
import { accountView } from '../views.ts';

type Added = {
  readonly type: 'card' | 'sbp';
  readonly number?: string;
  readonly currency: BalanceCurrency;
  readonly holder?: string;
  readonly bank?: number;
};
type Changed = { readonly merchant: string; readonly banned?: boolean; readonly available?: boolean };

const additions = [
  choice('type', ['card', 'sbp'], 'a card, or a phone of the Faster Payments System').makeOptionMandatory(),
  new Option(
    '--number <number>',
    'card number, or phone number; - reads it from standard input; left out, it is asked for and not shown',
  ),
  new Option('--currency <currency>', 'of its payouts').argParser(balanceCurrency).default('RUB'),
  new Option('--holder <name>', 'the name on the card'),
  wholeNumber(
    'bank',
    [1, 999_999_999_999],
    'member id of the phone’s bank, from payout/dictionaries/sbp_banks',
  ),
];

export function accountCommands(program: Command, shell: Shell): void {
  const group = addGroup(program, 'account', 'where a merchant’s personal payouts go');
  addAccount(group, shell);
  addSet(group, shell);
  addForget(group, shell);
  addIndex(group, shell);
  addList(group, shell);
}

function addAccount(group: Command, shell: Shell): void {
  addCommand<Added>(group, shell, {
    usage: 'add <merchant>',
    description: 'store an account; its number is sealed and shown masked from then on',
    options: additions,
    example: 'account add 3f9KpQ7sXv2LmN8b --type card --currency RUB',
    run: async (context, { args: [merchant], options }) => {
      const { currency, holder, bank } = options;
      const number = await readNumber(options.number, context.environment, shell);
      const type = options.type === 'card' ? 'credit_card' : 'sbp';
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      const details = {
        ...(holder !== undefined && { holder }),
        ...(bank !== undefined && { bankId: bank }),
      };
      const command = { merchantId, type, number, currency, ...details } as const;
      const json = accountView(unwrap(await addPayoutAccount(context, command)));
      return { json, text: keyValues(json) };
    },
  });
}

function addSet(group: Command, shell: Shell): void {
  addCommand<Changed>(group, shell, {
    usage: 'set <account>',
    description:
      'ban an account, with all others of its number, or take it out of use, or the other way about',
    options: [
      new Option('--merchant <merchant>', 'whose account it is').makeOptionMandatory(),
      yesNo('banned', 'yes: payouts to its number are refused with payout_account_banned'),
      yesNo('available', 'no: payouts to it are refused with direction_not_available'),
    ],
    example: 'account set Zt5bM1xW9cQe7RfA --merchant 3f9KpQ7sXv2LmN8b --banned yes',
    run: async (context, { args: [account], options }) => {
      const changes = requireChanges(picked(options, ['banned', 'available']));
      const merchantId = required(readMerchantId(options.merchant), 'payout_account_not_found');
      const accountId = required(readAccountId(account), 'payout_account_not_found');
      const changed = unwrap(await setPayoutAccount(context, { merchantId, accountId, ...changes }));
      const json = accountView(changed);
      const twins = options.banned === undefined ? [] : await twinsOf(context, changed);
      return { json, text: [keyValues(json), ...twinsText(twins)].join('\n\n') };
    },
  });
}

/** The other accounts of its number, which are banned and freed with it. */
async function twinsOf(
  { payoutAccounts }: OperatorContext,
  { id, merchantId, numberHash }: PayoutAccount,
): Promise<readonly string[]> {
  const accounts = await payoutAccounts.listOf(merchantId);
  return accounts.filter((each) => each.id !== id && each.numberHash === numberHash).map((each) => each.id);
}

const twinsText = (twins: readonly string[]): readonly string[] =>
  twins.length === 0 ? [] : [`The same goes for the other accounts of this number: ${twins.join(', ')}.`];

function addForget(group: Command, shell: Shell): void {
  addCommand<{ readonly merchant?: string }>(group, shell, {
    usage: 'forget <account-or-payout>',
    description: 'make it no known account any more: payouts to it wait for a person again',
    options: [new Option('--merchant <merchant>', 'whose stored account it is')],
    example: 'account forget 7QbXr5TkM2wYc9LpVe4s01',
    run: async (context, { args: [id = ''], options: { merchant } }) => {
      const named = isPayoutId(id)
        ? { payoutId: id }
        : { merchantId: readMerchantId(merchant), accountId: readAccountId(id) };
      const { mask, wasKnown } = unwrap(await forgetAccount(context, named));
      const done = `Payouts to ${mask} wait for a person again, until one that a person approved is paid.`;
      return { json: { account: mask, wasKnown }, text: wasKnown ? done : `${mask} was no known account.` };
    },
  });
}

function addIndex(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'index',
    description:
      'once after an update: has the bans of accounts that were stored before it stop regular payouts to their numbers',
    example: 'account index',
    // It opens what is sealed, which neither policy allows.
    under: 'administrator',
    run: async (context) => {
      const merchants = await context.merchants.list();
      const indexed: PayoutAccount[] = [];
      for (const { id: merchantId } of merchants)
        indexed.push(...(await indexPayoutAccounts(context, { merchantId })));
      const text = `${indexed.length} accounts of ${merchants.length} merchants got the hash of their number: every account has it now.`;
      return { json: { merchants: merchants.length, accounts: indexed.map(({ id }) => id) }, text };
    },
  });
}

function addList(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'list <merchant>',
    description: 'show the payout accounts of a merchant',
    example: 'account list 3f9KpQ7sXv2LmN8b',
    run: async ({ merchants, payoutAccounts }, { args: [merchant] }) => {
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      required(await merchants.find(merchantId), 'merchant_not_found');
      const json = (await payoutAccounts.listOf(merchantId)).map(accountView);
      const rows = json.map((each) => [
        each.id,
        each.type,
        each.account,
        each.currency,
        each.banned,
        each.available,
      ]);
      const titles = ['account', 'type', 'number', 'currency', 'banned', 'available'];
      return {
        json,
        text: table(titles, rows, 'This merchant has no payout account: add one with account add.'),
      };
    },
  });
}

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
import { addCommand } from '../add-command.ts';
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
    'card or phone number; - reads it from standard input; without this option you are asked for it',
  ),
  new Option('--currency <currency>', 'currency of its payouts').argParser(balanceCurrency).default('RUB'),
  new Option('--holder <name>', 'the name on the card'),
  wholeNumber(
    'bank',
    [1, 999_999_999_999],
    'member id of the phone’s bank, from payout/dictionaries/sbp_banks',
  ),
];

export function accountCommands(group: Command, shell: Shell): void {
  addAccount(group, shell);
  addSet(group, shell);
  addForget(group, shell);
  addIndex(group, shell);
  addList(group, shell);
}

function addAccount(group: Command, shell: Shell): void {
  addCommand<Added>(group, shell, {
    usage: 'add <merchant>',
    description: 'store an account; its number is encrypted and only ever shown masked',
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
      'ban an account with all others of the same number, or make it unavailable; or reverse either',
    options: [
      new Option('--merchant <merchant>', 'the account’s merchant').makeOptionMandatory(),
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

/** Returns the merchant's other accounts with the same number: a ban applies to all of them. */
async function twinsOf(
  { payoutAccounts }: OperatorContext,
  { id, merchantId, numberHash }: PayoutAccount,
): Promise<readonly string[]> {
  const accounts = await payoutAccounts.listOf(merchantId);
  return accounts.filter((each) => each.id !== id && each.numberHash === numberHash).map((each) => each.id);
}

const twinsText = (twins: readonly string[]): readonly string[] =>
  twins.length === 0 ? [] : [`This also applies to the other accounts of this number: ${twins.join(', ')}.`];

function addForget(group: Command, shell: Shell): void {
  addCommand<{ readonly merchant?: string }>(group, shell, {
    usage: 'forget <account-or-payout>',
    description: 'forget that an account is known: payouts to it need a moderator again',
    options: [new Option('--merchant <merchant>', 'the stored account’s merchant')],
    example: 'account forget 7QbXr5TkM2wYc9LpVe4s01',
    run: async (context, { args: [id = ''], options: { merchant } }) => {
      const named = isPayoutId(id)
        ? { payoutId: id }
        : { merchantId: readMerchantId(merchant), accountId: readAccountId(id) };
      const { mask, wasKnown } = unwrap(await forgetAccount(context, named));
      const done = `Payouts to ${mask} need a moderator again, until one that a person approved is paid.`;
      return {
        json: { account: mask, wasKnown },
        text: wasKnown ? done : `${mask} was not a known account.`,
      };
    },
  });
}

function addIndex(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'index',
    description:
      'run once after an update: makes bans of accounts stored before it also stop regular payouts to their numbers',
    example: 'account index',
    // It decrypts sealed numbers, which neither people policy allows.
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

import type { Command } from 'commander';
import { readMerchantId } from '../../ids.ts';
import { type MerchantFlags, subscriptions } from '../../merchant/merchant.ts';
import { type BalanceCurrency, balanceCurrencies } from '../../money/money.ts';
import { createMerchant } from '../../merchant/create-merchant.ts';
import { setMerchant } from '../../merchant/set-merchant.ts';
import { keyValues, table } from '../output.ts';
import {
  apiAddresses,
  choice,
  picked,
  nameOption,
  requireChanges,
  readName,
  setting,
  yesNo,
} from '../options.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';
import { merchantView } from '../views.ts';

type Changes = Partial<MerchantFlags> & {
  readonly name?: string;
  readonly payoutWebhookUrl?: string;
  readonly settlesKztIn?: BalanceCurrency;
};
const flags = ['enabled', 'banned', 'verified', 'regularPayouts', 'subscription', 'apiAddresses'] as const;
const settings = ['name', 'payoutWebhookUrl', 'settlesKztIn'] as const;

export function merchantCommands(group: Command, shell: Shell): void {
  addCreate(group, shell);
  addList(group, shell);
  addShow(group, shell);
  addSet(group, shell);
  addBan(group, shell);
}

function addCreate(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'create <name>',
    description: 'create a merchant; its token and webhook secret are shown only now',
    example: 'merchant create "Corner Cafe"',
    run: async (context, { args: [name = ''] }) => {
      const made = await createMerchant(context, { name: readName(name) });
      const secrets = { apiToken: made.apiToken, payoutWebhookSecret: made.payoutWebhookSecret };
      const json = { ...merchantView(made.merchant), ...secrets };
      return { json, text: `${keyValues({ merchant: json.merchantId, ...secrets })}\n\n${keepSecretsSafe}` };
    },
  });
}

function addList(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'list',
    description: 'show all merchants',
    example: 'merchant list',
    run: async ({ merchants }) => {
      const json = (await merchants.list()).map(merchantView);
      const rows = json.map((each) => [
        each.merchantId,
        each.name,
        each.enabled,
        each.banned,
        each.verified,
        each.subscription,
      ]);
      const titles = ['merchant', 'name', 'enabled', 'banned', 'verified', 'subscription'];
      return {
        json,
        text: table(titles, rows, 'There are no merchants yet: create one with merchant create.'),
      };
    },
  });
}

function addShow(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'show <merchant>',
    description: 'show a merchant; trace shows its balances too',
    example: 'merchant show 3f9KpQ7sXv2LmN8b',
    run: async ({ merchants }, { args: [id] }) => {
      const merchantId = required(readMerchantId(id), 'merchant_not_found');
      const json = merchantView(required(await merchants.find(merchantId), 'merchant_not_found'));
      return { json, text: keyValues(json) };
    },
  });
}

function addSet(group: Command, shell: Shell): void {
  addCommand<Changes>(group, shell, {
    usage: 'set <merchant>',
    description: 'change the given settings, effective from the next request',
    options: [
      yesNo('enabled', 'no: its bills are refused with shop_not_enabled'),
      yesNo('banned', 'yes: every request is refused with merchant_banned'),
      yesNo('verified', 'required for payouts'),
      yesNo('regular-payouts', 'access to payout/regular/create'),
      choice('subscription', subscriptions, 'the merchant’s subscription'),
      apiAddresses('the addresses and CIDR ranges that its API token may be used from'),
      nameOption('display name'),
      setting('--payout-webhook-url <url>', 'endpoint for payout postbacks'),
      choice('settles-kzt-in', balanceCurrencies, 'the balance that KZT payments settle in'),
    ],
    example: 'merchant set 3f9KpQ7sXv2LmN8b --verified yes --regular-payouts yes',
    run: async (context, { args: [id], options }) => {
      requireChanges(picked(options, [...flags, ...settings]));
      const merchantId = readMerchantId(id);
      const command = { merchantId, flags: picked(options, flags), settings: picked(options, settings) };
      const json = merchantView(unwrap(await setMerchant(context, command)));
      return { json, text: keyValues(json) };
    },
  });
}

function addBan(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'ban <merchant>',
    description: 'refuse all of its requests: the same as set --banned yes',
    example: 'merchant ban 3f9KpQ7sXv2LmN8b',
    run: async (context, { args: [id] }) => {
      const merchantId = readMerchantId(id);
      const json = merchantView(unwrap(await setMerchant(context, { merchantId, flags: { banned: true } })));
      return {
        json,
        text: `${json.name} is banned. Lift it with: merchant set ${json.merchantId} --banned no`,
      };
    },
  });
}

const keepSecretsSafe =
  'Keep both safe: they are not shown again. A lost token is replaced by token refresh, a secret by webhook-secret rotate.';

import { type Command, InvalidArgumentError, Option } from 'commander';
import { readMerchantId, readShopId } from '../../ids.ts';
import { mostHosts, readHost } from '../../merchant/own-hosts.ts';
import { postbackFormats } from '../../merchant/shop.ts';
import { createShop } from '../../merchant/create-shop.ts';
import { setShop } from '../../merchant/set-shop.ts';
import type { ShopSettings } from '../../merchant/shop-settings.ts';
import { keyValues, table } from '../output.ts';
import {
  billCurrency,
  choice,
  picked,
  nameOption,
  requireChanges,
  setting,
  wholeNumber,
  yesNo,
} from '../options.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';
import { shopView } from '../views.ts';

const settings = [
  'name',
  'enabled',
  'defaultCurrency',
  'resultUrl',
  'successUrl',
  'failUrl',
  'hosts',
  'refundUrl',
  'postbackFormat',
  'extendedPostbacks',
  'billLifetimeMinutes',
] as const;

const oneYear = 366 * 24 * 60;

const shopOptions = () => [
  nameOption('name shown to payers; default: the merchant’s name'),
  yesNo('enabled', 'no: its bills are refused with shop_not_enabled'),
  new Option(
    '--default-currency <currency>',
    'currency of bills without one; default: RUB; "" removes it',
  ).argParser((text) => (text === '' ? undefined : billCurrency(text))),
  setting('--result-url <url>', 'endpoint for payment postbacks'),
  setting('--success-url <url>', 'page that payers are redirected to after paying'),
  setting('--fail-url <url>', 'page that payers are redirected to after a failure'),
  hostsOption(),
  setting(
    '--refund-url <url>',
    'endpoint for postbacks of refunds and chargebacks; without one they are not posted',
  ),
  choice('postback-format', postbackFormats, 'encoding of payment postbacks'),
  yesNo('extended-postbacks', 'yes: payment postbacks also tell account, balance, error and payer'),
  wholeNumber('bill-lifetime-minutes', [1, oneYear], 'time after which an unpaid bill expires'),
  new Option('--no-bill-lifetime', 'bills never expire'),
];

/** `--hosts <host,host>` */
const hostsOption = (): Option =>
  setting(
    '--hosts <hosts>',
    'hosts besides those of its URLs to which its bills may send payers, separated by commas',
  ).argParser((text) => {
    if (text === '') return undefined;
    const hosts = text.split(',').map((each) => readHost(each.trim()));
    const known = [...new Set(hosts.filter((host) => host !== undefined))];
    if (hosts.includes(undefined) || known.length > mostHosts)
      throw new InvalidArgumentError(
        `Give at most ${mostHosts} names of hosts, without https:// and paths, like cafe.example,www.cafe.example.`,
      );
    return known;
  });

/** commander sets `billLifetime` to false for --no-bill-lifetime, and to true otherwise. */
type ShopOptions = ShopSettings & { readonly billLifetime?: boolean };

const settingsOf = (given: ShopOptions): ShopSettings => ({
  ...picked(given, settings),
  ...(given.billLifetime === false && { billLifetimeMinutes: undefined }),
});

export function shopCommands(group: Command, shell: Shell): void {
  addCreate(group, shell);
  addSet(group, shell);
  addShow(group, shell);
  addList(group, shell);
}

function addCreate(group: Command, shell: Shell): void {
  addCommand<ShopOptions>(group, shell, {
    usage: 'create <merchant>',
    description: 'create a shop; its webhook secret is shown only now',
    options: shopOptions(),
    example: 'shop create 3f9KpQ7sXv2LmN8b --result-url https://cafe.example/paylink/result',
    run: async (context, { args: [merchant], options: given }) => {
      const asked = settingsOf(given);
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      const made = unwrap(await createShop(context, { merchantId, ...asked }));
      const json = { ...shopView(made.shop), webhookSecret: made.webhookSecret };
      return {
        json,
        text: `${keyValues(json)}\n\nKeep the secret safe: it is not shown again. A lost one is replaced by webhook-secret rotate.`,
      };
    },
  });
}

function addSet(group: Command, shell: Shell): void {
  addCommand<ShopOptions>(group, shell, {
    usage: 'set <shop>',
    description: 'change the given settings, effective from the next bill, payer and postback',
    options: shopOptions(),
    example: 'shop set 8sYw2Rk1TzQ4JhVe --success-url https://cafe.example/thanks --default-currency KZT',
    run: async (context, { args: [id], options: given }) => {
      const changes = requireChanges(settingsOf(given));
      const json = shopView(unwrap(await setShop(context, { shopId: readShopId(id), ...changes })));
      return { json, text: keyValues(json) };
    },
  });
}

function addShow(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'show <shop>',
    description: 'show a shop',
    example: 'shop show 8sYw2Rk1TzQ4JhVe',
    run: async ({ shops }, { args: [id] }) => {
      const shopId = required(readShopId(id), 'shop_not_found');
      const json = shopView(required(await shops.find(shopId), 'shop_not_found'));
      return { json, text: keyValues(json) };
    },
  });
}

function addList(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'list <merchant>',
    description: 'show the shops of a merchant',
    example: 'shop list 3f9KpQ7sXv2LmN8b',
    run: async ({ merchants, shops }, { args: [merchant] }) => {
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      required(await merchants.find(merchantId), 'merchant_not_found');
      const json = (await shops.listOf(merchantId)).map(shopView);
      const rows = json.map((each) => [
        each.shopId,
        each.name,
        each.enabled,
        each.defaultCurrency,
        each.resultUrl,
      ]);
      const titles = ['shop', 'name', 'enabled', 'currency', 'result url'];
      return {
        json,
        text: table(titles, rows, 'This merchant has no shop yet: create one with shop create.'),
      };
    },
  });
}

import { type Command, Option } from 'commander';
import { readMerchantId, readShopId } from '../../ids.ts';
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
import { addCommand, addGroup } from '../add-command.ts';
import { shopView } from '../views.ts';

const settings = [
  'name',
  'enabled',
  'defaultCurrency',
  'resultUrl',
  'successUrl',
  'failUrl',
  'postbackFormat',
  'billLifetimeMinutes',
] as const;

const oneYear = 366 * 24 * 60;

const shopOptions = () => [
  nameOption('what payers read; the merchant’s name unless set'),
  yesNo('enabled', 'no: its bills are refused with shop_not_enabled'),
  new Option(
    '--default-currency <currency>',
    'of bills that name none; RUB unless set; "" takes it away',
  ).argParser((text) => (text === '' ? undefined : billCurrency(text))),
  setting('--result-url <url>', 'where payment postbacks go'),
  setting('--success-url <url>', 'where payers are sent who paid'),
  setting('--fail-url <url>', 'where payers are sent who did not'),
  choice('postback-format', postbackFormats, 'how payment postbacks are encoded'),
  wholeNumber('bill-lifetime-minutes', [1, oneYear], 'after which an unpaid bill expires'),
  new Option('--no-bill-lifetime', 'bills never expire'),
];

/** commander gives `billLifetime: false` only when --no-bill-lifetime was given, `true` otherwise. */
type ShopOptions = ShopSettings & { readonly billLifetime?: boolean };

const settingsOf = (given: ShopOptions): ShopSettings => ({
  ...picked(given, settings),
  ...(given.billLifetime === false && { billLifetimeMinutes: undefined }),
});

export function shopCommands(program: Command, shell: Shell): void {
  const group = addGroup(program, 'shop', 'where a merchant’s bills belong: its URLs and currency');
  addCreate(group, shell);
  addSet(group, shell);
  addShow(group, shell);
  addList(group, shell);
}

function addCreate(group: Command, shell: Shell): void {
  addCommand<ShopOptions>(group, shell, {
    usage: 'create <merchant>',
    description: 'make a shop; its webhook secret is told here and never again',
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
    description: 'change what is named; it holds from the next bill, payer and postback on',
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
    description: 'show one shop',
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
      return { json, text: table(titles, rows, 'This merchant has no shop yet: make one with shop create.') };
    },
  });
}

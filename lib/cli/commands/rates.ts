import type { Command } from 'commander';
import type { Rate } from '../../money/exchange.ts';
import { toDecimal } from '../../money/money.ts';
import { setRate } from '../../merchant/set-rate.ts';
import { table } from '../output.ts';
import { balanceCurrency, billCurrency } from '../options.ts';
import { unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';

export function rateCommands(rates: Command, shell: Shell): void {
  addCommand(rates, shell, {
    usage: 'set <from> <to> <price>',
    description: 'set a rate; payments that started before keep the old one',
    example: 'rates set KZT RUB 0.17',
    run: async (context, { args: [from = '', to = '', price = ''] }) => {
      const command = { from: billCurrency(from), to: balanceCurrency(to), price };
      const json = view(unwrap(await setRate(context, command)));
      return { json, text: `One ${json.from} settles as ${json.price} ${json.to}.` };
    },
  });

  addCommand(rates, shell, {
    usage: 'list',
    description: 'show all rates',
    example: 'rates list',
    run: async (context) => {
      const json = (await context.rates.list()).map(view);
      const rows = json.map((each) => [each.from, each.to, each.price, each.setAt]);
      const nothing = 'No rate is set: bills in KZT are refused with no_payout.';
      return { json, text: table(['from', 'to', 'price', 'set at'], rows, nothing) };
    },
  });
}

const view = ({ from, to, numerator, denominator, setAt }: Rate) => ({
  from,
  to,
  price: priceText(numerator, denominator),
  setAt: setAt.toISOString(),
});

/** A price has at most eight decimal places, so eight show it exactly. */
const priceText = (numerator: bigint, denominator: bigint): string =>
  toDecimal((numerator * 10n ** 8n) / denominator, 8).replace(/\.?0+$/, '');

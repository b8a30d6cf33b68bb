import { type Command, InvalidArgumentError, Option } from 'commander';
import { toDecimal } from '../../money/money.ts';
import { localTime } from '../../payout/calendar.ts';
import { type Earnings, earningsOf } from '../../reconciliation/earnings.ts';
import { defineCommand } from '../add-command.ts';
import { table } from '../output.ts';
import type { Shell } from '../shell.ts';

export function earningsCommand(command: Command, shell: Shell): void {
  defineCommand<{ readonly month?: string }>(command, shell, {
    options: [
      new Option('--month <month>', 'in the record’s time zone; default: the current one').argParser(monthOf),
    ],
    example: 'earnings --month 2026-11 --json',
    run: async (context, { options }) => {
      const { month = localTime(context.now(), context.timeZone).month } = options;
      shell.err(`Reading the journal of ${month}.`);
      const earnings = await earningsOf(context, month);
      const titles = ['currency', 'fees of payments', 'fees of payouts', 'kept by acquirers', 'earned'];
      const rows = earnings.map((each) => Object.values(viewOf(each)));
      const text = table(titles, rows, `Nothing was earned in ${month}.`);
      return { json: { month, earnings: earnings.map(viewOf) }, text: `${text}\n\n${note}` };
    },
  });
}

const note =
  'Fees that acquirers have not told yet, adjustments, losses that the platform bears and what payouts cost at their provider are ' +
  'not counted: reconcile list shows the fees that are due.';

const viewOf = ({
  currency,
  paymentFeesMinor,
  payoutFeesMinor,
  providerFeesMinor,
  earnedMinor,
}: Earnings) => ({
  currency,
  paymentFees: toDecimal(paymentFeesMinor),
  payoutFees: toDecimal(payoutFeesMinor),
  providerFees: toDecimal(providerFeesMinor),
  earned: toDecimal(earnedMinor),
});

function monthOf(text: string): string {
  if (/^20\d{2}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Give a month like 2026-11.');
}

import { type Command, Option } from 'commander';
import { readAccountId, readMerchantId } from '../../ids.ts';
import { toDecimal } from '../../money/money.ts';
import type { AutoPayout } from '../../payout/auto-payout.ts';
import { type Weekday, weekdays } from '../../payout/calendar.ts';
import { setAutoPayout, stopAutoPayout } from '../../payout/set-auto-payout.ts';
import { keyValues } from '../output.ts';
import { amount, choice, wholeNumber } from '../options.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';

type AutoOptions = {
  readonly account: string;
  readonly threshold: bigint;
  readonly day: Weekday;
  readonly hour: number;
};

export function autoCommands(group: Command, shell: Shell): void {
  addSet(group, shell);
  addShow(group, shell);
  addStop(group, shell);
}

function addSet(group: Command, shell: Shell): void {
  addCommand<AutoOptions>(group, shell, {
    usage: 'set <merchant>',
    description: 'pay out automatically; replaces the earlier setting',
    options: [
      new Option('--account <account>', 'the payout account').makeOptionMandatory(),
      amount('threshold', 'the least available balance that is paid out').makeOptionMandatory(),
      choice('day', weekdays, 'the day of the week').makeOptionMandatory(),
      wholeNumber('hour', [0, 23], 'the hour, in the environment’s time zone').makeOptionMandatory(),
    ],
    example: 'auto set 3f9KpQ7sXv2LmN8b --account Zt5bM1xW9cQe7RfA --threshold 1000 --day Mon --hour 9',
    run: async (context, { args: [id], options, confirm }) => {
      const merchantId = required(readMerchantId(id), 'merchant_not_found');
      const merchant = required(await context.merchants.find(merchantId), 'merchant_not_found');
      const { account, threshold: thresholdMinor, day: weekday, hour } = options;
      await confirm(`Pay out the balance of ${merchant.name} automatically every ${weekday} at ${hour}:00?`);
      const accountId = readAccountId(account);
      const command = { merchantId, accountId, thresholdMinor, weekday, hour };
      return shown(unwrap(await setAutoPayout(context, command)));
    },
  });
}

function addShow(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'show <merchant>',
    description: 'show the setting and the outcome of its last run',
    example: 'auto show 3f9KpQ7sXv2LmN8b',
    run: async ({ autoPayouts, merchants }, { args: [id] }) => {
      const merchantId = required(readMerchantId(id), 'merchant_not_found');
      required(await merchants.find(merchantId), 'merchant_not_found');
      return shown(required(await autoPayouts.find(merchantId), 'auto_payout_not_found'));
    },
  });
}

function addStop(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'stop <merchant>',
    description: 'stop automatic payouts',
    example: 'auto stop 3f9KpQ7sXv2LmN8b',
    run: async (context, { args: [merchantId = ''] }) => {
      const known = readMerchantId(merchantId);
      if (known) await stopAutoPayout(context, { merchantId: known });
      return { json: { merchantId, stopped: true }, text: 'Automatic payouts are off.' };
    },
  });
}

function shown(auto: AutoPayout) {
  const json = {
    merchantId: auto.merchantId,
    account: auto.accountId,
    threshold: toDecimal(auto.thresholdMinor),
    day: auto.weekday,
    hour: auto.hour,
    nextAt: auto.nextAt.toISOString(),
    lastRunAt: auto.lastRun?.at.toISOString() ?? null,
    lastOutcome: auto.lastRun?.outcome ?? null,
  };
  return { json, text: keyValues(json) };
}

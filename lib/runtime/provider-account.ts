import { randomUUID } from 'node:crypto';
import type { CheckPorts } from '../provider-account/check-provider.ts';
import type { WatchBalancesPorts } from '../provider-account/watch-balances.ts';
import { yookassaGatewayAccount, yookassaShopAccount } from '../provider/yookassa/account.ts';
import { fetchFor } from './provider-calls.ts';
import { type ProviderSettings, settingsOf } from './provider-settings.ts';
import {
  yookassaGatewayCredentials,
  yookassaNotificationSecrets,
  yookassaShopCredentials,
} from './secrets.ts';
import { setting, system } from './system.ts';

/** Returns what a check of this provider needs; undefined when it is not deployed. Only yookassa has accounts to check. */
export function checkPorts(provider: string): CheckPorts | undefined {
  const settings = provider === 'yookassa' ? settingsOf('yookassa') : undefined;
  if (!settings) return undefined;
  return {
    live: settings.live === true,
    accounts: [
      ...(settings.payments ? [shopOf(settings, settings.payments)] : []),
      ...(settings.payouts ? [gatewayOf(settings, settings.payouts)] : []),
    ],
    notify: notifyOurselves,
  };
}

type Settings = ProviderSettings<'yookassa'>;

const shopOf = ({ apiUrl, receipts }: Settings, payments: object) => ({
  role: 'payments' as const,
  at: yookassaShopAccount({
    apiUrl,
    fetch: fetchFor('yookassa'),
    credentials: () => yookassaShopCredentials({ renewed: true }),
  }),
  expected: { methods: Object.keys(payments), receipts: receipts !== undefined, alarmBelow: {} },
});

const gatewayOf = (settings: Settings, payouts: object) => ({
  role: 'payouts' as const,
  at: gatewayAccount(settings),
  expected: {
    methods: Object.keys(payouts),
    receipts: undefined,
    alarmBelow: settings.payoutBalanceAlarm ?? {},
  },
});

const gatewayAccount = ({ apiUrl }: Settings) =>
  yookassaGatewayAccount({
    apiUrl,
    fetch: fetchFor('yookassa'),
    credentials: () => yookassaGatewayCredentials({ renewed: true }),
  });

const answerWithinMs = 20_000;

/** Posts a notification about a payment that does not exist to our own address, over the public network as the provider does. */
async function notifyOurselves(): Promise<number | undefined> {
  const [secret] = await yookassaNotificationSecrets({ renewed: true });
  const object = { id: randomUUID(), status: 'waiting_for_capture' };
  try {
    const { status } = await fetch(`${setting('PUBLIC_URL')}/acquirer/yookassa/${secret}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'notification', event: 'payment.waiting_for_capture', object }),
      // A provider follows no redirect, and another host must not receive the address.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return status;
  } catch {
    return undefined;
  }
}

/** Returns the accounts whose balance the record wants watched. */
export function balancePorts(): WatchBalancesPorts {
  const settings = settingsOf('yookassa');
  const alarmBelow = settings?.payouts && settings.payoutBalanceAlarm;
  const watched = alarmBelow ? [{ provider: 'yookassa', at: gatewayAccount(settings), alarmBelow }] : [];
  return { log: system.log, alarm: system.alarm, watched };
}

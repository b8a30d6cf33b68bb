import type { CheckPorts } from '../provider-account/check-provider.ts';
import type { WatchBalancesPorts } from '../provider-account/watch-balances.ts';
import { yookassaGatewayAccount, yookassaShopAccount } from '../provider/yookassa/account.ts';
import { notifyAbout } from '../provider/yookassa/own-notification.ts';
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

/** Over the public network, as the provider does. */
async function notifyOurselves(): Promise<number | undefined> {
  const [secret] = await yookassaNotificationSecrets({ renewed: true });
  return notifyAbout(`${setting('PUBLIC_URL')}/acquirer/yookassa/${secret}`);
}

/** Returns the accounts whose balance the record wants watched. */
export function balancePorts(): WatchBalancesPorts {
  const settings = settingsOf('yookassa');
  const alarmBelow = settings?.payouts && settings.payoutBalanceAlarm;
  const watched = alarmBelow ? [{ provider: 'yookassa', at: gatewayAccount(settings), alarmBelow }] : [];
  return { log: system.log, alarm: system.alarm, watched };
}

import { isCurrentSecret } from '../provider/notification-address.ts';
import { payoutIn } from '../provider/yookassa/notification.ts';
import { settingsOf } from './provider-settings.ts';
import { yookassaNotificationSecrets } from './secrets.ts';

/**
 * The addresses of providers that do not sign their notifications. Only yookassa has one.
 */
export const notificationAddresses = {
  /** Whether this is the address of a deployed provider, with its current or its previous secret. */
  async isOpen(provider: string, secret: string): Promise<boolean> {
    if (provider !== 'yookassa' || !settingsOf('yookassa')) return false;
    return isCurrentSecret(secret, yookassaNotificationSecrets);
  },
  /** Our id of the payout that a notification names; undefined when it is about something else. */
  payoutIn,
};

import { Defect } from '../defect.ts';
import { yookassaAcquirer } from '../provider/yookassa/acquirer.ts';
import { yookassaRail } from '../provider/yookassa/rail.ts';
import { fetchFor } from './provider-calls.ts';
import { settingsOf } from './provider-settings.ts';
import { yookassaSecrets } from './secrets.ts';

/*
 * The secret is read by the first call, not here: what needs no call works without it, and a secret of another shape stops no
 * other provider.
 */

/** The acquirer: the shop's credentials. */
export function yookassaShop() {
  const { apiUrl, live, payments } = settings();
  return yookassaAcquirer({
    apiUrl,
    live: live === true,
    fetch: fetchFor('yookassa'),
    limits: payments ?? {},
    credentials: async (how) => (await yookassaSecrets(how)).shop,
  });
}

/** The rail: the payout gateway's credentials. */
export function yookassaGateway() {
  const { apiUrl, live, payouts } = settings();
  return yookassaRail({
    apiUrl,
    live: live === true,
    fetch: fetchFor('yookassa'),
    limits: payouts ?? {},
    credentials: async (how) => (await yookassaSecrets(how)).gateway,
  });
}

function settings() {
  const found = settingsOf('yookassa');
  if (!found) throw new Defect('YOOKASSA_SETTINGS_MISSING', 'The settings of yookassa are not deployed');
  return found;
}

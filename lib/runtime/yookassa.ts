import { Defect } from '../defect.ts';
import type { ReceiptTerms } from '../payment/receipt.ts';
import { yookassaAcquirer } from '../provider/yookassa/acquirer.ts';
import { yookassaRail } from '../provider/yookassa/rail.ts';
import { fetchFor } from './provider-calls.ts';
import { settingsOf } from './provider-settings.ts';
import { yookassaGatewayCredentials, yookassaShopCredentials } from './secrets.ts';

/*
 * The secret is read by the first call, not here: what needs no call works without it, and a secret of another shape stops no
 * other provider.
 */

/** The acquirer: the shop's credentials. */
export function yookassaShop() {
  const { apiUrl, live, payments, receipts } = settings();
  return yookassaAcquirer({
    apiUrl,
    live: live === true,
    fetch: fetchFor('yookassa'),
    limits: payments ?? {},
    ...(receipts && { receipts: receiptTerms(receipts) }),
    credentials: yookassaShopCredentials,
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
    credentials: yookassaGatewayCredentials,
  });
}

const receiptTerms = ({
  taxSystem,
  vatCode,
  subject,
  mode,
  sentBy,
}: NonNullable<ReturnType<typeof settings>['receipts']>): ReceiptTerms => ({
  taxSystem,
  vatCode,
  subject,
  mode,
  emailOnly: sentBy === 'email',
});

function settings() {
  const found = settingsOf('yookassa');
  if (!found) throw new Defect('YOOKASSA_SETTINGS_MISSING', 'The settings of yookassa are not deployed');
  return found;
}

import type { PaymentId } from '../ids.ts';
import { lookAtRefunds } from '../refund/look-at-refunds.ts';
import { Defect } from '../defect.ts';
import type { Sealer } from '../merchant/ports.ts';
import type { PricePorts } from '../payment/price.ts';
import type { DeliverPorts } from '../postback/deliver-postback.ts';
import { resolveByDns, resolveBySystem } from '../provider/merchant-address.ts';
import { merchantPost } from '../provider/merchant-post.ts';
import { isAcquirerDeployed, railLimits } from './provider-terms.ts';
import { acquirers, rails } from './providers.ts';
import { payoutQueue, postbackQueue, refundQueue, retryQueue } from './queues.ts';
import {
  contactOpener,
  contactSealer,
  destinationOpener,
  destinationResealer,
  destinationSealer,
  phoneOpener,
  phoneSealer,
  tokenOpener,
} from './sealing.ts';
import { activeBanks } from './sbp-banks.ts';
import { fingerprintSecret, pageSecrets } from './secrets.ts';
import { cardTestingLimits, merchantUrls } from './settings.ts';
import * as stores from './stores.ts';
import { system, timeZone } from './system.ts';

/** For functions that show the price of a bill. */
export const pricePorts = (): PricePorts => ({
  merchants: stores.merchants(),
  shops: stores.shops(),
  terms: stores.terms(),
  rates: stores.rates(),
});

/** For functions that may query the outcome of a payment. */
export const resolvePorts = async () => ({
  now: system.now,
  log: system.log,
  alarm: system.alarm,
  payments: stores.payments(),
  shops: stores.shops(),
  attempts: stores.attempts(),
  chargebacks: stores.chargebacks(),
  acquirers: await acquirers(),
  postbackQueue: postbackQueue(),
  pageSecrets,
});

/** For acquirers' notifications, which may be about a refund of a paid payment too. */
export const notificationPorts = async () => {
  const ports = await resolvePorts();
  const refundPorts = { ...ports, refunds: stores.refunds() };
  return {
    ...ports,
    unknownPayments: stores.unknownPayments(),
    lookAtRefunds: (paymentId: PaymentId) => lookAtRefunds(refundPorts, paymentId),
  };
};

/** For the check of a payment, which also sends what needs a receipt of its own. */
export const checkPorts = async () => ({
  ...(await resolvePorts()),
  payerContacts: { contacts: stores.contacts(), contactOpener: contactOpener() },
});

/** For the payment page and its form. */
export const openBillPorts = async () => ({
  ...pricePorts(),
  ...(await resolvePorts()),
  bills: stores.bills(),
  contacts: stores.contacts(),
  newId: system.newId,
});

/** For the form of the payment page: it seals what the payer gives, and opens what came with the bill. */
export const startPaymentPorts = async () => ({
  ...(await openBillPorts()),
  cardTestingLimits: cardTestingLimits(),
  contactSealer: contactSealer(),
  contactOpener: contactOpener(),
});

/** For quotes of payouts, which neither write nor seal. */
export const payoutQuotePorts = () => ({
  ...system,
  timeZone: timeZone(),
  payouts: stores.payouts(),
  rails: railLimits(),
  fingerprintSecret,
  activeBanks,
});

/** For functions that create payouts. */
export const payoutCreationPorts = () => ({
  ...payoutQuotePorts(),
  destinationSealer: destinationSealer(),
  payoutQueue: payoutQueue(),
});

/** For the merchant who cancels a payout. */
export const payoutCancelPorts = () => ({
  ...system,
  timeZone: timeZone(),
  payouts: stores.payouts(),
  merchants: stores.merchants(),
  destinationResealer: destinationResealer(),
  postbackQueue: postbackQueue(),
});

/** For functions that create refunds: they know which acquirers are deployed, without a secret of one. */
export const refundCreationPorts = () => ({
  ...system,
  timeZone: timeZone(),
  refunds: stores.refunds(),
  payments: stores.payments(),
  chargebacks: stores.chargebacks(),
  terms: stores.terms(),
  contacts: stores.contacts(),
  contactSealer: contactSealer(),
  isAcquirerDeployed,
  refundQueue: refundQueue(),
});

/** For the dispatcher of payouts. */
export const dispatchPorts = async () => ({
  ...system,
  payouts: stores.payouts(),
  payoutAccounts: stores.payoutAccounts(),
  merchants: stores.merchants(),
  rails: await rails(),
  destinationOpener: destinationOpener(),
  phoneSealer: phoneSealer(),
  fingerprintSecret,
  payoutQueue: payoutQueue(),
  postbackQueue: postbackQueue(),
});

/** For providers' notices about payouts. */
export const payoutNoticePorts = async () => ({
  now: system.now,
  alarm: system.alarm,
  payouts: stores.payouts(),
  rails: await rails(),
  payoutQueue: payoutQueue(),
});

/** For the postback worker. */
export const deliverPorts = (): DeliverPorts => ({
  now: system.now,
  chance: system.chance,
  events: stores.events(),
  endpoints: stores.endpoints(),
  merchants: stores.merchants(),
  shops: stores.shops(),
  bills: stores.bills(),
  payments: stores.payments(),
  opener: tokenOpener(),
  phoneOpener: phoneOpener(),
  contacts: stores.contacts(),
  contactOpener: contactOpener(),
  post: postToMerchants(),
  retryQueue: retryQueue(),
  notify: (notice) =>
    system.alarm(notice.kind, {
      endpoint: notice.endpointId,
      ...(notice.kind === 'endpoint_paused' ? { why: notice.why } : { postback: notice.eventId }),
    }),
});

/** For the merchant's log of postbacks. */
export const listPostbacksPorts = () => ({
  timeZone: timeZone(),
  events: stores.events(),
  payments: stores.payments(),
  payouts: stores.payouts(),
  chargebacks: stores.chargebacks(),
  refunds: stores.refunds(),
  listings: stores.listings(),
});

/** For a replay that the merchant asks for. */
export const replayPostbackPorts = () => ({
  timeZone: timeZone(),
  events: stores.events(),
  endpoints: stores.endpoints(),
  postbackQueue: postbackQueue(),
});

/** For test postbacks: out the way of the real ones. */
export const testPostbackPorts = () => ({
  timeZone: timeZone(),
  merchants: stores.merchants(),
  shops: stores.shops(),
  endpoints: stores.endpoints(),
  opener: tokenOpener(),
  post: postToMerchants(),
});

function postToMerchants() {
  const policy = merchantUrls();
  const resolve = policy === 'loopback' ? resolveBySystem : resolveByDns;
  return merchantPost({ policy, resolve, now: system.now });
}

/** An operator names no contact: a decision is recorded permanently. */
const noContactSealer: Sealer = {
  seal: () => Promise.reject(new Defect('CONTACT_NOT_SEALED_HERE', 'An operator’s refund has no contact')),
};

/** For the function that carries out operators' decisions. */
export const carryOutPorts = async () => ({
  now: system.now,
  log: system.log,
  decisions: stores.decisions(),
  proposals: stores.proposals(),
  adjustments: stores.adjustments(),
  chargebacks: stores.chargebacks(),
  claims: stores.claims(),
  unknownPayments: stores.unknownPayments(),
  unregisteredReceipts: stores.unregisteredReceipts(),
  balances: stores.balances(),
  refunds: stores.refunds(),
  contacts: stores.contacts(),
  contactSealer: noContactSealer,
  isAcquirerDeployed,
  refundQueue: refundQueue(),
  newId: system.newId,
  merchants: stores.merchants(),
  terms: stores.terms(),
  shops: stores.shops(),
  payments: stores.payments(),
  payouts: stores.payouts(),
  acquirers: await acquirers(),
  rails: await rails(),
  destinationOpener: destinationOpener(),
  phoneSealer: phoneSealer(),
  payoutQueue: payoutQueue(),
  postbackQueue: postbackQueue(),
});

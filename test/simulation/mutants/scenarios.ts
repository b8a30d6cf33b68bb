import {
  cancelledByAnother,
  cancelledInPart,
  cancelledLimits,
  cancelledToAnotherPhone,
  cancelledWhileSent,
  quotedAsReleased,
  quotedWithoutAccess,
} from './cancel-scenarios.ts';
import { unreadableSource, usedFromElsewhere } from './address-scenarios.ts';
import {
  cursorsOfOtherSearches,
  filtersWithoutMatches,
  formulasInCsv,
  othersIdsInSearches,
  pagesOfATimeline,
  pagesOfSeveralLists,
} from './list-scenarios.ts';
import { changedSeals } from './seal-scenarios.ts';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type PayoutId, toMerchantId, toShopId } from '../../../lib/ids.ts';
import type { Entry } from '../../../lib/ledger/entry.ts';
import { authenticate } from '../../../lib/merchant/authenticate.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { setTerms } from '../../../lib/merchant/set-terms.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import type { PayoutRail } from '../../../lib/payout/payout-rail.ts';
import { runAutoPayouts } from '../../../lib/payout/run-auto-payouts.ts';
import { onlyRail } from '../../support/rail.ts';
import { standingOfPrevious } from '../../../lib/payment/page-secrets.ts';
import type { PostbackEvent } from '../../../lib/postback/event.ts';
import { payoutValues } from '../../../lib/sandbox/test-values.ts';
import { entryKey, putEntry } from '../../../lib/store/entry-item.ts';
import { eventKey, putEvent } from '../../../lib/store/event-item.ts';
import { getItem } from '../../../lib/store/get-item.ts';
import { transact } from '../../../lib/store/transact.ts';
import { decide, refresh } from '../clients/operator.ts';
import {
  attemptsBeyondTheBound,
  cancelledByPayer,
  cardPageAtRest,
  copiedForm,
  copiedFormInAnotherNetwork,
  copiedFormWithoutCookies,
  outcomeByIdAlone,
  anotherBrowserOpensTheLink,
  twoAttemptsAtOnce,
  twoConcurrentVisits,
} from './payer-scenarios.ts';
import {
  askedForAgain,
  deadForWeeks,
  leftToRetries,
  probedTwice,
  putAsideLate,
  shownLate,
} from './postback-scenarios.ts';
import {
  aboveTheSum,
  accountBannedWhileSent,
  banksGone,
  cardAsOrder,
  changedDestinations,
  duplicateByRule,
  knownByRule,
  numberBannedWhileCreated,
  numberBannedWhileSent,
  phoneInPostback,
  ruleAboveCeiling,
  ruleTotalAtOnce,
  twinOfBanned,
} from './payout-scenarios.ts';
import {
  absentOnAPage,
  notifiedWithoutSecret,
  callsAnotherShop,
  capturesAfterRefusal,
  feeOfContradiction,
  outcomeWithPersonalData,
  openAddress,
  orderOfAnother,
  paidByAnotherAttempt,
  refusedBy,
  storesAnotherAccount,
  storesTestKey,
  unclear,
} from './provider-scenarios.ts';
import {
  keyUsedForRefund,
  missingByGateway,
  ofAnotherPayment,
  onTheSecondPage,
  refusedCapture,
  unsignedNotice,
} from './sandbox-scenarios.ts';
import {
  acceptedAfterItsEnd,
  attemptAfterEmptyAccount,
  busyAfterUnanswered,
  changedAfterwards,
  failedAloneWithoutTombstone,
  forgottenKey,
  notFoundNotFailed,
  refusedAfterUnanswered,
} from './rail-scenarios.ts';
import {
  absentTooEarly,
  cancelledUnwritten,
  capturedMore,
  lateQueryUnasked,
  lostPayment,
  paidAfterClosing,
  nextKeyAfterNoAnswer,
  notQueriedLate,
  refundEndedWhileSent,
  refundedAfterTheKey,
  refundedTwice,
  refusedAfterNoAnswer,
  secondReference,
  startedAfterTheKey,
  takenOverUnended,
} from './order-scenarios.ts';
import {
  feeBeyondCapture,
  feeOfRefunded,
  feeWhileRefunding,
  refundedUnseen,
  slowCheckAfterFee,
  slowCheckAfterSettled,
} from './fee-scenarios.ts';
import { capturedMoreLater, capturedWithinTheWeek, refundRejected } from './manner-scenarios.ts';
import { callsAfterBusy, callsBeyondRate } from './limiter-scenarios.ts';
import { repeatedBelow } from './store-scenarios.ts';
import { meanwhile, payOut, request, thirdMerchant } from './scenario-steps.ts';
import { otherMethodInToken, otherWayAfterFence, otherWayOfStranger } from './method-scenarios.ts';
import {
  chargeBeyondLimits,
  orderRepeatedAfterHosts,
  orderRepeatedWithItems,
  payersElsewhere,
  redirectToFormerHost,
  declinedWhileDisplaced,
  fencedAfterTakeover,
  takenOverAfterFence,
} from './bill-scenarios.ts';
import {
  collectedWhileWrittenOff,
  confirmedAlone,
  dismissedWhileConfirmed,
  enteredBesideRefund,
  enteredBeyond,
  enteredTwice,
  noticeOfOwnRefund,
  noticesAtOnce,
  refundedBeforeSettled,
  visitedAfterRefund,
  spentWhileConfirmed,
  writtenOffAlone,
} from './chargeback-scenarios.ts';
import {
  capturedByLie,
  carriedOutLate,
  failedBeforeItArrives,
  lieAboutPaid,
  lies,
  returnedAlone,
} from './people-scenarios.ts';
import {
  neverReleased,
  releasedBeyond,
  releasedEarly,
  releasedTwice,
  reservedBelowZero,
  reserveSpent,
} from './reserve-scenarios.ts';
import {
  calledAfterItsEnd,
  failedBesideACall,
  failedByAbsence,
  failedByALaterRefusal,
  cardInReason,
  decidedOnce,
  emptyForDays,
  refundedBesideChargeback,
  refundedBeyondContact,
  refundedBeyondBalance,
  refundedBeyondReceived,
  refundedByBanned,
  refundedForAnother,
  refundedTwiceAtOnce,
  refundedWhatALetterTook,
  refundedTwiceUnderOneKey,
  refundedUnderNewTerms,
} from './refund-scenarios.ts';
import {
  chargebackWithoutUrl,
  refundToldFirst,
  refundUrlPaused,
  surplusPosted,
} from './refund-postback-scenarios.ts';
import {
  answersAsAsked,
  askedAndNotAnswered,
  contactAfterPayment,
  payerInAnswer,
  payerInPostback,
  contactInTheClear,
  contactOfAnotherBill,
  expiredContact,
} from './contact-scenarios.ts';
import {
  changedDays,
  eachDifference,
  firstMovement,
  overMidnight,
  partOfAStatement,
  postbackNeverWritten,
  refundsOfADay,
} from './reconciliation-scenarios.ts';
import { failedReceipt, receiptOfAPart, startedWithoutContact } from './receipt-scenarios.ts';
import type { Ports } from '../harness/ports.ts';
import { keysOf } from '../harness/keys.ts';
import { stable } from '../harness/stable.ts';
import type { Tables } from '../harness/tables.ts';
import type { KnownMerchant } from '../harness/population.ts';
import { World } from '../harness/world.ts';
import { checkMoment } from '../invariants/at-any-moment.ts';

type Play = (world: World) => Promise<void>;

/** A few calls in a fixed order, for guards that random runs reach too rarely. */
const plays = {
  'a journal entry is not overwritten': (world) => isNotOverwritten(world, anEntry(1n), anEntry(2n)),
  'a postback event is not overwritten': (world) => isNotOverwritten(world, anEvent('1.00'), anEvent('2.00')),
  'a transaction that the SDK retried is recognised as applied': repeatedBelow,
  'no order is started under an expired key': startedAfterTheKey,
  'an order that the list may still get is not absent': absentTooEarly,
  'a refusal does not say what an unanswered call did': refusedAfterNoAnswer,
  'the next key waits for the answers under the last': nextKeyAfterNoAnswer,
  'a second reference is not believed': secondReference,
  'an order that the table does not have is kept': lostPayment,
  'a closed order whose money arrives is listed again': paidAfterClosing,
  'a payment is VOIDING before its order is cancelled': cancelledUnwritten,
  'a bill is not taken over while its payer can still be charged': takenOverUnended,
  'a partial authorisation is captured as it is': capturedMore,
  'people do not end a refund that is still sent': refundEndedWhileSent,
  'no refund is sent under an expired key': refundedAfterTheKey,
  'a refund that is under way is not sent again': refundedTwice,
  'a failure that is not final is queried after a day': notQueriedLate,
  'a late query waits for its acquirer': lateQueryUnasked,
  'each difference of a day is found and no other': eachDifference,
  'of the refunds of a day each difference is found and no other': refundsOfADay,
  'a day that was changed after its reconciliation is found by the audit': changedDays,
  'what is done to a sealed journal is found': changedSeals,
  'what is captured before midnight and booked after it agrees': overMidnight,
  'a postback that was never written is missing': postbackNeverWritten,
  'a statement that failed in part does not agree': partOfAStatement,
  'the journal of a day has the first movement of a merchant': firstMovement,
  'a busy provider is called by no function': callsAfterBusy,
  'a provider is called no more often than its record allows': callsBeyondRate,
  'a bill whose charge no provider takes is not created': chargeBeyondLimits,
  'an open order that is repeated with items keeps its link': orderRepeatedWithItems,
  'an open order that is repeated after the hosts of its shop changed keeps its link':
    orderRepeatedAfterHosts,
  'a bill does not send payers to another host': payersElsewhere,
  'a displaced payment is not captured': fencedAfterTakeover,
  'a bill is not taken over during its capture': takenOverAfterFence,
  'another way to pay does not displace a capture': otherWayAfterFence,
  'another way to pay of another browser displaces nothing': otherWayOfStranger,
  'the method of a form is signed': otherMethodInToken,
  'a displaced payment does not release its bill when it fails': declinedWhileDisplaced,
  'two concurrent payments from one network keep its limit': twoAttemptsAtOnce,
  'the item of a network has a maximum size': attemptsBeyondTheBound,
  'a payment that the payer cancelled does not count as a failure': cancelledByPayer,
  'another browser is not redirected to a payment in progress': anotherBrowserOpensTheLink,
  'a copied form is not redirected': copiedForm,
  'a copied form without cookies is not redirected later': copiedFormWithoutCookies,
  'a copied form without cookies is not redirected in another network': copiedFormInAnotherNetwork,
  'a payment id alone does not open its outcome': outcomeByIdAlone,
  'the URL of a card page is stored encrypted and deleted afterwards': cardPageAtRest,
  'two concurrent visits query the acquirer once': twoConcurrentVisits,
  // Each of the two fits within the day's 9 000.00.
  'two concurrent payouts keep the daily limit': (world) => twoAtOnce(world, '5000', '5001'),
  async 'two concurrent payouts keep the monthly limit'(world) {
    // 8 000.00 of the month's 15 000.00 are used on an earlier day; each of the two fits within the rest, both within their day.
    await payOut(world, thirdMerchant(world), '8000');
    world.scheduler.clock += 24 * 3600_000;
    await twoAtOnce(world, '4000', '4001');
  },
  'a payout that the rail does not know is cancelled there': cancelledPayout,
  async 'a payout in flight to the rail is not declined'(world) {
    const payoutId = await payOut(world, thirdMerchant(world), '100');
    const dispatch = (ports: Ports) => dispatchPayout(ports, payoutId);
    await meanwhile(world, /rail open/, dispatch, () => declineAsShown(world, payoutId));
  },
  'a payout that was sent twice is not declined': declinedAfterTwoCalls,
  'a payout sent to one rail is not sent to another': otherRail,
  'a key that the rail may have forgotten is not sent': forgottenKey,
  'a busy rail does not renew the life of a key': busyAfterUnanswered,
  'an attempt that is accepted after its end is not followed by another': acceptedAfterItsEnd,
  'a payout that its rail does not find is in ERROR with its evidence': notFoundNotFailed,
  'one person alone cannot fail a payout that its rail does not find': failedAloneWithoutTombstone,
  'a refusal after an unanswered call does not begin another attempt': refusedAfterUnanswered,
  'an attempt that found our account empty is followed by another': attemptAfterEmptyAccount,
  'a transfer that changes after its end raises an alarm': changedAfterwards,
  async 'an automatic payout is created once for its hour'(world) {
    const { id: merchantId } = thirdMerchant(world);
    // Otherwise the limits that the first run uses up would stop the second.
    const changes = { dayLimitMinor: 100_000_000n, monthLimitMinor: 100_000_000n };
    await world.pump(
      world.invoke('set terms', (ports) => setTerms(ports, { merchantId, currency: 'RUB', changes })),
    );
    world.scheduler.clock += 3 * 3600_000;
    await meanwhile(world, /put standing order/, runAutoPayouts, async () => {
      // Whichever merchant was paid first can be paid a second time.
      for (const { id } of world.population.merchants) await world.population.fund(id, 300_000n);
      await world.pump(world.invoke('run automatic payouts', (ports) => runAutoPayouts(ports)));
    });
  },
  'a merchant banned during the request creates no payout': bannedMeanwhile,
  'a payout of a merchant banned during its approval is not approved': approvedWhileBanned,
  'a payout of a merchant banned during its dispatch is not sent': sentWhileBanned,
  'a payout of a banned merchant is not sent again': resentWhileBanned,
  'a postback paused while its endpoint is resumed is sent': putAsideLate,
  'a merchant repeats its own postbacks alone and ten a minute': askedForAgain,
  'a postback that the index lists late is sent when its endpoint is resumed': shownLate,
  'a receiver that is down for weeks loses no postback': deadForWeeks,
  'a receiver with an open circuit breaker is probed once in five seconds': probedTwice,
  'a slow receiver is handed to the retry workers': leftToRetries,
  'no payout is created to a number banned during the request': numberBannedWhileCreated,
  'a payout to a number banned during its dispatch is not sent': numberBannedWhileSent,
  'a payout to a stored account banned during its dispatch is not sent': accountBannedWhileSent,
  'a payout whose encrypted destination was replaced is not sent': changedDestinations,
  'two concurrent payouts keep the daily total of a rule': ruleTotalAtOnce,
  'no rule releases a payout above its ceiling': ruleAboveCeiling,
  'a payout that a rule released does not make its account known': knownByRule,
  'no rule releases a possible duplicate': duplicateByRule,
  'neither a rule nor one person releases the parts of an order above the two-person amount': aboveTheSum,
  'an account with the number of a banned account is not paid': twinOfBanned,
  'the card number of a payout is not stored as its order_id': cardAsOrder,
  'the phone of a payout postback is stored sealed': phoneInPostback,
  'a payout that may be sent is not cancelled': cancelledWhileSent,
  'an order is cancelled whole or not at all': cancelledInPart,
  'a cancelled order restores its limits': cancelledLimits,
  'a payout is not cancelled by another merchant': cancelledByAnother,
  'the phone of a cancelled payout fits its mask': cancelledToAnotherPhone,
  'a quote says that a person must approve': quotedAsReleased,
  'a quote without access is refused': quotedWithoutAccess,
  'a bank that left is not paid to and a list without most banks is not believed': banksGone,
  'one person alone cannot confirm a chargeback': confirmedAlone,
  'one person alone cannot write off a claim': writtenOffAlone,
  'a chargeback is not dismissed while it is confirmed': dismissedWhileConfirmed,
  'a chargeback of a merchant who spends meanwhile leaves no balance below zero': spentWhileConfirmed,
  'a claim that is collected while it is written off is closed once': collectedWhileWrittenOff,
  'one letter is not entered twice': enteredTwice,
  'no more is charged back than was received': enteredBeyond,
  'refunds and chargebacks together never pass what was received': enteredBesideRefund,
  'our own refund is not taken for a chargeback': noticeOfOwnRefund,
  'no older view of the acquirer is recorded after a newer one': noticesAtOnce,
  'a part that went back before the settlement is an item': refundedBeforeSettled,
  'a visit does not settle a payment of which a part went back': visitedAfterRefund,
  'the contact of a payer is not stored in the clear': contactInTheClear,
  'the contact of one bill does not open for another': contactOfAnotherBill,
  'an expired contact is absent': expiredContact,
  'a shop that did not ask is not told the payer': payerInPostback,
  'an answer that echoes the payer is stored without the payer': payerInAnswer,
  'the contact of a paid bill is erased 90 days after the payment': contactAfterPayment,
  'a payer who was asked and did not answer starts no payment': askedAndNotAnswered,
  'the answers of a payer are stored as they were asked for': answersAsAsked,
  'a payer is not sent to a host that the shop has lost': redirectToFormerHost,
  'a payment with receipts does not start without a contact': startedWithoutContact,
  'the receipt of a part adds up to the part': receiptOfAPart,
  'a receipt whose registration failed waits for a person': failedReceipt,
  'two refunds at once stay within what was received': refundedTwiceAtOnce,
  'a refund and a chargeback at once stay within what was received': refundedBesideChargeback,
  'what a letter took is not refunded as well': refundedWhatALetterTook,
  'no more is refunded than was received': refundedBeyondReceived,
  'no more is refunded than is available': refundedBeyondBalance,
  'a refund returns its own part of the fee alone': refundedUnderNewTerms,
  'one Idempotency-Key makes one refund': refundedTwiceUnderOneKey,
  'a banned merchant refunds nothing': refundedByBanned,
  'a merchant refunds only own payments': refundedForAnother,
  'a refund does not fail beside a call': failedBesideACall,
  'a refund does not fail by a later refusal': failedByALaterRefusal,
  'a refund that is not visible yet is not absent': failedByAbsence,
  'a refund is not sent after its end': calledAfterItsEnd,
  'a refund waits three days for money': emptyForDays,
  'one decision of an operator makes one refund': decidedOnce,
  'the contact of a refund is stored until its last call': refundedBeyondContact,
  'the reason of a refund is stored without card numbers': cardInReason,
  'a refund is told after its payment': refundToldFirst,
  'a paused refund URL is not called and delays no payment': refundUrlPaused,
  'a chargeback is posted to a refund URL alone': chargebackWithoutUrl,
  'a surplus is not posted as a chargeback': surplusPosted,
  'a reserve is not released before its time': releasedEarly,
  'a reserve is released once by two workers': releasedTwice,
  'a reserve is released when its days are over': neverReleased,
  'a payout spends nothing of a reserve': reserveSpent,
  'no more is released than the balance reserves': releasedBeyond,
  'terms that somebody wrote by hand credit no more than was received': reservedBelowZero,
  'two people cannot fail a payout that the rail has paid': (world) =>
    aboutAPayout(world, lieAboutPaid(lies.contradicted)),
  'one person alone cannot fail a payout': (world) => aboutAPayout(world, lieAboutPaid(lies.alone)),
  'two spellings of a name are one person': (world) => aboutAPayout(world, lieAboutPaid(lies.inTwoSpellings)),
  'two operators are not two people': (world) => aboutAPayout(world, lieAboutPaid(lies.byTwoOperators)),
  'a payout in flight is not failed by an operator who cannot see it at the rail': (world) =>
    aboutAPayout(world, failedBeforeItArrives),
  'one person alone cannot record a returned payout': (world) => aboutAPayout(world, returnedAlone),
  'an expired decision is not carried out': (world) => aboutAPayout(world, carriedOutLate),
  'two people cannot capture a payment that the acquirer declined': capturedByLie(true, lies.contradicted),
  'one person alone cannot capture a payment': capturedByLie(false, lies.alone),
  'a token tied to addresses is refused from elsewhere': usedFromElsewhere,
  'a token tied to addresses is refused from what is no address': unreadableSource,
  'a list in CSV has no formula': formulasInCsv,
  'a search by the id of another merchant finds nothing': othersIdsInSearches,
  'a cursor serves its own search alone': cursorsOfOtherSearches,
  'a search that finds nothing ends': filtersWithoutMatches,
  'the pages of several lists show each item once': pagesOfSeveralLists,
  'the pages of a timeline show each line once': pagesOfATimeline,
  async 'a replaced token is not accepted'(world) {
    const merchant = thirdMerchant(world);
    const before = merchant.token;
    await world.pump(refresh(world, merchant));
    const ran = await world.pump(
      world.invoke('use a token', (ports) => authenticate(ports, `Bearer ${before}`)),
    );
    if (ran.kind === 'done' && ran.done) world.violate('token', 'a replaced token is still accepted');
  },
  async 'a replaced page secret is accepted for two hours and no longer'(world) {
    const since = new Date(world.scheduler.clock);
    const after = (minutes: number) => new Date(world.scheduler.clock + minutes * 60_000);
    if (standingOfPrevious(since, after(121)) !== 'over')
      world.violate('page secret', 'a replaced page secret is still accepted');
  },
  async 'a new page secret signs only after every function has loaded it'(world) {
    const since = new Date(world.scheduler.clock);
    const fiveMinutesLater = new Date(world.scheduler.clock + 5 * 60_000);
    if (standingOfPrevious(since, fiveMinutesLater) !== 'signs')
      world.violate('page secret', 'pages are signed with a secret that other functions have not loaded yet');
  },
  'a 500 of a provider is no refusal': refusedBy(unclear.internalError),
  'a 408 of a provider is no refusal': refusedBy(unclear.undocumented),
  'a 4xx of a gateway before a provider is no refusal': refusedBy(unclear.gateway),
  'a used key is no refusal': refusedBy(unclear.usedKey),
  'a payment is not asked for at another shop': callsAnotherShop,
  'a list with an unread page does not say that a payment is absent': absentOnAPage,
  'a payout of which any attempt was paid is paid': paidByAnotherAttempt,
  'the order of another payment is not believed': orderOfAnother,
  'a refused capture is not carried out': capturesAfterRefusal,
  'an income that contradicts the amount is no fee': feeOfContradiction,
  'a refusal is stored without the personal data that it repeats': outcomeWithPersonalData,
  'a notification address is not open': openAddress,
  'the keys of another account are not stored': storesAnotherAccount,
  'a test key is not stored for real money': storesTestKey,
  'a notification without the secret of its address is not read': notifiedWithoutSecret,
  'an order on the second page of the sandbox is not absent': onTheSecondPage,
  'a used key of the sandbox does not reject a refund': keyUsedForRefund,
  'a capture that the sandbox refuses is not carried out': refusedCapture,
  'the order of another payment at the sandbox is not believed': ofAnotherPayment,
  'a 404 of a gateway before the sandbox says nothing of an order': missingByGateway,
  'an unsigned notification of the sandbox is none': unsignedNotice,
  'a slow check does not undo the fee that another was told': slowCheckAfterFee,
  'a fee above the capture is not posted': feeBeyondCapture,
  'a fee that is told again with the refund is not posted again': feeOfRefunded,
  'a fee that is told during the refund is waited for no longer': feeWhileRefunding,
  'a late worker does not move the check after the capture': slowCheckAfterSettled,
  'a capture that was refunded before it was seen has cost its fee': refundedUnseen,
  'a refund that was rejected is left to people': refundRejected,
  'an acquirer that holds more than was received is noticed': capturedMoreLater,
  'money that comes unnoticed a day after the failure goes back within the week': capturedWithinTheWeek,
} as const satisfies Readonly<Record<string, Play>>;

const aboutAPayout = async (
  world: World,
  happens: (world: World, payoutId: PayoutId) => Promise<void>,
): Promise<void> => happens(world, await payOut(world, thirdMerchant(world), '100'));

export type Scenario = keyof typeof plays;
export const scenarios: readonly Scenario[] = keysOf(plays);

/** Plays a scenario on its own tables, without random faults. */
export async function play(tables: Tables, scenario: Scenario): Promise<World> {
  const name = scenario.replaceAll(' ', '-');
  const [table, sandboxTable, secondTable] = await Promise.all([
    tables.make(`service-${name}`),
    tables.make(`sandbox-${name}`),
    tables.make(`second-${name}`),
  ]);
  const world = new World({ seed: 1, focus: 'mixed' }, { table, sandboxTable, secondTable });
  world.calmDown();
  await world.population.settle();
  for (const { id } of world.population.merchants) await world.population.fund(id, 2_000_000n);
  await plays[scenario](world);
  await checkMoment(world);
  return world;
}

const anEntry = (minor: bigint): Entry => ({
  about: 'somebody',
  kind: 'ADJUST',
  merchantId: toMerchantId('SomebodySomebody'),
  lines: [
    { account: 'fees', currency: 'RUB', minor },
    { account: 'correction', currency: 'RUB', minor: -minor },
  ],
  at: new Date('2026-11-21T12:00:00Z'),
  adjustment: undefined,
});

const anEvent = (sum: string): PostbackEvent => ({
  id: 'pay.somebody.SUCCESS',
  kind: 'payment',
  merchantId: toMerchantId('SomebodySomebody'),
  shopId: toShopId('SomebodySomebody'),
  supersededByBill: undefined,
  sealedPhone: undefined,
  sentAfter: undefined,
  extended: undefined,
  status: 'SUCCESS',
  fields: { OutSum: sum },
  state: 'SUPERSEDED',
  attempts: [],
  tries: 0,
  createdAt: new Date('2026-11-21T12:00:00Z'),
  nextAt: new Date('2026-11-21T12:00:00Z'),
});

/** Writes two versions of an item; the first must remain. */
async function isNotOverwritten<T extends Entry | PostbackEvent>(
  world: World,
  first: T,
  second: T,
): Promise<void> {
  const { table } = world;
  const put = (it: T) => ('lines' in it ? putEntry(table, it) : putEvent(table, it));
  const key = 'lines' in first ? entryKey(first) : eventKey(first.id);
  const read = () => getItem(table, key, (raw) => stable(raw));
  await transact(table, [put(first)]);
  const before = await read();
  await transact(table, [put(second)]).catch(() => undefined);
  if ((await read()) !== before) world.violate('overwritten', `${key.PK} was overwritten`);
  // The item refers to no merchant, which the audit would report.
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
}

/** The first request reads the limit before the second uses its share. */
async function twoAtOnce(world: World, first: string, second: string): Promise<void> {
  const merchant = thirdMerchant(world);
  // An earlier payout of the day makes both add to an existing counter.
  await payOut(world, merchant, '10');
  await meanwhile(
    world,
    /transact .*RESERVE/,
    (ports) => request(ports, merchant, first),
    () => payOut(world, merchant, second),
  );
}

/** A request to the rail arrives a day late, after the payout has failed. */
async function cancelledPayout(world: World): Promise<void> {
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  await meanwhile(
    world,
    /rail open/,
    (ports) => dispatchPayout(ports, payoutId),
    async () => {
      world.scheduler.clock += 25 * 3600_000;
      await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, payoutId)));
    },
  );
}

/** The first call is still in flight when the second answers that the provider accepted nothing. */
async function declinedAfterTwoCalls(world: World): Promise<void> {
  const emptyAccount = payoutValues.find(
    ({ use, outcome }) => use === 'payout card' && outcome === 'empty_account',
  );
  const payoutId = await payOut(world, thirdMerchant(world), '100', emptyAccount?.value);
  const dispatch = (ports: Ports) => dispatchPayout(ports, payoutId);
  await meanwhile(world, /rail open/, dispatch, async () => {
    world.scheduler.clock += 60_000;
    await world.pump(world.invoke('dispatch payout', dispatch));
    await declineAsShown(world, payoutId);
  });
}

async function declineAsShown(world: World, payoutId: PayoutId): Promise<void> {
  const shown = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  if (shown.kind === 'done' && shown.done) await world.pump(decide(world, shown.done, false));
}

/** The rail's answer is in flight when another rail is deployed and the payout is due. */
async function otherRail(world: World): Promise<void> {
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  const called = async (): Promise<never> => {
    world.violate('rail', `${payoutId} was sent to one rail, and another rail was called for it`);
    throw new Error('no answer');
  };
  const another: PayoutRail = {
    name: 'another',
    tombstones: true,
    limits: () => undefined,
    send: called,
    get: called,
    cancel: called,
    banks: undefined,
    statement: called,
  };
  await meanwhile(
    world,
    /transact payout→SUCCESS/,
    (ports) => dispatchPayout(ports, payoutId),
    async () => {
      world.scheduler.clock += 60_000;
      await world.pump(
        world.invoke('dispatch payout', (ports) =>
          dispatchPayout({ ...ports, rails: onlyRail(another) }, payoutId),
        ),
      );
    },
  );
}

const ban = (world: World, { id: merchantId }: KnownMerchant) =>
  world.pump(world.invoke('ban', (ports) => setMerchant(ports, { merchantId, flags: { banned: true } })));

async function approvedWhileBanned(world: World): Promise<void> {
  const merchant = world.population.merchants[0];
  if (!merchant) throw new Error('The population has merchants');
  const payoutId = await payOut(world, merchant, '1000');
  await meanwhile(
    world,
    /transact payout→PROCESS.QUEUED/,
    (ports) => approvePayout(ports, { payoutId, revision: 1, by: 'olga' }),
    () => ban(world, merchant),
  );
}

async function sentWhileBanned(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const payoutId = await payOut(world, merchant, '100');
  await meanwhile(
    world,
    /transact payout→PROCESS.SENT/,
    (ports) => dispatchPayout(ports, payoutId),
    () => ban(world, merchant),
  );
}

/** The first call is still in flight when the merchant is banned and the payout is dispatched again. */
async function resentWhileBanned(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const payoutId = await payOut(world, merchant, '100');
  const dispatch = (ports: Ports) => dispatchPayout(ports, payoutId);
  await meanwhile(world, /rail open/, dispatch, async () => {
    await ban(world, merchant);
    world.scheduler.clock += 60_000;
    await world.pump(world.invoke('dispatch payout', dispatch));
  });
  const shown = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  const status = shown.kind === 'done' ? shown.done?.status : undefined;
  if (status !== 'FAIL') world.violate('banned', `${payoutId} of a banned merchant is ${status ?? 'lost'}`);
}

async function bannedMeanwhile(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  await meanwhile(
    world,
    /transact .*RESERVE/,
    (ports) => request(ports, merchant, '100'),
    () => ban(world, merchant),
  );
}

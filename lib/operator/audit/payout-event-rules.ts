import { type Entry, entryId } from '../../ledger/entry.ts';
import { isBefore } from '../../ledger/recomputation.ts';
import { maskOf, shownMask } from '../../payout/destination.ts';
import { isFinalPayout } from '../../payout/payout.ts';
import { payoutEvent } from '../../payout/payout-postback.ts';
import { payoutEventId, type PostbackEvent, subjectOf } from '../../postback/event.ts';
import { differingNames } from './differing-names.ts';
import { rule } from './rule.ts';

/** How long an event is retained at least: from its delivery on (lib/store/README.md). */
const retentionMs = 90 * 24 * 3600_000;

/** Each final payout since its merchant has had a webhook URL has its event, and each event tells what its payout says. */
export const payoutEventRules = [
  rule({
    invariant: 'events_match_states',
    of: 'payout',
    needs: ({ payout }) =>
      isFinalPayout(payout)
        ? [
            { kind: 'merchant', id: payout.merchantId },
            { kind: 'event', id: payoutEventId(payout.id, payout.status) },
          ]
        : [],
    broken({ payout }, found, now) {
      if (!isFinalPayout(payout)) return [];
      const merchant = found.one('merchant', payout.merchantId)?.merchant;
      if (merchant?.payoutWebhookUrl === undefined || !merchant.payoutWebhookSince) return [];
      const isOwed =
        isBefore(merchant.payoutWebhookSince, payout.createdAt) &&
        payout.createdAt.getTime() > now.getTime() - retentionMs;
      const id = payoutEventId(payout.id, payout.status);
      return isOwed && !found.one('event', id) ? [`postback ${id} is missing`] : [];
    },
  }),
  rule({
    invariant: 'events_match_states',
    of: 'event',
    needs: ({ event }) =>
      event.kind === 'payout'
        ? [
            { kind: 'payout', id: subjectOf(event) },
            { kind: 'entry', id: closingId(event) },
          ]
        : [],
    broken({ event }, found) {
      if (event.kind !== 'payout') return [];
      const payout = found.one('payout', subjectOf(event))?.payout;
      if (!payout || !isFinalPayout(payout) || payout.status !== event.status)
        return [`postback ${event.id} reports a state that its payout is not in`];
      const again = payoutEvent(payout, event.sealedPhone, event.createdAt);
      const wrong = [...differencesOf(event, again, found.one('entry', closingId(event))?.entry)];
      return wrong.length === 0
        ? []
        : [`postback ${event.id} differs from its payout in ${wrong.join(', ')}`];
    },
  }),
];

/** The id of the entry that was posted with the event. */
const closingId = (event: PostbackEvent): string =>
  entryId({
    about: subjectOf(event),
    kind: event.status === 'SUCCESS' ? 'SETTLE' : 'RELEASE',
    adjustment: undefined,
  });

/** Returns the names of what differs, not the values: an event of an earlier version has the phone in its fields. */
function* differencesOf(event: PostbackEvent, again: PostbackEvent, entry: Entry | undefined) {
  const { state, attempts, tries, nextAt, fields } = event;
  yield* differingNames(event, { ...again, state, attempts, tries, nextAt, fields });
  if (entry && entry.at.getTime() !== event.createdAt.getTime()) yield 'createdAt';
  const shown = fields['AccountNumber'] ?? '';
  const expected = isOf(event, again, shown) ? { ...again.fields, AccountNumber: shown } : again.fields;
  yield* differingNames(fields, expected);
  if (event.sealedPhone !== undefined && again.fields['AccountType'] !== phoneAccounts) yield 'sealedPhone';
}

/** The contract's name of phone-number accounts. */
const phoneAccounts = 'QIWI';

/** Whether an earlier version showed this number of the payout's account: a phone in full, or one masked otherwise. */
function isOf({ sealedPhone }: PostbackEvent, { fields }: PostbackEvent, shown: string): boolean {
  if (sealedPhone !== undefined || fields['AccountType'] !== phoneAccounts) return false;
  const masks = [shownMask(shown), maskOf({ type: 'sbp', phone: shown, bankId: undefined })];
  return masks.includes(fields['AccountNumber'] ?? '');
}

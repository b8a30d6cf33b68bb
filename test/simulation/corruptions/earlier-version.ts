import type { Item } from './items.ts';

/** The attributes that came after the first version, by the key of an item. A reserve and a fee are left: they are no older than this. */
const newer: readonly (readonly [key: RegExp, attributes: readonly string[]])[] = [
  [/^B#\S+ B$/, ['hasContact', 'items']],
  [
    /^B#\S+ P#/,
    [
      'acquirer',
      'method',
      'holds',
      'payableUntil',
      'reference',
      'startCall',
      'captureCall',
      'cancelCall',
      'declineReason',
      'browserHash',
      'askedAt',
      'payerHash',
      'contactUntil',
      'accountBank',
    ],
  ],
  [
    /^G#\S+ PO#/,
    ['numberHash', 'attempt', 'firstCallAt', 'lastCallAt', 'rail', 'accepted', 'reference', 'railCalls'],
  ],
  // Postbacks of refunds and chargebacks came with these attributes.
  [/^E#(?:pay|po)\./, ['sealedPhone', 'sentAfter', 'extended']],
  [/^S#/, ['resultUrlSince', 'refundUrl', 'refundUrlSince', 'extendedPostbacks']],
  [/^M#\S+ M$/, ['payoutWebhookSince']],
  [/^M#\S+ PA#/, ['numberHash']],
];

/** The keys of the index LIST, which came later than the others. */
const listKeys = ['list', 'listAt'];

/** Items that earlier versions did not write. */
const added = /^(OL#|M#\S+ PN#|CONTACT#|EP#)/;

const isOpen = ({ status }: Item): boolean =>
  ['PROCESS', 'NEW', 'MODERATING', 'ERROR'].includes(String(status));

/** Returns the item as the first version would have written it; undefined: it did not write such an item. */
export function asEarlierVersion(item: Item): Item | undefined {
  const key = `${item.PK} ${item.SK}`;
  if (added.test(key)) return undefined;
  const removed = isOpen(item)
    ? listKeys
    : [...listKeys, ...newer.filter(([is]) => is.test(key)).flatMap(([, names]) => names)];
  // A refund names the acquirer of its payment, and came later than that name.
  const left = removed.filter((name) => name !== 'acquirer' || item['refunds'] === undefined);
  const kept = Object.fromEntries(Object.entries(item).filter(([name]) => !left.includes(name)));
  const { sealedPhone, fields } = item;
  // The phone was stored in the clear, in its field.
  const inClear =
    sealedPhone !== undefined && Array.isArray(fields)
      ? {
          fields: fields.map(([name, value]) => [name, name === 'AccountNumber' ? '79000000001' : value]),
        }
      : {};
  return { ...kept, ...inClear, PK: item.PK, SK: item.SK };
}

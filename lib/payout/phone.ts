/**
 * Reads a Russian mobile number in its usual spellings, `+7 (912) 345-67-89`, `8 912 345 67 89`, `9123456789`, into
 * `79` and nine digits; undefined when it is none. The Faster Payments System knows people by no other numbers.
 */
export function parsePhone(text: string): string | undefined {
  const compact = text.replace(/[\s().\u2010-\u2015-]/g, '');
  const [, mobile] = /^(?:\+?7|8)?(9\d{9})$/.exec(compact) ?? [];
  return mobile === undefined ? undefined : `7${mobile}`;
}

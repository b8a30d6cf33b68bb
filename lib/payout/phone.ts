/**
 * Normalizes a Russian mobile number in its usual notations, `+7 (912) 345-67-89`, `8 912 345 67 89`, `9123456789`, to
 * `79` and nine digits; undefined for other text. The Faster Payments System identifies people by mobile numbers only.
 */
export function parsePhone(text: string): string | undefined {
  const compact = text.replace(/[\s().\u2010-\u2015-]/g, '');
  const [, mobile] = /^(?:\+?7|8)?(9\d{9})$/.exec(compact) ?? [];
  return mobile === undefined ? undefined : `7${mobile}`;
}

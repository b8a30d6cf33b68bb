/**
 * Reads a Russian phone number in its usual spellings, `+7 (912) 345-67-89`, `8 912 345 67 89`, `9123456789`,
 * into `7` and the ten digits of the number; undefined when it is none.
 */
export function parsePhone(text: string): string | undefined {
  const compact = text.replace(/[\s().\u2010-\u2015-]/g, '');
  const [, ofCountry] = /^(?:\+?7|8)(\d{10})$/.exec(compact) ?? [];
  const [, ofMobile] = /^(9\d{9})$/.exec(compact) ?? [];
  const rest = ofCountry ?? ofMobile;
  return rest === undefined ? undefined : `7${rest}`;
}

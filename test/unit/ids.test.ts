import { describe, expect, it } from 'vitest';
import type { Bills } from '../../lib/bill/ports.ts';
import { isBillId, readBillId, toBillId } from '../../lib/ids.ts';

const nouns = [{ noun: 'bill', is: isBillId, read: readBillId, to: toBillId, fits: 'aB3dE6gH9jK2mN5p' }];

describe.each(nouns)('the id of a $noun', ({ is, read, to, fits }) => {
  it('is read from text of its shape', () => {
    expect([is(fits), read(fits), to(fits)]).toEqual([true, fits, fits]);
  });

  it.each(['', `${fits}x`, fits.slice(1), `${fits}\n`, fits.replace('a', 'ä'), fits.replace('a', '-')])(
    'is not read from %j',
    (text) => {
      expect([is(text), read(text)]).toEqual([false, undefined]);
      expect(() => to(text)).toThrow(TypeError);
    },
  );

  it('is not read from nothing', () => expect(read(undefined)).toBeUndefined());

  it('leaves the text out of its error: that may be a secret', () => {
    expect(() => to('pl_live_secret')).toThrow(/^Not the shape of a \w+ id$/);
  });
});

/** Checked by the compiler alone: each line below an expectation must not compile. */
export const mixUps = (bills: Bills, text: string) => [
  // @ts-expect-error -- text from outside has to be read first
  bills.find(text),
  // @ts-expect-error -- and what was read may not be one
  bills.find(readBillId(text)),
];

import { describe, expect, it } from 'vitest';
import { cachedOpener } from '../../lib/merchant/cached-opener.ts';

function anOpener() {
  const clock = { now: new Date(0) };
  const opened: string[] = [];
  const trouble = { now: false };
  const opener = cachedOpener(
    {
      async open(sealed, context) {
        opened.push(sealed);
        if (trouble.now) throw new Error('the key is unavailable');
        return `${sealed} for ${context.merchant}`;
      },
    },
    () => clock.now,
  );
  return { clock, opened, opener, trouble };
}

describe('an opened secret', () => {
  it('is cached for five minutes', async () => {
    const { clock, opened, opener } = anOpener();
    await Promise.all([opener.open('a', { merchant: '1' }), opener.open('a', { merchant: '1' })]);
    clock.now = new Date(299_999);
    expect(await opener.open('a', { merchant: '1' })).toBe('a for 1');
    expect(opened).toEqual(['a']);
    clock.now = new Date(300_000);
    await opener.open('a', { merchant: '1' });
    expect(opened).toEqual(['a', 'a']);
  });

  it('is returned neither for a replaced secret nor under another context', async () => {
    const { opened, opener } = anOpener();
    await opener.open('a', { merchant: '1' });
    expect(await opener.open('b', { merchant: '1' })).toBe('b for 1');
    expect(await opener.open('a', { merchant: '2' })).toBe('a for 2');
    expect(opened).toEqual(['a', 'b', 'a']);
  });

  it('is not cached when decryption failed', async () => {
    const { opener, trouble } = anOpener();
    trouble.now = true;
    await expect(opener.open('a', { merchant: '1' })).rejects.toThrow('the key is unavailable');
    trouble.now = false;
    expect(await opener.open('a', { merchant: '1' })).toBe('a for 1');
  });

  it('is evicted after a thousand others', async () => {
    const { opened, opener } = anOpener();
    await opener.open('first', { merchant: '1' });
    for (let other = 0; other < 1000; other += 1) await opener.open(`${other}`, { merchant: '1' });
    await opener.open('first', { merchant: '1' });
    expect(opened.filter((sealed) => sealed === 'first')).toHaveLength(2);
  });
});

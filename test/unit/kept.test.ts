import { describe, expect, it } from 'vitest';
import { kept, lazy } from '../../lib/runtime/kept.ts';

/** Something that is kept for a minute, and what it was made of so far; `next` is what the next making gives. */
function aKept() {
  const [state, made]: [{ at: number; next: string | Error }, string[]] = [{ at: 0, next: 'first' }, []];
  const get = kept(
    async () => {
      if (state.next instanceof Error) throw state.next;
      made.push(state.next);
      return state.next;
    },
    { forMs: 60_000, now: () => state.at },
  );
  return { get, made, state };
}

describe('what is kept for a time', () => {
  it('is made once, however many ask at once', async () => {
    const { get, made } = aKept();
    expect(await Promise.all([get(), get(), get()])).toEqual(['first', 'first', 'first']);
    expect(made).toEqual(['first']);
  });

  it('is made again when its time is over', async () => {
    const { get, state } = aKept();
    await get();
    Object.assign(state, { at: 59_999, next: 'second' });
    expect(await get()).toBe('first');
    state.at = 60_000;
    expect(await get()).toBe('second');
  });

  it('is asked for again at the next call when it could not be made', async () => {
    const { get, state } = aKept();
    state.next = new Error('no answer');
    await expect(get()).rejects.toThrow('no answer');
    state.next = 'first';
    expect(await get()).toBe('first');
  });

  it('serves on when a newer one cannot be made, and is tried again half a minute later', async () => {
    const { get, state, made } = aKept();
    await get();
    Object.assign(state, { at: 60_000, next: new Error('no answer') });
    expect(await get()).toBe('first');
    Object.assign(state, { at: 89_999, next: 'second' });
    expect(await get()).toBe('first');
    state.at = 90_000;
    expect(await get()).toBe('second');
    expect(made).toEqual(['first', 'second']);
  });
});

describe('what is made lazily', () => {
  it('is made at the first call, and once', () => {
    const made: string[] = [];
    const get = lazy(() => made.push('client'));
    expect(made).toEqual([]);
    expect([get(), get(), get()]).toEqual([1, 1, 1]);
  });

  it('is made once even when it is nothing', () => {
    const made: unknown[] = [];
    const get = lazy(() => void made.push('nothing'));
    expect([get(), get(), made.length]).toEqual([undefined, undefined, 1]);
  });

  it('is not kept when it could not be made: the next call tries again', () => {
    const state = { setting: '' };
    const get = lazy(() => {
      if (!state.setting) throw new Error('no setting');
      return state.setting;
    });
    expect(get).toThrow('no setting');
    state.setting = 'table';
    expect(get()).toBe('table');
  });
});

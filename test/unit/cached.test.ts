import { describe, expect, it } from 'vitest';
import { cached, lazy, renewable } from '../../lib/runtime/cached.ts';

/** A value cached for a minute, and the values made so far; `next` is the result of the next call. */
function aCachedValue() {
  const [state, made]: [{ at: number; next: string | Error }, string[]] = [{ at: 0, next: 'first' }, []];
  const get = cached(
    async () => {
      if (state.next instanceof Error) throw state.next;
      made.push(state.next);
      return state.next;
    },
    { forMs: 60_000, now: () => state.at },
  );
  return { get, made, state };
}

describe('a cached value', () => {
  it('is made once for concurrent calls', async () => {
    const { get, made } = aCachedValue();
    expect(await Promise.all([get(), get(), get()])).toEqual(['first', 'first', 'first']);
    expect(made).toEqual(['first']);
  });

  it('is made again after it expires', async () => {
    const { get, state } = aCachedValue();
    await get();
    Object.assign(state, { at: 59_999, next: 'second' });
    expect(await get()).toBe('first');
    state.at = 60_000;
    expect(await get()).toBe('second');
  });

  it('is retried at the next call when it could not be made', async () => {
    const { get, state } = aCachedValue();
    state.next = new Error('no answer');
    await expect(get()).rejects.toThrow('no answer');
    state.next = 'first';
    expect(await get()).toBe('first');
  });

  it('stays in use when a newer one cannot be made, and that is retried after 30 seconds', async () => {
    const { get, state, made } = aCachedValue();
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

describe('a lazy value', () => {
  it('is made once, at the first call', () => {
    const made: string[] = [];
    const get = lazy(() => made.push('client'));
    expect(made).toEqual([]);
    expect([get(), get(), get()]).toEqual([1, 1, 1]);
  });

  it('is made once even when it is undefined', () => {
    const made: unknown[] = [];
    const get = lazy(() => void made.push('nothing'));
    expect([get(), get(), made.length]).toEqual([undefined, undefined, 1]);
  });

  it('is retried at the next call when it could not be made', () => {
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

describe('a renewable value', () => {
  function aRenewableValue() {
    const [state, made]: [{ at: number; next: string | Error }, string[]] = [{ at: 0, next: 'first' }, []];
    const { value, renew } = renewable(
      async () => {
        if (state.next instanceof Error) throw state.next;
        made.push(state.next);
        return state.next;
      },
      { forMs: 60_000, now: () => state.at },
    );
    return { value, renew, made, state };
  }

  it('is made again on request, for everyone', async () => {
    const { value, renew, state } = aRenewableValue();
    await value();
    Object.assign(state, { at: 10_000, next: 'second' });
    expect(await renew()).toBe('second');
    expect(await value()).toBe('second');
  });

  it('is made once for concurrent requests, and at most every ten seconds', async () => {
    const { value, renew, made, state } = aRenewableValue();
    await value();
    expect(await renew()).toBe('first');
    Object.assign(state, { at: 10_000, next: 'second' });
    expect(await Promise.all([renew(), renew(), value()])).toEqual(['second', 'second', 'second']);
    Object.assign(state, { at: 19_999, next: 'third' });
    expect(await renew()).toBe('second');
    expect(made).toEqual(['first', 'second']);
  });

  it('stays when it cannot be made again', async () => {
    const { value, renew, state } = aRenewableValue();
    await value();
    Object.assign(state, { at: 10_000, next: new Error('no answer') });
    expect(await renew()).toBe('first');
    expect(await value()).toBe('first');
  });
});

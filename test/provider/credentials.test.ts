import { describe, expect, it } from 'vitest';
import { type Accepted, sendWithEach, standingOfPrevious } from '../../lib/provider/credentials.ts';

type Key = { readonly account: string; readonly key: string };
const key = (text: string, account = 'shop 1'): Key => ({ account, key: text });

/** A provider that takes one key, and a process that has read some keys and would now read others. */
function given(provider: string, { read, stored = read }: { read: Accepted<Key>; stored?: Accepted<Key> }) {
  const sent: string[] = [];
  const call = () =>
    sendWithEach(async (how) => (how?.renewed ? stored : read), {
      isSameAccount: (current, other) => current.account === other.account,
      send: async (value) => {
        sent.push(value.key);
        return { status: value.key === provider ? 200 : 401 };
      },
    });
  return { call, sent };
}

describe('a call while a secret is replaced', () => {
  it('is sent once when the current key is accepted', async () => {
    const { call, sent } = given('new', { read: [key('new'), key('old')] });
    expect(await call()).toEqual({ status: 200 });
    expect(sent).toEqual(['new']);
  });

  it('is sent with the previous key while the provider does not know the new one yet', async () => {
    const { call, sent } = given('old', { read: [key('new'), key('old')] });
    expect(await call()).toEqual({ status: 200 });
    expect(sent).toEqual(['new', 'old']);
  });

  it('is sent with the new key that this process has not read yet', async () => {
    const { call, sent } = given('new', { read: [key('old')], stored: [key('new'), key('old')] });
    expect(await call()).toEqual({ status: 200 });
    expect(sent).toEqual(['old', 'new']);
  });

  it('is never sent to another account, where its payment is unknown', async () => {
    const { call, sent } = given('new', {
      read: [key('old'), key('new', 'shop 2')],
      stored: [key('new', 'shop 2')],
    });
    expect(await call()).toEqual({ status: 401 });
    expect(sent).toEqual(['old']);
  });

  it('is refused when no key is accepted, each tried once', async () => {
    const { call, sent } = given('third', { read: [key('new'), key('old')] });
    expect(await call()).toEqual({ status: 401 });
    expect(sent).toEqual(['new', 'old']);
  });
});

describe('the previous value of a secret', () => {
  it('counts for two days after it was replaced', () => {
    const since = new Date('2026-11-20T12:00:00.000Z');
    expect(standingOfPrevious(since, new Date('2026-11-22T11:59:59.999Z'))).toBe('accepted');
    expect(standingOfPrevious(since, new Date('2026-11-22T12:00:00.000Z'))).toBe('over');
    expect(standingOfPrevious(undefined, since)).toBe('over');
  });
});

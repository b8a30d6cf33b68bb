import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GivenOptions,
  honoured,
  leftOutOptions,
  noOptions,
  optionFields,
  readOptions,
} from '../../lib/bill/options.ts';
import { aShop } from '../support/builders.ts';

const given = (some: Partial<GivenOptions>): GivenOptions => ({ ...noOptions, ...some });
const read = (some: Partial<GivenOptions>) => readOptions(given(some), 'public');
const shop = aShop({ successUrl: 'https://cafe.example/thanks' });

describe('the options of a bill request', () => {
  it.each<[Partial<GivenOptions>, object]>([
    [{ ttlSeconds: '60' }, { ttlSeconds: 60 }],
    [{ ttlSeconds: ' 31536000 ' }, { ttlSeconds: 31_536_000 }],
    [{ locale: 'EN' }, { locale: 'en' }],
    [{ locale: 'kk' }, { locale: 'kk' }],
    [{ method: 'bank_card' }, { method: 'card' }],
    [{ method: 'SBP' }, { method: 'sbp' }],
    [{ successUrl: ' https://cafe.example/s ' }, { successUrl: 'https://cafe.example/s' }],
    [{ asks: '{"comment":"1","email":true,"phone":0}' }, { asks: ['email', 'comment'] }],
    [{ asks: '{"name":1,"inn":"1"}' }, { asks: ['name'] }],
    [{ asks: '{"name":"0"}' }, {}],
  ])('%j is read as %j', (some, options) => expect(read(some)).toEqual({ ...noOptions, ...options }));

  it.each<[keyof GivenOptions, readonly string[]]>([
    ['ttlSeconds', ['59', '31536001', '-60', '60.5', '6e2', '', 'x', '999999999999', '٦٠']],
    ['locale', ['de', 'ru-RU', '', 'constructor']],
    ['method', ['CARD', 'card', '', 'toString']],
    [
      'successUrl',
      [
        '',
        '/s',
        'http://cafe.example/',
        'https://cafe.example/\ud800',
        `https://a.example/${'x'.repeat(2048)}`,
      ],
    ],
    [
      'asks',
      [
        '',
        '[]',
        '{}',
        '"email"',
        '{"email":{}}',
        '{"__proto__":1}',
        '{"toString":1}',
        '[["email"]]',
        '{"email":"maybe"}',
      ],
    ],
  ])('%s is none of these: %j', (name, texts) => {
    for (const text of texts) expect(read({ [name]: text }), text).toEqual(noOptions);
  });

  it('are honoured where the shop has the host and the installation has the method', () => {
    const [own, foreign] = ['https://cafe.example/s', 'https://example.com/s'];
    const urls = { successUrl: own, failUrl: foreign, returnUrl: own };
    const options = { ...noOptions, ...urls, method: 'sbp', ttlSeconds: 60 } as const;
    expect(honoured(options, { shop, methods: ['card'] })).toEqual({
      ...options,
      failUrl: undefined,
      method: undefined,
    });
    expect(honoured(options, { shop, methods: ['card', 'sbp'] }).method).toBe('sbp');
    expect(honoured(options, { shop, methods: undefined }).method).toBe('sbp');
    expect(honoured(options, { shop: aShop(), methods: undefined })).toMatchObject({ successUrl: undefined });
  });

  it('that were sent and that the bill does not have are named, and no others', () => {
    const able = { ...noOptions, ttlSeconds: 60, locale: 'ru', asks: ['email'] } as const;
    const sent = given({
      ttlSeconds: '60',
      locale: 'ru',
      asks: '{"email":1,"x":1}',
      failUrl: 'https://a.example',
    });
    const named = (stored: typeof able | undefined) =>
      optionFields.filter((field) => leftOutOptions(sent, { able, stored })[field]);
    expect(named(able)).toEqual(['fail_url', 'request_fields']);
    expect(named(undefined)).toEqual(['ttl', 'locale', 'fail_url', 'request_fields']);
    const off = given({ asks: '{"email":0}' });
    expect(leftOutOptions(off, { able: undefined, stored: undefined }).request_fields).toBe(false);
  });

  it('are read from any text, without an error', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.webUrl(),
      fc.constantFrom('60', 'ru', 'SBP', '{"email":1}'),
    );
    const sent = fc.record({
      ttlSeconds: text,
      locale: text,
      method: text,
      successUrl: text,
      failUrl: text,
      returnUrl: text,
      asks: text,
    });
    fc.assert(
      fc.property(sent, (all) => {
        const able = honoured(readOptions(all, 'public'), { shop, methods: ['card'] });
        const left = leftOutOptions(all, { able, stored: able });
        expect(left.ttl).toBe(able.ttlSeconds === undefined);
        expect(left.success_url).toBe(able.successUrl === undefined);
      }),
    );
  });
});

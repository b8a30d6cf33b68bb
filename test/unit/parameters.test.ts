import * as fc from 'fast-check';
// oxlint-disable-next-line import/no-named-as-default -- the package's types know the default export only
import middy from '@middy/core';
import { describe, expect, it, vi } from 'vitest';
import { jsonBody } from '../../lib/http/json-body.ts';
import { isUnreadable, type Parameter } from '../../lib/http/parameter.ts';
import { parametersOf } from '../../lib/http/parameters.ts';
import { largestBody } from '../../lib/contract/body-limits.ts';
import { readableBody } from '../../lib/http/readable-body.ts';
import {
  apiEvent,
  form,
  json,
  jsonText,
  lambdaContext,
  multipart,
  multipartBody,
  multipartType,
  type Sent,
} from '../support/api-event.ts';

const read = (method: 'GET' | 'POST', sent: Sent) =>
  middy().use(readableBody).use(jsonBody).handler(parametersOf)(apiEvent(method, sent), lambdaContext);

const typed = (type: string | undefined, body: string | Uint8Array, sent: Sent = {}): Sent => ({
  ...sent,
  body,
  headers: type === undefined ? {} : { 'Content-Type': type },
});
const urlencoded = 'application/x-www-form-urlencoded';

describe('the body of a POST', () => {
  it.each([
    ['urlencoded', form({ amount: '16', name: 'Два чая & 1 + 1' })],
    ['multipart', multipart({ amount: '16', name: 'Два чая & 1 + 1' })],
    ['JSON', json({ amount: '16', name: 'Два чая & 1 + 1' })],
    ['JSON with a number', json({ amount: 16, name: 'Два чая & 1 + 1' })],
    ['nothing, all is in the query', { query: { amount: '16', name: 'Два чая & 1 + 1' } }],
    ['JSON without a Content-Type', typed(undefined, '{"amount":16,"name":"Два чая & 1 + 1"}')],
    ['a form without a Content-Type', typed(undefined, 'amount=16&name=Два чая %26 1 %2B 1')],
    [
      'JSON under the label of a form, as curl -d sends it',
      typed(urlencoded, ' {"amount":16,"name":"Два чая & 1 + 1"}'),
    ],
    ['text/json', typed('text/json', '{"amount":"16","name":"Два чая & 1 + 1"}')],
    [
      'JSON with a byte order mark',
      typed('application/json', '\uFEFF{"amount":16,"name":"Два чая & 1 + 1"}'),
    ],
    [
      'JSON and a space before its charset',
      typed('application/json ; charset=UTF-8', '{"amount":16,"name":"Два чая & 1 + 1"}'),
    ],
    [
      'urlencoded with a quoted charset',
      typed(`${urlencoded}; charset="utf-8"`, 'amount=16&name=Два чая %26 1 %2B 1'),
    ],
    [
      'ASCII under the label of another charset',
      typed(`${urlencoded}; charset=windows-1251`, 'amount=16', { query: { name: 'Два чая & 1 + 1' } }),
    ],
    [
      'JSON with escapes under the label of another charset',
      typed(
        'application/json; charset=latin1',
        '{"amount":16,"name":"\\u0414\\u0432\\u0430 \\u0447\\u0430\\u044f & 1 + 1"}',
      ),
    ],
    [
      'ASCII multipart under the label of another charset',
      typed(`${multipartType}; charset=windows-1251`, multipartBody([['amount', '16']]), {
        query: { name: 'Два чая & 1 + 1' },
      }),
    ],
    ['half a form, half a query', form({ amount: '16' }, { query: { name: 'Два чая & 1 + 1' } })],
    [
      'a blank JSON body and a query',
      typed('application/json', ' ', { query: { amount: '16', name: 'Два чая & 1 + 1' } }),
    ],
    [
      'a JSON null and a query',
      typed('application/json', 'null', { query: { amount: '16', name: 'Два чая & 1 + 1' } }),
    ],
  ])('is read as %s', async (_encoding, sent) => {
    expect(await read('POST', sent)).toEqual({ amount: '16', name: 'Два чая & 1 + 1' });
  });

  it.each([
    ['urlencoded', typed(urlencoded, Buffer.from('name=Чай'))],
    ['multipart', typed(multipartType, Buffer.from(multipartBody([['name', 'Чай']])))],
    ['JSON', typed('application/json', Buffer.from('{"name":"Чай"}'))],
  ])('is read when API Gateway hands %s over in base64', async (_encoding, sent) => {
    expect(await read('POST', sent)).toEqual({ name: 'Чай' });
  });

  it.each(['content-type', 'Content-Type', 'CONTENT-TYPE'])(
    'is found whatever the case of %s',
    async (name) => {
      expect(await read('POST', { headers: { [name]: 'application/json' }, body: '{"id":"1"}' })).toEqual({
        id: '1',
      });
    },
  );

  it('stands over the query', async () => {
    expect(await read('POST', form({ id: 'body' }, { query: { id: 'query', name: 'n' } }))).toEqual({
      id: 'body',
      name: 'n',
    });
  });

  it('leaves to the query what it has only empty', async () => {
    expect(await read('POST', form({ id: '' }, { query: { id: 'query' } }))).toEqual({ id: 'query' });
    expect(await read('POST', json({ id: null }, { query: { id: 'query' } }))).toEqual({ id: 'query' });
  });

  it.each([
    ['over 64 KB', form({ name: 'x'.repeat(largestBody) }), /64 KB/],
    ['over 64 KB of multipart', multipart({ name: 'x'.repeat(largestBody) }), /64 KB/],
    ['over 64 KB in base64', typed(urlencoded, new Uint8Array(largestBody + 1).fill(97)), /64 KB/],
    ['of another type', typed('text/xml', '<a/>'), /must be one of/],
    [
      'in another charset',
      typed(`${urlencoded}; charset=windows-1251`, Buffer.from('a=\xcf', 'latin1')),
      /UTF-8/,
    ],
    [
      'UTF-8 under the label of another charset',
      typed(`${urlencoded}; charset=windows-1251`, 'a=Чай'),
      /UTF-8/,
    ],
    ['escaped in another charset', typed(`${urlencoded}; charset=windows-1251`, 'a=%D0%A7'), /UTF-8/],
    [
      'JSON in another charset',
      typed('application/json; charset=utf-16', Buffer.from('{}', 'utf16le')),
      /UTF-8/,
    ],
    [
      'escaped in a charset that shifts',
      typed(`${urlencoded}; charset=iso-2022-jp`, 'a=%1B%24B%243%1B%28B'),
      /UTF-8/,
    ],
    [
      'in a charset that shifts with escape characters',
      typed(`${urlencoded}; charset=iso-2022-jp`, 'a=\x1b$B$3\x1b(B'),
      /UTF-8/,
    ],
    [
      'multipart in another charset',
      typed(`${multipartType}; charset=windows-1251`, multipartBody([['name', 'Чай']])),
      /UTF-8/,
    ],
    ['bytes that are no UTF-8', typed('application/json', Uint8Array.of(0x7b, 0xff, 0x7d)), /UTF-8/],
    ['escapes that are no UTF-8', typed(urlencoded, 'name=%FF'), /UTF-8/],
    [
      'multipart that is no UTF-8',
      typed(multipartType, Buffer.from(multipartBody([['name', 'ÿ']]), 'latin1')),
      /UTF-8/,
    ],
    ['half a JSON object', jsonText('{"amount":'), /JSON object/],
    ['half a JSON object under the label of a form', typed(urlencoded, '{"amount":'), /JSON object/],
    ['plain text', typed('text/plain', 'amount=1'), /^The Content-Type must be one of: application\/x-www/],
    ['a JSON list', jsonText('[1]'), /JSON object/],
    ['a JSON text', jsonText('"amount"'), /JSON object/],
    ['a long JSON number', jsonText('12345678901234567890'), /JSON object/],
    [
      'JSON nested without end',
      jsonText(`{"custom":${'['.repeat(30_000)}${']'.repeat(30_000)}}`),
      /JSON object/,
    ],
    ['JSON that names a prototype', jsonText('{"__proto__":{"amount":"1"}}'), /JSON object/],
    ['multipart without a boundary', typed('multipart/form-data', 'amount=1'), /multipart/],
    [
      'multipart that breaks off',
      typed(multipartType, multipartBody([['name', 'x']]).slice(0, -10)),
      /multipart/,
    ],
  ])('is refused when it is %s', async (_what, sent, sentence) => {
    await expect(read('POST', sent)).rejects.toMatchObject({
      name: 'UnreadableBody',
      message: expect.stringMatching(sentence),
    });
  });

  it('reads a JSON number the same way whatever stands beside it, and a long one exactly', async () => {
    const short = '{"amount":100.500,"custom":{"b":1.50}}';
    const beside = '{"amount":100.500,"custom":{"b":1.50},"order_id":1234567890123456789}';
    const parameters = await read('POST', jsonText(short));
    expect(parameters).toEqual({ amount: '100.5', custom: '{"b":1.5}' });
    expect(await read('POST', jsonText(beside))).toEqual({ ...parameters, order_id: '1234567890123456789' });
  });

  it('may be exactly 64 KB', async () => {
    const parameters = await read('POST', typed(urlencoded, `name=${'x'.repeat(largestBody - 5)}`));
    expect(parameters.name).toHaveLength(largestBody - 5);
  });

  it('keeps a percent sign that escapes nothing', async () => {
    expect(await read('POST', typed(urlencoded, 'name=100% off'))).toEqual({ name: '100% off' });
  });

  it('keeps a replacement character that the caller wrote themselves', async () => {
    expect(await read('POST', form({ name: '\uFFFD' }))).toEqual({ name: '\uFFFD' });
    expect(await read('POST', multipart({ name: '\uFFFD' }))).toEqual({ name: '\uFFFD' });
  });

  it.each(['name', 'custom', 'custom[user]'])('cannot be read where a file stands for %s', async (name) => {
    const file = multipartBody([[name, 'x']]).replace(`name="${name}"`, `name="${name}"; filename="a.txt"`);
    const parameters = await read('POST', typed(multipartType, file));
    const [field = ''] = name.split('[');
    expect(parameters).toMatchObject({
      [field]: { sentence: expect.stringContaining(`The ${field} field must be text`) },
    });
  });

  it('reads parts that name their charset', async () => {
    const part = multipartBody([['name', 'Чай']]).replace(
      '"name"',
      '"name"\r\nContent-Type: text/plain; charset=utf-8',
    );
    expect(await read('POST', typed(multipartType, part))).toEqual({ name: 'Чай' });
  });
});

describe('what a parameter is', () => {
  it.each([
    ['16', '16'],
    ['100.5', '100.5'],
    ['1e+06', '1000000'],
    ['true', 'true'],
    ['false', 'false'],
    ['0', '0'],
    ['9007199254740993', '9007199254740993'],
    ['1234567890123456789.50', '1234567890123456789.50'],
    ['"  text "', '  text '],
  ])('the JSON value %s is the text %s', async (value, parameter) => {
    expect(await read('POST', jsonText(`{"order_id":${value}}`))).toEqual({ order_id: parameter });
  });

  it.each([
    ['{"b":1,"a":[true,null]}', '{"b":1,"a":[true,null]}'],
    ['{"id":12345678901234567890}', '{"id":12345678901234567890}'],
    ['[1,2]', '[1,2]'],
    ['""', ''],
    ['7', '7'],
  ])('a custom of %s is kept as its JSON text', async (value, custom) => {
    expect(await read('POST', jsonText(`{"custom":${value}}`))).toEqual({ custom });
  });

  it.each([
    ['form', form({ custom: '', name: '', id: '' })],
    ['multipart', multipart({ custom: '', name: '', id: '' })],
    ['JSON', json({ custom: '', name: '', id: null })],
    ['query', { query: { custom: '', name: '', id: '' } }],
  ])('empty text in a %s is absent, but an empty custom is kept', async (_where, sent) => {
    expect(await read('POST', sent)).toEqual({ custom: '' });
  });

  it.each([
    ['custom[user]=7', '{"user":"7"}'],
    ['custom%5Buser%5D=7&custom%5Bname%5D=%D0%A7%D0%B0%D0%B9', '{"user":"7","name":"Чай"}'],
    ['custom[a][b][c]=1&custom[a][b][d]=2', '{"a":{"b":{"c":"1","d":"2"}}}'],
    ['custom[]=a&custom[]=b', '["a","b"]'],
    ['custom[0]=a&custom[1]=b', '["a","b"]'],
    ['custom[1]=a&custom[]=b', '{"1":"a","2":"b"}'],
    ['custom[999999999]=a', '{"999999999":"a"}'],
    ['custom[cart][][id]=1&custom[cart][][id]=2', '{"cart":[{"id":"1"},{"id":"2"}]}'],
    ['custom[user]=', '{"user":""}'],
    ['custom[a b]=1&custom[a.b]=2', '{"a b":"1","a.b":"2"}'],
    [
      'custom[constructor][prototype]=1&custom[toString]=2',
      '{"constructor":{"prototype":"1"},"toString":"2"}',
    ],
  ])('the form %s is kept as its JSON text %s', async (body, custom) => {
    expect(await read('POST', typed(urlencoded, body))).toEqual({ custom });
    expect(await read('POST', { query: Object.fromEntries(new URLSearchParams(body)) })).toHaveProperty(
      'custom',
    );
    const fields = [...new URLSearchParams(body)].filter(([name]) => !/[^ -~]/.test(name));
    expect(await read('POST', typed(multipartType, multipartBody(fields)))).toEqual({ custom });
  });

  it.each([
    ['a key given twice', 'custom[a]=1&custom[a]=2'],
    ['a text and keys under it', 'custom[a]=1&custom[a][b]=2'],
    ['keys and a text over them', 'custom[a][b]=2&custom[a]=1'],
    ['a bracket too few', 'custom[a=1'],
    ['brackets in brackets', 'custom[a[b]]=1'],
    ['text behind the brackets', 'custom[a]b=1'],
    ['the prototype', 'custom[__proto__]=1'],
    ['the prototype far below', 'custom[a][__proto__][b]=1'],
    ['21 levels', `custom${'[a]'.repeat(21)}=1`],
    ['levels without end', `custom${'[]'.repeat(30_000)}=1`],
    ['keys without end', Array.from({ length: 1001 }, (_, at) => `custom[${at}]=`).join('&')],
  ])('a custom with %s cannot be read', async (_what, body) => {
    const parameters = await read('POST', typed(urlencoded, body));
    expect(parameters).toEqual({
      custom: { sentence: expect.stringMatching(/custom\[user\]/), leftOut: true },
    });
  });

  it.each(['custom=x&custom[a]=1', 'ttl=60&ttl[a]=1', 'ttl[]=60', 'payer_email[x][y]=a@b.ru'])(
    '%s gives a field that is left out of a bill',
    async (body) => {
      const [field = ''] = body.split(/[=[]/);
      expect(await read('POST', typed(urlencoded, body))).toMatchObject({ [field]: { leftOut: true } });
    },
  );

  it.each([
    ['an object where text is expected', { ttl: { a: 1 } }, { ttl: { leftOut: true } }],
    ['a list where text is expected', { locale: ['ru'] }, { locale: { leftOut: true } }],
    ['an object of requested fields', { request_fields: { email: 1 } }, { request_fields: '{"email":1}' }],
    ['a custom of over 4096 characters', { custom: ['x'.repeat(4096)] }, { custom: { leftOut: true } }],
  ])('JSON gives %s to the bill', async (_what, body, expected) => {
    expect(await read('POST', json(body))).toMatchObject(expected);
  });

  it('the custom of a body stands over that of the query, however each is spelled', async () => {
    const sent = typed(urlencoded, 'custom[a]=1', { query: { custom: 'x', 'custom[b]': '2' } });
    expect(await read('POST', sent)).toEqual({ custom: '{"a":"1"}' });
  });

  it('keys pollute nothing', async () => {
    await read(
      'POST',
      typed(urlencoded, 'custom[__proto__][amount]=1&custom[constructor][prototype][amount]=1'),
    );
    expect(({} as Record<string, unknown>)['amount']).toBeUndefined();
  });

  it('nested data is ignored', async () => {
    expect(
      await read('POST', json({ id: '1', name: { first: 'x' }, items: [{ name: 'x' }] })),
    ).not.toHaveProperty('name');
    expect(await read('POST', form({ id: '1', 'name[0]': 'x' }))).not.toHaveProperty('name');
  });

  it.each([
    ['form', 'POST' as const, typed(urlencoded, 'id=1&id=1')],
    [
      'multipart',
      'POST' as const,
      typed(
        multipartType,
        multipartBody([
          ['id', '1'],
          ['id', '2'],
        ]),
      ),
    ],
    ['query', 'GET' as const, { query: { id: ['1', '2'] } }],
    ['list in JSON', 'POST' as const, json({ id: ['1'] })],
  ])('one given twice in a %s is no text', async (_where, method, sent) => {
    expect(Array.isArray((await read(method, sent)).id)).toBe(true);
  });

  it('one given sixteen thousand times is put together once, not anew with each', async () => {
    const flat = vi.spyOn(Array.prototype, 'flat');
    const flatMap = vi.spyOn(Array.prototype, 'flatMap');
    const { id } = await read('POST', typed(urlencoded, 'id=1&'.repeat(largestBody / 5)));
    expect(id).toHaveLength(Math.floor(largestBody / 5));
    expect(flat.mock.calls.length + flatMap.mock.calls.length).toBeLessThan(10);
    vi.restoreAllMocks();
  });

  it('names of the prototype are parameters like any other and pollute nothing', async () => {
    const parameters = await read('POST', typed(urlencoded, '__proto__=1&constructor=2&toString=3'));
    expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(({} as Record<string, unknown>).amount).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

describe('the body of a GET', () => {
  it('fills what the query lacks when it is JSON, whatever its header says', async () => {
    expect(await read('GET', json({ id: 'body', limit: 5 }, { query: { id: 'query' } }))).toEqual({
      id: 'query',
      limit: '5',
    });
    expect(await read('GET', typed('text/plain', '{"id":"body"}'))).toEqual({ id: 'body' });
    expect(await read('GET', typed(undefined, Buffer.from('{"id":"body"}')))).toEqual({ id: 'body' });
  });

  it.each([
    ['a form', form({ id: 'body' })],
    ['half a JSON object', jsonText('{"id"')],
    ['a JSON list', jsonText('["id"]')],
    ['a JSON text', jsonText('"id"')],
    ['a JSON number', jsonText('12345678901234567890')],
    ['a JSON null', jsonText('null')],
    ['multipart', multipart({ id: 'body' })],
    ['no UTF-8', typed('application/json', Uint8Array.of(0xff))],
    ['far too much', jsonText(`{"id":"${'x'.repeat(largestBody)}"}`)],
    ['nested without end', jsonText('['.repeat(30_000))],
    ['of another charset', typed('application/json; charset=koi8-r', 'x')],
  ])('is ignored when it is %s', async (_what, sent) => {
    expect(await read('GET', { ...sent, query: { limit: '1' } })).toEqual({ limit: '1' });
  });

  it('can name a prototype without being refused and without effect', async () => {
    const parameters = await read('GET', jsonText('{"__proto__":{"id":"1"}}', { query: { limit: '1' } }));
    expect(parameters.limit).toBe('1');
    expect(parameters.id).toBeUndefined();
  });
});

describe('any request at all', () => {
  const name = fc.constantFrom('amount', 'name', 'custom', '__proto__', 'a b', 'имя');
  const fields = fc.dictionary(name, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
    maxKeys: 5,
  });
  const own = (given: Readonly<Record<string, string>>) => Object.fromEntries(Object.entries(given));

  it('says the same in a form, in multipart, in JSON and in the query', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async (given) => {
        fc.pre(Object.keys(given).every((key) => key !== '__proto__'));
        const expected = own(given);
        expect(await read('POST', form(given))).toEqual(expected);
        expect(await read('POST', json(given))).toEqual(expected);
        expect(await read('POST', { query: given })).toEqual(expected);
        expect(await read('GET', json(given))).toEqual(expected);
      }),
    );
  });

  it('keeps every text of a multipart form, line breaks included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), async (value) => {
        expect(await read('POST', multipart({ custom: value }))).toEqual({ custom: value });
      }),
    );
  });

  it('says the same in the keys of a form as in a JSON object', async () => {
    const key = fc.stringMatching(/^[a-z][^[\]\0]{0,8}$/u);
    const leaf = fc.string({ unit: 'grapheme', maxLength: 8 });
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, leaf, tie('tree')), { minKeys: 1, maxKeys: 4 }),
    }));
    const spelled = (value: unknown, path: string): [string, string][] =>
      typeof value === 'string'
        ? [[path, value]]
        : Object.entries(Object(value)).flatMap(([inner, below]) => spelled(below, `${path}[${inner}]`));
    await fc.assert(
      fc.asyncProperty(tree, async (custom) => {
        const body = new URLSearchParams(spelled(custom, 'custom')).toString();
        expect(await read('POST', typed(urlencoded, body))).toEqual(await read('POST', json({ custom })));
      }),
    );
  });

  it('is either read or refused with a sentence, whatever its bytes', async () => {
    const type = fc.constantFrom(
      'application/json',
      urlencoded,
      multipartType,
      'multipart/form-data',
      'x',
      undefined,
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .tuple(
          fc.constantFrom(
            multipartBody([
              ['a', 'b'],
              ['c', 'd'],
            ]),
          ),
          fc.nat(200),
          fc.uint8Array({ maxLength: 4 }),
        )
        .map(([text, at, noise]) =>
          Buffer.concat([Buffer.from(text.slice(0, at)), noise, Buffer.from(text.slice(at))]),
        ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET' as const, 'POST' as const),
        type,
        bytes,
        async (method, contentType, body) => {
          const outcome = await read(method, typed(contentType, body)).catch((error: Error) => error);
          if (outcome instanceof Error) expect(outcome.name).toBe('UnreadableBody');
          else
            expect(
              Object.values<Parameter>({ ...outcome }).every(
                (value) => typeof value === 'string' || Array.isArray(value) || isUnreadable(value),
              ),
            ).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

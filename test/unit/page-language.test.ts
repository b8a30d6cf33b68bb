import { describe, expect, it } from 'vitest';
import { shownAmount } from '../../lib/page/amount.ts';
import { preferredLanguage } from '../../lib/page/language.ts';
import { readerOf } from '../../lib/page/request.ts';

const request = (query: Record<string, string>, acceptLanguage?: string) => ({
  id: '',
  method: 'GET',
  query,
  form: {},
  headers: { 'accept-language': acceptLanguage },
  sourceIp: '192.0.2.1',
});

describe('the language of a page', () => {
  it.each([
    ['en-GB,en;q=0.9', 'en'],
    ['ru-RU,ru;q=0.9,en-US;q=0.8', 'ru'],
    ['de-DE,de;q=0.9,en;q=0.5', 'en'],
    ['en;q=0.3, ru;q=0.7', 'ru'],
    ['ru;q=0, en;q=0.1', 'en'],
    ['EN-us', 'en'],
  ])('of a browser that sends %s is %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  it.each([undefined, '', 'kk-KZ', '*', ';;;', 'fr;q=abc'])(
    'is Russian when the browser sends %s',
    (header) => {
      expect(preferredLanguage(header)).toBe('ru');
    },
  );

  it('follows ?lang=, whatever the browser prefers', () => {
    expect(readerOf(request({ lang: 'en' }, 'ru'), 'n')).toEqual({
      language: 'en',
      languageChosen: true,
      nonce: 'n',
    });
    expect(readerOf(request({ lang: 'RU' }, 'en'), 'n')).toMatchObject({
      language: 'ru',
      languageChosen: true,
    });
  });

  it('ignores an unsupported ?lang=', () => {
    expect(readerOf(request({ lang: 'xx' }, 'en'), 'n')).toMatchObject({
      language: 'en',
      languageChosen: false,
    });
  });
});

describe('an amount shown to a payer', () => {
  const plain = (text: string) => text.replace(/\s/g, ' ');

  it.each([
    [125_050n, 'RUB', 'ru', '1 250,50 ₽'],
    [125_050n, 'RUB', 'en', '₽1,250.50'],
    [1n, 'USD', 'ru', '0,01 $'],
    [5n, 'EUR', 'en', '€0.05'],
    [9_999_999_999n, 'KZT', 'en', '₸99,999,999.99'],
  ] as const)('%s of %s in %s is %s', (minor, currency, language, text) => {
    expect(plain(shownAmount({ minor, currency }, language))).toBe(text);
  });
});

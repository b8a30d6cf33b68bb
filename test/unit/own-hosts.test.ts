import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOwnUrl, readHost, readOwnUrl } from '../../lib/merchant/own-hosts.ts';
import { aShop } from '../support/builders.ts';

const shop = aShop({
  resultUrl: 'https://api.cafe.example:8443/result',
  successUrl: 'https://Cafe.example/thanks',
  failUrl: undefined,
  hosts: ['xn--80as4b.xn--p1ai'],
});
const own = (url: string) => readOwnUrl(shop, url, 'public');

describe('a URL at a host of the shop', () => {
  it.each([
    'https://cafe.example/s?order=1#top',
    'HTTPS://CAFE.EXAMPLE:443/s',
    'https://cafe.example:8443/s',
    'https://api.cafe.example/',
    'https://чай.рф/s',
    'https://XN--80AS4B.xn--p1ai/',
    'https://%63afe.example/',
    'https://cafe。example/',
  ])('is %s', (url) => expect(own(url)).toBe(url));

  it.each([
    ['of another host', 'https://example.com/s'],
    ['of a subdomain', 'https://www.cafe.example/s'],
    ['of a parent domain', 'https://example/s'],
    ['with the host as a user', 'https://cafe.example@evil.example/'],
    ['with the host as a password', 'https://x:cafe.example@evil.example/'],
    ['with a user at the own host', 'https://ivan@cafe.example/'],
    ['with a backslash', 'https://evil.example\\@cafe.example/'],
    ['that ends like the host', 'https://evilcafe.example/'],
    ['that begins like the host', 'https://cafe.example.evil.example/'],
    ['with a dot behind the host', 'https://cafe.example./s'],
    ['with another port', 'https://cafe.example:444/s'],
    ['without TLS', 'http://cafe.example/s'],
    ['of another scheme', 'javascript://cafe.example/%0aalert(1)'],
    ['with data', 'data:text/html,cafe.example'],
    ['without a scheme', '//cafe.example/s'],
    ['with a path alone', '/s'],
    ['with a line break', 'https://cafe.example/\n'],
    ['with a tab in the host', 'https://cafe\t.example/'],
    ['with a zero byte', 'https://cafe.example/\0'],
    ['with a look-alike letter', 'https://саfe.example/'],
    ['of an address', 'https://127.0.0.1/'],
    ['of 3,000 characters', `https://cafe.example/${'x'.repeat(3000)}`],
    ['of nothing', ''],
  ])('is none %s', (_what, url) => expect(own(url)).toBeUndefined());

  it('is none for a shop without URLs and hosts, nor once the shop has others', () => {
    expect(isOwnUrl(aShop(), 'https://cafe.example/s')).toBe(false);
    expect(isOwnUrl(aShop(), 'mailto:ivan@cafe.example')).toBe(false);
    expect(isOwnUrl({ ...shop, successUrl: 'https://other.example/' }, 'https://cafe.example/s')).toBe(false);
  });

  it('is at one of its hosts, whatever text is tried', () => {
    const hosts = ['api.cafe.example', 'cafe.example', 'xn--80as4b.xn--p1ai'];
    const part = fc.constantFrom(
      'https://',
      'cafe.example',
      '@',
      ':',
      '/',
      '\\',
      '.',
      '#',
      '?',
      'evil',
      '443',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 8 }), (parts) => {
        const url = own(parts.join(''));
        if (url !== undefined) expect(hosts).toContain(new URL(url).hostname);
      }),
    );
  });
});

describe('a host that the operator lists', () => {
  it.each([
    ['Cafe.Example', 'cafe.example'],
    ['чай.рф', 'xn--80as4b.xn--p1ai'],
    ['localhost', 'localhost'],
  ])('%s is compared as %s', (text, host) => expect(readHost(text)).toBe(host));

  it.each([
    '',
    'cafe.example:443',
    'cafe.example/',
    'https://cafe.example',
    'a@cafe.example',
    'a b',
    'x?y',
    '#',
  ])('%j is none', (text) => expect(readHost(text)).toBeUndefined());
});

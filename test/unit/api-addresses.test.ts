import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayCallFrom, mostApiAddresses, readAddressRange } from '../../lib/http/api-addresses.ts';

describe('an address or range', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::/48', '2001:db8::/48'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ])('%s is stored as %s', (text, stored) => {
    expect(readAddressRange(text)).toBe(stored);
  });

  it.each([
    '',
    'any',
    'localhost',
    '203.0.113',
    '203.0.113.07',
    '203.0.113.256',
    '0xCB.0.113.7',
    '203.0.113.7/',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/8.5',
    '0.0.0.0/0',
    '::/0',
    '2001:db8::/129',
    '::ffff:0.0.0.0/96',
    '::ffff:203.0.113.7/95',
    'fe80::1%eth0',
    '203.0.113.7 203.0.113.8',
    '203.0.113.7\n',
    '9'.repeat(5000),
  ])('is not read from %j', (text) => {
    expect(readAddressRange(text)).toBeUndefined();
  });
});

describe('a token tied to addresses may be used', () => {
  it.each([
    [[], '198.51.100.1', true],
    [undefined, 'no address', true],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['::ffff:203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['203.0.113.7'], '::203.0.113.7', false],
    [['198.51.100.1', '203.0.113.128/25'], '203.0.113.129', true],
    [['203.0.113.129/25'], '203.0.113.128', true],
    [['203.0.113.128/25'], '203.0.113.127', false],
    [['2001:db8::/48'], '2001:db8:0:1::9', true],
    [['2001:db8::/48'], '2001:db9::1', false],
    [['2001:db8::/48'], '203.0.113.7', false],
    [['0.0.0.0/1', '128.0.0.0/1'], '2001:db8::1', false],
    [['203.0.113.0/24'], '203.0.113.0/24', false],
    [['203.0.113.0/24'], 'test-invoke-source-ip', false],
    [['203.0.113.0/24'], '203.0.113.7, 198.51.100.1', false],
    [['203.0.113.0/24'], '', false],
    [['nonsense'], '203.0.113.7', false],
  ])('with %j from %s: %s', (ranges, source, allowed) => {
    expect(mayCallFrom(ranges, source)).toBe(allowed);
  });

  it('from exactly the addresses that share the prefix of its range', () => {
    const dotted = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
    const bits = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(bits, bits, fc.integer({ min: 1, max: 32 }), (base, other, length) => {
        const mask = (0xffff_ffff << (32 - length)) >>> 0;
        const mixed = ((base & mask) | (other & ~mask)) >>> 0;
        const range = [`${dotted(base)}/${length}`];
        expect(mayCallFrom(range, dotted(mixed))).toBe(true);
        expect(mayCallFrom(range, dotted(other))).toBe((other & mask) >>> 0 === (base & mask) >>> 0);
      }),
    );
  });

  it('as long as the list fits an authorizer’s answer', () => {
    const longest = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/127';
    expect((longest.length + 1) * mostApiAddresses).toBeLessThan(2048);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isKeyAlive, kindManners, sandboxManners, unkindManners } from '../../lib/sandbox/manners.ts';
import { section } from '../support/markdown.ts';

describe('the document of the manners', () => {
  it('has each of them, and what the kind sandbox does', () => {
    const rows = section(readFileSync('docs/deploying.md', 'utf8'), 'manners').split('\n').slice(2);
    const documented = rows.map((row) => row.split(' | ').slice(0, 2).join(' | '));
    expect(documented).toEqual(
      Object.entries(kindManners).map(([name, value]) => `| \`${name}\` | \`${JSON.stringify(value)}\``),
    );
  });
});

describe('the manners of the sandbox', () => {
  it.each([kindManners, unkindManners])('pass through an environment variable unchanged', (manners) => {
    expect(sandboxManners.parse(JSON.parse(JSON.stringify(manners)))).toEqual(manners);
  });

  it.each([{ notice: 'lost' }, { payableMinutes: 0 }, { keyLifeHours: 'long' }, { steps: 'three' }])(
    'are refused when they are not known: %j',
    (wrong) => {
      expect(() => sandboxManners.parse({ ...kindManners, ...wrong })).toThrow();
    },
  );

  it('end the life of an idempotency key to the millisecond', () => {
    const at = new Date('2030-06-15T12:00:00Z');
    const later = (ms: number) => new Date(at.getTime() + ms);
    const day = 24 * 3_600_000;
    expect(isKeyAlive(unkindManners, at, later(day - 1))).toBe(true);
    expect(isKeyAlive(unkindManners, at, later(day))).toBe(false);
    expect(isKeyAlive(kindManners, at, later(1000 * day))).toBe(true);
  });
});

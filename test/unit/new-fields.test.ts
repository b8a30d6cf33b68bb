import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { nothingLeft } from '../../lib/nothing-left.ts';
import { type AttributeOf, orAbsent } from '../../lib/store/attributes.ts';
import { aBill } from '../support/builders.ts';

type Kept = {
  readonly id: string;
  readonly amount: { readonly minor: bigint; readonly currency: string };
  readonly note: string | undefined;
};

const whole = { id: z.string(), amountMinor: z.bigint(), currency: z.string(), note: orAbsent(z.string()) };

/** Checked by `tsc`: each expected error is a place where a forgotten field would be lost silently. */
describe('a field that a copy forgets does not compile', () => {
  it('in the schema of an item: neither one too few nor one too many', () => {
    const complete = z.object(whole satisfies Record<AttributeOf<Kept>, z.ZodMiniType>);
    const { note: _, ...fewer } = whole;
    // @ts-expect-error: `note` is missing
    expect(fewer satisfies Record<AttributeOf<Kept>, z.ZodMiniType>).toBe(fewer);
    const more = () =>
      // @ts-expect-error: there is no `other`
      ({ ...whole, other: z.string() }) satisfies Record<AttributeOf<Kept>, z.ZodMiniType>;
    expect(more).toBeTypeOf('function');
    expectTypeOf<z.output<typeof complete>['note']>().toEqualTypeOf<string | undefined>();
  });

  it('in the reader and the writer of an item', () => {
    const item = z.object(whole);
    const absent = item.parse({ id: '1', amountMinor: 1n, currency: 'RUB' });
    expect(absent).toStrictEqual({ id: '1', amountMinor: 1n, currency: 'RUB' });
    // @ts-expect-error: the writer leaves out `note`
    const written: z.input<typeof item> = { id: '1', amountMinor: 1n, currency: 'RUB' };
    expect(item.parse(written)).toStrictEqual(absent);
  });

  it('in a function that copies a record field by field', () => {
    const { id: _, ...rest } = { id: '1', note: 'new' };
    // @ts-expect-error: `note` was not named
    expect(nothingLeft(rest)).toBeUndefined();
  });

  it('in a builder of a record', () => {
    const { orderId: _, ...bill } = aBill();
    // @ts-expect-error: `orderId` is not spelled
    const built: ReturnType<typeof aBill> = bill;
    expect(built).toBe(bill);
  });
});

/** A key with a question mark whose type has `undefined` too: it may be forgotten and may be there with nothing in it. */
const eitherWay = /[\w\]]\?: (?:(?!\()(?:[^;{},<]|<[^;]*>)*|\{.*\}|\(.*\)) ?\| undefined\b/;

describe('a key that may be left out', () => {
  it('is found by its line', () => {
    const optional = (type: string) => eitherWay.test(`  readonly x?${type};`);
    const plain = [': string | undefined', ': string | undefined }) => y', ': Record<X, Y> | undefined'];
    const both = [...plain, ': { readonly y: Z } | undefined', ': (() => void) | undefined'];
    expect(both.filter((type) => !optional(type))).toEqual([]);
    const either = [
      ': string',
      ': string, y: Y | undefined',
      ': (y: Y) => Z | undefined',
      ': { y: Z | undefined }',
    ];
    expect(either.filter(optional)).toEqual([]);
  });

  it('is never there with undefined: it is left out, or required as `T | undefined`', () => {
    const files = ['lib', 'functions', 'infra', 'test'].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(root, path)),
    );
    const found = files.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => (eitherWay.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { errorsOf } from '../../lib/contract/error-table.ts';
import { meanings } from '../../lib/contract/refusals.ts';
import type { ApiRoute } from '../../lib/contract/route.ts';
import { contract } from '../../lib/contract/routes.ts';
import { paymentEvent } from '../../lib/payment/payment-postback.ts';
import { redirectFields } from '../../lib/payment/redirect-fields.ts';
import { payoutEvent } from '../../lib/payout/payout-postback.ts';
import { aPayment, today } from '../support/builders.ts';
import { aPayout } from '../support/payouts.ts';

/** The sections by number, each with its heading. */
const sections = new Map(
  readFileSync('docs/contract.md', 'utf8')
    .split(/^#{2,3} (?=\d)/m)
    .slice(1)
    .map((text) => [text.split(/\.? /, 1)[0] ?? '', text] as const),
);
const sectionOf = ({ method, path }: ApiRoute): string =>
  [...sections.values()].find((text) => text.split('\n')[0]?.endsWith(` ${method} ${path}`)) ?? '';

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const rowsOf = (text: string): readonly string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
const firstColumn = (text: string): readonly string[] => rowsOf(text).flatMap(([name = '']) => namesIn(name));

/** The numbers of "Contract 4.7, 4.8", "contract (6.1 to 6.3)", "Contract 2.1: … (2.3)". */
const citation = /contract(?:,| \()? ?(\d(?:\.\d+)?(?:(?:, | and | to )\d(?:\.\d+)?)*)/gi;

describe('the contract document', () => {
  it('has every section that code, tests and documents name', () => {
    const files = globSync(['{functions,infra,lib,test}/**/*.ts', '{.,docs,lib,test}/**/*.md'], {
      exclude: ['node_modules'],
    });
    const named = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(citation)].flatMap(([, numbers = '']) =>
        numbers.split(/, | and | to /),
      ),
    );
    expect(named).toContain('4.1');
    expect(named.filter((number) => !sections.has(number))).toEqual([]);
  });

  it.each(contract)('$method $path: names each field of the request and the answer', (route) => {
    const text = sectionOf(route);
    const documented = [...namesIn(text), ...namesIn(sections.get('2.2') ?? '')];
    const fieldsOf = (schema: z.ZodMiniType) =>
      Object.keys(z.toJSONSchema(schema, { io: 'input' }).properties ?? {});
    const fields = [...fieldsOf(route.input), ...fieldsOf(route.output)];
    expect(fields.filter((field) => !documented.includes(field))).toEqual([]);
  });

  it.each(contract)('$method $path: has the statuses and messages of the code, and no others', (route) => {
    const rows = rowsOf(sectionOf(route)).filter(([status = '']) => /^\d{3}$/.test(status));
    const documented = rows.flatMap(([status, messages = '']) =>
      namesIn(messages).map((message) => `${status} ${message}`),
    );
    const atEvery = '403 api:error.ip_access_denied';
    expect(sections.get('5')).toContain('403\n  `api:error.ip_access_denied` at every endpoint');
    const answered = new Set(errorsOf(route).map(({ status, message }) => `${status} ${message}`));
    expect(answered.delete(atEvery)).toBe(true);
    expect(documented.toSorted()).toEqual([...answered].toSorted());
  });

  it('says what each error key means', () => {
    const keys = firstColumn(sections.get('7') ?? '').filter((key) => key.startsWith('api:error.'));
    const own = [
      'unauthorized_action',
      'unknown_cursor',
      'finish_before_start',
      'order_id_is_card_number',
      'sbp_bank_unknown',
      'order_id_reused',
      'idempotency_key_reused',
      'too_many_requests',
    ];
    const expected = Object.keys(meanings).filter((key) => !own.includes(key));
    expect(keys.toSorted()).toEqual(expected.map((key) => `api:error.${key}`).toSorted());
  });

  it('has the fields of postbacks and redirects in their order', () => {
    const payment = aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 1n, custom: 'any' });
    const payout = aPayout({ status: 'SUCCESS' });
    const sent = (fields: Readonly<Record<string, string>>) => [
      ...new Set([...Object.keys(fields), 'SignatureValue']),
    ];

    expect(firstColumn(sections.get('6.1') ?? '')).toEqual(
      sent(paymentEvent(payment, { now: today }).fields),
    );
    expect(firstColumn(sections.get('6.2') ?? '')).toEqual(
      sent(payoutEvent(payout, undefined, today).fields),
    );
    expect(firstColumn(sections.get('6.3') ?? '')).toEqual(sent(redirectFields(payment, 'token')));
  });
});

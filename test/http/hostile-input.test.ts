import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../lib/contract/error-table.ts';
import { contract } from '../../lib/contract/routes.ts';
import {
  aCaller,
  apiEvent,
  lambdaContext,
  multipartBody,
  multipartType,
  type Sent,
} from '../support/api-event.ts';
import { handlers, paths } from '../support/api-handlers.ts';
import { billId, paymentId, shopId } from '../support/builders.ts';
import { card } from '../support/payout-harness.ts';
import { itemsOf } from '../support/items-of.ts';
import { serviceHarness } from '../support/service-harness.ts';

/** A request that every endpoint would take; hostile values lie over some of it. */
const right = {
  amount: '16',
  shop_id: shopId,
  id: billId,
  active: '1',
  currency: 'RUB',
  account_type: 'credit_card',
  account_identifier: card,
  card_holder: 'IVAN PETROV',
  payment_id: paymentId,
};
const others =
  'order_id description type currency_in custom name payer_pays_commission limit cursor payout_account_id account_bank ' +
  '__proto__ constructor amount[] id[0] PK custom[user] custom[__proto__] custom[a][] custom[ reason refunds chargeback payer_email payer_phone payer_name items ttl locale payment_method success_url fail_url return_url request_fields request_fields[email] ttl[a] items[0][name] items[0][price] items[__proto__][name] items[ kind status date per_page payment_id payout_id refund_id start_date finish_date bill_id status';
const names = [...Object.keys(right), ...others.split(' '), ''];

const words =
  '16 100.5 1e+06 0 -1 1e999 99999999.99 RUB KZT normal MULTI 1 true sbp credit_card 79123456789 100000000004 null {} ' +
  '<script> ../../etc/passwd attribute_exists(PK) B#x \0 \u202e \ud800 💸';
const almostRight = fc.constantFrom(
  ...words.split(' '),
  card,
  shopId,
  billId,
  paymentId,
  "' OR 1=1 --",
  'x'.repeat(300),
  'x'.repeat(5000),
  '9'.repeat(400),
);
const text = fc.oneof({ weight: 3, arbitrary: almostRight }, fc.string({ unit: 'binary', maxLength: 30 }));
const name = fc.constantFrom(...names);
const fields = fc.array(fc.tuple(name, text), { maxLength: 8 });
const nested = fc.dictionary(name, fc.oneof(text, fc.jsonValue({ maxDepth: 3 })), { maxKeys: 8 });

const wellFormed = (value: string): string => value.toWellFormed();

const body = fc.oneof(
  fields.map((given) => ['application/x-www-form-urlencoded', new URLSearchParams(given).toString()]),
  fields.map((given) => [multipartType, multipartBody(given)]),
  nested.map((given) => ['application/json', JSON.stringify(given)]),
  fc.tuple(
    fc.constantFrom('application/json', multipartType, 'text/plain', 'x'),
    fc.string({ maxLength: 80 }),
  ),
);

const query = fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 3 })), { maxKeys: 3 });
const request: fc.Arbitrary<Sent> = fc
  .record({ body, query, isRight: fc.boolean(), inBase64: fc.boolean(), key: text })
  .map(({ body: [type = '', content = ''], query: asked, isRight, inBase64, key }) => ({
    query: isRight ? { ...right, ...asked } : asked,
    headers: { 'Content-Type': type, 'Idempotency-Key': wellFormed(key) },
    body: inBase64 ? Buffer.from(content) : wellFormed(content),
  }));

/** Every `message` that the contract lets an endpoint refuse with, by status. */
const known = new Set(
  errorTable().map(({ endpoint, status, message }) => `${endpoint.split(' ')[1]} ${status} ${message}`),
);

describe('a token that is tied to addresses', () => {
  it('is refused from another at every endpoint, before the body is read and before any other refusal', async () => {
    const harness = await serviceHarness({ availableMinor: 100_000_000n });
    const before = await itemsOf(harness.table);
    const caller = aCaller({
      apiAddresses: ['203.0.113.0/24', '2001:db8::/48'],
      banned: true,
      enabled: false,
    });
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': '' };
    for (const path of paths)
      for (const content of ['{"a":', JSON.stringify(right), '\0'.repeat(70_000)]) {
        const method = contract.find((route) => route.path === `/api/v1${path}`)?.method ?? 'GET';
        const event = apiEvent(method, { caller, headers, body: content, query: { id: '\0' } });
        const { statusCode, body: answer } = await handlers[path](harness)(event, lambdaContext);
        expect([path, statusCode, JSON.parse(answer)]).toEqual([
          path,
          403,
          {
            success: false,
            message: 'api:error.ip_access_denied',
            errors: { address: [expect.stringContaining('192.0.2.1')] },
          },
        ]);
      }
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('is accepted from its own', async () => {
    const harness = await serviceHarness();
    const caller = aCaller({ apiAddresses: ['203.0.113.7', '192.0.2.0/24'] });
    const event = apiEvent('GET', { caller });
    expect(await handlers['/merchant/balance'](harness)(event, lambdaContext)).toMatchObject({
      statusCode: 200,
    });
  });
});

/** It can be refunded, in whole and in part. */
const succeeded = { status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n } as const;

describe('whatever is sent to an endpoint', () => {
  it.each(paths)(
    '%s answers by the contract, and a refusal changes nothing',
    { timeout: 60_000 },
    async (path) => {
      const harness = await serviceHarness({ availableMinor: 100_000_000n, payment: succeeded });
      const handler = handlers[path](harness);
      const method = contract.find((route) => route.path === `/api/v1${path}`)?.method ?? 'GET';
      let before = await itemsOf(harness.table);
      await fc.assert(
        fc.asyncProperty(request, async (sent) => {
          const { statusCode, body: answer, headers } = await handler(apiEvent(method, sent), lambdaContext);
          const { success, message } = JSON.parse(answer);
          const after = await itemsOf(harness.table);

          expect(headers).toMatchObject({ 'content-type': 'application/json' });
          expect(statusCode).toBeLessThan(500);
          if (statusCode === 200) expect([true, 'true']).toContain(success);
          else {
            expect(success).toBe(false);
            expect(known).toContain(`/api/v1${path} ${statusCode} ${message}`);
            expect(after).toEqual(before);
          }
          before = after;
        }),
        { numRuns: 150 },
      );
      expect(JSON.stringify(harness.logged)).toBe('[]');
    },
  );
});

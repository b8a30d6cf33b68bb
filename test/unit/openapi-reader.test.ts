import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createBillRoute, toggleBillActivityRoute } from '../../lib/contract/bill.ts';
import { openApiDocument } from '../../lib/contract/openapi.ts';
import { createRegularPayoutRoute } from '../../lib/contract/payout.ts';

const property = z.looseObject({
  $ref: z.optional(z.string()),
  type: z.optional(z.unknown()),
  description: z.optional(z.string()),
  examples: z.optional(z.array(z.unknown())),
});
type Property = z.output<typeof property>;
const schemaWithProperties = z.object({ properties: z.record(z.string(), property) });

const content = z.looseObject({
  content: z.optional(z.record(z.string(), z.object({ schema: property }))),
});
const operation = z.looseObject({
  security: z.optional(z.array(z.unknown())),
  requestBody: z.optional(content),
  responses: z.record(z.string(), content),
});
const document = z
  .looseObject({
    tags: z.array(z.object({ name: z.string(), description: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    webhooks: z.record(z.string(), z.object({ post: operation })),
    components: z.looseObject({
      schemas: z.record(
        z.string(),
        z.looseObject({ properties: z.optional(z.record(z.string(), property)) }),
      ),
    }),
  })
  .parse(JSON.parse(JSON.stringify(openApiDocument('https://pay.example.test'))));
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Every property of every object schema, with its place in the document. */
function propertiesIn(value: unknown, way = ''): readonly (readonly [string, Property])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) => propertiesIn(each, `${way}/${key}`));
  const schema = schemaWithProperties.safeParse(value);
  if (!schema.success) return inner;
  const own = Object.entries(schema.data.properties);
  return [...own.map(([name, each]) => [`${way}/${name}`, each] as const), ...inner];
}

describe('a reader of the document', () => {
  const own = propertiesIn(document).filter(([, schema]) => schema.$ref === undefined);

  it('is told what every property means', () => {
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter(([, schema]) => !schema.description).map(([way]) => way)).toEqual([]);
  });

  it('is shown an example of every property that is no list', () => {
    const bare = own.filter(([, schema]) => schema.type !== 'array' && !schema.examples?.length);
    expect(bare.map(([way]) => way)).toEqual([]);
  });

  it('finds each body and each answer under a name', () => {
    const bodies = operations.flatMap(({ requestBody, responses }) => [requestBody, responses['200']]);
    const schemas = bodies.flatMap((each) => Object.values(each?.content ?? {}));
    expect(schemas.length).toBeGreaterThan(operations.length);
    for (const { schema } of schemas)
      expect(schema).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
  });

  it('is told of each postback and each redirect', () => {
    const sent = Object.entries(document.webhooks).map(([name, { post }]) => {
      const bodies = Object.entries(post.requestBody?.content ?? {});
      const names = bodies.map(([, { schema }]) => schema.$ref?.split('/').at(-1));
      return [name, bodies.map(([encoding]) => encoding), [...new Set(names)], post.security];
    });
    const form = 'application/x-www-form-urlencoded';
    expect(sent).toEqual([
      ['paymentPostback', [form, 'application/json'], ['PaymentPostback'], []],
      ['payoutPostback', [form], ['PayoutPostback'], []],
      ['refundPostback', [form, 'application/json'], ['RefundPostback'], []],
      ['chargebackPostback', [form, 'application/json'], ['ChargebackPostback'], []],
      ['successRedirect', [form], ['PayerRedirect'], []],
      ['failRedirect', [form], ['PayerRedirect'], []],
    ]);
  });
});

describe('a strict linter', () => {
  const problemsOf = async (source: unknown): Promise<readonly string[]> => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        'component-name-unique': 'error',
        'no-duplicated-tag-names': 'error',
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-invalid-schema-examples': 'error',
        'no-required-schema-properties-undefined': 'error',
        'no-schema-type-mismatch': 'error',
        'operation-singular-tag': 'error',
        'operation-tag-defined': 'error',
        'parameter-description': 'error',
        'scalar-property-missing-example': 'error',
        'tag-description': 'error',
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(source), config });
    return problems.map(({ ruleId }) => ruleId);
  };

  it('finds nothing in the document', async () => {
    expect(await problemsOf(document)).toEqual([]);
  });

  it('would find a lost description and a wrong example', async () => {
    const [{ name } = {}, ...others] = document.tags;
    const { Payment, ...schemas } = document.components.schemas;
    const id = { type: 'string', description: 'The id.', examples: [5] };
    const wrong = { ...Payment, properties: { ...Payment?.properties, id } };
    const components = { ...document.components, schemas: { ...schemas, Payment: wrong } };
    expect(await problemsOf({ ...document, tags: [{ name }, ...others], components })).toEqual([
      'tag-description',
      'no-invalid-schema-examples',
    ]);
  });
});

describe('the document takes what the server takes', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document }, 'paylink');
  const takes = (schema: string, field: string, value: unknown): boolean =>
    ajv.getSchema(`paylink#/components/schemas/${schema}/properties/${field}`)!(value) === true;

  const inputs = {
    CreateBill: createBillRoute.input,
    CreateRegularPayout: createRegularPayoutRoute.input,
    ToggleBillActivity: toggleBillActivityRoute.input,
  };
  const complete = {
    CreateBill: { amount: '1', shop_id: 'shop' },
    CreateRegularPayout: {
      amount: '1',
      currency: 'RUB',
      account_type: 'credit_card',
      account_identifier: '4111111111111111',
      card_holder: 'IVAN PETROV',
    },
    ToggleBillActivity: { id: 'bill', active: '1' },
  };
  const words = ['normal', 'Normal', 'MULTI', 'mUlTi', 'both', '', 'RUB', 'rub', 'Kzt', 'GBP', 'RUBUSD'];
  const flags = ['1', '0', 'true', 'TRUE', 'No', 'oN', 'off', '2', 'y', 'truefalse'];
  const types = ['credit_card', 'Credit_Card', 'SBP', 'sbp', 'card', 'credit-card'];

  it.each([
    ['CreateBill', 'type', words],
    ['CreateBill', 'currency_in', words],
    ['CreateBill', 'payer_pays_commission', flags],
    ['ToggleBillActivity', 'active', flags],
    ['CreateRegularPayout', 'currency', words],
    ['CreateRegularPayout', 'account_type', types],
  ] as const)('as %s.%s, in whatever case it is written', (name, field, tried) => {
    const taken = tried.filter((word) => {
      const read = z.safeParse(inputs[name], { ...complete[name], [field]: word });
      return read.success || read.error.issues.every(({ path }) => path[0] !== field);
    });
    expect(taken.length).toBeGreaterThan(0);
    expect(tried.filter((word) => takes(name, field, word))).toEqual(taken);
  });

  it('and means by a default what the server does without the field', () => {
    const { properties = {} } = document.components.schemas['CreateBill'] ?? {};
    const defaults = Object.entries(properties).flatMap(([name, schema]) =>
      'default' in schema ? [[name, String(schema['default'])] as const] : [],
    );
    expect(defaults.map(([name]) => name)).toEqual(['type', 'payer_pays_commission']);
    const spelled = { ...complete.CreateBill, ...Object.fromEntries(defaults) };
    expect(z.parse(createBillRoute.input, spelled)).toEqual(
      z.parse(createBillRoute.input, complete.CreateBill),
    );
  });

  it.each([
    ['CreateBill', 'amount', ['100.50', 100.5]],
    ['CreateBill', 'payer_pays_commission', [1, 0, true, false]],
    ['CreateBill', 'order_id', ['order-1', 1_763_760_000]],
    [
      'CreateBill',
      'items',
      [[{ name: 'Tea', price: 40.25 }], [{ name: 'Tea', price: '1', quantity: '0.5', category: 'x' }]],
    ],
    ['CreateBill', 'custom', ['text', { user: 7 }, [1], 7, true]],
    ['CreateRegularPayout', 'account_bank', ['100000000111', 100_000_000_111]],
  ] as const)('as %s.%s in JSON, whatever its type', (schema, field, values) => {
    for (const value of values) expect(takes(schema, field, value), JSON.stringify(value)).toBe(true);
  });
});

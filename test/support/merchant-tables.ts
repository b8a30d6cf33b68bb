import * as z from 'zod/mini';
import { createBillRoute } from '../../lib/contract/bill.ts';
import { namedSchemas } from '../../lib/contract/openapi/named-schemas.ts';
import { createPersonalPayoutRoute, createRegularPayoutRoute } from '../../lib/contract/payout.ts';
import type { ApiRoute } from '../../lib/contract/route.ts';
import {
  chargebackPostback,
  payerRedirect,
  paymentPostback,
  paymentPostbackExtension,
  payoutPostback,
  postbackHeaders,
  refundPostback,
} from '../../lib/contract/postbacks.ts';
import {
  billStatusMeanings,
  billTypeMeanings,
  paymentPostbackStatusMeanings,
  paymentStatusMeanings,
  payoutPostbackStatusMeanings,
  payoutStatusMeanings,
  refundPostbackStatusMeanings,
  postbackStateMeanings,
} from '../../lib/contract/statuses.ts';
import { paymentErrors } from '../../lib/payment/payment-error.ts';
import { failuresUntilOpen, openForMs, pausedAfterMs, probeGapMs } from '../../lib/postback/breaker.ts';
import { delayAfter, triesInAll } from '../../lib/postback/schedule.ts';
import { usualLimits } from '../../lib/provider/merchant-post.ts';
import { testValues } from '../../lib/sandbox/test-values.ts';
import { table } from './markdown.ts';

const property = z.object({
  description: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  examples: z.optional(z.array(z.unknown())),
  maxLength: z.optional(z.number()),
});
const objectSchema = z.object({
  properties: z.record(z.string(), property),
  required: z.optional(z.array(z.string())),
});

const propertiesOf = (schema: z.ZodMiniType) =>
  Object.entries(objectSchema.parse(z.toJSONSchema(schema, { io: 'input' })).properties);

const code = (value: unknown): string => `\`${String(value)}\``;

/** The table of fields sent to a merchant: each with its enumeration or an example, and its meaning. */
const fields = (schema: z.ZodMiniType): string =>
  table(
    ['Field', 'Values or example', 'Meaning'],
    propertiesOf(schema).map(([name, { enum: values, examples = [], description = '' }]) => [
      code(name),
      (values ?? examples).map(code).join(', '),
      description,
    ]),
  );

/** The table of a request's parameters, from the OpenAPI document. */
function parameters(route: ApiRoute): string {
  const { properties, required = [] } = objectSchema.parse(namedSchemas(route).takes);
  return table(
    ['Field', 'Required', 'Meaning', 'Example'],
    Object.entries(properties).map(([name, { description = '', examples = [] }]) => [
      code(name),
      required.includes(name) ? 'yes' : '',
      description,
      code(typeof examples[0] === 'object' ? JSON.stringify(examples[0]) : examples[0]),
    ]),
  );
}

const meanings = (title: string, record: Readonly<Record<string, string>>): string =>
  table(
    [title, 'Means'],
    Object.entries(record).map(([name, meaning]) => [code(name), meaning]),
  );

function span(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const [unit, size] = units.find(([name, each]) => name !== 'd' && ms >= each) ?? ['ms', 1];
  return `${ms / size} ${unit}`;
}

/** The gaps of the schedule without their jitter. */
function gaps(): readonly number[] {
  const middle = (tries: number) =>
    delayAfter({ tries, overloaded: false, retryAfterSeconds: undefined }, () => 0.5);
  return Array.from({ length: triesInAll }, (_, at) => middle(at + 1)).filter((gap) => gap !== undefined);
}

function openings(): string {
  const all = Array.from({ length: 20 }, (_, times) => openForMs(times));
  return `${span(Math.min(...all))}, doubling up to ${span(Math.max(...all))}`;
}

const retries = (): string =>
  table(
    ['Your server', 'The service'],
    [
      ['answers 2xx', 'has delivered the postback'],
      [
        `answers anything else, or nothing within ${span(usualLimits.totalMs)} (no connection within ${span(usualLimits.connectMs)})`,
        `retries after ${gaps().map(span).join(', ')}, each ±20 %: ${triesInAll} attempts in all; then it alerts the operator`,
      ],
      ['answers 429, 502 or 504', 'waits twice as long'],
      ['sends `Retry-After`', 'waits at least that long, up to 24 h'],
      ['answers 410', 'sends nothing more to this URL until the operator resumes it'],
      [
        `gives no answer or 5xx ${failuresUntilOpen} times in a row`,
        `opens a circuit breaker: it sends nothing to the URL for ${openings()}, except one new postback every ${span(probeGapMs)} as a probe; the first 2xx closes the breaker`,
      ],
      [
        `accepts nothing for ${pausedAfterMs / 86_400_000} days and ${triesInAll} attempts`,
        'pauses the URL and alerts the operator; when the operator resumes it, the waiting postbacks are sent',
      ],
    ],
  );

const lengths = (): string =>
  table(
    ['Field', 'At most'],
    propertiesOf(createBillRoute.input).flatMap(([name, { maxLength }]) =>
      maxLength === undefined ? [] : [[code(name), maxLength.toLocaleString('en-US')]],
    ),
  );

/** Returns the tables of `docs/merchants.md`, built from the code, by the name of their marks. */
export const merchantTables = (): Readonly<Record<string, string>> => ({
  'bill fields': parameters(createBillRoute),
  'personal payout fields': parameters(createPersonalPayoutRoute),
  'regular payout fields': parameters(createRegularPayoutRoute),
  'bill types': meanings('`type`', billTypeMeanings),
  'bill statuses': meanings('Bill', billStatusMeanings),
  'payment statuses': meanings('Payment', paymentStatusMeanings),
  'payment errors': meanings('`error_code`', paymentErrors),
  'payment postback': fields(paymentPostback),
  'extended postback': fields(paymentPostbackExtension),
  'payment postback statuses': meanings('`Status`', paymentPostbackStatusMeanings),
  'payout postback': fields(payoutPostback),
  'payout postback statuses': meanings('`Status`', payoutPostbackStatusMeanings),
  'refund postback': fields(refundPostback),
  'refund postback statuses': meanings('`Status`', refundPostbackStatusMeanings),
  'chargeback postback': fields(chargebackPostback),
  'postback states': meanings('`state`', postbackStateMeanings),
  'postback headers': meanings('Header', postbackHeaders),
  retries: retries(),
  redirect: fields(payerRedirect),
  'payout statuses': meanings('Payout', payoutStatusMeanings),
  lengths: lengths(),
  'sandbox values': table(
    ['As a', 'Value', 'Outcome'],
    testValues.map(({ use, value, en }) => [use, code(value), en]),
  ),
});

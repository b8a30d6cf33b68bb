import * as fc from 'fast-check';
import type { Raw } from './raw-request.ts';

export type Target = {
  readonly method: 'GET' | 'POST';
  /** The path as in the document and the template. */
  readonly route: string;
  /** The path with values for its parameters. */
  readonly path: string;
  /** Fields that the endpoint accepts, apart from one that must differ each time. */
  readonly right: Readonly<Record<string, string>>;
};
type Hostile = Target & { readonly raw: Raw; readonly url: string };

const names =
  'amount shop_id id active currency account_type account_identifier card_holder order_id description type currency_in ' +
  'custom name payer_pays_commission payment_id reason refunds chargeback payer_email limit per_page cursor start_date finish_date bill_id status payment_method payout_account_id account_bank token paymentId state lang check TrsId ' +
  '__proto__ constructor toString amount[] id[0] PK';
const name = fc.constantFrom(...names.split(' '), '');

const words =
  '16 100.5 1e+06 0 -1 -0 1e999 1e-400 NaN Infinity 0x10 99999999.99 100000000 9007199254740993 RUB KZT rub normal MULTI ' +
  '1 true sbp credit_card 79123456789 100000000004 null {} [] <script>alert(1)</script> ../../etc/passwd %00 ${7*7} ' +
  'attribute_exists(PK) B#x M#x :v \u0000 \u001b[31m \u202eevil \u200b \ufeff \ufffd \u0130 １６ ١٦ 💸';
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...words.split(' '), '', ' ', "' OR 1=1 --", '\r\nx: y') },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(300), 'я'.repeat(5000), '9'.repeat(400)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
);
const pairs = fc.array(fc.tuple(name, text), { maxLength: 8 });

/** API Gateway accepts no longer request line. */
const longestQuery = 4000;

const boundary = 'b0undary';
const part = ([field, value]: readonly [string, string]): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
const multipart = (given: readonly (readonly [string, string])[]): string =>
  `${given.map(part).join('')}--${boundary}--\r\n`;

type Body = readonly [type: string, bytes: Buffer];
const bodyOf = (right: Target['right']): fc.Arbitrary<Body> => {
  const given = fc
    .tuple(fc.boolean(), pairs)
    .map(([all, some]) => [...(all ? Object.entries(right) : []), ...some]);
  const asForm = given.map((all) => new URLSearchParams(all).toString());
  const asJson = fc
    .tuple(given, fc.dictionary(name, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 }))
    .map(([all, nested]) => JSON.stringify({ ...Object.fromEntries(all), ...nested }));
  const asMultipart = given.map(multipart);
  const types = { form: 'application/x-www-form-urlencoded', json: 'application/json' };
  const multipartType = `multipart/form-data; boundary=${boundary}`;
  const typed = (type: string, from: fc.Arbitrary<string>) =>
    from.map((body): Body => [type, Buffer.from(body)]);
  const cut = (type: string, from: fc.Arbitrary<string>) =>
    fc.tuple(from, fc.nat(100)).map(([body, at]): Body => [type, Buffer.from(body).subarray(0, at)]);
  return fc.oneof(
    typed(types.form, asForm),
    typed(types.json, asJson),
    typed(multipartType, asMultipart),
    cut(types.json, asJson),
    cut(multipartType, asMultipart),
    typed('multipart/form-data', asMultipart),
    typed(`${types.form}; charset=windows-1251`, asForm),
    typed(types.json, asForm),
    typed('text/plain', asForm),
    fc
      .tuple(fc.constantFrom(...Object.values(types), multipartType, 'x/y'), fc.uint8Array({ maxLength: 60 }))
      .map(([type, bytes]): Body => [type, Buffer.from(bytes)]),
  );
};

/** Header values without control characters and of limited length, because no client can send others. */
const headerText = text.map((value) =>
  Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '')
    .slice(0, 1000),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'idempotency-key',
    'accept',
    'accept-language',
    'origin',
    'sec-fetch-site',
    'x-forwarded-host',
  ),
  headerText,
  { maxKeys: 3 },
);

/** Requests to these targets; half of them contain the fields that the endpoint accepts. */
export const hostileRequests = (targets: readonly Target[], token: string): fc.Arbitrary<Hostile> =>
  fc.constantFrom(...targets).chain((target) =>
    fc
      .record({ body: bodyOf(target.right), query: pairs, isRight: fc.boolean(), headers, last: text })
      .map((made) => {
        const [type, body] = made.body;
        const asked = [...(made.isRight ? Object.entries(target.right) : []), ...made.query];
        const query = target.method === 'GET' ? new URLSearchParams(asked).toString() : '';
        const path = target.path.replace(
          '{any}',
          encodeURIComponent(made.last.toWellFormed().slice(0, 400)) || '-',
        );
        const raw = {
          method: target.method,
          headers: { ...made.headers, 'content-type': type, authorization: `Bearer ${token}` },
          body,
        };
        return { ...target, raw, url: query ? `${path}?${query.slice(0, longestQuery)}` : path };
      }),
  );

import { toBillId } from '../../lib/ids.ts';
import * as z from 'zod/mini';
import type { Demo } from '../../lib/installation/data-folder.ts';
import { type Journey, payBill } from '../../lib/cli/payer.ts';

export type Account = Pick<Demo, 'baseUrl' | 'apiToken'> & { readonly shopId: string };
export type Called = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
};
type Fields = Readonly<Record<string, string>>;

/** Calls the merchant API as a merchant's program does: form-encoded request, JSON response. */
export const get = (account: Account, path: string, query: Fields = {}): Promise<Called> =>
  call(account, 'GET', `${path}?${new URLSearchParams(query).toString()}`, {});

export const post = (account: Account, path: string, fields: Fields, headers: Fields = {}): Promise<Called> =>
  call(account, 'POST', path, headers, new URLSearchParams(fields));

async function call(
  { baseUrl, apiToken }: Account,
  method: string,
  path: string,
  given: Fields,
  body?: URLSearchParams,
): Promise<Called> {
  const headers = { ...given, authorization: `Bearer ${apiToken}` };
  const answer = await fetch(`${baseUrl}/api/v1/${path}`, { method, headers, ...(body && { body }) });
  return { status: answer.status, headers: answer.headers, body: objectIn.parse(await answer.json()) };
}

const objectIn = z.record(z.string(), z.unknown());

/** Creates a bill for this merchant's shop; returns it with its payment page. */
export async function newBill(account: Account, fields: Fields = {}) {
  const { status, body } = await post(account, 'bill/create', {
    amount: '1000',
    shop_id: account.shopId,
    ...fields,
  });
  if (status !== 200) throw new Error(`bill/create answered ${status}: ${JSON.stringify(body)}`);
  return { billId: toBillId(String(body['bill_id'])), page: new URL(String(body['link_page_url'])) };
}

export const cards = {
  pays: '4111111111111111',
  isDeclined: '4000000000000002',
  asksFor3ds: '4000000000003220',
  paysLess: '4000000000110009',
  paysMore: '4000000000110017',
  timesOut: '4000000000110025',
  paysWithoutNotice: '4000000000110058',
  refusesFirstVoid: '4000000000110108',
} as const;

/** Creates a bill with these fields and pays it. */
export async function paid(
  account: Account,
  fields: Fields = {},
  card: string = cards.pays,
): Promise<Journey> {
  return payBill((await newBill(account, fields)).page, card);
}

/** `available`, `locked`, `hold` and `reserved` of one currency, as the merchant reads them. */
export async function balanceOf(account: Account, currency = 'RUB') {
  const { body } = await get(account, 'merchant/balance');
  const {
    balance_available: available,
    balance_locked: locked,
    balance_hold: hold,
    balance_reserved: reserved,
  } = balances.parse(body['balances']).find((each) => each.currency === currency)!;
  return { available, locked, hold, reserved };
}

const balances = z.array(
  z.object({
    currency: z.string(),
    balance_available: z.string(),
    balance_locked: z.string(),
    balance_hold: z.string(),
    balance_reserved: z.string(),
  }),
);

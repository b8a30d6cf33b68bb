import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../lib/contract/routes.ts';
import { functions } from '../../infra/functions.ts';
import {
  canariesIn,
  cardCanary,
  codeCanary,
  phoneCanary,
  textCanary,
  withCheckDigit,
} from '../support/canary-search.ts';
import { lossyProxy } from '../support/lossy-proxy.ts';
import { newBill, paid, post } from '../support/merchant-calls.ts';
import { openForm, sendForm } from '../support/payer-steps.ts';
import { watchQueues } from '../support/queue-watch.ts';
import { rawRequest } from '../support/raw-request.ts';
import { aReceiver, type Receiver } from '../support/receiver.ts';
import { type Operator, operatorAt } from '../support/stack-operator.ts';
import { tablesOf, type Tables } from '../support/stack-tables.ts';
import { type Stack, startStack } from '../support/stack.ts';

const card = withCheckDigit('521324371598640');
const payoutCard = withCheckDigit('535316204938571');
const phone = '79037418265';
const cvc = '7391';
/** What the payer answers on the payment page of a bill that has them asked. */
const comment = 'Kommentarij-dlya-magazina 4711';
const payer = {
  payer_email: 'zoya.kanareikina@pochta-primer.ru',
  payer_phone: '+7 916 128-37-45',
  payer_name: 'Zoya Kanareikina-Primerova',
};

let receiver: Receiver;
let stack: Stack;
let operator: Operator;
let tables: Tables;
let queues: ReturnType<typeof watchQueues>;
let way: Awaited<ReturnType<typeof lossyProxy>>;
let replacedToken: string;
let payoutWebhookSecret: string;
let replacedSecret: string;
let apiToken: string;
let shopId: string;
/** All HTTP responses and all output of the operator's commands. */
const said: string[] = [];
/** The errors that functions threw for events that no gateway sends. */
const thrown: string[] = [];

beforeAll(async () => {
  // A merchant's server that echoes the request, as many error pages do; every second response is an error.
  let heard = 0;
  receiver = await aReceiver((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      heard += 1;
      response.writeHead(heard % 2 ? 500 : 200).end(JSON.stringify([request.headers, body]));
    });
  });
  way = await lossyProxy();
  stack = await startStack({ variables: { SANDBOX_URL: `${way.origin}/sandbox` } });
  way.leadTo(stack.baseUrl);
  [operator, tables, queues] = [await operatorAt(stack), tablesOf(stack), watchQueues(stack)];
  const made = await operator.json('merchant create Canary');
  ({ apiToken: replacedToken, payoutWebhookSecret } = made);
  const { merchantId } = made;
  await operator.json(
    `merchant set ${merchantId} --verified yes --regular-payouts yes --payout-webhook-url ${receiver.url}`,
  );
  ({ shopId, webhookSecret } = await operator.json(
    `shop create ${merchantId} --name Shop --result-url ${receiver.url} --refund-url ${receiver.url} --extended-postbacks yes --success-url ${receiver.url} --fail-url ${receiver.url}`,
  ));
  ({ apiToken } = await operator.json(`token refresh ${merchantId}`));
  replacedSecret = webhookSecret;
  ({ webhookSecret } = await operator.json(`webhook-secret rotate ${shopId}`));
  await sendEverywhere(merchantId);
}, 180_000);

let webhookSecret: string;

afterAll(async () => {
  tables.close();
  await operator.leave();
  await stack.stop();
  await receiver[Symbol.asyncDispose]();
  await way.close();
});

const canaries = () => [
  cardCanary('card', card),
  cardCanary('payout card', payoutCard),
  codeCanary('CVC', cvc),
  phoneCanary('phone', phone),
  textCanary('payer e-mail', payer.payer_email),
  phoneCanary('payer phone', '79161283745'),
  textCanary('payer name', payer.payer_name),
  textCanary('payer comment', comment),
  textCanary('token', apiToken),
  textCanary('replaced token', replacedToken),
  textCanary('webhook secret', webhookSecret),
  textCanary('replaced webhook secret', replacedSecret),
  textCanary('payout webhook secret', payoutWebhookSecret),
];

const account = () => ({ baseUrl: stack.baseUrl, apiToken, shopId });
const form = 'application/x-www-form-urlencoded';

async function send(path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<void> {
  for (const method of ['GET', 'POST'] as const) {
    const text = new URLSearchParams(fields).toString();
    const query = method === 'GET' ? `?${text}` : '';
    const raw = { method, headers: { 'content-type': form, ...headers }, body: text };
    const { status, headers: told, body } = await rawRequest(stack.baseUrl, path + query, raw);
    said.push(`${status} ${JSON.stringify(told)} ${body}`);
  }
}

/** Mistakes that a client might make at any endpoint. */
const secrets = () => ({
  card_number: card,
  number: card,
  pan: payoutCard,
  cvc,
  cvv: cvc,
  token: apiToken,
  secret: webhookSecret,
  phone,
  ...payer,
  items: payer.payer_email,
});

/** A refund in parts and one that is refused, with a payer's contact, and with a reason that holds it and a card number. */
async function throughRefunds(): Promise<void> {
  const { paymentId } = await paid(account(), { amount: '900000', ...payer }, card);
  const ask = async (amount: string, reason: string) => {
    const fields = { payment_id: paymentId, amount, reason, payer_email, payer_phone };
    const { body } = await post(account(), 'refund/partial/create', fields);
    said.push(JSON.stringify(body));
    return String(body['id']);
  };
  const { payer_email, payer_phone } = payer;
  const id = await ask('10', `to card ${card}`);
  expect(id).toMatch(/^\w{32}$/);
  await ask('11', `to card ${card.replaceAll(/(\d{4})(?=\d)/g, '$1.')}`);
  await ask('99999999', card);
  await ask('0', card);
  said.push(JSON.stringify(await operator.json(`refunds create ${paymentId} --amount 9 --reason returned`)));
  said.push(JSON.stringify(await operator.json(`refunds show ${id}`)));
  said.push(JSON.stringify(await operator.json(`refunds list`)));
}

async function sendEverywhere(merchantId: string): Promise<void> {
  await throughRefunds();
  await throughCardPages();
  await throughPayouts(merchantId);
  await throughDoors();
  await throughBrokenEvents();
  await tables.letTimePass();
  await stack.sweep();
  for (const line of [
    'payouts list',
    'payments list',
    'bills list',
    'find 1000',
    'postbacks list',
    'merchant list',
    `shop list ${merchantId}`,
  ])
    said.push(JSON.stringify(await operator.json(line)));
  for (const { PK } of await tables.items()) {
    const id = /^(?:B|G|E)#(\w[\w.]*)$/.exec(PK)?.[1];
    if (id) said.push(JSON.stringify(await operator.json(`trace ${id}`, [0, 1]).catch(String)));
  }
}

/** The payer's card: accepted, declined for each reason, and with each fault of the acquirer. */
async function throughCardPages(): Promise<void> {
  const onPage = async (fields: Readonly<Record<string, string>>) => {
    const asked = { ...payer, 'request_fields[comment]': '1' };
    const { page } = await newBill(account(), asked);
    const cardPage = (await sendForm(page, await openForm(page), { comment })) ?? '';
    const body = new URLSearchParams({ do: 'pay', number: card, expiry: '12/49', cvc, ...fields });
    const answer = await fetch(cardPage, { method: 'POST', body });
    // A form with errors shows the payer's input again: the page belongs to the acquirer.
    if (answer.status !== 422) said.push(await answer.text());
    else expect(await answer.text()).not.toContain(cvc);
  };
  await onPage({});
  await onPage({ number: `${card.slice(0, -1)}${(Number(card.at(-1)) + 1) % 10}` });
  await onPage({ expiry: '01/20' });
  await onPage({ number: card.replaceAll(/(\d{4})(?=\d)/g, '$1 ') });
  way.decide(({ path }) => (path.endsWith('/capture') ? 'refused' : 'passes'));
  await onPage({});
  way.decide(({ path, method }) => (method === 'GET' && path.includes('/orders/') ? 'refused' : 'passes'));
  await onPage({});
  way.decide(() => 'passes');
}

/** The amounts select the outcomes: paid, refused, 500 before and after, garbage, an empty account. */
async function throughPayouts(merchantId: string): Promise<void> {
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const request = { currency: 'RUB', ...fields };
    said.push(JSON.stringify((await post(account(), 'payout/quote', request)).body));
    const { status, body } = await post(account(), 'payout/regular/create', request);
    said.push(JSON.stringify(body));
    const data = body['data'];
    return status === 200 && Array.isArray(data) ? String(data[0].id) : '';
  };
  const toCard = { account_type: 'credit_card', account_identifier: payoutCard, card_holder: 'IVAN PETROV' };
  const toPhone = { account_type: 'sbp', account_identifier: phone, account_bank: '100000000004' };
  for (const to of [toCard, toPhone]) {
    const amounts = ['4400.01', '4400.03', '4400.04', '4400.05', '4400.07', '4400.08', '10'];
    const [left, ...ids] = await Promise.all(['20', ...amounts].map((amount) => ask({ ...to, amount })));
    expect(left).not.toBe('');
    const last = ids.pop() ?? '';
    said.push(JSON.stringify(await operator.json(`payouts decline ${last} --reason "not today"`)));
    for (const id of ids) said.push(JSON.stringify(await operator.json(`payouts approve ${id}`)));
    said.push(
      JSON.stringify(
        (await post(account(), 'payout/cancel', { id: await ask({ ...to, amount: '11' }) })).body,
      ),
    );
    await ask({ ...to, amount: '0' });
    await ask({ ...to, amount: '99999999' });
    await ask({ ...to, amount: '10', account_bank: '1', card_holder: '' });
  }
  await ask({ ...toCard, amount: '10', account_identifier: `${payoutCard.slice(0, -1)}x` });
  await ask({ ...toPhone, amount: '10', account_identifier: `${phone}0` });
  for (const number of [`--type card --number ${payoutCard}`, `--type sbp --number ${phone}`]) {
    const stored = await operator.json(`account add ${merchantId} ${number} --currency RUB`);
    said.push(JSON.stringify(stored));
    const { body } = await post(account(), 'payout/personal/create', {
      amount: '9',
      payout_account_id: stored.id,
    });
    said.push(JSON.stringify(body));
  }
}

async function throughDoors(): Promise<void> {
  const bearer = (token: string) => ({
    authorization: `Bearer ${token}`,
    'x-card': card,
    'idempotency-key': '1',
  });
  for (const { path } of contract) {
    for (const token of [apiToken, replacedToken, `${apiToken}x`]) await send(path, secrets(), bearer(token));
    await send(path, secrets(), { authorization: apiToken });
    await send(path, secrets(), { ...bearer(apiToken), 'content-type': 'application/json' });
  }
  const { billId, page } = await newBill(account());
  const pages = [
    `/link/${billId}`,
    page.pathname,
    '/result/x',
    '/redirect/payment/fail',
    '/acquirer/notification',
  ];
  for (const path of [...pages, '/openapi.json', '/nowhere', '/sandbox/acquirer/orders', '/sandbox/card/x'])
    await send(path, secrets(), bearer(apiToken));
  for (const secret of [apiToken, card, payoutCard, phone, webhookSecret]) {
    for (const at of [
      '/api/v1/',
      '/link/',
      '/transfer/',
      '/result/',
      '/acquirer/yookassa/',
      '/sandbox/card/',
      '/',
    ])
      await send(at + encodeURIComponent(secret), {});
  }
}

/** Events that no gateway sends: the function fails, and its error is in the log. */
async function throughBrokenEvents(): Promise<void> {
  const events = [
    { ...secrets(), headers: secrets(), body: JSON.stringify(secrets()) },
    { Records: [{ messageId: 'm', body: JSON.stringify(secrets()) }, { body: card }] },
    { authorizationToken: `Bearer ${apiToken} ${card}`, methodArn: cvc },
    `${card} ${apiToken}`,
  ];
  for (const name of Object.keys(functions)) {
    for (const event of events)
      said.push(
        await stack.invoke(name, event).then(JSON.stringify, ({ message }: Error) => {
          thrown.push(message);
          return message;
        }),
      );
  }
}

const found = (texts: Iterable<string>): readonly string[] =>
  [...texts].flatMap((text) => canariesIn(text, canaries()).map((name) => `${name}: ${text.slice(0, 300)}`));

describe('secrets that were sent through every route and failure', () => {
  it('are found where they belong: the search works', () => {
    const texts = [
      card,
      payoutCard,
      `{"cvc":"${cvc}"}`,
      `+7 (903) 741-82-65`,
      apiToken,
      webhookSecret,
      payer.payer_email,
      payer.payer_phone,
      payer.payer_name,
      comment,
    ];
    for (const text of texts) {
      expect(canariesIn(`x ${text} y`, canaries())).toHaveLength(1);
      expect(
        canariesIn(JSON.stringify({ a: Buffer.from(` ${text} `).toString('base64') }), canaries()),
      ).toHaveLength(1);
    }
  });

  it('are in no line of any log', () => {
    expect(stack.logs().length).toBeGreaterThan(0);
    expect(found(stack.logs())).toEqual([]);
  });

  it('are in no error that a function throws: Lambda logs its message, so each is a fixed sentence', () => {
    const uuid = '[0-9a-f-]{36}';
    const sentence = `The function failed; the log line function_failed of invocation ${uuid} names the error.`;
    const fixed = new RegExp(
      String.raw`^[\w-]+: Error: (?:Unauthorized|${sentence.replaceAll('.', '\\.')})$`,
    );
    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter((text) => !fixed.test(text))).toEqual([]);
    expect(stack.logs().filter((line) => line.includes('"event":"function_failed"'))).not.toEqual([]);
  });

  it('are in no item of the service’s table, also not the phone of a payout postback, which was sent in full', async () => {
    const items = await tables.items();
    const told = items.filter(({ PK, kind }) => PK.startsWith('E#po.') && kind === 'payout');
    expect(told.length).toBeGreaterThan(0);
    expect(found(items.map((item) => JSON.stringify(item)))).toEqual([]);
  });

  it('are stored where they are needed: the contact of each bill is sealed beside its masks', async () => {
    const contacts = (await tables.items()).filter(({ PK }) => PK.startsWith('CONTACT#'));
    expect(contacts.length).toBeGreaterThan(5);
    for (const contact of contacts)
      expect(contact).toMatchObject({
        emailMask: 'z***@p***.ru',
        phoneMask: '+7 *** ***-**-45',
        nameMask: 'Z*** K***',
      });
  });

  it('are in no item of the sandbox’s table, except the phones that it pays to', async () => {
    const items = await tables.sandboxItems();
    expect(
      found(items.map((item) => JSON.stringify(item))).filter((hit) => !hit.startsWith('phone')),
    ).toEqual([]);
  });

  it('are in no queue message: messages contain ids', async () => {
    await queues.stop();
    expect(queues.bodies.size).toBeGreaterThan(0);
    expect(found(queues.bodies)).toEqual([]);
    const own = [...queues.bodies].filter(
      (body) => !/^\{"(?:eventId|payoutId|paymentId|refundId)":"[\w.]+"\}$/.test(body),
    );
    expect(own).toEqual([]);
  });

  it('are in no HTTP response and no output of the operator’s commands', () => {
    expect(said.length).toBeGreaterThan(100);
    expect(found(said)).toEqual([]);
  });

  it('leave no signature in the stored part of a merchant’s response', async () => {
    const attempts = (await tables.items()).flatMap(({ PK, attempts: all }) =>
      PK.startsWith('E#') ? [all] : [],
    );
    const text = JSON.stringify(attempts);
    expect(text).toContain('[signature]');
    expect(text).not.toMatch(/v1,[A-Za-z0-9+/=]{40}/);
    expect(text).not.toMatch(/SignatureValue=[0-9A-F]{32}/);
  });
});

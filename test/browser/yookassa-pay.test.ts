import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeYookassaKeys } from '../../infra/start/yookassa-secret.ts';
import { synthesize } from '../../infra/synth.ts';
import { atYookassa, environments, localReceipts } from '../../lib/installation/environments.ts';
import { type Emulator, startEmulator } from '../../infra/yookassa-emulator/emulator.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { launchBrowser } from './browser.ts';
import { ask, createBill, outcomeOf } from './payer.ts';

let folder: string;
let browser: Browser;
let emulator: Emulator;
let stack: Stack;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-yookassa-'));
  emulator = await startEmulator({ folder: join(folder, 'emulator'), receipts: true });
  const { apiUrl } = emulator;
  const outdir = join(folder, 'assembly');
  const assembly = await synthesize({ environment: 'local', outdir, context: { yookassaUrl: apiUrl } });
  const settings = JSON.stringify(atYookassa(environments.local, apiUrl, localReceipts).providers.yookassa);
  stack = await startStack({ assembly, variables: { YOOKASSA_SETTINGS: settings } });
  await storeYookassaKeys(stack.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER, emulator);
  browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
  await browser.close();
  await stack.stop();
  await emulator.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a new bill's payment page. */
async function openBill(fields: Parameters<typeof createBill>[1] = {}) {
  const { billId, payUrl } = await createBill(stack.demo, fields);
  const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(payUrl);
  return { billId, page };
}

/** Gives the contact for the receipt, and presses the button of a way to pay. */
async function choose(page: Page, method: 'card' | 'sbp', contact = 'payer@example.com'): Promise<void> {
  await page.getByLabel('Email or phone for the receipt').fill(contact);
  await page.locator(`button[name=method][value=${method}]`).click();
}

async function entersCard(page: Page, number: string): Promise<void> {
  await page.waitForURL(`${emulator.pagesUrl}/**`);
  await page.locator('[autocomplete=cc-number]').fill(number);
  await page.locator('[autocomplete=cc-exp]').fill('12/49');
  await page.locator('[autocomplete=cc-csc]').fill('123');
  await page.locator('button[value=bank_card]').click();
  await page.waitForURL(`${stack.baseUrl}/**`);
}

async function pay(method: 'card' | 'sbp'): Promise<{ readonly billId: string; readonly page: Page }> {
  const { billId, page } = await openBill();
  await choose(page, method);
  return { billId, page };
}

/** The receipt that the provider got with the payment of a bill, and what became of it. */
async function receiptOf(billId: string) {
  const payments = [...emulator.world.state.payments.values()];
  const { id } = payments.findLast(({ metadata }) => metadata['bill_id'] === billId) ?? {};
  const exchanges = await readFile(emulator.journal, 'utf8');
  const [sent] = exchanges
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((each) => each.path === '/v3/payments' && each.answer.id === id);
  return sent?.request.receipt;
}

const isPaid = async (billId: string) =>
  expect(await ask(stack.demo, `bill/status?id=${billId}`)).toMatchObject({ status: 'SUCCESS' });

describe('a payer whose bill is paid through YooKassa, without JavaScript', () => {
  it('pays by card over the provider’s three origins, in the language of the payment page', async () => {
    const { billId, page } = await pay('card');
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    expect(await page.locator('label[for=number]').textContent()).toBe('Card number');
    await page.locator('[autocomplete=cc-number]').fill('5555 5555 5555 4477');
    await page.locator('[autocomplete=cc-exp]').fill('12/49');
    await page.locator('[autocomplete=cc-csc]').fill('123');
    await page.locator('button[value=bank_card]').click();
    await page.waitForURL(`${emulator.bankUrl}/**`);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    expect(await outcomeOf(page)).toBe('paid');
    await isPaid(billId);
  });

  it('pays by SBP, and the payment page offers it beside the card', async () => {
    const { billId, page } = await pay('sbp');
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    await page.getByRole('link', { name: 'Open the bank' }).click();
    await page.waitForURL(`${emulator.bankUrl}/**`);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    expect(await outcomeOf(page)).toBe('paid');
    await isPaid(billId);
  });

  it('sees why the bank declined a card, and pays with another one', async () => {
    const { billId, page } = await pay('card');
    await entersCard(page, '5555 5555 5555 4600');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${stack.baseUrl}/redirect/payment/fail`);
    expect(await page.textContent('main')).toContain('There was not enough money. You were not charged.');
    await page.getByRole('link', { name: 'Try again' }).click();
    await choose(page, 'card');
    await entersCard(page, '5555 5555 5555 4444');
    await page.locator('main[data-outcome=paid]').waitFor();
    await isPaid(billId);
  });

  it('can leave the hosted page without paying, sees that nothing was paid, and goes on', async () => {
    const { billId, page } = await pay('card');
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    await page.getByRole('link', { name: 'Back to the shop without paying' }).click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    expect(await outcomeOf(page)).toBe('unpaid');
    expect(await page.textContent('main')).toContain('has not received your money yet');
    expect(await ask(stack.demo, `bill/status?id=${billId}`)).toMatchObject({ status: 'PROCESS' });
    await page.getByRole('link', { name: 'Go on paying by card' }).click();
    await entersCard(page, '5555 5555 5555 4444');
    // The page reloads by itself: the provider is queried at most once in two seconds.
    await page.locator('main[data-outcome=paid]').waitFor();
    await isPaid(billId);
  });

  it('can change from the card to SBP, and is not charged on the page that was left', async () => {
    const { billId, page } = await pay('card');
    const cardPage = page.url();
    await page.getByRole('link', { name: 'Back to the shop without paying' }).click();
    await page.getByRole('link', { name: 'Pay in another way' }).click();
    await choose(page, 'sbp');
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    const sbpPage = page.url();

    await page.goto(cardPage);
    await entersCard(page, '5555 5555 5555 4444');
    await page.locator('main[data-outcome=failed]').waitFor();

    await page.goto(sbpPage);
    await page.getByRole('link', { name: 'Open the bank' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    await page.locator('main[data-outcome=paid]').waitFor();
    await isPaid(billId);
    const { data } = await ask(stack.demo, `bill/payments?id=${billId}`);
    expect(data).toMatchObject([{ status: 'SUCCESS' }, { status: 'FAIL', amount_received: 0 }]);
  });
});

describe('a payer who is asked where the receipt goes, without JavaScript', () => {
  it('is told what is wrong with it, keeps what was typed, and pays after correcting it', async () => {
    const { billId, page } = await openBill({ name: 'Two cups', payer_pays_commission: '1' });
    await page.setViewportSize({ width: 320, height: 640 });
    await choose(page, 'card', 'ivan@');
    expect(await page.getByRole('status').textContent()).toContain('No payment was started');
    const field = page.getByLabel('Email or phone for the receipt');
    expect(await field.inputValue()).toBe('ivan@');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    expect(await ask(stack.demo, `bill/status?id=${billId}`)).toMatchObject({ status: 'NEW' });

    // Enter presses the first button.
    await field.fill('8 (912) 345-67-89');
    await field.press('Enter');
    await entersCard(page, '5555 5555 5555 4444');
    await page.locator('main[data-outcome=paid]').waitFor();
    await isPaid(billId);
    expect(await receiptOf(billId)).toMatchObject({
      customer: { phone: '79123456789' },
      items: [{ description: 'Two cups' }, { description: 'Комиссия за оплату' }],
    });
  });

  it('is not asked when the contact came with the bill, which has the items of the receipt', async () => {
    const items = [
      { name: 'Cup', price: '40.00', quantity: '2' },
      { name: 'Tea', price: '20.50' },
    ];
    const { billId, page } = await openBill({
      amount: '100.50',
      payer_email: 'ivan@example.com',
      items: JSON.stringify(items),
    });
    expect(await page.locator('input[name=contact]').count()).toBe(0);
    await page.locator('button[name=method][value=sbp]').click();
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    await page.getByRole('link', { name: 'Open the bank' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    await page.locator('main[data-outcome=paid]').waitFor();
    await isPaid(billId);
    expect(await receiptOf(billId)).toMatchObject({
      customer: { email: 'ivan@example.com' },
      items: [
        { description: 'Cup', quantity: 2, amount: { value: '40.00' } },
        { description: 'Tea', quantity: 1, amount: { value: '20.50' } },
      ],
    });
  });
});

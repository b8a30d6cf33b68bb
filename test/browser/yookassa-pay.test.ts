import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeYookassaKeys } from '../../infra/start/yookassa-secret.ts';
import { synthesize } from '../../infra/synth.ts';
import { atYookassa, environments } from '../../lib/installation/environments.ts';
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
  emulator = await startEmulator({ folder: join(folder, 'emulator') });
  const { apiUrl } = emulator;
  const outdir = join(folder, 'assembly');
  const assembly = await synthesize({ environment: 'local', outdir, context: { yookassaUrl: apiUrl } });
  const settings = JSON.stringify(atYookassa(environments.local, apiUrl).providers.yookassa);
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

/** Opens a new bill's payment page and presses the button of a way to pay. */
async function pay(method: 'card' | 'sbp'): Promise<{ readonly billId: string; readonly page: Page }> {
  const { billId, payUrl } = await createBill(stack.demo);
  const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(payUrl);
  await page.locator(`button[name=method][value=${method}]`).click();
  return { billId, page };
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

  it('can leave the hosted page without paying, sees that nothing was paid, and goes on', async () => {
    const { billId, page } = await pay('card');
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    await page.getByRole('link', { name: 'Back to the shop without paying' }).click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    expect(await outcomeOf(page)).toBe('unpaid');
    expect(await page.textContent('main')).toContain('has not received your money yet');
    expect(await ask(stack.demo, `bill/status?id=${billId}`)).toMatchObject({ status: 'PROCESS' });
    await page.getByRole('link', { name: 'Go on paying by card' }).click();
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    await page.locator('[autocomplete=cc-number]').fill('5555 5555 5555 4444');
    await page.locator('[autocomplete=cc-exp]').fill('12/49');
    await page.locator('[autocomplete=cc-csc]').fill('123');
    await page.locator('button[value=bank_card]').click();
    await page.waitForURL(`${stack.baseUrl}/**`);
    // The page reloads by itself: the provider is queried at most once in two seconds.
    await page.locator('main[data-outcome=paid]').waitFor();
    await isPaid(billId);
  });

  it('can change from the card to SBP, and is not charged on the page that was left', async () => {
    const { billId, page } = await pay('card');
    const cardPage = page.url();
    await page.getByRole('link', { name: 'Back to the shop without paying' }).click();
    await page.getByRole('link', { name: 'Pay in another way' }).click();
    await page.locator('button[name=method][value=sbp]').click();
    await page.waitForURL(`${emulator.pagesUrl}/**`);
    const sbpPage = page.url();

    await page.goto(cardPage);
    await page.locator('[autocomplete=cc-number]').fill('5555 5555 5555 4444');
    await page.locator('[autocomplete=cc-exp]').fill('12/49');
    await page.locator('[autocomplete=cc-csc]').fill('123');
    await page.locator('button[value=bank_card]').click();
    await page.waitForURL(`${stack.baseUrl}/**`);
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

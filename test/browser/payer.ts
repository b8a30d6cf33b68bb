import type { Page } from 'playwright-core';
import * as z from 'zod/mini';
import type { Demo } from '../../lib/installation/data-folder.ts';

const created = z.object({ bill_id: z.string(), link_url: z.string(), link_page_url: z.string() });

export type Link = { readonly billId: string; readonly linkUrl: string; readonly payUrl: string };

/** Creates a bill as a merchant's server would. */
export async function createBill(demo: Demo, fields: Readonly<Record<string, string>> = {}): Promise<Link> {
  const response = await fetch(`${demo.baseUrl}/api/v1/bill/create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${demo.apiToken}` },
    body: new URLSearchParams({ amount: '1250.00', shop_id: demo.shopId, ...fields }),
  });
  const bill = created.parse(await response.json());
  return { billId: bill.bill_id, linkUrl: bill.link_url, payUrl: bill.link_page_url };
}

/** Calls the API with GET as a merchant's server would; returns the JSON. */
export async function ask(demo: Demo, path: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = { Authorization: `Bearer ${demo.apiToken}` };
  const response = await fetch(`${demo.baseUrl}/api/v1/${path}`, { headers });
  return z.record(z.string(), z.unknown()).parse(await response.json());
}

/** On the payment page: presses the button for cards and waits for the acquirer's card page. */
export async function goToCardPage(page: Page): Promise<void> {
  await page.locator('main[data-page=payment] form button[value=card]').click();
  await page.locator('input[autocomplete=cc-number]').waitFor();
}

/** On the card page: enters a card and pays. */
export async function enterCard(page: Page, number: string): Promise<void> {
  await page.locator('[autocomplete=cc-number]').fill(number);
  await page.locator('[autocomplete=cc-exp]').fill('12/49');
  await page.locator('[autocomplete=cc-csc]').fill('123');
  await page.locator('button[value=pay]').click();
}

/** On the issuer's 3-D Secure page: enters the code and confirms. */
export async function confirm(page: Page): Promise<void> {
  await page.locator('[autocomplete=one-time-code]').fill('123456');
  await page.locator('button[value=confirm]').click();
}

export const outcomeOf = (page: Page): Promise<string | null> =>
  page.locator('main').getAttribute('data-outcome');

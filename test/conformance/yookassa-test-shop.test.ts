import { describe, expect, it, vi } from 'vitest';
import { anEmulator } from '../support/yookassa-emulator.ts';
import { describeAcquirer } from './acquirer.ts';
import { describeRail } from './rail.ts';
import {
  acquirerAt,
  promisesOf,
  railAt,
  railPromises,
  testShopIn,
  type TestShop,
} from './yookassa-test-shop.ts';

const named = testShopIn(process.env);
if (named) vi.setConfig({ testTimeout: 15 * 60_000 });
else
  console.log(
    'The suite did not run against a test shop of YooKassa: set YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY.',
  );

/** The emulator as a shop that is known by its address and its keys alone; its payer pays whatever page opens. */
async function standIn() {
  const { apiUrl, controlUrl, world, ...keys } = await anEmulator();
  const control = async (path: string, body: object) => {
    const answer = await fetch(`${controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`);
  };
  const shop = testShopIn({
    YOOKASSA_API_URL: apiUrl,
    YOOKASSA_SHOP_ID: keys.shopId,
    YOOKASSA_SECRET_KEY: keys.secretKey,
    YOOKASSA_GATEWAY_ID: keys.gatewayId,
    YOOKASSA_GATEWAY_SECRET_KEY: keys.gatewaySecretKey,
  });
  if (!shop?.gateway) throw new Error('The variables name no shop and gateway');
  const { gateway } = shop;
  const pay = async (page: string) => {
    const id = new URL(page).searchParams.get('orderId') ?? '';
    const isSbp = world.state.payments.get(id)?.method === 'sbp';
    await control(`/payments/${id}/pay`, isSbp ? { sbp: true } : { card: '5555555555554444' });
  };
  const wait = () => control('/clock', { advanceSeconds: 10 });
  return { ...shop, gateway, pay, wait, now: () => new Date(world.clock.now()) };
}

const forPromises: TestShop = {
  apiUrl: 'https://api.yookassa.test/v3',
  shop: { id: '', secretKey: '' },
  gateway: undefined,
  pay: async () => {},
  now: () => new Date(),
  wait: async () => {},
};

if (named) {
  describeAcquirer('a test shop of YooKassa', promisesOf(named), async () => acquirerAt(named));
  const { gateway } = named;
  if (gateway) describeRail('a test gateway of YooKassa', railPromises, async () => railAt(named, gateway));
} else {
  describeAcquirer('a shop that variables name', promisesOf(forPromises), async () =>
    acquirerAt(await standIn()),
  );
  describeRail('a gateway that variables name', railPromises, async () => {
    const shop = await standIn();
    return railAt(shop, shop.gateway);
  });
}

describe('the variables of a test shop', () => {
  const shop = { YOOKASSA_SHOP_ID: '100500', YOOKASSA_SECRET_KEY: 'test_key' };

  it('name the shop at the provider, and nobody who pays', () => {
    expect(testShopIn(shop)).toMatchObject({
      apiUrl: 'https://api.yookassa.ru/v3',
      shop: { id: '100500', secretKey: 'test_key' },
      gateway: undefined,
      pay: undefined,
    });
    expect(testShopIn({ ...shop, YOOKASSA_PAYER: 'person' })?.pay).toBeDefined();
  });

  it('name nothing when they are not set', () => {
    expect(testShopIn({})).toBeUndefined();
  });

  it.each([
    ['YOOKASSA_SECRET_KEY', { YOOKASSA_SHOP_ID: '100500' }],
    ['YOOKASSA_SHOP_ID', { YOOKASSA_SECRET_KEY: 'test_key' }],
    ['YOOKASSA_GATEWAY_SECRET_KEY', { ...shop, YOOKASSA_GATEWAY_ID: '500100' }],
    ['test_', { ...shop, YOOKASSA_SECRET_KEY: 'live_key' }],
  ])('are refused with a sentence that names %s', (name, variables) => {
    expect(() => testShopIn(variables)).toThrow(name);
  });
});

import { isoTime } from '../clock.ts';
import { decimal, minorUnits } from '../money.ts';
import type { Account, Credentials } from '../records.ts';
import { changeSettings, settingsOf, type World } from '../world.ts';
import type { ControlCall, ControlRoute } from './route.ts';
import { accountBalance, settingsChange } from './schemas.ts';

/** The shop's account has what was paid less fees and refunds, the gateway's what was topped up less payouts. */
const booksOf = (world: World, account: Account) => ({
  balance: decimal(world.state.balance(account)),
  postings: world.state.postings
    .filter((each) => each.account === account)
    .map(({ at, what, object, minor }) => ({ at: isoTime(at), what, object, amount: decimal(minor) })),
});

const books = ({ world }: ControlCall) => ({
  shop: booksOf(world, 'shop'),
  gateway: booksOf(world, 'gateway'),
});

/** Sets an account's balance with one posting, up or down. */
function setBalance({ world, id, body }: ControlCall) {
  const account: Account = id === 'shop' ? 'shop' : 'gateway';
  const minor = minorUnits(accountBalance.parse(body).balance) - world.state.balance(account);
  world.state.post({ at: world.clock.now(), account, what: 'top_up', object: '', minor });
  return { balance: decimal(world.state.balance(account)) };
}

/** Without the secret keys: the endpoint has no authentication. */
function settings({ world }: ControlCall) {
  const { shop, gateway, receipts, ownReceipts, listLagSeconds, searchLagSeconds } = settingsOf(world);
  return { shopId: shop.id, gatewayId: gateway.id, receipts, ownReceipts, listLagSeconds, searchLagSeconds };
}

function change(call: ControlCall) {
  const { shopSecretKeys, gatewaySecretKeys, ...rest } = settingsChange.parse(call.body);
  const { shop, gateway, receipts, ownReceipts, listLagSeconds, searchLagSeconds } = settingsOf(call.world);
  changeSettings(call.world, {
    receipts: rest.receipts ?? receipts,
    ownReceipts: rest.ownReceipts ?? ownReceipts,
    listLagSeconds: rest.listLagSeconds ?? listLagSeconds,
    searchLagSeconds: rest.searchLagSeconds ?? searchLagSeconds,
    shop: withKeys(shop, shopSecretKeys),
    gateway: withKeys(gateway, gatewaySecretKeys),
  });
  return settings(call);
}

const withKeys = (credentials: Credentials, secretKeys: readonly string[] | undefined): Credentials =>
  secretKeys ? { ...credentials, secretKeys } : credentials;

export const accountRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: /^\/books$/, run: books },
  { method: 'PUT', path: /^\/accounts\/(shop|gateway)$/, run: setBalance },
  { method: 'GET', path: /^\/settings$/, run: settings },
  { method: 'PATCH', path: /^\/settings$/, run: change },
];

import { wireAmount } from '../money.ts';
import { sbpBanks } from '../sbp-banks.ts';
import { me as meAnswer, sbpBanks as sbpBanksAnswer } from '../schemas/answers.ts';
import { settingsOf } from '../world.ts';
import type { Call, Route } from './call.ts';

/** The settings of the shop or of the gateway, whichever asks. */
function me({ world, account }: Call) {
  const { shop, gateway, receipts, ownReceipts } = settingsOf(world);
  if (account === 'shop') {
    return {
      account_id: shop.id,
      status: 'enabled',
      test: true,
      fiscalization: { enabled: receipts, provider: ownReceipts ? 'avanpost' : 'atol' },
      fiscalization_enabled: receipts,
      payment_methods: ['bank_card', 'sbp'],
      itn: '7700000000',
    };
  }
  return {
    account_id: gateway.id,
    status: 'enabled',
    test: true,
    name: 'Emulated gateway',
    payout_methods: ['bank_card', 'yoo_money', 'sbp'],
    payout_balance: wireAmount(world.state.balance('gateway')),
  };
}

export const accountRoutes: readonly Route[] = [
  { method: 'GET', path: /^\/me$/, account: 'either', read: me, answer: meAnswer },
  {
    method: 'GET',
    path: /^\/sbp_banks$/,
    account: 'gateway',
    read: () => ({ type: 'list', items: sbpBanks }),
    answer: sbpBanksAnswer,
  },
];

import { lives } from '../clock.ts';
import { mannerOf } from '../manners.ts';
import { createPayout } from '../payouts.ts';
import { transferStatuses, type PayoutDestination, type PayoutRecord } from '../records.ts';
import { sbpBankIds } from '../sbp-banks.ts';
import { listOf, payout as payoutAnswer } from '../schemas/answers.ts';
import { newPayout, notImitated } from '../schemas/requests.ts';
import { settingsOf } from '../world.ts';
import { parse, type Call, type Route } from './call.ts';
import { invalid, notFound } from './errors.ts';
import { choice, page, timeFilter } from './lists.ts';
import { amountOf } from './payments.ts';
import { present } from './present.ts';

/** What one payout may be, in minor units. */
const largest = { sbp: 500_000_00, bank_card: 150_000_00, yoo_money: 150_000_00 } as const;
const smallest = 1_00;

function create(call: Call): PayoutRecord {
  const { world, at } = call;
  const body = parse(newPayout, call.body, notImitated.payout);
  const amountMinor = amountOf(body.amount);
  const data = body.payout_destination_data;
  if (!data) throw invalid('payout_destination_data', 'Missing required parameter payout_destination_data');
  if (amountMinor < smallest || amountMinor > largest[data.type])
    throw invalid('amount.value', 'The amount is outside the limits of a payout.');
  const asked = {
    amountMinor,
    destination: destinationOf(data),
    description: body.description,
    metadata: body.metadata ?? {},
    manner: call.manner ?? mannerOf('payout', amountMinor),
  };
  return createPayout(world, asked, at);
}

type DestinationData =
  | { readonly type: 'sbp'; readonly phone: string; readonly bank_id: string }
  | { readonly type: 'bank_card'; readonly card: { readonly number: string } }
  | { readonly type: 'yoo_money'; readonly account_number: string };

function destinationOf(data: DestinationData): PayoutDestination {
  switch (data.type) {
    case 'sbp':
      if (!sbpBankIds.has(data.bank_id))
        throw invalid('payout_destination_data.bank_id', 'The bank does not take part in SBP.');
      return { type: 'sbp', phone: data.phone, bankId: data.bank_id, operationId: undefined };
    case 'bank_card': {
      const { number } = data.card;
      return { type: 'bank_card', first6: number.slice(0, 6), last4: number.slice(-4) };
    }
    case 'yoo_money':
      return { type: 'yoo_money', accountNumber: data.account_number };
  }
}

function payout({ world, id }: Call): PayoutRecord {
  if (id.length < 36 || id.length > 50) throw invalid('payout_id', 'A payout id has 36 to 50 characters.');
  const known = world.state.payouts.get(id);
  if (!known) throw notFound("Incorrect payout_id. Payout doesn't exist or access denied.", 'payout_id');
  return known;
}

function list(call: Call) {
  const { world, query } = call;
  const status = choice(query, 'status', transferStatuses);
  const type = choice(query, 'payout_destination.type', ['yoo_money', 'bank_card', 'sbp'] as const);
  const succeeded = timeFilter(query, 'succeeded_at');
  return page(call, {
    objects: world.state.payouts.values(),
    reach: lives.listed,
    lagSeconds: settingsOf(world).listLagSeconds,
    keep: (each) =>
      (status === undefined || each.status === status) &&
      (type === undefined || each.destination.type === type) &&
      succeeded(each.succeededAt),
  });
}

/** Finds payouts of the last three months by one exact pair of their metadata. */
function search(call: Call) {
  const { world, query } = call;
  const pairs = [...query].flatMap(([name, value]) => {
    const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [{ key, value }];
  });
  const [pair, ...more] = pairs;
  if (more.length > 0) throw invalid('metadata', 'A search has at most one pair of metadata.');
  if (pair && (pair.key.length > 32 || pair.value.length > 512))
    throw invalid('metadata', 'A key of metadata has at most 32 characters, a value at most 512.');
  return page(call, {
    objects: world.state.payouts.values(),
    reach: lives.searched,
    lagSeconds: settingsOf(world).searchLagSeconds,
    keep: ({ metadata }) => !pair || (Object.hasOwn(metadata, pair.key) && metadata[pair.key] === pair.value),
  });
}

export const payoutRoutes: readonly Route[] = [
  { method: 'POST', path: /^\/payouts$/, account: 'gateway', act: create, answer: payoutAnswer },
  { method: 'GET', path: /^\/payouts$/, account: 'gateway', read: list, answer: listOf(payoutAnswer) },
  {
    method: 'GET',
    path: /^\/payouts\/search$/,
    account: 'gateway',
    read: search,
    answer: listOf(payoutAnswer),
  },
  {
    method: 'GET',
    path: /^\/payouts\/([^/]+)$/,
    account: 'gateway',
    read: (call) => present(call.world, payout(call)),
    answer: payoutAnswer,
  },
];

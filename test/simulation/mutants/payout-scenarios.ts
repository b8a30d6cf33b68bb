import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type AccountId, type PayoutId, toAccountId } from '../../../lib/ids.ts';
import { setTerms, type TermsChanges } from '../../../lib/merchant/set-terms.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import type { Destination } from '../../../lib/payout/destination.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { addPayoutAccount, setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import { payoutAccountKey } from '../../../lib/store/payout-account-item.ts';
import { payoutKey } from '../../../lib/store/payout-item.ts';
import { scan } from '../invariants/records.ts';
import { sealer } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { caller, goodCard, meanwhile, payOut, request, thirdMerchant } from './scenario-steps.ts';

const noAccount = toAccountId('NoSuchAccount001');

/** The first account of everybody is of the card that regular payouts of scenarios go to. */
async function banNumber(world: World): Promise<void> {
  const { id: merchantId, accounts } = thirdMerchant(world);
  const changes = { merchantId, accountId: accounts[0] ?? noAccount, banned: true };
  await world.pump(world.invoke('set account', (ports) => setPayoutAccount(ports, changes)));
}

export const numberBannedWhileCreated = (world: World): Promise<void> =>
  meanwhile(
    world,
    /transact .*RESERVE/,
    (ports) => request(ports, thirdMerchant(world), '100'),
    () => banNumber(world),
  );

export async function numberBannedWhileSent(world: World): Promise<void> {
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  await meanwhile(
    world,
    /transact payout→PROCESS.SENT/,
    (ports) => dispatchPayout(ports, payoutId),
    () => banNumber(world),
  );
}

/** An account that was stored before numbers were kept is banned by itself alone. */
export async function accountBannedWhileSent(world: World): Promise<void> {
  const [account = noAccount] = thirdMerchant(world).accounts;
  await forgetNumber(world, account);
  const payoutId = await payOutTo(world, account, '100');
  await meanwhile(
    world,
    /transact payout→PROCESS.SENT/,
    (ports) => dispatchPayout(ports, payoutId),
    () => banNumber(world),
  );
}

async function forgetNumber(world: World, account: AccountId): Promise<void> {
  const { table } = world;
  const Key = payoutAccountKey(thirdMerchant(world).id, account);
  await table.client.send(
    new UpdateCommand({ TableName: table.name, Key, UpdateExpression: 'REMOVE numberHash' }),
  );
}

/** Somebody who may write to the table, and seal, has each payout go to another card. */
export async function changedDestinations(world: World): Promise<void> {
  const [first = noAccount, second = noAccount] = thirdMerchant(world).accounts;
  const lookalike = { type: 'credit_card', number: '4111111234501111', holder: 'IVAN PETROV' } as const;

  const regular = await payOut(world, thirdMerchant(world), '100');
  await changeAndSend(world, regular, lookalike, { payout: regular.slice(0, -2) });

  const personal = await payOutTo(world, first, '101');
  await changeAndSend(world, personal, lookalike, { account: first });

  await forgetNumber(world, second);
  const older = await payOutTo(world, second, '102');
  await changeAndSend(world, older, { ...lookalike, number: goodCard }, { account: second });
}

const setThird = (world: World, changes: TermsChanges) =>
  world.pump(
    world.invoke('set terms', (ports) =>
      setTerms(ports, { merchantId: thirdMerchant(world).id, currency: 'RUB', changes }),
    ),
  );

/** Each of the two fits into the rule's 8 000.00 of the day, and both into the limits. */
export async function ruleTotalAtOnce(world: World): Promise<void> {
  const plenty = 100_000_000n;
  await setThird(world, {
    autoApproveDayTotalMinor: 800_000n,
    dayLimitMinor: plenty,
    monthLimitMinor: plenty,
  });
  const merchant = thirdMerchant(world);
  await payOut(world, merchant, '10');
  await meanwhile(
    world,
    /transact .*RESERVE/,
    (ports) => request(ports, merchant, '5000'),
    () => payOut(world, merchant, '5001'),
  );
}

/** Paid by the rule of small payouts, an account is asked about by the rule of known ones. */
export async function knownByRule(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const small = await payOut(world, merchant, '100');
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, small)));
  await setThird(world, {
    autoApproveUpToMinor: 0n,
    autoApproveKnownUpToMinor: 900_000n,
    autoApproveKnownDayTotalMinor: 900_000n,
  });
  await payOut(world, merchant, '8000');
}

/** Known by a payout that a person approved, an account is asked to be paid a kopeck more than its rule lets go. */
export async function ruleAboveCeiling(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const noTotal = { autoApproveDayTotalMinor: 100_000_000n, autoApproveKnownDayTotalMinor: 100_000_000n };
  await setThird(world, { autoApproveUpToMinor: 0n, autoApproveKnownUpToMinor: 0n });
  const first = await payOut(world, merchant, '100');
  const seen = { payoutId: first, revision: 1, by: 'olga' };
  await world.pump(world.invoke('approve payout', (ports) => approvePayout(ports, seen)));
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, first)));
  await setThird(world, {
    ...noTotal,
    autoApproveUpToMinor: 20_000n,
    autoApproveKnownUpToMinor: 150_000n,
  });
  for (const amount of ['1500', '1500.01']) {
    const id = await payOut(world, merchant, amount);
    const shown = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(id)));
    const status = shown.kind === 'done' ? shown.done?.status : undefined;
    if ((status === 'MODERATING') !== (amount === '1500.01'))
      world.violate('rules', `${amount} to a known account is ${status ?? 'lost'}, the ceiling is 1500.00`);
  }
}

/** The same payout twice, and nothing tells the two apart. */
export async function duplicateByRule(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const ask = { caller: caller(merchant), amount: '100' };
  const destination = { type: 'credit_card', number: goodCard, holder: 'IVAN PETROV' } as const;
  for (const useCase of ['create payout', 'create payout again'])
    await world.pump(
      world.invoke(useCase, (ports) =>
        createRegularPayout(ports, { ...ask, destination, idempotencyKey: undefined, orderId: undefined }),
      ),
    );
}

/** Two parts, each below the sum that takes two people, and together above it; a rule would let them go. */
export async function aboveTheSum(world: World): Promise<void> {
  await setThird(world, { secondPersonAboveMinor: 400_000n });
  const payoutId = await payOut(world, thirdMerchant(world), '5000');
  await world.pump(
    world.invoke('approve payout', (ports) => approvePayout(ports, { payoutId, revision: 1, by: 'olga' })),
  );
}

/** Two accounts of one card: the first is banned. */
export async function twinOfBanned(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const { id: merchantId } = merchant;
  const twin = { merchantId, type: 'credit_card', number: goodCard, currency: 'RUB' } as const;
  const added = await world.pump(world.invoke('add account', (ports) => addPayoutAccount(ports, twin)));
  const accountId = added.kind === 'done' && added.done.ok ? added.done.value.id : undefined;
  await banNumber(world);
  const asked = {
    caller: caller(merchant),
    accountId,
    amount: '100',
    idempotencyKey: undefined,
    orderId: undefined,
  };
  const ran = await world.pump(world.invoke('create payout', (ports) => createPersonalPayout(ports, asked)));
  if (ran.kind !== 'done' || ran.done.ok) world.violate('banned', 'the twin of a banned account is paid');
}

/** The order_id is kept in the clear, as no card number may be. */
export async function cardAsOrder(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const destination = { type: 'credit_card', number: goodCard, holder: 'IVAN PETROV' } as const;
  const asked = {
    caller: caller(merchant),
    destination,
    amount: '100',
    orderId: goodCard,
    idempotencyKey: undefined,
  };
  await world.pump(world.invoke('create payout', (ports) => createRegularPayout(ports, asked)));
  const kept = JSON.stringify(await scan(world.table), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (kept.includes(goodCard)) world.violate('secrets', 'the table holds a card number in the clear');
}

async function payOutTo(world: World, accountId: AccountId, amount: string): Promise<PayoutId> {
  const asked = {
    caller: caller(thirdMerchant(world)),
    accountId,
    amount,
    orderId: amount,
    idempotencyKey: undefined,
  };
  const ran = await world.pump(world.invoke('create payout', (ports) => createPersonalPayout(ports, asked)));
  const [payout] = ran.kind === 'done' && ran.done.ok ? ran.done.value.payouts : [];
  if (!payout) throw new Error('The scenario needs a payout');
  return payout.id;
}

async function changeAndSend(
  world: World,
  payoutId: PayoutId,
  destination: Destination,
  boundTo: Readonly<Record<string, string>>,
): Promise<void> {
  const { table } = world;
  const context = { use: 'payout-destination', ...boundTo };
  const update = new UpdateCommand({
    TableName: table.name,
    Key: payoutKey(payoutId),
    UpdateExpression: 'SET destination = :other',
    ExpressionAttributeValues: {
      ':other': { sealed: await sealer.seal(JSON.stringify(destination), context) },
    },
  });
  await table.client.send(update);
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, payoutId)));
  const shown = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  const status = shown.kind === 'done' ? shown.done?.status : undefined;
  if (status !== 'ERROR')
    world.violate('destination', `${payoutId} is ${status ?? 'lost'} although it went to another card`);
}

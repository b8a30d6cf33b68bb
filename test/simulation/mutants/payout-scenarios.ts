import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type AccountId, type PayoutId, toAccountId } from '../../../lib/ids.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { setTerms, type TermsChanges } from '../../../lib/merchant/set-terms.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import type { Destination } from '../../../lib/payout/destination.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import { addPayoutAccount, setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { PayoutRail } from '../../../lib/payout/payout-rail.ts';
import { refreshSbpBanks } from '../../../lib/payout/refresh-sbp-banks.ts';
import { activeOf, builtInBanks, type SbpBank } from '../../../lib/payout/sbp-banks.ts';
import { dynamoSbpBanks } from '../../../lib/store/sbp-banks.ts';
import { payoutAccountKey } from '../../../lib/store/payout-account-item.ts';
import { payoutKey } from '../../../lib/store/payout-item.ts';
import { scan } from '../harness/scan.ts';
import { sealer } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { caller, goodCard, meanwhile, payOut, request, thirdMerchant } from './scenario-steps.ts';

const noAccount = toAccountId('NoSuchAccount001');

/** Bans the merchant's first account, which has the card of the scenarios' regular payouts. */
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

/** An account that was stored before number hashes were recorded is banned alone. */
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

/** An attacker who can write to the table and encrypt redirects each payout to another card. */
export async function changedDestinations(world: World): Promise<void> {
  const [first = noAccount, second = noAccount] = thirdMerchant(world).accounts;
  const lookalike = { type: 'credit_card', number: '4111111234501111', holder: 'IVAN PETROV' } as const;

  const regular = await payOut(world, thirdMerchant(world), '100');
  await changeAndSend(world, regular, lookalike, { payout: regular.slice(0, -2) });

  const personal = await payOutTo(world, first, '101');
  await changeAndSend(world, personal, lookalike, { account: first });

  world.broken.add('accounts_match_numbers');
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

/** Each of the two fits within the rule's 8 000.00 of the day, and both within the limits. */
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

/** An account paid under the rule for small payouts is evaluated by the rule for known accounts. */
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

/** An account known through a person's approval is to be paid a kopeck more than the ceiling of its rule. */
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

/** Two identical payouts without an order_id or Idempotency-Key. */
export async function duplicateByRule(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const common = { caller: caller(merchant), amount: '100' };
  const destination = { type: 'credit_card', number: goodCard, holder: 'IVAN PETROV' } as const;
  for (const useCase of ['create payout', 'create payout again'])
    await world.pump(
      world.invoke(useCase, (ports) =>
        createRegularPayout(ports, { ...common, destination, idempotencyKey: undefined, orderId: undefined }),
      ),
    );
}

/** Two parts, each below the two-person amount and together above it; a rule would release each. */
export async function aboveTheSum(world: World): Promise<void> {
  await setThird(world, { secondPersonAboveMinor: 400_000n });
  const payoutId = await payOut(world, thirdMerchant(world), '5000');
  await world.pump(
    world.invoke('approve payout', (ports) => approvePayout(ports, { payoutId, revision: 1, by: 'olga' })),
  );
}

/** Two accounts have the same card; the first is banned. */
export async function twinOfBanned(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const { id: merchantId } = merchant;
  const twin = { merchantId, type: 'credit_card', number: goodCard, currency: 'RUB' } as const;
  const added = await world.pump(world.invoke('add account', (ports) => addPayoutAccount(ports, twin)));
  const accountId = added.kind === 'done' && added.done.ok ? added.done.value.id : undefined;
  await banNumber(world);
  const command = {
    caller: caller(merchant),
    accountId,
    amount: '100',
    idempotencyKey: undefined,
    orderId: undefined,
  };
  const ran = await world.pump(
    world.invoke('create payout', (ports) => createPersonalPayout(ports, command)),
  );
  if (ran.kind !== 'done' || ran.done.ok)
    world.violate('banned', 'an account with the number of a banned one is paid');
}

/** The order_id is stored in the clear, which a card number must never be. */
export async function cardAsOrder(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const destination = { type: 'credit_card', number: goodCard, holder: 'IVAN PETROV' } as const;
  const command = {
    caller: caller(merchant),
    destination,
    amount: '100',
    orderId: goodCard,
    idempotencyKey: undefined,
  };
  await world.pump(world.invoke('create payout', (ports) => createRegularPayout(ports, command)));
  const stored = JSON.stringify(await scan(world.table), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (stored.includes(goodCard)) world.violate('secrets', 'the table stores a card number in the clear');
}

const phone = '79123456789';
const bankId = 100000000004;

const toPhone = (world: World, orderId: string) => ({
  caller: caller(thirdMerchant(world)),
  destination: { type: 'sbp', phone, bankId } as const,
  amount: '100',
  orderId,
  idempotencyKey: undefined,
});

/** An SBP payout ends; its postback waits to be sent. */
export async function phoneInPostback(world: World): Promise<void> {
  const { id: merchantId } = thirdMerchant(world);
  const settings = { payoutWebhookUrl: 'http://127.0.0.1/payouts' };
  await world.pump(world.invoke('set merchant', (ports) => setMerchant(ports, { merchantId, settings })));
  const made = await world.pump(
    world.invoke('create payout', (ports) => createRegularPayout(ports, toPhone(world, 'phone-1'))),
  );
  const [payout] = made.kind === 'done' && made.done.ok ? made.done.value.payouts : [];
  if (!payout) throw new Error('The scenario needs a payout');
  const decline = { payoutId: payout.id, revision: payout.revision, by: 'olga', reason: 'no' };
  await world.pump(world.invoke('decline payout', (ports) => declinePayout(ports, decline)));
  const stored = JSON.stringify(await scan(world.table), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (!stored.includes(`E#po.${payout.id}`)) throw new Error('The scenario needs a postback');
  if (stored.includes(phone)) world.violate('secrets', 'the table stores a phone in the clear');
}

/** The provider's list of banks loses one bank, and then half of them. */
export async function banksGone(world: World): Promise<void> {
  const listed = builtInBanks.filter(({ memberId }) => memberId !== bankId);
  const refresh = (banks: readonly SbpBank[]) =>
    world.pump(
      world.invoke('refresh banks', (ports) => {
        const rail: PayoutRail = { ...unusedRail, banks: async () => banks };
        return refreshSbpBanks({ ...ports, rails: { forNew: () => rail } });
      }),
    );
  await refresh(listed);
  await refresh(listed.slice(0, 20));
  const active = activeOf(await dynamoSbpBanks(world.table).find());
  if (active.length < listed.length)
    world.violate('banks', `${active.length} of ${listed.length} banks are left after a doubtful answer`);
  const made = await world.pump(
    world.invoke('create payout', (ports) =>
      createRegularPayout({ ...ports, activeBanks: async () => active }, toPhone(world, 'bank-1')),
    ),
  );
  if (made.kind === 'done' && made.done.ok)
    world.violate('banks', `a payout to ${bankId} was accepted, which is no bank of SBP any more`);
}

const unused = (): Promise<never> => Promise.reject(new Error('not to be called'));
const unusedRail: PayoutRail = {
  name: 'banks',
  tombstones: false,
  limits: () => undefined,
  send: unused,
  get: unused,
  cancel: unused,
  banks: undefined,
  statement: unused,
};

async function payOutTo(world: World, accountId: AccountId, amount: string): Promise<PayoutId> {
  const command = {
    caller: caller(thirdMerchant(world)),
    accountId,
    amount,
    orderId: amount,
    idempotencyKey: undefined,
  };
  const ran = await world.pump(
    world.invoke('create payout', (ports) => createPersonalPayout(ports, command)),
  );
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
    world.violate('destination', `${payoutId} is ${status ?? 'lost'} although its destination was replaced`);
}

import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PaymentId } from '../../../lib/ids.ts';
import { setTerms } from '../../../lib/merchant/set-terms.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import type { Reserve } from '../../../lib/payment/payment.ts';
import { balanceKey } from '../../../lib/store/balance-item.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { dynamoPayments } from '../../../lib/store/payments.ts';
import { sweep, workPayments } from '../clients/machinery.ts';
import type { KnownMerchant } from '../harness/population.ts';
import type { Ports } from '../harness/ports.ts';
import { scan } from '../harness/scan.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { goodCard, meanwhile, request } from './scenario-steps.ts';

const day = 24 * 3600_000;
const releasing = /transact .*RESERVE_RELEASE/;

type Reserved = {
  readonly merchant: KnownMerchant;
  readonly paymentId: PaymentId;
  readonly reserve: Reserve;
};

/** A bill of 100.00 that was paid; half of what the merchant gets is reserved for a day. */
async function reserved(world: World): Promise<Reserved> {
  const [merchant] = world.population.merchants;
  if (!merchant) throw new Error('The population has three merchants');
  const changes = { reserveBasisPoints: 5_000, reserveDays: 1 };
  const terms = { merchantId: merchant.id, currency: 'RUB', changes } as const;
  await world.pump(world.invoke('set reserve', (ports) => setTerms(ports, terms)));
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
  const { paymentId } = form;
  const { reserve } = (await dynamoPayments(world.table).find(paymentId)) ?? {};
  if (!reserve) throw new Error('The scenario needs a reserve');
  return { merchant, paymentId, reserve };
}

const check = (paymentId: PaymentId) => (ports: Ports) => checkPayment(ports, paymentId);

const balanceOf = async (world: World, { id }: KnownMerchant) => {
  const balances = await dynamoBalances(world.table).of(id);
  return balances.find(({ currency }) => currency === 'RUB') ?? { available: 0n, reserved: 0n };
};

/** The clock of the sweep is three seconds ahead of the worker's. */
export async function releasedEarly(world: World): Promise<void> {
  const { paymentId, reserve } = await reserved(world);
  world.scheduler.clock = reserve.releaseAt.getTime() - 3_000;
  await world.pump(world.invoke('check payment', check(paymentId)));
}

/** Two workers have a message of the same payment. */
export async function releasedTwice(world: World): Promise<void> {
  const { paymentId } = await reserved(world);
  world.scheduler.clock += day;
  await meanwhile(world, releasing, check(paymentId), () =>
    world.pump(world.invoke('check payment', check(paymentId))),
  );
}

export async function neverReleased(world: World): Promise<void> {
  const { paymentId } = await reserved(world);
  world.scheduler.clock += day;
  await world.pump(sweep(world, 'sweep payments'));
  while (world.paymentMessages.hasVisible(world.scheduler.clock)) await world.pump(workPayments(world));
  if (!(await dynamoPayments(world.table).find(paymentId))?.reserve?.released)
    world.violate('reserve', `the reserve of ${paymentId} is due and not released`);
}

/** The merchant asks for all that was received, and nothing else is available. */
export async function reserveSpent(world: World): Promise<void> {
  const { merchant, reserve } = await reserved(world);
  const { available } = await balanceOf(world, merchant);
  const amount = `${(available + reserve.minor) / 100n}`;
  const ran = await world.pump(world.invoke('create payout', (ports) => request(ports, merchant, amount)));
  if (ran.kind === 'done' && ran.done.ok)
    world.violate('reserve', `a payout of ${amount} spends what is reserved`);
}

/** An operator writes terms without the command, whose reserve would credit more than was received. */
export async function reservedBelowZero(world: World): Promise<void> {
  const [merchant] = world.population.merchants;
  if (!merchant) throw new Error('The population has three merchants');
  const form = await open(world, await aBill(world));
  const [before] = (await scan(world.table)).filter(
    ({ PK, SK }) => PK === `M#${merchant.id}` && SK === 'TERMS#RUB',
  );
  const put = (Item: Readonly<Record<string, unknown>>) =>
    world.table.client.send(new PutCommand({ TableName: world.table.name, Item }));
  await put({ ...before, reserveBasisPoints: -5_000, reserveDays: 1 });
  const started = await world.pump(
    world.invoke('start', (ports) => start(ports, form).catch(() => undefined)),
  );
  await put({ ...before });
  if (started.kind !== 'done' || started.done?.kind !== 'started') return;
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
}

/** Something else has taken the balance's reserve, and returns it later. */
export async function releasedBeyond(world: World): Promise<void> {
  const { merchant, paymentId, reserve } = await reserved(world);
  world.scheduler.clock += day;
  await moveReserved(world, merchant, -reserve.minor);
  await world.pump(world.invoke('check payment', (ports) => check(paymentId)(ports).catch(() => undefined)));
  if ((await balanceOf(world, merchant)).reserved < 0n)
    world.violate('balance_not_negative', `the reserve of ${merchant.id} is below zero`);
  await moveReserved(world, merchant, reserve.minor);
}

const moveReserved = ({ table }: World, { id }: KnownMerchant, minor: bigint) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: balanceKey(id, 'RUB'),
      UpdateExpression: 'ADD reserved :minor',
      ExpressionAttributeValues: { ':minor': minor },
    }),
  );

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { cancelPayout } from '../../../lib/payout/cancel-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import type { Destination } from '../../../lib/payout/destination.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { quotePayout } from '../../../lib/payout/quote-payout.ts';
import { withPhone } from '../../../lib/postback/sealed-phone.ts';
import { toEvent } from '../../../lib/store/event-item.ts';
import { balanceKey } from '../../../lib/store/balance-item.ts';
import { payoutKey } from '../../../lib/store/payout-item.ts';
import type { KnownMerchant } from '../harness/population.ts';
import { sealer } from '../harness/ports.ts';
import { scan } from '../harness/scan.ts';
import type { World } from '../harness/world.ts';
import { caller, goodCard, meanwhile, thirdMerchant } from './scenario-steps.ts';

const orderId = 'order-1';
const toCard = { type: 'credit_card', number: goodCard, holder: 'IVAN PETROV' } as const;
const toPhone = { type: 'sbp', phone: '79000000001', bankId: 100000000004 } as const;

async function ordered(
  world: World,
  merchant: KnownMerchant,
  amount: string,
  destination: Destination = toCard,
): Promise<readonly [Payout, ...Payout[]]> {
  const unnamed = { orderId, idempotencyKey: undefined };
  const ran = await world.pump(
    world.invoke('create payout', (ports) =>
      createRegularPayout(ports, { caller: caller(merchant), destination, amount, ...unnamed }),
    ),
  );
  const [first, ...others] = ran.kind === 'done' && ran.done.ok ? ran.done.value.payouts : [];
  if (!first) throw new Error('The scenario needs a payout');
  return [first, ...others];
}

/** Cancels the order as this merchant; returns whether it was answered with the payouts. */
async function cancelled(world: World, merchant: KnownMerchant, id?: Payout['id']): Promise<boolean> {
  const which = id === undefined ? { id, orderId } : { id, orderId: undefined };
  const ran = await world.pump(
    world.invoke('cancel payout', (ports) =>
      cancelPayout(ports, { caller: caller(merchant), ...which }).catch(() => undefined),
    ),
  );
  return ran.kind === 'done' && ran.done?.ok === true;
}

/** The dispatcher has recorded the call, which pays the payout when it goes on. */
export async function cancelledWhileSent(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const [{ id }] = await ordered(world, merchant, '100');
  await meanwhile(
    world,
    /rail open/,
    (ports) => dispatchPayout(ports, id),
    async () => {
      if (await cancelled(world, merchant))
        world.violate('cancel', `${id} was cancelled, although it was sent`);
    },
  );
}

/** One of two parts was sent. */
export async function cancelledInPart(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const [first, second] = await ordered(world, merchant, '4000');
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, first.id)));
  await cancelled(world, merchant);
  const shown = await world.pump(
    world.invoke('show payout', ({ payouts }) => payouts.find(second?.id ?? first.id)),
  );
  if (shown.kind === 'done' && shown.done?.status === 'DECLINED')
    world.violate('cancel', 'an order of which a part was sent is cancelled in part');
}

const totals = z.object({ limDayTotal: z.coerce.bigint(), limMonthTotal: z.coerce.bigint() });

/** Two parts are cancelled together. */
export async function cancelledLimits(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  await ordered(world, merchant, '4000');
  await cancelled(world, merchant);
  const { PK } = balanceKey(merchant.id, 'RUB');
  const balance = totals.parse((await scan(world.table)).find((item) => item['PK'] === PK));
  if (balance.limDayTotal !== 0n || balance.limMonthTotal !== 0n)
    world.violate('limits', `a cancelled order still counts ${balance.limDayTotal} of its day`);
}

export async function cancelledByAnother(world: World): Promise<void> {
  const [other] = world.population.merchants;
  const [{ id }] = await ordered(world, thirdMerchant(world), '100');
  if (!other || (await cancelled(world, other, id)))
    world.violate('cancel', `${id} was cancelled by another merchant`);
}

/** An attacker who can write to the table and encrypt replaces the phone before the payout is cancelled. */
export async function cancelledToAnotherPhone(world: World): Promise<void> {
  const [merchant] = world.population.merchants;
  if (!merchant) throw new Error('The population has three merchants');
  const [{ id, groupId }] = await ordered(world, merchant, '100', toPhone);
  const { table } = world;
  const other = JSON.stringify({ ...toPhone, phone: '79009999999' });
  const sealed = await sealer.seal(other, { use: 'payout-destination', payout: groupId });
  const update = new UpdateCommand({
    TableName: table.name,
    Key: payoutKey(id),
    UpdateExpression: 'SET destination = :other',
    ExpressionAttributeValues: { ':other': { sealed } },
  });
  await table.client.send(update);
  await cancelled(world, merchant);
  const event = (await scan(table)).find((item) => item['PK'] === `E#po.${id}.DECLINED`);
  const sent = await world.pump(
    world.invoke('deliver', ({ phoneOpener }) => withPhone(phoneOpener, toEvent(event))),
  );
  if (sent.kind !== 'done' || sent.done.fields['AccountNumber'] !== '7******0001')
    world.violate('destination', `the postback of ${id} has a phone that its payout did not have`);
}

/** A payout that no rule releases. */
export async function quotedAsReleased(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const fields = { caller: caller(merchant), amount: '100', orderId: undefined, idempotencyKey: undefined };
  const create = () =>
    world.pump(
      world.invoke('create payout', (ports) =>
        createRegularPayout(ports, { ...fields, destination: toCard }),
      ),
    );
  await create();
  const quoted = await world.pump(
    world.invoke('quote payout', (ports) =>
      quotePayout(ports, { kind: 'regular', ...fields, destination: toCard }),
    ),
  );
  const made = await create();
  const [payout] = made.kind === 'done' && made.done.ok ? made.done.value.payouts : [];
  const approval = quoted.kind === 'done' && quoted.done.ok ? quoted.done.value.approval : undefined;
  if (payout?.status !== 'MODERATING' || approval !== 'possible_duplicate')
    world.violate(
      'quote',
      `a quote says ${approval ?? 'released'}, the payout is ${payout?.status ?? 'refused'}`,
    );
}

/** A caller whose access was taken away, by an authorization that the merchant's own flags do not show yet. */
export async function quotedWithoutAccess(world: World): Promise<void> {
  const without = { ...caller(thirdMerchant(world)), regularPayouts: false };
  const fields = { caller: without, amount: '100', orderId: undefined, idempotencyKey: undefined };
  const quoted = await world.pump(
    world.invoke('quote payout', (ports) =>
      quotePayout(ports, { kind: 'regular', ...fields, destination: toCard }),
    ),
  );
  if (quoted.kind !== 'done' || quoted.done.ok)
    world.violate('quote', 'a quote without access is not refused');
}

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { contactEndAfter, noContact, openContact } from '../../../lib/bill/contact.ts';
import type { BillId } from '../../../lib/ids.ts';
import { contactKey } from '../../../lib/store/contact-item.ts';
import { dynamoContacts } from '../../../lib/store/contacts.ts';
import { scan } from '../harness/scan.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { goodCard } from './scenario-steps.ts';

const email = 'zoya.kanareikina@example.ru';
const withContact = (world: World): Promise<BillId> =>
  aBill(world, 'NORMAL', { payer: { ...noContact, email } });
const contacts = (world: World) => dynamoContacts(world.table, () => new Date(world.scheduler.clock));

export async function contactInTheClear(world: World): Promise<void> {
  await withContact(world);
  const stored = JSON.stringify(await scan(world.table), (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (stored.includes(email)) world.violate('secrets', 'the table stores an e-mail address in the clear');
}

/** Somebody who may write the table copies the sealed contact of one bill to another, to have it sent elsewhere. */
export async function contactOfAnotherBill(world: World): Promise<void> {
  const [one, other] = [await withContact(world), await withContact(world)];
  const stored = await contacts(world).find(one);
  if (!stored) throw new Error('The scenario needs a contact');
  const Item = { ...contactKey(other), sealed: stored.sealed, ttl: stored.until.getTime() / 1000 };
  await world.table.client.send(new PutCommand({ TableName: world.table.name, Item }));
  const ran = await world.pump(
    world.invoke('open contact', async (ports) => {
      const copied = await ports.contacts.find(other);
      return copied && openContact(ports.contactOpener, copied, other);
    }),
  );
  if (ran.kind !== 'done') throw new Error('The scenario needs an answer');
  if (ran.done) world.violate('secrets', 'the contact of one bill opens for another');
}

export async function expiredContact(world: World): Promise<void> {
  const billId = await withContact(world);
  world.scheduler.clock += 400 * 24 * 3600_000;
  if (await contacts(world).find(billId))
    world.violate('erasure', 'an expired contact is read while DynamoDB has not deleted it');
}

export async function contactAfterPayment(world: World): Promise<void> {
  const billId = await withContact(world);
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
  const stored = await contacts(world).find(billId);
  const end = contactEndAfter(new Date(world.scheduler.clock));
  if (!stored || Math.abs(end.getTime() - stored.until.getTime()) > 3600_000)
    world.violate('erasure', 'the contact of a paid bill is not erased 90 days after the payment');
}

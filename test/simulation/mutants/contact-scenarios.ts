import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { contactEndAfter, noContact, openContact } from '../../../lib/bill/contact.ts';
import { noOptions } from '../../../lib/bill/options.ts';
import type { BillId } from '../../../lib/ids.ts';
import { setShop } from '../../../lib/merchant/set-shop.ts';
import { deliverPostback } from '../../../lib/postback/deliver-postback.ts';
import { paymentEventId } from '../../../lib/postback/event.ts';
import { dynamoBills } from '../../../lib/store/bills.ts';
import { contactKey } from '../../../lib/store/contact-item.ts';
import { dynamoContacts } from '../../../lib/store/contacts.ts';
import { dynamoEvents } from '../../../lib/store/events.ts';
import type { Typed } from '../../../lib/payment/payer-contact.ts';
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

/** A paid bill with a contact; returns its postback as the shop gets it and as it is stored, where the shop echoes it. */
async function postbackOf(world: World, extended: boolean): Promise<{ body: string; kept: string }> {
  const billId = await withContact(world);
  const { shopId } = (await dynamoBills(world.table, () => new Date(0)).find(billId)) ?? {};
  await world.pump(
    world.invoke('set shop', (ports) => setShop(ports, { shopId, extendedPostbacks: extended })),
  );
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
  const id = paymentEventId(form.paymentId, 'SUCCESS');
  let told = '';
  const post = async ({ body }: { readonly body: string }) => {
    told = body;
    return { kind: 'answered', status: 200, retryAfterSeconds: undefined, body } as const;
  };
  await world.pump(
    world.invoke('deliver postback', (ports) => deliverPostback({ ...ports, post: { post } }, id)),
  );
  const event = await dynamoEvents(world.table).find(id);
  if (told === '' || event?.state !== 'DELIVERED') throw new Error('The scenario needs a postback');
  return { body: told, kept: JSON.stringify(event.attempts) };
}

export async function payerInPostback(world: World): Promise<void> {
  const { body } = await postbackOf(world, false);
  if (body.includes('Payer')) world.violate('secrets', 'a shop that did not ask is told the payer');
}

export async function payerInAnswer(world: World): Promise<void> {
  const { body, kept } = await postbackOf(world, true);
  if (!body.includes(encodeURIComponent(email))) throw new Error('The scenario needs the payer');
  if (kept.includes('kanareikina')) world.violate('secrets', 'an attempt stores what the shop echoes');
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

/** The bill came with an e-mail address, and has the payer asked for a comment, and for a phone where given. */
const asking = (world: World, phone?: '1'): Promise<BillId> =>
  aBill(world, 'NORMAL', {
    payer: { ...noContact, email },
    options: { ...noOptions, asks: JSON.stringify({ comment: '1', ...(phone && { phone }) }) },
  });

const startedWith = async (world: World, billId: BillId, typed: Typed) => {
  const form = await open(world, billId);
  const ran = await world.pump(world.invoke('start', (ports) => start(ports, form, undefined, typed)));
  return { form, kind: ran.kind === 'done' ? ran.done.kind : undefined };
};

export async function askedAndNotAnswered(world: World): Promise<void> {
  const { kind } = await startedWith(world, await asking(world, '1'), { comment: 'Call first' });
  if (kind !== 'no_contact') world.violate('answers', 'a payment started without what the bill asks');
}

export async function answersAsAsked(world: World): Promise<void> {
  const billId = await asking(world);
  const { form } = await startedWith(world, billId, { comment: 'Call first', name: 'Ivan' });
  const ran = await world.pump(
    world.invoke('open contact', async (ports) => {
      const stored = await ports.contacts.find(billId, form.paymentId);
      return stored && openContact(ports.contactOpener, stored, billId);
    }),
  );
  const contact = ran.kind === 'done' ? ran.done : undefined;
  if (contact?.comment !== 'Call first') throw new Error('The scenario needs a comment');
  if (contact.name !== undefined) world.violate('answers', 'a payment stores what was not asked');
  if (contact.email !== email) world.violate('answers', 'a payment lost the contact of its bill');
}

import { describe, expect, it, onTestFinished } from 'vitest';
import { toPayoutId } from '../../../lib/ids.ts';
import { payoutEventId, type PostbackEvent } from '../../../lib/postback/event.ts';
import { replayPostback } from '../../../lib/postback/replay-postbacks.ts';
import { sealPhone } from '../../../lib/postback/sealed-phone.ts';
import { aDelivery, sealer } from '../../support/delivery.ts';
import { anEvent, given, stored } from '../../support/postbacks.ts';
import { aRecordingReceiver } from '../../support/receiver.ts';

const phone = '79123456789';
const id = payoutEventId(toPayoutId('GroupOfTwentyDigits001'), 'SUCCESS');

/** The postback of an SBP payout, as versions before this one stored it. */
const inTheClear = anEvent({
  id,
  kind: 'payout',
  shopId: undefined,
  fields: {
    TrsId: 'GroupOfTwentyDigits001',
    Amount: '1000.00',
    Status: 'SUCCESS',
    AccountType: 'QIWI',
    AccountNumber: phone,
    BalanceAmount: '1010.00',
  },
});
const sealed = async (): Promise<PostbackEvent> => ({
  ...inTheClear,
  fields: { ...inTheClear.fields, AccountNumber: '7******6789' },
  sealedPhone: await sealPhone(sealer, id, phone),
});

/** A merchant whose server answers what it received. */
async function aMerchantThatEchoes() {
  const receiver = await aRecordingReceiver(
    () => 200,
    (body) => body,
  );
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return { receiver, ...(await aDelivery({ merchant: { payoutWebhookUrl: receiver.url } })) };
}

describe('the phone of a payout postback', () => {
  it('is sent in full in its place: body and signatures are those of an event that stores it in the clear', async () => {
    const [old, now] = [await aMerchantThatEchoes(), await aMerchantThatEchoes()];
    await given(old.table, inTheClear);
    await given(now.table, await sealed());
    await old.deliver(id);
    await now.deliver(id);
    const [before, after] = [old.receiver.received[0], now.receiver.received[0]];
    expect(after?.body).toContain(`AccountNumber=${phone}&`);
    expect(after?.body).toBe(before?.body);
    const signatures = (post: typeof after) => post?.headers['webhook-signature'];
    expect(signatures(after)).toBeDefined();
    expect(signatures(after)).toBe(signatures(before));
  });

  it('is not stored by the delivery, nor when the receiver echoes it', async () => {
    const { table, deliver, lines } = await aMerchantThatEchoes();
    await given(table, await sealed());
    await deliver(id);
    const item = await stored(table, id);
    expect(item).toMatchObject({ state: 'DELIVERED' });
    const { sealedPhone, ...rest } = item ?? {};
    expect(sealedPhone).toBeDefined();
    expect(JSON.stringify(rest)).not.toContain(phone);
    expect(JSON.stringify(lines)).not.toContain(phone);
  });

  it('is sent again by a replay after the delivery, in the same bytes', async () => {
    const { table, deliver, receiver, deps } = await aMerchantThatEchoes();
    await given(table, await sealed());
    await deliver(id);
    await replayPostback({ ...deps, queue: deps.retryQueue }, id);
    await deliver(id);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
  });

  it('that was sealed for another event is never sent', async () => {
    const { table, deliver, receiver } = await aMerchantThatEchoes();
    const other = payoutEventId(toPayoutId('GroupOfTwentyDigits002'), 'SUCCESS');
    await given(table, { ...(await sealed()), sealedPhone: await sealPhone(sealer, other, phone) });
    expect(await deliver(id)).toMatchObject({ batchItemFailures: [{}] });
    expect(receiver.received).toEqual([]);
  });

  it('is not opened when nothing is sent', async () => {
    const { table, deliver, deps } = await aDelivery({ merchant: { payoutWebhookUrl: undefined } });
    Object.assign(deps, { phoneOpener: { open: () => expect.unreachable() } });
    await given(table, await sealed());
    expect(await deliver(id)).toEqual({ batchItemFailures: [] });
    expect(await stored(table, id)).toMatchObject({ state: 'DEAD' });
  });
});

import { onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { aRecordingReceiver } from './receiver.ts';
import { anEmulator, rub } from './yookassa-emulator.ts';

const pending = z.looseObject({ id: z.string(), confirmation: z.object({ confirmation_url: z.string() }) });

const notification = z.object({
  type: z.literal('notification'),
  event: z.string(),
  object: z.looseObject({ id: z.string(), status: z.string() }),
});

/** Where the payer is sent in the end. Nobody listens there. */
export const returnUrl = 'https://shop.example/return';

/** A shop at an emulator of its own, with the emulator's control endpoint. Calls return the object, and throw on a refusal. */
export async function aShop() {
  const emulator = await anEmulator();
  const object = async (answer: ReturnType<typeof emulator.call>) => {
    const { status, body } = await answer;
    const { id } = body;
    if (status !== 200 || id === undefined) throw new Error(`The API answered ${status}.`);
    return { ...body, id };
  };
  const post = (path: string, body: object) => object(emulator.post(path, body));
  const control = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(emulator.controlUrl + path, { method, ...sent });
    return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
  };
  return {
    ...emulator,
    post,
    control,
    get: (id: string) => object(emulator.get(`/payments/${id}`)),
    /** Creates a payment and returns the address of its hosted page. */
    create: async (fields: object = {}) => {
      const confirmation = { type: 'redirect', return_url: returnUrl };
      const usual = { amount: rub('1234.50'), capture: true, description: 'Two <b>cups</b>', confirmation };
      const created = pending.parse(await post('/payments', { ...usual, ...fields }));
      return { id: created.id, page: created.confirmation.confirmation_url };
    },
    /** Moves the clock, and waits until what became due has happened. */
    later: (hours: number) => control('POST', '/clock', { advanceSeconds: hours * 3600 }),
    /** Starts the shop's server for notifications, which answers with `status()`. */
    listen: async (status?: () => number) => {
      const { received, url, [Symbol.asyncDispose]: close } = await aRecordingReceiver(status);
      onTestFinished(() => close());
      await control('PUT', '/notifications', { url });
      return { received, heard: () => received.map(({ body }) => notification.parse(JSON.parse(body))) };
    },
  };
}

import { newPaymentId, type PaymentId, toBillId } from '../../lib/ids.ts';
import type { Acquirer, AcquirerView, KnownOrder, StartRequest } from '../../lib/payment/acquirer.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { kindManners } from '../../lib/sandbox/manners.ts';

type Sent = Pick<StartRequest, 'amountMinor' | 'currency' | 'description' | 'returnUrl' | 'notifyUrl'> & {
  readonly paymentId: string;
};

/** A request as the sandbox needs it; it takes any text as an id. */
const requestOf = ({ paymentId, ...sent }: Sent, holds: boolean): StartRequest => ({
  ...sent,
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sandbox takes any text as an id
  paymentId: paymentId as PaymentId,
  key: `${paymentId}.1`,
  method: 'card',
  holds,
  reference: undefined,
  firstCallAt: new Date(0),
  lastCallAt: new Date(0),
  language: 'en',
  about: { merchantId: 'm', shopId: 's', billId: 'b', orderId: undefined },
});

const anOrder: KnownOrder = {
  paymentId: newPaymentId(toBillId('BillBillBillBill'), 'Payment1'),
  method: 'card',
  holds: true,
  amountMinor: 1n,
  currency: 'RUB',
  reference: 'of the call',
  firstCallAt: new Date(0),
  lastCallAt: new Date(0),
};

/** A view without what only the protocol needs: `refunded` is a capture that went back whole. */
function plain(view: AcquirerView): { readonly state: string } {
  if (view.state === 'captured') {
    const { refundedMinor, ...captured } = view;
    return refundedMinor === view.amountMinor ? { ...captured, state: 'refunded' } : captured;
  }
  if (view.state !== 'declined' && view.state !== 'cancelled') return view;
  const { reason: _reason, ...ended } = view;
  return ended;
}

/** The sandbox's adapter, with calls that name an order by our id only. */
/** The reference of the last order that was started under an id. */
const references = new Map<string, string>();

type Options = Parameters<typeof sandboxAcquirer>[0] & { readonly steps?: 'one' | 'two' };

export function sandboxById({ steps = 'two', ...access }: Options) {
  const acquirer: Acquirer = sandboxAcquirer({ ...access, manners: { ...kindManners, steps } });
  const at = (id: string): KnownOrder => ({
    ...anOrder,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sandbox takes any text as an id
    paymentId: id as PaymentId,
    reference: references.get(id) ?? id,
  });
  return {
    async start(sent: Sent) {
      const started = await acquirer.start(requestOf(sent, steps === 'two'));
      if (started.kind === 'refused') throw new Error(started.outcome);
      references.set(sent.paymentId, started.reference);
      return { pageUrl: started.pageUrl ?? '' };
    },
    get: async (id: string) => plain(await acquirer.get(at(id))),
    capture: async (id: string, amountMinor: bigint, key: string) =>
      plain((await acquirer.capture(at(id), { key, amountMinor })).view),
    cancel: async (id: string) => plain((await acquirer.cancel(at(id), { key: `${id}.cancel.1` })).view),
    async refund(id: string, key: string) {
      const view = await acquirer.get(at(id));
      const amountMinor = 'amountMinor' in view ? view.amountMinor : 0n;
      await acquirer.refund(at(id), { key, refundId: key, amountMinor });
      return plain(await acquirer.get(at(id)));
    },
    readNotification: (...given: Parameters<Acquirer['readNotification']>) =>
      acquirer.readNotification(...given)?.paymentId,
  };
}

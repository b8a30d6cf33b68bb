import { answerChallenge, chooseSbp, methodsOf, payByCard, paySbp } from '../acts.ts';
import { runDue } from '../due.ts';
import { wireAmount } from '../money.ts';
import type { PaymentRecord } from '../records.ts';
import type { World } from '../world.ts';
import type { Checkout } from './layout.ts';
import type { PayerSide, PayerView } from './site.ts';

/** The pages' view of the emulator's payments. */
export function payerSide(world: World): PayerSide {
  const payment = (paymentId: string): PaymentRecord | undefined => {
    runDue(world);
    return world.state.payments.get(paymentId);
  };
  const act = (paymentId: string, work: (record: PaymentRecord) => unknown): void => {
    const record = payment(paymentId);
    if (record) world.state.atomically(() => work(record));
  };
  return {
    now: () => new Date(world.clock.now()),
    find: (paymentId) => {
      const record = payment(paymentId);
      return record && { step: stepOf(record), checkout: checkoutOf(record) };
    },
    payByCard: (paymentId, card) => act(paymentId, (record) => payByCard(world, record, card)),
    answerChallenge: (paymentId, answer) =>
      act(paymentId, (record) => answerChallenge(world, record, answer === 'confirm')),
    chooseSbp: (paymentId) => act(paymentId, (record) => chooseSbp(world, record)),
    paySbp: (paymentId) => act(paymentId, (record) => paySbp(world, record)),
  };
}

function stepOf({ status, step, method }: PaymentRecord): PayerView['step'] {
  if (status !== 'pending') return 'closed';
  if (step?.kind === '3ds') return 'challenge';
  return step?.kind === 'sbp' || method === 'sbp' ? 'sbp' : 'card';
}

const checkoutOf = (record: PaymentRecord): Checkout => ({
  paymentId: record.id,
  amount: wireAmount(record.askedMinor),
  description: record.description,
  locale: record.locale ?? 'ru_RU',
  returnUrl: record.returnUrl,
  methods: methodsOf(record),
  card: record.step?.kind === '3ds' ? maskOf(record.step.paidWith) : undefined,
});

const maskOf = ({ first6, last4 }: { readonly first6: string; readonly last4: string }): string =>
  `${first6}******${last4}`;

import type * as z from 'zod/mini';
import { answerChallenge, declinePayment, payByCard, type PayerResult, paySbp, somePayer } from '../acts.ts';
import { present } from '../api/present.ts';
import { runDue } from '../due.ts';
import type { Manner } from '../manners.ts';
import { minorUnits } from '../money.ts';
import { changeCapturedAmount, chargeBack, succeedLate } from '../payments.ts';
import { finishPayout } from '../payouts.ts';
import type { ApiObject, PaymentRecord } from '../records.ts';
import { finishRefund, refundAtProvider } from '../refunds.ts';
import { setRegistration } from '../registration.ts';
import type { World } from '../world.ts';
import { type ControlCall, type ControlRoute, Refused } from './route.ts';
import { nothing, payment, payoutEnd, refundEnd, registration } from './schemas.ts';

/** An act on one object. Answers with the object as the API shows it; 409 where the act changed nothing. */
function act<Kind extends ApiObject['kind'], Body extends z.ZodMiniType>(
  kind: Kind,
  name: string,
  schema: Body,
  work: (world: World, object: Extract<ApiObject, { kind: Kind }>, body: z.infer<Body>) => void,
): ControlRoute {
  const run = ({ world, id, body }: ControlCall) => {
    runDue(world);
    const before = find(world, kind, id);
    if (!before) throw new Refused(404, `There is no ${kind} ${id}.`);
    const parsed = schema.parse(body);
    world.state.atomically(() => work(world, before, parsed));
    const after = find(world, kind, id);
    if (!after || after === before)
      throw new Refused(409, `The ${kind} is ${before.status}: ${name} changes nothing.`);
    return present(world, after);
  };
  return { method: 'POST', path: new RegExp(`^/${kind}s/([^/]+)/${name}$`), run };
}

function find<Kind extends ApiObject['kind']>(world: World, kind: Kind, id: string) {
  const { payments, refunds, payouts } = world.state;
  const objects: readonly (ApiObject | undefined)[] = [payments.get(id), refunds.get(id), payouts.get(id)];
  return objects.find((each): each is Extract<ApiObject, { kind: Kind }> => each?.kind === kind);
}

type Pay = z.infer<typeof payment.pay>;

/** Goes the payer's whole way, 3-D Secure included. */
function pay(world: World, record: PaymentRecord, body: Pay): void {
  if ('sbp' in body) return void paySbp(world, record);
  const card = { number: body.card, expiryMonth: '12', expiryYear: '2099' };
  const result: PayerResult = payByCard(world, record, card);
  if (result.kind === 'challenge') answerChallenge(world, result.payment, body.threeDSecure !== 'refuse');
}

/** An end that the object has now, in place of the one that its manner had for later. */
const endsNow = (reason: string | undefined): Manner => ({ kind: 'ends', afterMs: 0, reason });

export const objectRoutes: readonly ControlRoute[] = [
  act('payment', 'pay', payment.pay, pay),
  act('payment', 'decline', payment.decline, (world, record, { reason }) =>
    declinePayment(world, record, reason),
  ),
  act('payment', 'succeed_late', nothing, (world, record) =>
    succeedLate(world, record, somePayer(record), world.clock.now()),
  ),
  act('payment', 'refund_at_provider', nothing, (world, record) =>
    refundAtProvider(world, record, world.clock.now()),
  ),
  act('payment', 'charge_back', nothing, (world, record) => chargeBack(world, record, world.clock.now())),
  act('payment', 'change_amount', payment.changeAmount, (world, record, { amount }) =>
    changeCapturedAmount(world, record, minorUnits(amount), world.clock.now()),
  ),
  act('payment', 'register_receipt', registration, (world, record, { state }) =>
    setRegistration(world, record, state),
  ),
  act('refund', 'register_receipt', registration, (world, record, { state }) =>
    setRegistration(world, record, state),
  ),
  act('refund', 'finish', refundEnd, (world, record, { reason }) =>
    finishRefund(world, { ...record, manner: endsNow(reason) }, world.clock.now()),
  ),
  act('payout', 'finish', payoutEnd, (world, record, { reason }) =>
    finishPayout(world, { ...record, manner: endsNow(reason) }, world.clock.now()),
  ),
];

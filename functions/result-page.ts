import { readPaymentId } from '../lib/ids.ts';
import { type PageDeps, pageEndpoint } from '../lib/page/page-endpoint.ts';
import { returnAnswer } from '../lib/page/return-answer.ts';
import { returnOfPayer, type ReturnOfPayerPorts } from '../lib/payment/return-of-payer.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { merchantUrls } from '../lib/runtime/settings.ts';
import { resolvePorts } from '../lib/runtime/ports.ts';
import { tokenOpener } from '../lib/runtime/sealing.ts';
import { merchants } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/**
 * `/result/{payment}`: where the acquirer returns the payer, by GET or POST. The outcome comes from a status query to the acquirer,
 * never from the request.
 */
export const create = (deps: ReturnOfPayerPorts & PageDeps & { readonly plainHttp: boolean }) =>
  pageEndpoint('result-page', deps, async (visit) =>
    returnAnswer(visit, {
      ...deps,
      now: deps.now(),
      back: await returnOfPayer(deps, { paymentId: readPaymentId(visit.id), key: visit.query['key'] }),
    }),
  );

export const handler = lambdaHandler(async () => {
  const ports = { ...(await resolvePorts()), merchants: merchants(), opener: tokenOpener() };
  return create({ ...system, ...ports, plainHttp: merchantUrls() === 'loopback' });
});

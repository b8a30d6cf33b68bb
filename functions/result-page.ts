import { handOffPage } from '../lib/page/hand-off-page.ts';
import { messagePage } from '../lib/page/message-page.ts';
import { type PageDeps, pageEndpoint } from '../lib/page/page-endpoint.ts';
import { waitingPage } from '../lib/page/waiting-page.ts';
import { returnOfPayer, type ReturnOfPayerPorts } from '../lib/payment/return-of-payer.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { acquirer } from '../lib/runtime/acquirer.ts';
import { postbackQueue } from '../lib/runtime/queues.ts';
import { tokenOpener } from '../lib/runtime/sealing.ts';
import { merchantUrls } from '../lib/runtime/merchant-post.ts';
import { merchants, payments, shops, failedAttempts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

/** Merchants' URLs may be plain http: where the environment says so. */
type Deps = ReturnOfPayerPorts & PageDeps & { readonly plainHttp: boolean };

/**
 * `/result/{payment}`: where the acquirer sends the payer back to, by GET or POST. Nothing that was sent along is
 * believed; the acquirer is asked, and the browser handed to the shop or told to wait.
 */
export const create = (deps: Deps) =>
  pageEndpoint('result-page', deps, async ({ id, query, reader, publicUrl }) => {
    const back = await returnOfPayer(deps, { paymentId: id });
    if (back.kind === 'not_found') return messagePage(reader, 'not_found');
    if (back.kind === 'waiting') return waitingPage(reader, { checks: Number(query['check'] ?? 0) || 0 });
    const { url, outcome, fields, payment } = back;
    const own = `${publicUrl}/redirect/payment/${outcome}`;
    // Our own page has to be told the payment; a shop's gets the contract's fields and nothing else.
    const sent = url === undefined ? { ...fields, TrsId: payment.id } : fields;
    return handOffPage(reader, { url: url ?? own, outcome, fields: sent, plainHttp: deps.plainHttp });
  });

export const handler = lambdaHandler(async () =>
  create({
    ...system,
    merchants: merchants(),
    opener: tokenOpener(),
    plainHttp: merchantUrls() === 'loopback',
    payments: payments(),
    shops: shops(),
    failedAttempts: failedAttempts(),
    acquirer: await acquirer(),
    postbackQueue: postbackQueue(),
  }),
);

import { readAccountId } from '../lib/ids.ts';
import { quotePayoutRoute } from '../lib/contract/payout.ts';
import { isPersonalQuote } from '../lib/contract/quote-payout-input.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentQuote } from '../lib/http/present/payout.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { quotePayout, type QuotePorts } from '../lib/payout/quote-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutQuotePorts } from '../lib/runtime/ports.ts';

export const create = (deps: QuotePorts & EndpointDeps) =>
  endpoint(quotePayoutRoute, deps, {
    admitSent: ({ regularPayouts }, sent) =>
      regularPayouts || isPersonalQuote(sent) ? undefined : 'unauthorized_action',
    run: ({ order_id: orderId, ...input }, { caller, idempotencyKey }) => {
      const request = { caller, orderId, idempotencyKey };
      if (input.kind === 'personal') {
        const { kind, amount, payout_account_id, ...rest } = input;
        nothingLeft(rest);
        return quotePayout(deps, { ...request, kind, amount, accountId: readAccountId(payout_account_id) });
      }
      const { kind, amount, currency: _rub, destination, ...rest } = input;
      nothingLeft(rest);
      return quotePayout(deps, { ...request, kind, amount, destination });
    },
    present: presentQuote,
    isReplay: ({ alreadyCreated }) => alreadyCreated,
  });

export const handler = lambdaHandler(() => create(payoutQuotePorts()));

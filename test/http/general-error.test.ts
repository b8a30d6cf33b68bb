import { expect, it } from 'vitest';
import { contract } from '../../lib/contract/routes.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { handlers, paths } from '../support/api-handlers.ts';
import { serviceHarness } from '../support/service-harness.ts';

/** Every other error of the contract is reached over HTTP: test/stack/contract-errors.test.ts. */
it.each(paths)(
  'what must never come to %s, a request that no authorizer saw, is an internal error',
  async (path) => {
    const handler = handlers[path](await serviceHarness());
    const route = contract.find((each) => each.path === `/api/v1${path}`);
    const event = apiEvent(route!.method, { query: { id: 'x', active: '1' } });
    event.requestContext.authorizer = undefined;
    const { statusCode, body } = await handler(event, lambdaContext);
    expect([statusCode, JSON.parse(body)]).toEqual([
      500,
      { success: false, message: 'api:error.general_error' },
    ]);
  },
);

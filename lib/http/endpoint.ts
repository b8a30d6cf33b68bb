// oxlint-disable-next-line import/no-named-as-default -- the package's types declare only the default export
import { Defect } from '../defect.ts';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { ApiRoute } from '../contract/route.ts';
import { accessDeniedFrom } from '../contract/refusals.ts';
import type { Log } from '../log.ts';
import type { Caller } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import { invalidData, json, refused, withHeader } from './answers.ts';
import { mayCallFrom } from './api-addresses.ts';
import { baseUrlOf } from './base-url.ts';
import { callerOf } from './caller.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { jsonBody } from './json-body.ts';
import { type Parameters, parametersOf } from './parameters.ts';
import type { RefusalNumbers } from './present/refusal.ts';
import type { View } from './present/view.ts';
import { readableBody } from './readable-body.ts';
import { answerErrors } from './trouble.ts';
import { type FieldErrors, validate } from './validation.ts';

/** What every endpoint of the API needs in addition to the ports of its use case. */
export type EndpointDeps = {
  readonly log: Log;
  /** Of the timestamps in responses; absent in functions whose responses have none. */
  readonly timeZone?: string;
  /** When absent, links lead to the domain and stage of the request. */
  readonly publicUrl: string | undefined;
};

type Call = { readonly caller: Caller; readonly idempotencyKey: string | undefined };

type Handling<Refusal extends string, Input extends z.ZodMiniType, Output extends z.ZodMiniType, Value> = {
  /** A refusal that precedes the parsing of the request. */
  readonly admit?: (caller: Caller) => Refusal | undefined;
  /** A refusal that precedes the checks of the parameters and depends on which were sent. */
  readonly admitSent?: (caller: Caller, sent: Parameters) => Refusal | undefined;
  readonly run: (input: z.output<Input>, call: Call) => Promise<Result<Value, Refusal, RefusalNumbers>>;
  readonly present: (value: Value, view: View) => z.input<Output>;
  /** Whether the value is that of an earlier request; the response then has `Idempotency-Replayed: true`. */
  readonly isReplay?: (value: Value) => boolean;
};

export type ApiHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** One endpoint of the merchant's API: parses the request, runs the use case, presents its value or its refusal. */
export function endpoint<
  Refusal extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  Value,
>(
  route: ApiRoute<Refusal, Input, Output>,
  deps: EndpointDeps,
  { admit, admitSent, run, present, isReplay }: Handling<Refusal, Input, Output, Value>,
): ApiHandler {
  const refuse = (refusal: Refusal, numbers?: RefusalNumbers) =>
    refused(refusal, route.refusals[refusal], numbers);

  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .use(answerErrors(route.function, deps))
    .before(({ event }) => {
      const caller = callerOf(event);
      const { sourceIp } = event.requestContext.identity;
      if (!mayCallFrom(caller.apiAddresses, sourceIp))
        return refused('ip_access_denied', accessDeniedFrom(sourceIp));
      const refusal = admit?.(caller);
      return refusal === undefined ? undefined : refuse(refusal);
    })
    .use(readableBody)
    .use(jsonBody)
    .handler(async (event) => {
      const sent = await parametersOf(event);
      const notAdmitted = admitSent?.(callerOf(event), sent);
      if (notAdmitted !== undefined) return refuse(notAdmitted);
      const request = readRequest(route, event, sent);
      if (!request.ok) return invalidData(request.error);
      const { input, idempotencyKey } = request.value;
      const outcome = await run(input, { caller: callerOf(event), idempotencyKey });
      if (!outcome.ok) return refuse(outcome.error, outcome.details);
      const answer = json(200, present(outcome.value, viewOf(event, deps)));
      return isReplay?.(outcome.value) ? withHeader(answer, 'Idempotency-Replayed', 'true') : answer;
    });
}

/** Getters, because a function has only the settings that its presenter reads. */
const viewOf = (event: APIGatewayProxyEvent, deps: EndpointDeps): View => ({
  get timeZone() {
    if (deps.timeZone !== undefined) return deps.timeZone;
    throw new Defect(
      'TIME_ZONE_MISSING',
      'This response has a timestamp, and its function has no time zone.',
    );
  },
  get baseUrl() {
    return baseUrlOf(event, deps.publicUrl);
  },
});

type ApiRequest<Input extends z.ZodMiniType> = Pick<Call, 'idempotencyKey'> & {
  readonly input: z.output<Input>;
};

function readRequest<Input extends z.ZodMiniType>(
  { input: schema, idempotent }: ApiRoute<string, Input>,
  event: APIGatewayProxyEvent,
  sent: Parameters,
): Result<ApiRequest<Input>, FieldErrors> {
  const input = validate(schema, sent);
  const key = readIdempotencyKey(idempotent ? event.headers['idempotency-key'] : undefined);
  if (input.ok && key.ok) return ok({ input: input.value, idempotencyKey: key.value });
  return fail({
    ...(input.ok ? {} : input.error),
    ...(key.ok ? {} : { 'Idempotency-Key': [key.error] }),
  });
}

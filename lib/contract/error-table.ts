import * as z from 'zod/mini';
import { invalidDataMessage, meanings, messageOf, statusOf } from './refusals.ts';
import type { RefusalAnswer, ApiRoute } from './route.ts';
import { contract } from './routes.ts';

/** One way in which one endpoint refuses. */
export type ErrorRow = {
  readonly endpoint: string;
  readonly cause: string;
  readonly status: number;
  /** The `message` of the body. */
  readonly message: string;
  /** The key under `errors`, where there is one. */
  readonly field?: string | undefined;
  /** There may be numbers, too. */
  readonly details?: true | undefined;
};

/** Every error of an endpoint, in the order of their status. */
export function errorsOf(route: ApiRoute): readonly ErrorRow[] {
  const endpoint = `${route.method} ${route.path}`;
  const refusals = Object.entries(route.refusals).map(([refusal, answer]) =>
    refusalRow(endpoint, refusal, answer),
  );
  return [...commonErrors(route), ...refusals].toSorted((a, b) => a.status - b.status);
}

/** The table in docs/reference.md and the OpenAPI document are made from this. */
export const errorTable = (): readonly ErrorRow[] => contract.flatMap(errorsOf);

function refusalRow(endpoint: string, refusal: string, answer: RefusalAnswer): ErrorRow {
  const cause = meanings[refusal] ?? refusal;
  const field = typeof answer === 'object' && 'field' in answer ? answer.field : undefined;
  const details = typeof answer === 'object' && 'details' in answer ? answer.details : undefined;
  return { endpoint, cause, status: statusOf(answer), message: messageOf(refusal, answer), field, details };
}

function commonErrors(route: ApiRoute): readonly ErrorRow[] {
  const endpoint = `${route.method} ${route.path}`;
  const internal = { endpoint, cause: 'Internal error', status: 500, message: 'api:error.general_error' };
  const unauthenticated = {
    endpoint,
    cause: 'Missing, malformed, unknown or replaced token',
    status: 401,
    message: 'Unauthenticated.',
  };
  const invalid = {
    endpoint,
    cause: 'Invalid data in the request',
    status: 422,
    message: invalidDataMessage,
  };
  return takesParameters(route) ? [unauthenticated, invalid, internal] : [unauthenticated, internal];
}

const takesParameters = ({ input }: ApiRoute): boolean =>
  !(input instanceof z.ZodMiniObject) || Object.keys(input.shape).length > 0;

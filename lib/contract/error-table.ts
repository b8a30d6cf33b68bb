import * as z from 'zod/mini';
import { accessDeniedFrom, invalidDataMessage, meanings, messageOf, statusOf } from './refusals.ts';
import type { RefusalAnswer, ApiRoute } from './route.ts';
import { contract } from './routes.ts';

/** One error response of one endpoint. */
export type ErrorRow = {
  readonly endpoint: string;
  readonly cause: string;
  readonly status: number;
  /** `message` in the body. */
  readonly message: string;
  /** The key under `errors`, when the response has one. */
  readonly field: string | undefined;
  /** The response may have `details`. */
  readonly details: true | undefined;
};

/** Returns every error of an endpoint, ordered by status. */
export function errorsOf(route: ApiRoute): readonly ErrorRow[] {
  const endpoint = `${route.method} ${route.path}`;
  const refusals = Object.entries(route.refusals).map(([refusal, answer]) =>
    refusalRow(endpoint, refusal, answer),
  );
  return [...commonErrors(route), ...refusals].toSorted((a, b) => a.status - b.status);
}

/** Every error of every endpoint. The table in docs/reference.md is built from it. */
export const errorTable = (): readonly ErrorRow[] => contract.flatMap(errorsOf);

function refusalRow(endpoint: string, refusal: string, answer: RefusalAnswer): ErrorRow {
  const cause = meanings[refusal] ?? refusal;
  const field = typeof answer === 'object' && 'field' in answer ? answer.field : undefined;
  const details = typeof answer === 'object' && 'details' in answer ? answer.details : undefined;
  return { endpoint, cause, status: statusOf(answer), message: messageOf(refusal, answer), field, details };
}

function commonErrors(route: ApiRoute): readonly ErrorRow[] {
  const endpoint = `${route.method} ${route.path}`;
  const common = { endpoint, field: undefined, details: undefined };
  const internal = { ...common, cause: 'Internal error', status: 500, message: 'api:error.general_error' };
  const unauthenticated = {
    ...common,
    cause: 'Missing, malformed, unknown or replaced token',
    status: 401,
    message: 'Unauthenticated.',
  };
  const invalid = {
    ...common,
    cause: 'Invalid data in the request',
    status: 422,
    message: invalidDataMessage,
  };
  const elsewhere = refusalRow(endpoint, 'ip_access_denied', accessDeniedFrom(''));
  return [unauthenticated, elsewhere, ...(takesParameters(route) ? [invalid] : []), internal];
}

const takesParameters = ({ input }: ApiRoute): boolean =>
  !(input instanceof z.ZodMiniObject) || Object.keys(input.shape).length > 0;

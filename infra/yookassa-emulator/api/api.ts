import { isoTime } from '../clock.ts';
import { runDue } from '../due.ts';
import { isHttpFault } from '../faults.ts';
import type { Journal } from '../journal.ts';
import type { HttpFault, Manner } from '../manners.ts';
import { error as errorAnswer } from '../schemas/answers.ts';
import type { World } from '../world.ts';
import { accountRoutes } from './accounts.ts';
import { amountFault } from './amount-faults.ts';
import type { Call, PostRoute, Route } from './call.ts';
import { authenticate } from './credentials.ts';
import {
  ApiError,
  forbidden,
  internalError,
  invalid,
  invalidCredentials,
  notFound,
  tooManyRequests,
  wrongContentType,
  wrongMethod,
} from './errors.ts';
import { once, readKey } from './idempotence.ts';
import { paymentRoutes } from './payments.ts';
import { payoutRoutes } from './payouts.ts';
import { present } from './present.ts';
import { refundRoutes } from './refunds.ts';

/** A request under `/v3`, as it arrived. */
export type ApiRequest = {
  readonly method: string;
  /** The path with its query, beginning with `/v3/`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
};

export type ApiAnswer = {
  readonly status: number;
  readonly body: unknown;
  /** False: the connection is held and then closed without an answer. */
  readonly isSent: boolean;
};

/** Called with an answer that does not have the vendor's schema: a defect of the emulator. */
export type OnViolation = (message: string) => void;

const routes: readonly Route[] = [...paymentRoutes, ...refundRoutes, ...payoutRoutes, ...accountRoutes];

/**
 * Answers one request: authentication, routing, headers, idempotence, then the resource. Control rules and amounts decide whether
 * a fault comes before or after it. The exchange is in the journal when this returns.
 */
export function answer(
  world: World,
  journal: Journal,
  onViolation: OnViolation,
  request: ApiRequest,
): ApiAnswer {
  runDue(world);
  const given = attempt(onViolation, () => served(world, onViolation, request));
  journal.write({
    at: isoTime(world.clock.now()),
    method: request.method,
    path: request.target,
    status: given.status,
    idempotenceKey: request.headers['idempotence-key'] ?? null,
    request: request.body === '' ? null : jsonOrText(request.body),
    answer: given.body,
  });
  return given;
}

/** Turns a refusal into its answer. Any other error is a defect of the emulator: it is reported and answered 500. */
function attempt(onViolation: OnViolation, serve: () => ApiAnswer): ApiAnswer {
  try {
    return serve();
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) onViolation(thrown instanceof Error ? (thrown.stack ?? '') : 'thrown');
    const refusal = thrown instanceof ApiError ? thrown : internalError();
    errorAnswer.parse(refusal.body);
    return { status: refusal.status, body: refusal.body, isSent: !(refusal instanceof Unanswered) };
  }
}

/** A request that is never answered, and never acted on. */
class Unanswered extends ApiError {
  constructor() {
    super(500, internalError().body);
  }
}

function served(world: World, onViolation: OnViolation, request: ApiRequest): ApiAnswer {
  const effect = world.faults.take(request.method, request.target);
  const fault = effect && isHttpFault(effect) ? effect : undefined;
  const manner = effect && !isHttpFault(effect) ? effect : undefined;
  if (fault && !passes(fault)) throw before(fault);
  const { route, ...call } = admitted(world, request, manner);
  if (route.method === 'POST') return posted({ route, call, request, fault, onViolation });
  if (fault?.kind === 'refused') throw before(fault);
  return after(fault, () => checked(route, route.read({ ...call, body: {} }), onViolation), onViolation);
}

/** Authenticates and routes. */
function admitted(world: World, { method, target, headers }: ApiRequest, manner: Manner | undefined) {
  const account = authenticate(world, headers['authorization']);
  const url = new URL(target, 'http://emulator');
  const path = url.pathname.replace(/^\/v3/, '');
  const { route, id } = routeOf(method, path);
  if (route.account !== 'either' && route.account !== account)
    throw forbidden('The secret key has no right to this operation.');
  return { route, path, world, account, id, query: url.searchParams, manner, at: world.clock.now() };
}

type Posted = {
  readonly route: PostRoute;
  readonly call: Omit<Call, 'body'> & { readonly path: string };
  readonly request: ApiRequest;
  /** The fault of a control rule: it comes before that of an amount. */
  readonly fault: HttpFault | undefined;
  readonly onViolation: OnViolation;
};

/** Acts once under the request's key. */
function posted({ route, call, request, fault: ruled, onViolation }: Posted): ApiAnswer {
  const { world, account, path, at } = call;
  const body = readJson(request);
  const key = readKey(request.headers['idempotence-key']);
  const fault = ruled ?? amountFault(world, { path, idempotenceKey: key, body });
  if (fault && !passes(fault)) throw before(fault);
  const keyed = { id: `${account} ${key}`, method: 'POST', path, body, at };
  const act = () => {
    if (fault?.kind === 'refused') throw before(fault);
    return route.act({ ...call, body });
  };
  const serve = () => checked(route, present(world, once(world, keyed, act)), onViolation);
  return after(fault, serve, onViolation);
}

/** Whether the request is looked at in spite of the fault: a refusal is remembered under its key. */
const passes = (fault: HttpFault): boolean =>
  fault.kind === 'refused' ||
  ((fault.kind === 'internal_error' || fault.kind === 'no_answer') && fault.acted);

/** The fault of a request that takes no effect. */
function before(fault: HttpFault): ApiError {
  switch (fault.kind) {
    case 'internal_error':
      return internalError();
    case 'no_answer':
      return new Unanswered();
    case 'too_many_requests':
      return tooManyRequests(fault.retryAfterMs);
    case 'refused_credentials':
      return invalidCredentials();
    case 'refused':
      return invalid('amount', 'The request is refused.');
  }
}

/** The request is decided; the caller may not learn of it, nor of its refusal. */
function after(fault: HttpFault | undefined, serve: () => unknown, onViolation: OnViolation): ApiAnswer {
  const given = attempt(onViolation, () => ({ status: 200, body: serve(), isSent: true }));
  if (fault?.kind === 'internal_error') return { status: 500, body: internalError().body, isSent: true };
  return { ...given, isSent: fault?.kind !== 'no_answer' };
}

function routeOf(method: string, path: string): { readonly route: Route; readonly id: string } {
  const matching = routes.flatMap((route) => {
    const match = route.path.exec(path);
    return match ? [{ route, id: decoded(match[1] ?? '') }] : [];
  });
  if (matching.length === 0) throw notFound('The requested resource is not found.');
  const found = matching.find(({ route }) => route.method === method);
  if (!found) throw wrongMethod();
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses the body. A POST without a body, such as a cancel, needs no content type. */
function readJson({ headers, body }: ApiRequest): unknown {
  const type = headers['content-type'];
  if (type === undefined && body === '') return {};
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? '')) throw wrongContentType();
  if (body.trim() === '') return {};
  const parsed = jsonOrText(body);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw invalid('body', 'The body is not a JSON object.');
  return parsed;
}

function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function checked(route: Route, body: unknown, onViolation: OnViolation): unknown {
  const parsed = route.answer.safeParse(body);
  if (parsed.success) return body;
  onViolation(`${route.method} ${route.path.source}: ${parsed.error.message}`);
  throw internalError();
}

import { isoTime } from '../clock.ts';
import { runDue } from '../due.ts';
import { isHttpFault } from '../faults.ts';
import type { Journal } from '../journal.ts';
import type { HttpFault, Manner } from '../manners.ts';
import { error as errorAnswer } from '../schemas/answers.ts';
import type { World } from '../world.ts';
import { accountRoutes } from './accounts.ts';
import { amountFault } from './amount-faults.ts';
import type { Call, Route } from './call.ts';
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
  const given = attempt(() => served(world, onViolation, request));
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

function attempt(serve: () => ApiAnswer): ApiAnswer {
  try {
    return serve();
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    errorAnswer.parse(thrown.body);
    return { status: thrown.status, body: thrown.body, isSent: !(thrown instanceof Unanswered) };
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
  const [fault, manner] = effect && isHttpFault(effect) ? [effect, undefined] : [undefined, effect];
  if (fault && !acts(fault)) throw before(fault);
  const { answer: body, late } = acted(world, onViolation, request, manner);
  return after(fault ?? late, body);
}

const acts = (fault: HttpFault): boolean =>
  (fault.kind === 'internal_error' || fault.kind === 'no_answer') && fault.acted;

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

/** The request took effect; the caller may not learn of it. */
function after(fault: HttpFault | undefined, body: unknown): ApiAnswer {
  if (fault?.kind === 'internal_error') return { status: 500, body: internalError().body, isSent: true };
  return { status: 200, body, isSent: fault?.kind !== 'no_answer' };
}

/** The answer, and the fault by amount that hides it. */
type Acted = { readonly answer: unknown; readonly late: HttpFault | undefined };

function acted(
  world: World,
  onViolation: OnViolation,
  request: ApiRequest,
  manner: Manner | undefined,
): Acted {
  const { method, headers } = request;
  const account = authenticate(world, headers['authorization']);
  const url = new URL(request.target, 'http://emulator');
  const path = url.pathname.replace(/^\/v3/, '');
  const { route, id } = routeOf(method, path);
  if (route.account !== 'either' && route.account !== account)
    throw forbidden('The secret key has no right to this operation.');
  const at = world.clock.now();
  const call: Omit<Call, 'body'> = { world, account, id, query: url.searchParams, manner, at };
  if (route.method === 'GET')
    return { answer: checked(route, route.read({ ...call, body: {} }), onViolation), late: undefined };

  const idempotenceKey = headers['idempotence-key'];
  const body = readJson(request);
  const key = readKey(idempotenceKey);
  const fault = amountFault(world, { path, idempotenceKey: key, body });
  if (fault && !acts(fault) && fault.kind !== 'refused') throw before(fault);
  const keyed = { id: `${account} ${key}`, method, path, body, at };
  const object = once(world, keyed, () => {
    if (fault?.kind === 'refused') throw before(fault);
    return route.act({ ...call, body });
  });
  return { answer: checked(route, present(world, object), onViolation), late: fault };
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

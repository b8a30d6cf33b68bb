import { acquirerApi } from './acquirer-api.ts';
import { notFound, refused, type SandboxResponse } from './answer.ts';
import { booksApi } from './books-api.ts';
import { tooLargePage } from './challenge-page.ts';
import { controlApi } from './control-api.ts';
import type { SandboxDeps } from './deps.ts';
import { languageOf, pages } from './pages.ts';
import { railApi } from './rail-api.ts';
import { isTooLargeHere, readRequest, type GatewayEvent, type Request } from './request.ts';
import { isBearer } from './secret.ts';
import { statementApi } from './statement-api.ts';

type RequestHandler = (deps: SandboxDeps, request: Request) => Promise<SandboxResponse>;

const forPayers: Readonly<Record<string, RequestHandler>> = { card: pages, sbp: pages, '3ds': pages };
const forClients: Readonly<Record<string, RequestHandler>> = {
  acquirer: acquirerApi,
  rail: railApi,
  books: booksApi,
  statement: statementApi,
  control: controlApi,
};

/** The sandbox provider: acquirer and payout rail in one, for environments without real money. */
export const sandbox =
  (deps: SandboxDeps) =>
  async (event: GatewayEvent): Promise<SandboxResponse> => {
    const request = readRequest(event, deps.url);
    const [first = ''] = request.path;
    const page = forPayers[first];
    if (page) return isTooLargeHere(event) ? tooLargePage(languageOf(request)) : page(deps, request);

    const api = forClients[first];
    if (!api) return notFound();
    if (isTooLargeHere(event)) return refused(413, 'request_too_large');
    const isKnown = isBearer(request.headers['authorization'], await deps.secret());
    return isKnown ? api(deps, request) : refused(401, 'unauthenticated');
  };

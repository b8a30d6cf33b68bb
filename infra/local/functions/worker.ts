import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, LeadsBack, Start, ToWorker } from './worker-messages.ts';

/**
 * Runs in a worker thread in place of Lambda's runtime: loads the function's bundle once, then handles one event after
 * another. It imports only Node's built-in modules at run time, so that it loads in a millisecond.
 */
const start: Start = workerData;
const port = parentPort;
if (!port) throw new Error('worker.ts runs in a worker thread only.');
const send = (message: FromWorker): void => port.postMessage(message);

type Handler = (event: unknown, context: unknown) => unknown;

function load(): Handler {
  const exported: Record<string, Handler | undefined> = createRequire(pathToFileURL(start.file))(start.file);
  const handler = exported[start.exportName];
  if (typeof handler === 'function') return handler;
  throw new Error(`The bundle exports no function "${start.exportName}".`);
}

/** Loads .js files as CommonJS, as on Lambda, where a bundle has no package.json above it. */
function loadAsCommonJs(): void {
  const bundle = pathToFileURL(dirname(start.file)).href;
  registerHooks({
    load: (url, context, next) =>
      next(url, url.startsWith(bundle) && url.endsWith('.js') ? { ...context, format: 'commonjs' } : context),
  });
}

function leadBack({ from, to }: LeadsBack): void {
  const fetchOriginal = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? undefined : String(input);
    return fetchOriginal(url?.startsWith(`${from}/`) ? to + url.slice(from.length) : input, init);
  };
}

const contextOf = ({ requestId, deadline }: ToWorker) => ({
  functionName: start.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: start.arn,
  memoryLimitInMB: String(start.memoryMb),
  awsRequestId: requestId,
  logGroupName: `/aws/lambda/${start.functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

function failure(thrown: unknown): { errorType: string; errorMessage: string; trace: string | undefined } {
  if (!(thrown instanceof Error))
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: undefined };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: thrown.stack };
}

async function handle(handler: Handler, message: ToWorker): Promise<void> {
  try {
    const payload = await handler(JSON.parse(message.event), contextOf(message));
    send({ kind: 'done', requestId: message.requestId, payload: JSON.stringify(payload) ?? 'null' });
  } catch (thrown) {
    send({ kind: 'failed', requestId: message.requestId, ...failure(thrown) });
  }
}

try {
  loadAsCommonJs();
  if (start.leadsBack) leadBack(start.leadsBack);
  enableCompileCache(start.compiled);
  const handler = load();
  flushCompileCache();
  port.on('message', (message: ToWorker) => void handle(handler, message));
  send({ kind: 'ready' });
} catch (thrown) {
  send({ kind: 'unable', ...failure(thrown) });
}

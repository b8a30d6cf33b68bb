import { createRequire, registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, LeadsBack, Start, ToWorker } from './worker-messages.ts';

/**
 * Runs inside a worker thread and is to one function what Lambda's runtime is: loads the bundle once, then
 * handles one event after another. It imports nothing of ours at run time, so that it loads in a millisecond.
 */
const start: Start = workerData;
const port = parentPort;
if (!port) throw new Error('worker.ts runs in a worker thread only.');
const tell = (message: FromWorker): void => port.postMessage(message);

type Handler = (event: unknown, context: unknown) => unknown;

function load(): Handler {
  const exported: Record<string, Handler | undefined> = createRequire(pathToFileURL(start.file))(start.file);
  const handler = exported[start.exportName];
  if (typeof handler === 'function') return handler;
  throw new Error(`The bundle exports no function "${start.exportName}".`);
}

/** On Lambda no package.json lies around a bundle, so there a .js file is CommonJS. */
function asOnLambda(): void {
  const bundle = pathToFileURL(dirname(start.file)).href;
  registerHooks({
    load: (url, context, next) =>
      next(url, url.startsWith(bundle) && url.endsWith('.js') ? { ...context, format: 'commonjs' } : context),
  });
}

function leadBack({ from, to }: LeadsBack): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? undefined : String(input);
    return send(url?.startsWith(`${from}/`) ? to + url.slice(from.length) : input, init);
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

function failure(thrown: unknown): { errorType: string; errorMessage: string; trace?: string | undefined } {
  if (!(thrown instanceof Error)) return { errorType: typeof thrown, errorMessage: String(thrown) };
  return { errorType: thrown.name, errorMessage: thrown.message, trace: thrown.stack };
}

async function handle(handler: Handler, message: ToWorker): Promise<void> {
  try {
    const payload = await handler(JSON.parse(message.event), contextOf(message));
    tell({ kind: 'done', requestId: message.requestId, payload: JSON.stringify(payload) ?? 'null' });
  } catch (thrown) {
    tell({ kind: 'failed', requestId: message.requestId, ...failure(thrown) });
  }
}

try {
  asOnLambda();
  if (start.leadsBack) leadBack(start.leadsBack);
  const handler = load();
  port.on('message', (message: ToWorker) => void handle(handler, message));
  tell({ kind: 'ready' });
} catch (thrown) {
  tell({ kind: 'unable', ...failure(thrown) });
}

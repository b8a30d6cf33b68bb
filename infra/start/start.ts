import { rmSync } from 'node:fs';
import { assemble } from './assemble.ts';
import { openContext } from '../../lib/cli/connect.ts';
import { localInstallation } from '../../lib/cli/installation.ts';
import type { OperatorContext } from '../../lib/cli/operator-context.ts';
import {
  type Demo,
  filesIn,
  readDemo,
  writeDemo,
  writeRuntime,
  type YookassaAccess,
} from '../../lib/installation/data-folder.ts';
import { atYookassa, environments, localReceipts } from '../../lib/installation/environments.ts';
import { migrateLists } from '../../lib/search/migrate-lists.ts';
import { makeDemo, setDemoUrls } from './demo.ts';
import { fileLog, warningsTo } from '../local/functions/function-log.ts';
import { readOptions, type StartOptions } from './options.ts';
import { paylinkHere, sandboxAt } from './paylink-here.ts';
import { type Runner, startRunner } from '../local/runner.ts';
import { takeFolder } from './take-folder.ts';
import { messageOf, CommandError } from '../../lib/installation/command-error.ts';
import { readyText, startingText, stoppingText } from './console-messages.ts';
import { startYookassaEmulator, type YookassaEmulator } from './yookassa-emulator.ts';
import { storeYookassaKeys } from './yookassa-secret.ts';

const now = (): Date => new Date();

/** `npm start`: runs the service until Ctrl-C. */
async function run(options: StartOptions): Promise<void> {
  const { folder } = options;
  await takeFolder(folder, options);
  console.log(startingText);
  const emulator = options.provider === 'yookassa' ? await startYookassaEmulator(options) : undefined;
  try {
    await serve(options, emulator);
  } finally {
    await emulator?.stop();
  }
}

/** Runs the service, and ends with an error when the database or the emulator does. */
async function serve(options: StartOptions, emulator: YookassaEmulator | undefined): Promise<void> {
  const { folder } = options;
  const runner = await startRunner({
    port: options.port,
    host: options.host,
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    ...(options.sandboxPort !== undefined && { second: sandboxAt(options.sandboxPort) }),
    assembly: () => assembled(options, emulator),
    ...(emulator && { variables: { YOOKASSA_SETTINGS: settingsFor(emulator, options) } }),
    dataFolder: folder,
    schedules: true,
    ...paylinkHere,
    log: functionLog(filesIn(folder).log),
    now,
  });
  const stopped = signal();
  try {
    if (emulator) await connect(runner, emulator);
    await announce(runner, options, emulator);
    const end = await Promise.race([
      stopped,
      runner.ended.then(() => 'database' as const),
      ...(emulator ? [emulator.ended.then(() => 'emulator' as const)] : []),
    ]);
    if (end === 'database') throw new CommandError('The database process has exited: run npm start again.');
    if (end === 'emulator')
      throw new CommandError(
        'The process of the YooKassa emulator has exited: run npm start -- --provider yookassa again.',
      );
    console.log(stoppingText);
  } finally {
    await runner.stop();
  }
}

/** Gives the service the emulator's keys, and the emulator the service's notification address. */
async function connect({ endpoints, baseUrl }: Runner, emulator: YookassaEmulator): Promise<void> {
  const { AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets } = endpoints;
  const secret = await storeYookassaKeys(secrets, emulator.access);
  await emulator.notifyAt(`${baseUrl}/acquirer/yookassa/${secret}`);
}

/** The settings for the emulator's address: an existing assembly may have been synthesized for another one. */
const settingsFor = ({ access }: YookassaEmulator, { receipts }: StartOptions): string =>
  JSON.stringify(
    atYookassa(environments.local, access.apiUrl, receipts ? localReceipts : undefined).providers.yookassa,
  );

/** Writes runtime.json for other commands, and prints the service's addresses and the demo merchant. */
async function announce(
  runner: Runner,
  options: StartOptions,
  emulator: YookassaEmulator | undefined,
): Promise<void> {
  const { baseUrl, endpointsForPeople: endpoints } = runner;
  const { folder } = options;
  const demo = await demoOf(runner, options, emulator?.access);
  process.once('exit', () => rmSync(filesIn(folder).runtime, { force: true }));
  const port = Number(new URL(baseUrl).port);
  const { publicUrl } = options;
  await writeRuntime(folder, { pid: process.pid, port, baseUrl, publicUrl, environment: 'local', endpoints });
  console.log(readyText(demo, { seconds: process.uptime(), publicUrl }));
}

/** Resolves at the first signal, so that requests in flight can finish. A second signal exits at once. */
function signal(): Promise<'signal'> {
  return new Promise((resolve) => {
    let received = false;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (received) process.exit(130);
        received = true;
        resolve('signal');
      });
    }
  });
}

const assembled = (
  { folder, assembly, steps }: StartOptions,
  emulator: YookassaEmulator | undefined,
): Promise<string> =>
  assembly === undefined
    ? assemble({ outdir: filesIn(folder).assembly, steps, yookassaUrl: emulator?.access.apiUrl })
    : Promise.resolve(assembly);

/** Logs every line to the file, and warnings and errors also to the terminal. */
function functionLog(file: string) {
  const write = fileLog(file, now);
  const warn = warningsTo((line) => console.error(`  ! ${line} (more in .paylink/functions.log)`));
  return (line: Parameters<typeof write>[0]): void => {
    write(line);
    warn(line);
  };
}

async function demoOf(
  runner: Runner,
  options: StartOptions,
  yookassa: YookassaAccess | undefined,
): Promise<Demo> {
  const context = openContext(localInstallation(runner.endpointsForPeople, options.folder));
  try {
    const { yookassa: _ofLastRun, ...merchant } = await sameOrNew(context, runner.baseUrl, options);
    const demo: Demo = { ...merchant, ...(yookassa && { yookassa }) };
    await setDemoUrls(context, demo, options);
    await writeDemo(options.folder, demo);
    return demo;
  } finally {
    context.close();
  }
}

/** Returns the demo merchant of the last run, or creates one if the local data has none. */
async function sameOrNew(context: OperatorContext, baseUrl: string, { folder }: StartOptions): Promise<Demo> {
  const known = await readDemo(folder);
  const isThere = known && (await context.merchants.find(known.merchantId)) !== undefined;
  if (isThere) return { ...known, baseUrl };
  // A new table has no items without keys of the lists.
  await migrateLists(context, { again: false, perSecond: 500, mayGoOn: () => true });
  return makeDemo(context, baseUrl);
}

try {
  await run(readOptions(process.argv.slice(2)));
  process.exit(0);
} catch (thrown) {
  console.error(
    thrown instanceof CommandError ? thrown.message : `Paylink stopped with an error: ${messageOf(thrown)}`,
  );
  // A defect in the runner itself: print the stack trace.
  if (!(thrown instanceof CommandError)) console.error(thrown);
  process.exit(1);
}

import { createServer, type IncomingMessage } from 'node:http';
import { answer } from './api/api.ts';
import { startClock } from './clock.ts';
import { runDue } from './due.ts';
import { Faults } from './faults.ts';
import { close, listen, readText } from './http.ts';
import { newSecretKey } from './ids.ts';
import { Journal } from './journal.ts';
import { minorUnits } from './money.ts';
import { notices } from './notices.ts';
import { type Notifier, startNotifier } from './notifications.ts';
import type { SettingsRecord } from './records.ts';
import { bankPages, checkoutPages, controlSite, type Site } from './sites.ts';
import { State } from './state.ts';
import { settingsOf, type World } from './world.ts';

export type EmulatorOptions = {
  /** Where the state and the journal are stored. A later start over the same folder goes on. */
  readonly folder: string;
  /** The port of the API; 0 selects a free one, as for the two others. */
  readonly port?: number;
  readonly pagesPort?: number;
  readonly bankPort?: number;
  /** What the gateway's account holds at the first start, in roubles. */
  readonly payoutBalance?: string;
  /** Whether the shop sends fiscal receipts, at the first start. */
  readonly receipts?: boolean;
  /** How long a connection that is never answered is held, in milliseconds. */
  readonly holdMs?: number;
  /** The machine's clock. */
  readonly now?: () => number;
};

export type Emulator = {
  /** Ends in `/v3`. */
  readonly apiUrl: string;
  readonly pagesUrl: string;
  readonly bankUrl: string;
  readonly controlUrl: string;
  readonly shopId: string;
  readonly secretKey: string;
  readonly gatewayId: string;
  readonly gatewaySecretKey: string;
  /** The path of the file of exchanges. */
  readonly journal: string;
  /** Answers that did not have the vendor's schema. Empty, or the emulator has a defect. */
  readonly violations: readonly string[];
  readonly world: World;
  readonly stop: () => Promise<void>;
};

/** Starts the emulator: the API, the hosted pages and the bank, each on an origin of its own. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { folder, port = 0, pagesPort = 0, bankPort = 0, holdMs = 30_000 } = options;
  const state = new State(folder);
  const journal = new Journal(folder);
  firstStart(state, options);
  const violations: string[] = [];
  const sites: { world?: World } = {};
  const clock = startClock(state.settings?.clockOffsetMs ?? 0, options.now);
  const notifier = startNotifier({ now: clock.now, folder });
  const serve = (site: Site) =>
    createServer((request, response) => {
      if (sites.world) void site(sites.world, request, response).catch(() => response.destroy());
      else response.destroy();
    });
  const api = serve(apiSite(journal, violations, holdMs, notifier));
  const pages = serve(checkoutPages);
  const bank = serve(bankPages);
  const [apiOrigin, pagesUrl, bankUrl] = [
    await listen(api, port),
    await listen(pages, pagesPort),
    await listen(bank, bankPort),
  ];
  const world: World = {
    clock,
    state,
    faults: new Faults(),
    pagesUrl,
    bankUrl,
    subscribers: new Set(),
    early: new Set(),
  };
  world.subscribers.add(notices(world, notifier));
  sites.world = world;
  const tick = setInterval(() => {
    runDue(world);
    void notifier.sendDue();
  }, 1000).unref();
  const stop = async () => {
    clearInterval(tick);
    await Promise.all([close(api), close(pages), close(bank)]);
    await notifier.stop();
    state.close();
    journal.close();
  };
  let stopped: Promise<void> | undefined;
  const { shop, gateway } = settingsOf(world);
  return {
    apiUrl: `${apiOrigin}/v3`,
    pagesUrl,
    bankUrl,
    controlUrl: `${apiOrigin}/control`,
    shopId: shop.id,
    secretKey: shop.secretKeys[0] ?? '',
    gatewayId: gateway.id,
    gatewaySecretKey: gateway.secretKeys[0] ?? '',
    journal: journal.path,
    violations,
    world,
    stop: () => (stopped ??= stop()),
  };
}

function firstStart(
  state: State,
  { payoutBalance = '1000000.00', receipts = false, now = Date.now }: EmulatorOptions,
): void {
  if (state.settings) return;
  const settings: SettingsRecord = {
    kind: 'settings',
    shop: { id: '100500', secretKeys: [newSecretKey()] },
    gateway: { id: '100600', secretKeys: [newSecretKey()] },
    clockOffsetMs: 0,
    receipts,
    ownReceipts: false,
    listLagSeconds: 0,
    searchLagSeconds: 0,
  };
  state.save(settings);
  const minor = minorUnits(payoutBalance);
  state.post({ at: now(), account: 'gateway', what: 'top_up', object: '', minor });
}

/** The API's origin: `/v3` and, outside it, the control endpoint. */
const apiSite =
  (journal: Journal, violations: string[], holdMs: number, notifier: Notifier): Site =>
  async (world, request, response) => {
    const target = request.url ?? '/';
    if (target.startsWith('/control/')) return controlSite(notifier)(world, request, response);
    if (!target.startsWith('/v3/')) return void response.writeHead(404).end('Not found\n');
    const { method = 'GET', headers } = request;
    const body = await readText(request);
    const onViolation = (message: string) => {
      violations.push(message);
      console.error(`The YooKassa emulator made an answer without the vendor's schema. ${message}`);
    };
    const call = { method, target, headers: singleHeaders(headers), body };
    const given = answer(world, journal, onViolation, call);
    await Promise.all(world.early);
    if (!given.isSent) {
      setTimeout(() => response.destroy(), holdMs).unref();
      return;
    }
    response
      .writeHead(given.status, { 'content-type': 'application/json;charset=UTF-8' })
      .end(JSON.stringify(given.body));
  };

const singleHeaders = (headers: IncomingMessage['headers']): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { NoticeManner } from './manners.ts';
import type { NotificationEvent } from './world.ts';

/** A JSON object of the API. */
type ApiObject = Readonly<Record<string, unknown>>;

const pendingSchema = z.object({
  body: z.string(),
  firstAt: z.number(),
  dueAt: z.number(),
  attempts: z.number(),
});
const savedSchema = z.object({ url: z.optional(z.string()), pending: z.array(pendingSchema) });

/** A notification that has not been answered 200. Times are milliseconds of the emulator's clock. */
type Pending = z.infer<typeof pendingSchema>;

type Options = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where the address and the open notifications are stored. */
  readonly folder: string;
};

export type Notifier = {
  /** The shop's address, as set in the vendor's cabinet. Without one, nothing is sent. */
  readonly url: () => string | undefined;
  readonly setUrl: (url: string | undefined) => void;
  /** Notifies of a changed object. Resolves when the first attempt was answered or failed; at once for a late or lost one. */
  readonly changed: (event: NotificationEvent, object: ApiObject, manner?: NoticeManner) => Promise<void>;
  /** Sends any body to the address, as somebody who knows the address could. Returns the status of the answer. */
  readonly forge: (body: string) => Promise<number | undefined>;
  /** Sends what is due by the clock. Resolves when all of it was answered or failed. */
  readonly sendDue: () => Promise<void>;
  /** The notifications that have not been answered 200. */
  readonly pending: () => readonly {
    readonly event: string;
    readonly attempts: number;
    readonly dueAt: string;
  }[];
  /** Resolves when no request is under way. */
  readonly idle: () => Promise<void>;
  /** Ends the requests under way. What was not answered 200 is sent after the next start. */
  readonly stop: () => Promise<void>;
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The vendor promises repetitions for 24 hours and publishes no intervals. */
const repeatForMs = 24 * hour;
const intervals = [10 * second, minute, 5 * minute, 15 * minute, 30 * minute] as const;
const timeoutMs = 10 * second;
/** How late a late notification is. */
const latenessMs = hour;

/** Sends notifications until each is answered 200, for 24 hours. Their order is not promised. */
export function startNotifier({ now, folder }: Options): Notifier {
  const file = join(folder, 'notifications.json');
  let { url, pending } = load(file);
  const sending = new Set<Pending>();
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();

  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify({ ...(url !== undefined && { url }), pending }), {
      mode: 0o600,
    });
    renameSync(`${file}.new`, file);
  };
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
    return work;
  };
  const attempt = async (notice: Pending): Promise<void> => {
    if (url === undefined || sending.has(notice)) return;
    sending.add(notice);
    const status = await post(url, notice.body, stopping.signal);
    if (stopping.signal.aborted) return;
    sending.delete(notice);
    const next = status === 200 ? undefined : repeated(notice, now());
    pending = pending.flatMap((each) => (each === notice ? (next ?? []) : each));
    save();
  };
  const enqueue = (body: string, delayMs: number): Pending => {
    const at = now() + delayMs;
    const notice: Pending = { body, firstAt: at, dueAt: at, attempts: 0 };
    pending = [...pending, notice];
    save();
    return notice;
  };

  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };

  return {
    url: () => url,
    setUrl(to) {
      url = to;
      save();
    },
    async changed(event, object, manner) {
      // The body is the object of this moment: a repetition shows the status that was notified, not a later one.
      const body = bodyOf(event, object);
      if (url === undefined || manner === 'lost') return;
      const notice = enqueue(body, manner === 'late' ? latenessMs : 0);
      if (manner === 'late') return;
      if (manner === 'doubled') void tracked(attempt(enqueue(body, 0)));
      if (manner === 'forged') await tracked(post(url, forgedBodyOf(object), stopping.signal));
      await tracked(attempt(notice));
    },
    forge: (body) =>
      url === undefined ? Promise.resolve(undefined) : tracked(post(url, body, stopping.signal)),
    async sendDue() {
      const due = pending.filter(({ dueAt }) => dueAt <= now());
      await Promise.all(due.map((notice) => tracked(attempt(notice))));
    },
    pending: () =>
      pending.map(({ body, attempts, dueAt }) => ({
        event: String(JSON.parse(body).event),
        attempts,
        dueAt: new Date(dueAt).toISOString(),
      })),
    idle,
    async stop() {
      stopping.abort();
      await idle();
    },
  };
}

const bodyOf = (event: NotificationEvent, object: ApiObject): string =>
  JSON.stringify({ type: 'notification', event, object });

/** Claims that a payment succeeded which does not exist, with the metadata of a genuine object. */
const forgedBodyOf = (object: ApiObject): string =>
  bodyOf('payment.succeeded', { ...object, id: randomUUID(), status: 'succeeded', paid: true });

/** Returns the next repetition; undefined when the 24 hours are over. */
function repeated(notice: Pending, at: number): Pending | undefined {
  const dueAt = at + (intervals[notice.attempts] ?? hour);
  return dueAt - notice.firstAt > repeatForMs
    ? undefined
    : { ...notice, attempts: notice.attempts + 1, dueAt };
}

/** Returns the status of the answer; undefined without one. Redirects are not followed. */
async function post(url: string, body: string, stopping: AbortSignal): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'YooKassa-emulator' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function load(file: string): { url: string | undefined; pending: readonly Pending[] } {
  if (!existsSync(file)) return { url: undefined, pending: [] };
  const { url, pending } = savedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { url, pending };
}

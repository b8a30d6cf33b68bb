import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** The events that the vendor notifies of: each is the object's kind and its new status. */
const notificationEvents = [
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'refund.succeeded',
  'payout.succeeded',
  'payout.canceled',
] as const;
type NotificationEvent = (typeof notificationEvents)[number];

/** How one notification is treated. `early` is delivered before the answer of the call that caused it. */
export type NoticeManner =
  | { readonly kind: 'plain' | 'doubled' | 'lost' | 'early' }
  | { readonly kind: 'late'; readonly seconds: number };

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
  readonly now: () => Date;
  /** Where the address and the open notifications are stored. Absent: in memory. */
  readonly folder?: string;
  readonly mannerOf: (event: NotificationEvent, object: ApiObject) => NoticeManner;
};

export type Notifier = {
  /** The shop's address, as set in the vendor's cabinet. Without one, nothing is sent. */
  readonly url: () => string | undefined;
  readonly setUrl: (url: string | undefined) => void;
  /** Notifies of a changed object. Resolves when it may be answered to the call that changed it: later than now only for `early`. */
  readonly changed: (event: NotificationEvent, object: ApiObject) => Promise<void>;
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
};

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The vendor promises repetitions for 24 hours and publishes no intervals. */
const repeatForMs = 24 * hour;
const intervals = [10 * second, minute, 5 * minute, 15 * minute, 30 * minute] as const;
const timeoutMs = 10 * second;

/** Sends notifications until each is answered 200, for 24 hours. Their order is not promised. */
export function startNotifier({ now, folder, mannerOf }: Options): Notifier {
  const file = folder === undefined ? undefined : join(folder, 'notifications.json');
  let { url, pending } = load(file);
  const sending = new Set<Pending>();
  const underWay = new Set<Promise<unknown>>();

  const save = (): void => {
    if (file === undefined) return;
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
    const status = await post(url, notice.body);
    sending.delete(notice);
    const next = status === 200 ? undefined : repeated(notice, now().getTime());
    pending = pending.flatMap((each) => (each === notice ? (next ?? []) : each));
    save();
  };
  const enqueue = (body: string, delaySeconds: number): Pending => {
    const at = now().getTime() + delaySeconds * second;
    const notice: Pending = { body, firstAt: at, dueAt: at, attempts: 0 };
    pending = [...pending, notice];
    save();
    return notice;
  };

  return {
    url: () => url,
    setUrl(to) {
      url = to;
      save();
    },
    async changed(event, object) {
      // The body is the object of this moment: a repetition shows the status that was notified, not a later one.
      const body = JSON.stringify({ type: 'notification', event, object });
      const manner = mannerOf(event, object);
      if (url === undefined || manner.kind === 'lost') return;
      const notice = enqueue(body, manner.kind === 'late' ? manner.seconds : 0);
      if (manner.kind === 'late') return;
      const sent = tracked(attempt(notice));
      if (manner.kind === 'doubled') void tracked(attempt(enqueue(body, 0)));
      if (manner.kind === 'early') await sent;
    },
    forge: (body) => (url === undefined ? Promise.resolve(undefined) : tracked(post(url, body))),
    async sendDue() {
      const due = pending.filter(({ dueAt }) => dueAt <= now().getTime());
      await Promise.all(due.map((notice) => tracked(attempt(notice))));
    },
    pending: () =>
      pending.map(({ body, attempts, dueAt }) => ({
        event: String(JSON.parse(body).event),
        attempts,
        dueAt: new Date(dueAt).toISOString(),
      })),
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Returns the next repetition; undefined when the 24 hours are over. */
function repeated(notice: Pending, at: number): Pending | undefined {
  const dueAt = at + (intervals[notice.attempts] ?? hour);
  return dueAt - notice.firstAt > repeatForMs
    ? undefined
    : { ...notice, attempts: notice.attempts + 1, dueAt };
}

/** Returns the status of the answer; undefined without one. Redirects are not followed. */
async function post(url: string, body: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'YooKassa-emulator' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function load(file: string | undefined): { url: string | undefined; pending: readonly Pending[] } {
  if (file === undefined || !existsSync(file)) return { url: undefined, pending: [] };
  const { url, pending } = savedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return { url, pending };
}

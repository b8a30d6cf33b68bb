import { AsyncLocalStorage } from 'node:async_hooks';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../lib/store/table.ts';
import { table as markdown } from './markdown.ts';

/** What becomes of a call at the provider, and what comes back. */
const answers = {
  done: { acts: true, sentence: 'done' },
  refused: { acts: false, sentence: '400, also under its key' },
  credentials: { acts: false, sentence: '401' },
  busy: { acts: false, sentence: '429' },
  error_done: { acts: true, sentence: '500, carried out' },
  error: { acts: false, sentence: '500, not carried out' },
  lost_done: { acts: true, sentence: 'no answer, carried out' },
  lost: { acts: false, sentence: 'no answer, not carried out' },
  unreadable: { acts: true, sentence: 'unreadable, carried out' },
} as const;
type AnswerName = keyof typeof answers;

/** Where our process dies. The first two are before the call, so the answer does not matter. */
const beforeCall = ['before it is recorded', 'recorded, not called'] as const;
const sinceCall = ['no crash', 'called', 'answered, not written', 'written'] as const;
type CrashPoint = (typeof beforeCall)[number] | (typeof sinceCall)[number];

export type Cell = { readonly answer: AnswerName; readonly crash: CrashPoint };

const answerNames = Object.keys(answers).filter((name): name is AnswerName => name in answers);

/** Every answer with every crash. The first is the one without any trouble. */
export const cells: readonly Cell[] = [
  ...answerNames.flatMap((answer) => sinceCall.map((crash) => ({ answer, crash }))),
  ...beforeCall.map((crash) => ({ answer: 'done' as const, crash })),
];

/** One invocation of ours, whose call of this name meets the cell. */
type Invocation = Cell & {
  readonly call: string;
  /** How many writes precede the call when nothing goes wrong. */
  readonly writesBefore: number;
  writes: number;
  /** How many writes preceded the call. */
  called: number | undefined;
  dead: boolean;
  readonly die: () => Promise<never>;
};

const invocations = new AsyncLocalStorage<Invocation>();
const never = new Promise<never>(() => undefined);

/** Runs the work until it ends, fails, or dies at its crash point; returns how many writes preceded the call, and whether it died. */
export async function meets(
  cell: Cell,
  { call, writesBefore }: { readonly call: string; readonly writesBefore: number },
  work: () => Promise<unknown>,
): Promise<{ readonly writesBefore: number | undefined; readonly died: boolean }> {
  const death = Promise.withResolvers<void>();
  const invocation: Invocation = {
    ...cell,
    call,
    writesBefore,
    writes: 0,
    called: undefined,
    dead: false,
    die: () => {
      invocation.dead = true;
      death.resolve();
      return never;
    },
  };
  await Promise.race([
    invocations.run(invocation, work).then(
      () => undefined,
      () => undefined,
    ),
    death.promise,
  ]);
  return { writesBefore: invocation.called, died: invocation.dead };
}

const isWrite = (command: unknown): boolean =>
  [PutCommand, UpdateCommand, TransactWriteCommand].some((kind) => command instanceof kind);

/** A table on which an invocation dies at its crash point. */
export function crashing({ client, name, backOff }: Table): Table {
  const send = client.send.bind(client);
  const over = Object.assign(Object.create(client), {
    async send(command: PutCommand) {
      const at = invocations.getStore();
      if (!at) return send(command);
      if (at.dead) return never;
      if (!isWrite(command)) return send(command);
      const isFirstAfter = at.called !== undefined && at.writes === at.called;
      if (at.crash === 'before it is recorded' && at.writes + 1 === at.writesBefore) return at.die();
      if (at.crash === 'answered, not written' && isFirstAfter) return at.die();
      at.writes += 1;
      if (at.crash !== 'written' || !isFirstAfter) return send(command);
      // Also when its condition was refused.
      await send(command).catch(() => undefined);
      return at.die();
    },
  });
  return { client: over, name, backOff };
}

const problem = (status: number, code: string, more: object = {}) =>
  new Response(JSON.stringify({ type: 'error', id: 'e', code, description: 'As the table says', ...more }), {
    status,
  });

/** The provider repeats a refusal under its key, and forgets keys after a day. */
const keyLivesMs = 24 * 60 * 60_000;

/** A `fetch` on which the named call of an invocation is answered as its cell says. `nameOf`: the call of a request. */
export function unkind(
  nameOf: (method: string, url: URL) => string | undefined,
  now: () => Date,
): typeof fetch {
  const refusedAt = new Map<string, number>();
  const isRefused = (key: string): boolean =>
    now().getTime() - (refusedAt.get(key) ?? Number.NEGATIVE_INFINITY) < keyLivesMs;
  const refused = () => problem(400, 'invalid_request', { parameter: 'amount' });
  return async (input, init) => {
    const request = new Request(input, init);
    const key = request.headers.get('idempotence-key');
    if (key !== null && isRefused(key)) return refused();
    const at = invocations.getStore();
    if (!at) return fetch(request);
    if (at.dead) return never;
    if (nameOf(request.method, new URL(request.url)) !== at.call) return fetch(request);
    at.called ??= at.writes;
    if (beforeCall.some((crash) => crash === at.crash)) return at.die();
    const answer = await answered(at.answer, request);
    if (at.answer === 'refused' && key !== null) refusedAt.set(key, now().getTime());
    if (at.crash === 'called') return at.die();
    if (answer === 'none') throw new TypeError('the connection was reset');
    return answer;
  };

  async function answered(name: AnswerName, request: Request): Promise<Response | 'none'> {
    const done = answers[name].acts ? await fetch(request) : undefined;
    if (name === 'refused') return refused();
    if (name === 'credentials') return problem(401, 'invalid_credentials');
    if (name === 'busy') return problem(429, 'too_many_requests', { retry_after: 1500 });
    if (name === 'error' || name === 'error_done') return problem(500, 'internal_server_error');
    if (name === 'lost' || name === 'lost_done') return 'none';
    if (name === 'unreadable') return new Response('<html>Bad gateway</html>', { status: 200 });
    return done ?? 'none';
  }
}

/** Of a crash point that an answer does not lead to: nothing is written after it. */
export const notReached = '—';

/**
 * The results of a call for a document: a row for the answers with equal results, a column for each crash; one sentence where all
 * are equal.
 */
export function crashTable(results: ReadonlyMap<Cell, string>): string {
  const texts = new Set([...results.values()].filter((text) => text !== notReached));
  if (texts.size === 1) return `In all ${cells.length} cases: ${[...texts].join('')}.`;
  const of = (answer: AnswerName, crash: CrashPoint): string =>
    [...results].find(([cell]) => cell.answer === answer && cell.crash === crash)?.[1] ?? '';
  const before = beforeCall.map((crash) => of('done', crash));
  const rows = Map.groupBy(answerNames, (answer) =>
    [...before, ...sinceCall.map((crash) => of(answer, crash))].join(' | '),
  );
  return markdown(
    ['Answer', ...beforeCall, ...sinceCall],
    [...rows].map(([row, names]) => [names.map((name) => answers[name].sentence).join('; '), row]),
  );
}

/** Works through the list with at most 16 at once: more only wait for the database. */
export async function each<T>(list: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...list];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

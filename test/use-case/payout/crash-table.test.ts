import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../../infra/yookassa-emulator/world.ts';
import type { PayoutId } from '../../../lib/ids.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { sweepPayouts } from '../../../lib/payout/sweep-payouts.ts';
import { dynamoPayouts } from '../../../lib/store/payouts.ts';
import {
  type Cell,
  cells,
  crashing,
  crashTable,
  each,
  meets,
  notReached,
  unkind,
} from '../../support/crash-table.ts';
import { section } from '../../support/markdown.ts';
import { balanceOf, created, reread, toPhone } from '../../support/payout-harness.ts';
import { payoutTerms } from '../../support/payouts.ts';
import { yookassaPayouts } from '../../support/yookassa-harness.ts';

const opening = 1_000_000n;
const amountMinor = 10_000n;
/** With the fee of one percent. */
const debitMinor = 10_100n;
/** In seconds. */
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** A new payout is not found yet, so that only its key prevents a second one. */
const searchLag = hour;

const nameOf = (method: string, { pathname }: URL): string => {
  if (method === 'POST') return 'send';
  return pathname === '/v3/payouts/search' ? 'search' : 'get';
};

/** An approved payout for each cell, at one table, one provider and one clock. */
async function aWorld() {
  const service = await yookassaPayouts();
  const { table, world, emulator } = service;
  changeSettings(world, { searchLagSeconds: searchLag });
  const messages: PayoutId[] = [];
  const ports = {
    ...service.throughFetch(unkind(nameOf, service.now)),
    payouts: dynamoPayouts(crashing(table), () => payoutTerms()),
    payoutQueue: { send: async (id: PayoutId) => void messages.push(id) },
  };
  const ids = new Map<Cell, PayoutId>();
  await each(cells, async (cell) => {
    const orderId = String(cells.indexOf(cell));
    const payout = await created(service, { amount: '100', destination: toPhone, orderId });
    await approvePayout(service, { payoutId: payout.id, revision: payout.revision, by: 'olga' });
    ids.set(cell, payout.id);
  });
  const idOf = (cell: Cell): PayoutId => ids.get(cell) ?? expect.unreachable();
  return {
    ...service,
    idOf,
    dispatch: (cell: Cell) => dispatchPayout(ports, idOf(cell)),
    /** The amounts that the provider paid for a payout of ours. */
    paidFor: (cell: Cell): readonly number[] =>
      [...world.state.payouts.values()]
        .filter(({ status, metadata }) => status === 'succeeded' && metadata['payout_id'] === idOf(cell))
        .map((payout) => payout.amountMinor),
    pass(seconds: number): void {
      service.pass(seconds);
      emulator.advance(0);
    },
    async sweep(): Promise<void> {
      // The messages of the dispatcher itself are lost: the sweep alone recovers.
      messages.length = 0;
      await sweepPayouts(ports);
      await each(messages.splice(0), (id) => dispatchPayout(ports, id));
    },
  };
}
type World = Awaited<ReturnType<typeof aWorld>>;

type Call = {
  readonly title: string;
  readonly call: string;
  readonly before: (world: World) => Promise<unknown>;
};

/** The answer to the first call is lost, and no check reaches the provider before the key has expired. */
async function lostSend(world: World, answer: 'lost' | 'lost_done'): Promise<void> {
  const lost = { answer, crash: 'no crash' } as const;
  await each(cells, (cell) => meets(lost, { call: 'send', writesBefore: 0 }, () => world.dispatch(cell)));
  world.pass(23 * hour);
}

const calls: readonly Call[] = [
  { title: 'send', call: 'send', before: async () => undefined },
  {
    title: 'get',
    call: 'get',
    before: async (world) => {
      await each(cells, world.dispatch);
      world.pass(minute);
    },
  },
  { title: 'search, with the payout', call: 'search', before: (world) => lostSend(world, 'lost_done') },
  { title: 'search, without one', call: 'search', before: (world) => lostSend(world, 'lost') },
];

/** The seconds between the sweeps that follow: up to a minute, hours, beyond the life of a key, beyond a day of checks. */
const pauses = [15, minute, 5 * minute, 15 * minute, hour, 20 * hour, 6 * hour, day, day];

async function played({ call, before }: Call): Promise<readonly (readonly [Cell, Outcome])[]> {
  const world = await aWorld();
  await before(world);
  const [clean, ...others] = cells;
  if (!clean) throw new Error('There are no cells');
  const { writesBefore } = await meets(clean, { call, writesBefore: 0 }, () => world.dispatch(clean));
  if (writesBefore === undefined) throw new Error(`${call} was not called`);
  const reached = new Set<Cell>([clean]);
  await each(others, async (cell) => {
    const { died } = await meets(cell, { call, writesBefore }, () => world.dispatch(cell));
    if (died || cell.crash === 'no crash') reached.add(cell);
  });
  for (const seconds of pauses) {
    world.pass(seconds);
    await world.sweep();
  }
  const outcomes: [Cell, Outcome][] = [];
  for (const cell of cells) {
    const payout = await reread(world, { id: world.idOf(cell) });
    const outcome = outcomeOf(payout, world.paidFor(cell));
    outcomes.push([cell, reached.has(cell) ? outcome : { ...outcome, text: notReached }]);
  }
  const count = (word: string) => BigInt(outcomes.filter(([, { ended }]) => ended === word).length);
  const [paid, open] = [count('SUCCESS'), count('ERROR')];
  expect(await balanceOf(world.table)).toMatchObject({
    available: opening - (paid + open) * debitMinor,
    locked: open * amountMinor,
    held: open * (debitMinor - amountMinor),
  });
  return outcomes;
}

type Outcome = {
  readonly text: string;
  readonly ended: Payout['status'];
  readonly troubles: readonly string[];
};

/** A payout in ERROR keeps its money locked until people decide, whatever became of it at the provider. */
function outcomeOf({ status }: Payout, paid: readonly number[]): Outcome {
  const troubles = [
    paid.length > 1 && 'paid twice',
    status === 'SUCCESS' && paid.length === 0 && 'SUCCESS without money',
    status === 'FAIL' && paid.length > 0 && 'paid, and given back to the merchant',
    paid.some((minor) => BigInt(minor) !== amountMinor) && 'another amount',
    status === 'PROCESS' && 'without an end',
  ].filter((trouble) => trouble !== false);
  return { text: textOf(status), ended: status, troubles };
}

function textOf(status: Payout['status']): string {
  if (status === 'SUCCESS') return 'paid';
  return status === 'FAIL' ? 'failed' : `open: ${status}`;
}

const document = readFileSync('docs/assurance.md', 'utf8');

describe('whatever the rail answers, and wherever we crash', () => {
  it.each(calls)('$title pays at most once, and ends as the document says', async (call) => {
    const results = await played(call);
    expect(results.filter(([, { troubles }]) => troubles.length > 0)).toEqual([]);
    const texts = new Map(results.map(([cell, { text }]) => [cell, text]));
    expect(section(document, `crash: ${call.title}`)).toBe(crashTable(texts));
  });
});

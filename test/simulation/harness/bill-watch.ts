import { billIdOf, toPaymentId } from '../../../lib/ids.ts';
import type { Tell, Write } from './watch.ts';

type Bill = {
  readonly status?: unknown;
  readonly current?: unknown;
  readonly lockUntil?: unknown;
  readonly fenced?: unknown;
};

/** The clocks of handlers differ by half a second, and requests take time. */
const toleranceMs = 1000;

/** Checks the bill protocol on every commit and on every capture request. */
export class BillWatch {
  readonly #bills = new Map<string, Bill>();
  readonly #phases = new Map<string, string>();
  readonly #tell: Tell;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  holderOf(billId: string): unknown {
    return this.#bills.get(billId)?.current;
  }

  committed(writes: readonly Write[], clock: number): void {
    const touched = new Set<string>();
    for (const { Put, Update } of writes) {
      const { PK, SK } = Update?.Key ?? Put?.Item ?? {};
      const [id, kind] = [String(PK).slice(2), String(SK)];
      if (!String(PK).startsWith('B#')) continue;
      const values = Update?.ExpressionAttributeValues ?? {};
      if (kind.startsWith('P#'))
        this.#phases.set(kind.slice(2), String(values[':phase'] ?? Put?.Item?.['phase']));
      if (kind === 'B') this.#billMoved(id, values, clock);
      touched.add(id);
    }
    for (const bill of touched) this.#checkFence(bill);
  }

  /** The fence precedes the capture request. */
  captureRequested(paymentId: string): void {
    const phase = this.#phases.get(paymentId);
    if (phase === 'AUTHORIZING')
      this.#tell('fence', `the capture of ${paymentId} was requested while it was ${phase}`);
  }

  /** That an order is to be voided is recorded before its cancel is requested. */
  cancelRequested(paymentId: string): void {
    const phase = this.#phases.get(paymentId);
    if (phase === 'AUTHORIZING' || phase === 'CAPTURING')
      this.#tell('void', `the cancel of ${paymentId} was requested while it was ${phase}`);
  }

  #billMoved(id: string, values: Readonly<Record<string, unknown>>, clock: number): void {
    const before = this.#bills.get(id) ?? {};
    const told = ['status', 'current', 'lockUntil', 'fenced'].filter((name) => `:${name}` in values);
    const after: Bill = { ...before, ...Object.fromEntries(told.map((name) => [name, values[`:${name}`]])) };
    const isTakenOver =
      'lockUntil' in after && after.current !== before.current && before.status === 'PROCESS';
    // A step that names the holder is another way to pay of the same browser.
    const namesHolder = Object.values(values).includes(before.current);
    if (isTakenOver && after.status === 'PROCESS' && !namesHolder) this.#checkLock(id, before, clock);
    this.#bills.set(id, after);
  }

  /** A bill is taken over only after its lock has expired. */
  #checkLock(id: string, { lockUntil, current }: Bill, clock: number): void {
    const left = new Date(String(lockUntil)).getTime() - clock;
    if (left > toleranceMs)
      this.#tell('lock', `bill ${id} was taken from ${String(current)}, ${left} ms before its lock ended`);
  }

  /** A payment in CAPTURING holds its bill, fenced against takeover. */
  #checkFence(billId: string): void {
    const bill = this.#bills.get(billId);
    // No payment holds a MULTI bill.
    if (bill?.current === undefined) return;
    for (const [payment, phase] of this.#phases) {
      if (phase !== 'CAPTURING' || billIdOf(toPaymentId(payment)) !== billId) continue;
      const isHeld = bill.current === payment && bill.fenced === true && bill.status === 'PROCESS';
      if (!isHeld)
        this.#tell('fence', `${payment} is CAPTURING, but bill ${billId} is ${JSON.stringify(bill)}`);
    }
  }
}

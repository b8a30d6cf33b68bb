import { isPaymentId, isPayoutId, isRefundId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import { sum } from '../money/money.ts';
import type { FoundOrder } from '../payment/acquirer.ts';
import type { Payment } from '../payment/payment.ts';
import { transferOf } from '../payout/transfer.ts';
import type { Refund } from '../refund/refund.ts';
import { askProvider, ProviderSilent } from './ask-provider.ts';
import { mayHaveFee, type Rest } from './compare.ts';
import { type Day, isWithin } from './day.ts';
import { inBatches, inParallel } from './in-parallel.ts';
import { type LeftLine, LeftOver } from './left-over.ts';
import {
  type Finding,
  judgeChange,
  judgeFee,
  judgeOrphan,
  judgePayment,
  judgePaymentLine,
  judgePayout,
  judgePayoutLine,
  missingHere,
  movementFor,
  needsView,
} from './lookups.ts';
import { type Movement, movementOf, paymentOf, type ProviderLine, subjectOf } from './movement.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Compared, Difference, Incomplete } from './reconciliation.ts';

/** The most lines and movements that are looked up one by one. More of them means that a whole side is missing. */
const mostLookups = 2_000;
const lookupsAtOnce = 8;
const batchSize = 100;

type Role = Compared['role'];

/** Looks up what the comparison of a day left, and says what each of it means. */
export class Judge {
  readonly differences: Difference[] = [];
  readonly counts = { same: 0, elsewhere: 0, explained: 0, foreign: 0, feesDue: 0 };
  #lookups = 0;
  /** By kind and subject: lines that agree with an entry which the comparison of the day did not match. */
  readonly #agreed = new Set<string>();
  /** Of payments that agree with an entry which the comparison of the day did not match. */
  readonly #feesOfAgreed: ProviderLine[] = [];
  readonly #ports: ReconcilePorts;
  readonly #day: Day;
  /** By role and provider. */
  readonly #incomplete: Map<string, Compared>;

  readonly #rest: Rest;
  readonly #left: LeftOver;

  constructor(
    ports: ReconcilePorts,
    day: Day,
    { compared, rest }: { readonly compared: readonly Compared[]; readonly rest: Rest },
  ) {
    this.#ports = ports;
    this.#day = day;
    this.#rest = rest;
    this.#left = new LeftOver(day, rest);
    this.#incomplete = new Map(compared.map((each) => [keyOf(each), each]));
  }

  get compared(): readonly Compared[] {
    return [...this.#incomplete.values()];
  }

  /** Also puts what was left in its place in the accounts of the day. */
  async judge(): Promise<void> {
    const rest = this.#rest;
    const lines = [
      ...rest.unbooked.map((line) => ({ line, isSecond: false, differsFrom: undefined })),
      ...rest.second.map((line) => ({ line, isSecond: true, differsFrom: undefined })),
      ...rest.unequal.map(({ line, movement }) => ({ line, isSecond: false, differsFrom: movement })),
    ];
    await this.#each(
      lines,
      ({ line }) => [roleOf(line), line.provider],
      (each) => this.#judgeLine(each),
    );
    await this.#judgeMovements(rest.unstated.filter(this.#left.isLeft));
    await this.#judgeFees({ ...rest, feesUnbooked: [...rest.feesUnbooked, ...this.#feesOfAgreed] });
    this.#left.end();
  }

  /**
   * A provider that does not answer makes its day incomplete; the others are judged. With `statement` whole: without the whole statement
   * nothing is known to be missing on it, so its items are left, and use up no lookups of the others.
   */
  async #each<T>(
    items: readonly T[],
    providerOf: (item: T) => readonly [Role, string],
    work: (item: T) => Promise<void>,
    statement: 'whole' | 'any' = 'any',
  ): Promise<void> {
    await inParallel(items, lookupsAtOnce, async (item) => {
      if (statement === 'whole' && this.#isIncomplete(...providerOf(item))) return;
      if (this.#lookups === mostLookups) return this.#mark(providerOf(item), 'too_many');
      this.#lookups += 1;
      try {
        await work(item);
      } catch (error) {
        if (!(error instanceof ProviderSilent)) throw error;
        this.#mark(providerOf(item), error.why);
      }
    });
  }

  #mark([role, provider]: readonly [Role, string], incomplete: Incomplete): void {
    const key = keyOf({ role, provider });
    const known = this.#incomplete.get(key);
    if (known?.incomplete === undefined) this.#incomplete.set(key, { role, provider, incomplete });
  }

  #isIncomplete(role: Role, provider: string): boolean {
    return this.#incomplete.get(keyOf({ role, provider }))?.incomplete !== undefined;
  }

  #add(finding: Finding): void {
    if (finding.is === 'difference') this.differences.push(finding.difference);
    else this.counts[finding.is] += 1;
  }

  async #judgeLine(left: LeftLine): Promise<void> {
    const { line, isSecond } = left;
    const subject = subjectOf(line);
    if (line.kind === 'payout') return this.#judgePayoutLine(left);
    const paymentId = paymentOf(subject);
    if (subject === undefined || paymentId === undefined) return this.#judgeChange(line);
    const [[payment], [refund], entries] = await Promise.all([
      this.#ports.books.payments([paymentId]),
      isRefundId(subject) ? this.#ports.books.refunds([subject]) : [],
      this.#ports.journal.about(subject),
    ]);
    const facts = await this.#factsOf(line, { payment, refund, entries, isSecond });
    const finding = this.#agreesOnce(line, judgePaymentLine(facts));
    // An order that was closed is not the one that was booked.
    const isOther = finding.is === 'explained' && facts.isClosed;
    const booked = isOther ? undefined : movementFor(line, entries);
    const isInPart = finding.is === 'explained' && booked !== undefined && isWithin(this.#day, line.at);
    if ((finding.is === 'same' || finding.is === 'elsewhere' || isInPart) && mayHaveFee(line))
      this.#feesOfAgreed.push(line);
    this.#left.judgedLine(left, finding, booked);
    this.#add(finding);
  }

  async #judgePayoutLine(left: LeftLine): Promise<void> {
    const { line } = left;
    const id = line.ourId;
    if (!isPayoutId(id)) return;
    const [[payout], entries] = await Promise.all([
      this.#ports.books.payouts([id]),
      this.#ports.journal.about(id),
    ]);
    // Of two transfers that were paid, the one that the payout does not name is the other.
    const isSecond = left.isSecond && payout?.reference !== line.reference;
    const finding = this.#agreesOnce(
      line,
      judgePayoutLine({ line, day: this.#day, payout, entries, isSecond }),
    );
    this.#left.judgedLine(left, finding, movementFor(line, entries));
    this.#add(finding);
  }

  /** Of two lines that agree with one entry of another time, the second is another order or transfer. */
  #agreesOnce(line: ProviderLine, finding: Finding): Finding {
    if (finding.is !== 'same' && finding.is !== 'elsewhere') return finding;
    const key = `${line.kind} ${subjectOf(line)}`;
    if (this.#agreed.has(key)) return missingHere(line, 'another_reference');
    this.#agreed.add(key);
    return finding;
  }

  /** A change without an id of ours: its order leads to the payment. */
  async #judgeChange(line: ProviderLine): Promise<void> {
    const order = await this.#look(line.provider, line.orderReference);
    const id = order?.paymentId;
    const [payment] = isPaymentId(id) ? await this.#ports.books.payments([id]) : [];
    if (!payment || payment.reference !== line.orderReference) {
      this.counts.foreign += 1;
      return;
    }
    const entries = await this.#ports.journal.about(payment.id);
    const known = { payment, refund: undefined, entries, isSecond: false };
    const facts = await this.#factsOf(line, known, order);
    const finding = judgeChange({ ...facts, payment });
    this.#left.judgedChange(line, finding);
    this.#add(finding);
  }

  async #factsOf(
    line: ProviderLine,
    known: {
      readonly payment: Payment | undefined;
      readonly refund: Refund | undefined;
      readonly entries: readonly Entry[];
      readonly isSecond: boolean;
    },
    order?: FoundOrder,
  ) {
    const { payment, refund, entries } = known;
    const reference = line.orderReference ?? line.reference;
    const isOther = payment?.reference !== reference;
    const isClosed =
      isOther &&
      (await this.#ports.unknownPayments.find({ provider: line.provider, reference }))?.closed !== undefined;
    const isAsked =
      payment !== undefined && (order !== undefined || needsView({ line, payment, entries, refund }));
    const found = isAsked
      ? (order ?? (await this.#look(line.provider, payment.reference ?? reference)))
      : undefined;
    const view = found?.view;
    const heldMinor = view?.state === 'captured' ? view.amountMinor - view.refundedMinor : undefined;
    const chargebacks = isAsked ? await this.#ports.chargebacks.ofPayment(payment.id) : [];
    const correctedMinor = this.#correctedMinor(line, reference);
    return { line, day: this.#day, ...known, isClosed, heldMinor, correctedMinor, chargebacks };
  }

  #correctedMinor({ kind, provider, currency }: ProviderLine, order: string): bigint {
    const corrections = this.#rest.corrections.filter(
      (each) => each.orderReference === order && each.provider === provider && each.currency === currency,
    );
    return kind === 'payment' ? sum(corrections.map(({ amountMinor }) => amountMinor)) : 0n;
  }

  async #look(provider: string, reference: string | undefined): Promise<FoundOrder | undefined> {
    const acquirer = this.#ports.acquirers.named(provider);
    if (!acquirer) throw new ProviderSilent('not_deployed');
    if (reference === undefined) return undefined;
    return askProvider(this.#ports, provider, () => acquirer.look(reference));
  }

  async #judgeMovements(unstated: readonly Movement[]): Promise<void> {
    const payouts = unstated.filter(({ kind }) => kind === 'payout');
    const payments = unstated.filter(({ kind }) => kind === 'payment' || kind === 'refund');
    for (const movements of inBatches(payments, batchSize)) {
      const found = await this.#ports.books.payments([
        ...new Set(movements.flatMap(({ subject }) => paymentOf(subject) ?? [])),
      ]);
      this.#addOrphans('acquirer', movements, found);
      const known = pairsOf(movements, found);
      await this.#each(
        known,
        ({ subject: { acquirer } }) => ['acquirer', acquirer ?? 'sandbox'],
        (each) => this.#judgePayment(each),
        'whole',
      );
    }
    for (const movements of inBatches(payouts, batchSize)) {
      const found = await this.#ports.books.payouts(
        movements.flatMap(({ subject }) => (isPayoutId(subject) ? [subject] : [])),
      );
      this.#addOrphans('rail', movements, found);
      const known = pairsOf(movements, found);
      await this.#each(
        known,
        ({ subject: { rail } }) => ['rail', rail ?? 'sandbox'],
        (each) => this.#judgePayout(each),
        'whole',
      );
    }
  }

  /** Entries whose payment or payout is gone. Any statement may have them, so all must have been read. */
  #addOrphans(role: Role, movements: readonly Movement[], found: readonly { readonly id: string }[]): void {
    if (this.compared.some((each) => each.role === role && each.incomplete !== undefined)) return;
    const ids = new Set(found.map(({ id }) => id));
    for (const movement of movements)
      if (!ids.has(paymentOf(movement.subject) ?? movement.subject))
        this.#addMovement(movement, judgeOrphan(movement));
  }

  #addMovement(movement: Movement, finding: Finding): void {
    this.#left.judgedMovement(movement, finding);
    this.#add(finding);
  }

  async #judgePayment({ movement, subject }: Found<Payment>): Promise<void> {
    const provider = subject.acquirer ?? 'sandbox';
    const chargebacks = await this.#ports.chargebacks.ofPayment(subject.id);
    const found = await this.#look(provider, subject.reference);
    const entries = await this.#ports.journal.about(subject.id);
    const finding = judgePayment({
      movement,
      day: this.#day,
      subject,
      provider,
      view: found?.view,
      entries,
      chargebacks,
    });
    this.#addMovement(movement, finding);
  }

  async #judgePayout({ movement, subject }: Found<Parameters<typeof transferOf>[0]>): Promise<void> {
    const provider = subject.rail ?? 'sandbox';
    const rail = this.#ports.rails.named(provider);
    if (!rail) throw new ProviderSilent('not_deployed');
    const view = await askProvider(this.#ports, provider, () => rail.get(transferOf(subject)));
    const entries = await this.#ports.journal.about(subject.id);
    const finding = judgePayout({ movement, day: this.#day, subject, provider, view, entries });
    this.#addMovement(movement, finding);
  }

  /** The fee may be booked on a later day, or still be due. */
  async #judgeFees({ feesUnbooked, feesUnequal }: Rest): Promise<void> {
    for (const { line, movement } of feesUnequal) this.#addFee(line, movement, false);
    await inParallel(inBatches(feesUnbooked, batchSize), lookupsAtOnce, async (lines) => {
      const ids = lines.flatMap(({ ourId }) => (isPaymentId(ourId) ? [ourId] : []));
      const fees = new Map(
        (await this.#ports.books.providerFees(ids)).map((entry) => [entry.about, movementOf(entry)]),
      );
      const left = ids.filter((id) => !fees.has(id));
      const payments = left.length === 0 ? [] : await this.#ports.books.payments(left);
      const due = new Set<string>(
        payments.filter(({ afterCapture }) => afterCapture?.fee === 'due').map(({ id }) => id),
      );
      const untold = new Set<string>(payments.filter((each) => !this.#tellsFee(each)).map(({ id }) => id));
      for (const line of lines) {
        const id = line.ourId ?? '';
        if (line.feeMinor === undefined && untold.has(id)) continue;
        this.#left.judgedFee(line, fees.get(id), due.has(id));
        this.#addFee(line, fees.get(id), due.has(id));
      }
    });
  }

  #tellsFee({ acquirer = 'sandbox', method }: Payment): boolean {
    return this.#ports.acquirers.named(acquirer)?.methods[method]?.reportsFee ?? true;
  }

  #addFee(line: ProviderLine, fee: Movement | undefined, isDue: boolean): void {
    const judged = judgeFee(line, { fee, isDue });
    if (judged === 'due') this.counts.feesDue += 1;
    else if (judged !== 'equal') this.differences.push(judged);
  }
}

type Found<Subject> = { readonly movement: Movement; readonly subject: Subject };

function pairsOf<Subject extends { readonly id: string }>(
  movements: readonly Movement[],
  subjects: readonly Subject[],
): readonly Found<Subject>[] {
  const byId = new Map<string, Subject>(subjects.map((each) => [each.id, each]));
  return movements.flatMap((movement) => {
    const subject = byId.get(paymentOf(movement.subject) ?? movement.subject);
    return subject ? [{ movement, subject }] : [];
  });
}

const keyOf = ({ role, provider }: Pick<Compared, 'role' | 'provider'>): string => `${role} ${provider}`;
const roleOf = ({ kind }: ProviderLine): Role => (kind === 'payout' ? 'rail' : 'acquirer');

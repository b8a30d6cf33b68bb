import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { SandboxManners } from '../../../lib/sandbox/manners.ts';
import { Attempts, keyIsSentForMs } from './attempts.ts';
import { BillWatch } from './bill-watch.ts';

export type Tell = (invariant: string, text: string) => void;
type Values = Readonly<Record<string, unknown>>;
export type Write = NonNullable<TransactWriteCommand['input']['TransactItems']>[number];

/** Observes every committed write, whether or not its handler received the answer. */
export class Watch {
  /** NORMAL bills after the commits so far. */
  readonly bills: BillWatch;
  /** The step in which a bill was paid or a token replaced. */
  readonly billPaidIn = new Map<string, number>();
  readonly tokenDiedIn = new Map<string, number>();
  /** The idempotency keys of the calls to acquirers. */
  readonly attempts: Attempts;
  /** The acquirer's reference of each payment, as stored. */
  readonly #references = new Map<string, unknown>();
  /** Merchants, `<merchant>#PA#<account>` and `<merchant>#PN#<number hash>`. */
  readonly #banned = new Set<string>();
  /** Payouts recorded as SENT. */
  readonly #sent = new Set<string>();
  /** When the rail received each key for the first time. */
  readonly #firstCalls = new Map<string, number>();
  /** `<status>.<phase>` of each payout after the commits so far. */
  readonly #payoutStates = new Map<string, string>();
  /** When the lease of each event expires. */
  readonly #leases = new Map<string, string>();
  readonly #tell: Tell;

  constructor(tell: Tell) {
    this.#tell = tell;
    this.bills = new BillWatch(tell);
    this.attempts = new Attempts(tell);
  }

  committed(command: object, at: { readonly step: number; readonly clock: number }): void {
    if (command instanceof UpdateCommand) {
      this.#eventTaken(command.input);
      this.#accountBanned(command.input);
      this.#referenceStored(command.input);
    }
    if (!(command instanceof TransactWriteCommand)) return;
    const writes = command.input.TransactItems ?? [];
    this.bills.committed(writes, at.clock);
    for (const write of writes) this.#noteWrite(write, at.step);
    this.#paysOut(writes);
  }

  /** A reference that is stored never changes. */
  #referenceStored({ Key, ExpressionAttributeValues: values = {} }: UpdateCommand['input']): void {
    const payment = String(Key?.['SK']);
    const reference = values[':reference'];
    if (!payment.startsWith('P#') || reference === undefined) return;
    const before = this.#references.get(payment) ?? reference;
    this.#references.set(payment, before);
    if (before !== reference)
      this.#tell('reference', `${payment} has the reference ${String(reference)}, and had ${String(before)}`);
  }

  /** A payout is recorded as SENT before the rail is called, and no key is sent that the rail may have forgotten. */
  railCalled(
    key: string,
    { at, manners }: { readonly at: number; readonly manners: Pick<SandboxManners, 'tombstones'> },
  ): void {
    const payout = key.split('.')[0] ?? '';
    if (!this.#sent.has(payout))
      this.#tell('send', `the rail was called for ${key} before the payout was recorded as SENT`);
    const first = this.#firstCalls.get(key) ?? at;
    this.#firstCalls.set(key, first);
    if (!manners.tombstones && at - first > keyIsSentForMs)
      this.#tell(
        'key life',
        `${key} was sent ${Math.round((at - first) / 60_000)} minutes after its first call`,
      );
  }

  /** A busy rail did not carry out the call: the life of its key has not begun. */
  railWasBusy(key: string): void {
    this.#firstCalls.delete(key);
  }

  #noteWrite({ Put, Update, Delete }: Write, step: number): void {
    if (Update) this.#noteUpdate(Update.Key, Update.ExpressionAttributeValues ?? {}, step);
    const deleted = String(Delete?.Key?.['PK'] ?? '');
    if (deleted.startsWith('T#')) this.tokenDiedIn.set(deleted.slice(2), step);
    if (Put?.Item?.['phase'] === 'SENT') this.#sent.add(String(Put.Item['id']));
    const isMerchant = Put?.Item?.['SK'] === 'M';
    if (isMerchant) this.#ban(String(Put?.Item?.['id']), Put?.Item?.['banned']);
    const number = /^PN#.+/.exec(String(Put?.Item?.['SK']))?.[0];
    if (number) this.#ban(`${String(Put?.Item?.['merchantId'])}#${number}`, Put?.Item?.['banned']);
    if (Update) this.#accountBanned(Update);
  }

  #noteUpdate(key: Values | undefined, values: Values, step: number): void {
    const [kind, id = ''] = String(key?.['PK']).split('#');
    if (key?.['SK'] === 'M') this.#ban(id, values[':banned']);
    if (kind !== 'B') return;
    if (values[':paidBy'] !== undefined) this.billPaidIn.set(id, step);
  }

  #ban(merchantId: string, banned: unknown): void {
    if (banned === true) this.#banned.add(merchantId);
    if (banned === false) this.#banned.delete(merchantId);
  }

  #accountBanned({
    Key,
    ExpressionAttributeValues: values,
  }: Pick<UpdateCommand['input'], 'Key' | 'ExpressionAttributeValues'>): void {
    const account = /^PA#.+/.exec(String(Key?.['SK']))?.[0];
    if (account) this.#ban(`${String(Key?.['PK']).slice(2)}#${account}`, values?.[':banned']);
  }

  /** Create, approve and send check the merchant in the transaction that releases the payout. */
  #paysOut(writes: readonly Write[]): void {
    const payouts = writes.flatMap(({ Put }) =>
      String(Put?.Item?.['SK']).startsWith('PO#') ? [Put?.Item] : [],
    );
    for (const payout of payouts) {
      if (payout) this.#isSent(payout);
      const isReleased = payout?.['revision'] === 1 || payout?.['phase'] === 'QUEUED';
      const isApproval = writes.some(({ ConditionCheck }) => ConditionCheck?.Key?.['SK'] === 'M');
      const merchant = String(payout?.['merchantId']);
      const concerned = [merchant, `${merchant}#PN#${String(payout?.['numberHash'])}`];
      for (const banned of concerned.filter((each) => isReleased && isApproval && this.#banned.has(each)))
        this.#tell('banned', `payout ${String(payout?.['id'])} was released although ${banned} was banned`);
    }
  }

  /** No payout is sent for a banned merchant, account or number. A payout that is polled again stays SENT and is not checked again. */
  #isSent({ id, merchantId, accountId, numberHash, status, phase }: Values): void {
    const before = this.#payoutStates.get(String(id)) ?? '';
    this.#payoutStates.set(String(id), `${String(status)}.${String(phase)}`);
    if (phase !== 'SENT' || before === 'PROCESS.SENT' || before.startsWith('ERROR')) return;
    const concerned = [
      String(merchantId),
      `${String(merchantId)}#PA#${String(accountId)}`,
      `${String(merchantId)}#PN#${String(numberHash)}`,
    ];
    for (const banned of concerned.filter((each) => this.#banned.has(each)))
      this.#tell('banned', `payout ${String(id)} was sent although ${banned} was banned`);
  }

  /** No other worker leases an event before its lease expires. */
  #eventTaken({
    Key,
    ExpressionAttributeValues: values = {},
    UpdateExpression = '',
  }: UpdateCommand['input']): void {
    const event = String(Key?.['PK']);
    if (!event.startsWith('E#')) return;
    const now = values[':underWay'];
    const until = this.#leases.get(event);
    if (typeof now === 'string') {
      if (until !== undefined && until > now)
        this.#tell('lease', `${event} was leased at ${now}, although another lease runs until ${until}`);
      this.#leases.set(event, String(values[':leaseUntil']));
    } else if (/REMOVE.*leaseUntil/.test(UpdateExpression)) this.#leases.delete(event);
  }
}

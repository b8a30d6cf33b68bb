import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { BillWatch } from './bill-watch.ts';

export type Tell = (invariant: string, text: string) => void;
type Values = Readonly<Record<string, unknown>>;
export type Write = NonNullable<TransactWriteCommand['input']['TransactItems']>[number];

/** What the harness notes of every write that was committed, whether or not its handler heard of it. */
export class Watch {
  /** NORMAL bills as the commits so far have left them. */
  readonly bills: BillWatch;
  /** The step in which a bill was finished, a token replaced. */
  readonly billPaidIn = new Map<string, number>();
  readonly tokenDiedIn = new Map<string, number>();
  /** Every key that the acquirer was ever given for a payment's capture or refund. */
  readonly providerKeys = new Map<string, Set<string>>();
  /** Merchants, `<merchant>#PA#<account>` and `<merchant>#PN#<number hash>`. */
  readonly #banned = new Set<string>();
  /** Payouts that are written down as being sent. */
  readonly #sent = new Set<string>();
  /** `<status>.<phase>` of each payout as the commits so far have left it. */
  readonly #payoutStates = new Map<string, string>();
  /** Until when an event is in somebody's hands. */
  readonly #leases = new Map<string, string>();
  readonly #tell: Tell;

  constructor(tell: Tell) {
    this.#tell = tell;
    this.bills = new BillWatch(tell);
  }

  committed(command: object, at: { readonly step: number; readonly clock: number }): void {
    if (command instanceof UpdateCommand) {
      this.#eventTaken(command.input);
      this.#accountBanned(command.input);
    }
    if (!(command instanceof TransactWriteCommand)) return;
    const writes = command.input.TransactItems ?? [];
    this.bills.committed(writes, at.clock);
    for (const write of writes) this.#noteWrite(write, at.step);
    this.#paysOut(writes);
  }

  keyUsed(about: string, key: string): void {
    this.providerKeys.set(about, (this.providerKeys.get(about) ?? new Set()).add(key));
  }

  /** U4: that a payout is being sent is written before the rail hears of it. */
  railAsked(key: string): void {
    const payout = key.split(':')[0] ?? '';
    if (!this.#sent.has(payout))
      this.#tell('U4', `the rail was asked for ${key} before that was written down`);
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

  /** U1, U2 and U4 look at the merchant in the very transaction that lets money go. */
  #paysOut(writes: readonly Write[]): void {
    const payouts = writes.flatMap(({ Put }) =>
      String(Put?.Item?.['SK']).startsWith('PO#') ? [Put?.Item] : [],
    );
    for (const payout of payouts) {
      if (payout) this.#isSent(payout);
      const isLetGo = payout?.['revision'] === 1 || payout?.['phase'] === 'QUEUED';
      const isApproval = writes.some(({ ConditionCheck }) => ConditionCheck?.Key?.['SK'] === 'M');
      const merchant = String(payout?.['merchantId']);
      const concerned = [merchant, `${merchant}#PN#${String(payout?.['numberHash'])}`];
      for (const banned of concerned.filter((each) => isLetGo && isApproval && this.#banned.has(each)))
        this.#tell('banned', `payout ${String(payout?.['id'])} was let go although ${banned} was banned`);
    }
  }

  /** U4 lets nothing go to the rail for whom, or to what, is banned by then. What is asked about again stays SENT, and is no news here. */
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

  /** While a lease runs nobody else takes the event. */
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
        this.#tell('lease', `${event} was taken at ${now} from hands that hold it until ${until}`);
      this.#leases.set(event, String(values[':leaseUntil']));
    } else if (/REMOVE.*leaseUntil/.test(UpdateExpression)) this.#leases.delete(event);
  }
}

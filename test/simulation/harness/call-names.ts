import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { CallKind } from './faults.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The kind of an item by the pattern of its key. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^B#\S+ B$/, 'bill'],
  [/^B#\S+ P#/, 'payment'],
  [/^B#\S+ R#/, 'refund'],
  [/^G#\S+ G$/, 'group'],
  [/^G#\S+ PO#/, 'payout'],
  [/^G#\S+ KNOWN$/, 'known account'],
  [/^AUTO#\S+ AUTO$/, 'standing order'],
  [/^E#/, 'event'],
  [/^EP#/, 'endpoint'],
  [/^J#\S+ /, 'entry'],
  [/^BAL#/, 'balance'],
  [/^M#\S+ M$/, 'merchant'],
  [/^M#\S+ TERMS/, 'terms'],
  [/^M#\S+ PA#/, 'account'],
  [/^M#\S+ PN#/, 'number'],
  [/^M#\S+ SHOP#/, 'shop reference'],
  [/^T#/, 'token'],
  [/^S#/, 'shop'],
  [/^O#/, 'order reference'],
  [/^OL#/, 'newest bill of an order'],
  [/^I#\S+#duplicate#/, 'duplicate'],
  [/^I#/, 'idempotency key'],
  [/^RL#/, 'attempts of a network'],
  [/^RATES /, 'rate'],
  [/^OPERATOR#/, 'decision'],
  [/^APPROVER#/, 'decision'],
  [/^PR#/, 'proposal'],
  [/^CB#/, 'chargeback'],
  [/^CL#/, 'claim'],
];

function kindOf(key: Fields | undefined): string {
  const text = `${String(key?.['PK'])} ${String(key?.['SK'])}`;
  const kind = kinds.find(([shape]) => shape.test(text))?.[1] ?? 'item';
  return kind === 'entry' ? String(key?.['SK']) : kind;
}

/** The new status, phase or state of the item, which distinguishes the steps of a use case. */
function becomes(values: Fields | undefined): string {
  const told = [':status', ':phase', ':state', 'status', 'phase', 'state']
    .map((name) => values?.[name])
    .filter((value) => typeof value === 'string');
  return told.length > 0 ? `→${told.join('/')}` : '';
}

type Write = NonNullable<TransactWriteCommand['input']['TransactItems']>[number];

function nameOfWrite({ Put, Update, Delete, ConditionCheck }: Write): string {
  if (Put) return `${kindOf(Put.Item)}${becomes(Put.Item)}`;
  if (Update) return `${kindOf(Update.Key)}${becomes(Update.ExpressionAttributeValues)}`;
  return Delete ? `no ${kindOf(Delete.Key)}` : `${kindOf(ConditionCheck?.Key)}?`;
}

const once = (names: readonly string[]): string => [...new Set(names)].join(' + ');

/** The name of a call to the store and its kind, from what it reads or writes. */
export function nameOfCommand(command: unknown): {
  readonly name: string;
  readonly kind: CallKind;
  readonly writes?: number;
} {
  if (command instanceof TransactWriteCommand) {
    const writes = command.input.TransactItems ?? [];
    return { name: `transact ${once(writes.map(nameOfWrite))}`, kind: 'transact', writes: writes.length };
  }
  if (command instanceof GetCommand) return { name: `get ${kindOf(command.input.Key)}`, kind: 'read' };
  if (command instanceof BatchGetCommand) {
    const keys = Object.values(command.input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys);
    return { name: `get ${once(keys.map(kindOf))}`, kind: 'batch' };
  }
  if (command instanceof QueryCommand) return nameOfQuery(command.input);
  if (command instanceof UpdateCommand) return { name: nameOfUpdate(command.input), kind: 'write' };
  if (command instanceof PutCommand)
    return { name: `put ${kindOf(command.input.Item)}${becomes(command.input.Item)}`, kind: 'write' };
  if (command instanceof DeleteCommand) return { name: `delete ${kindOf(command.input.Key)}`, kind: 'write' };
  return { name: 'scan', kind: 'read' };
}

function nameOfQuery({ IndexName, ExpressionAttributeValues: values }: QueryCommand['input']) {
  if (IndexName === undefined) {
    const partition = Object.values(values ?? {}).find((value) => /^[A-Z]+#/.test(String(value)));
    return { name: `query ${kindOf({ PK: partition, SK: '' })}`, kind: 'read' as const };
  }
  const list = String(values?.[':list']).replace(/#\d+$/, '');
  return { name: `query ${list}`, kind: 'index' as const };
}

/** Names an update by the state or the attributes that it sets. */
function nameOfUpdate({
  Key,
  UpdateExpression = '',
  ExpressionAttributeValues,
}: UpdateCommand['input']): string {
  const attributes = [...UpdateExpression.matchAll(/#?(\w+) = /g)].map(([, name = '']) => name);
  const state = becomes(ExpressionAttributeValues);
  return `update ${kindOf(Key)} ${state || attributes.slice(0, 3).join(',') || UpdateExpression.slice(0, 30)}`;
}

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SandboxDeps } from './deps.ts';
import { isKeyAlive } from './manners.ts';
import { read, revise, type Revised, type Slot } from './revise.ts';
import { textOrAbsent, timeOrAbsent } from './table.ts';
import { transferOutcomes } from './test-values.ts';
import { transferStates, type Transfer, type TransferStep } from './transfer.ts';

const item = z.object({
  key: z.string(),
  payoutId: textOrAbsent,
  amountMinor: z.coerce.bigint(),
  currency: z.string(),
  account: z.string(),
  state: z.enum(transferStates),
  outcome: z.enum(transferOutcomes),
  reference: z.string(),
  at: timeOrAbsent,
  pendingPolls: z.number(),
  reason: textOrAbsent,
});

const slot = (name: string): Slot<Transfer> => ({
  key: { PK: `TRANSFER#${name}`, SK: 'TRANSFER' },
  parse: (raw) => item.parse(raw),
});

type Deps = Pick<SandboxDeps, 'table' | 'manners' | 'now' | 'random' | 'delay'>;
type Decide = (transfer: Transfer | undefined) => TransferStep | undefined;

/** A key that the rail has forgotten begins a new transfer in the next slot: the earlier ones remain, with their references. */
const slotName = (key: string, turn: number): string => (turn === 1 ? key : `${key}~${turn}`);

/** Takes the step that `decide` chooses for the transfer of this key exactly once under concurrent writers. */
export async function moveTransfer(
  deps: Deps,
  key: string,
  decide: Decide,
): Promise<Revised<Transfer, TransferStep>> {
  const name = await currentSlot(deps, key);
  return revise(deps, slot(name), (known) => {
    const step = decide(known);
    return step && { ...step, creates: known ? [] : pointersTo(step.to, name) };
  });
}

async function currentSlot(deps: Deps, key: string): Promise<string> {
  for (let turn = 1; ; turn += 1) {
    const name = slotName(key, turn);
    const { at } = (await read(deps.table, slot(name))) ?? {};
    if (at === undefined || isKeyAlive(deps.manners, at, deps.now())) return name;
  }
}

const pointer = z.object({ slot: z.string() });
const referenceSlot = (reference: string): Slot<z.infer<typeof pointer>> => ({
  key: { PK: `REFERENCE#${reference}`, SK: 'TRANSFER' },
  parse: (raw) => pointer.parse(raw),
});
const payoutPartition = (payoutId: string) => `PAYOUT#${payoutId}`;

/** The items by which a new transfer is found: by its reference, and by the client's id. */
function pointersTo({ reference, payoutId }: Transfer, name: string) {
  if (payoutId === undefined) return [];
  return [
    { ...referenceSlot(reference).key, slot: name, version: 1 },
    { PK: payoutPartition(payoutId), SK: `TRANSFER#${name}`, slot: name },
  ];
}

/** The same for the transfer with this reference; nothing when there is none. */
export async function moveReferred(
  deps: Deps,
  reference: string,
  decide: (transfer: Transfer) => TransferStep | undefined,
): Promise<Revised<Transfer, TransferStep>> {
  const found = await read(deps.table, referenceSlot(reference));
  if (!found) return { is: undefined };
  return revise(deps, slot(found.slot), (known) => known && decide(known));
}

/** Every transfer with the client's id that the search shows by now; requests that made none are not shown. */
export async function searchTransfers(deps: Deps, payoutId: string): Promise<readonly Transfer[]> {
  const seenBefore = deps.now().getTime() - deps.manners.searchLagSeconds * 1000;
  const transfers = await attemptsOf(deps, payoutId);
  return transfers.filter(({ state, at }) => state !== 'unknown' && (at?.getTime() ?? 0) <= seenBefore);
}

/** Every request with the client's id, also those that made no transfer. A payout has few. */
export async function attemptsOf({ table }: Deps, payoutId: string): Promise<readonly Transfer[]> {
  const query = new QueryCommand({
    TableName: table.name,
    KeyConditionExpression: 'PK = :payout',
    ExpressionAttributeValues: { ':payout': payoutPartition(payoutId) },
    ConsistentRead: true,
  });
  const { Items = [] } = await table.client.send(query);
  const transfers = Items.map(async (each) => read(table, slot(pointer.parse(each).slot)));
  return (await Promise.all(transfers)).filter((transfer) => transfer !== undefined);
}

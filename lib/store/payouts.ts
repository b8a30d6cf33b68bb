import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { GroupId } from '../ids.ts';
import type { Payout } from '../payout/payout.ts';
import type { BanRefusal, MoveRefusal, Payouts } from '../payout/ports.ts';
import { getItem } from './get-item.ts';
import { bindKey, loadCreationContext, writePayouts } from './payout-creation.ts';
import { writeFinish, writeReleases, writeReturn } from './payout-finish.ts';
import { groupPartition, payoutKey, toPayout } from './payout-item.ts';
import {
  duePayouts,
  listWaiting,
  oldestModerating,
  postponePayout,
  toKnownAccounts,
} from './payout-lists.ts';
import { checkNotBanned, replacePayout } from './payout-steps.ts';
import type { Table } from './table.ts';
import type { DefaultTerms } from './terms.ts';
import { transact } from './transact.ts';

/** Payouts and the transactions of their steps (lib/payout/README.md). */
export const dynamoPayouts = (table: Table, defaults: DefaultTerms): Payouts => ({
  loadCreationContext: (query) => loadCreationContext(table, defaults(query.currency), query),
  create: (created) => writePayouts(table, created),
  bindKey: (query, earlier) => bindKey(table, query, earlier),

  find: (id) => getItem(table, payoutKey(id), toPayout),
  findGroup: (groupId) => findGroup(table, groupId),

  releaseForSending: (before, after) =>
    transact<MoveRefusal | BanRefusal>(table, [
      replacePayout(table, before, after),
      ...checkNotBanned(table, after),
    ]),
  move: (before, after) => transact(table, [replacePayout(table, before, after)]),
  finish: (before, after, how) => writeFinish(table, { before, after, ...how }),
  declineTogether: (parts) => writeReleases(table, parts),
  recordReturn: (before, after, entry) => writeReturn(table, before, after, entry),

  due: (now) => duePayouts(table, now),
  postpone: (due, until) => postponePayout(table, due, until),
  toKnownAccounts: (payouts) => toKnownAccounts(table, payouts),
  moderatingSince: (createdBy) => oldestModerating(table, createdBy),
  listModerating: () => listWaiting(table, 'MODERATING'),
  listInError: () => listWaiting(table, 'ERROR'),
});

/** Reads a group's payouts. A group has at most ten parts, so one page is enough. */
async function findGroup({ client, name: TableName }: Table, groupId: GroupId): Promise<readonly Payout[]> {
  const query = new QueryCommand({
    TableName,
    KeyConditionExpression: 'PK = :group AND begins_with(SK, :payout)',
    ExpressionAttributeValues: { ':group': groupPartition(groupId), ':payout': 'PO#' },
    ConsistentRead: true,
  });
  const { Items = [] } = await client.send(query);
  return Items.map(toPayout);
}

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Decisions } from '../decision/decision.ts';
import type { Proposal, Proposals } from '../decision/proposal.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import {
  decisionItem,
  decisionKey,
  proposalItem,
  proposalKey,
  proposalList,
  toDecision,
  toProposal,
} from './decision-item.ts';
import { getItem } from './get-item.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';
import { everythingOn } from './work-list.ts';

/** Decisions, each in its author's partition. */
export const dynamoDecisions = (table: Table, now: () => Date): Decisions => ({
  find: (key) => getItem(table, decisionKey(key), toDecision),
  // A transaction of one step: a retry after a lost response applies it once, where a plain put would fail its condition.
  async write(key, decision) {
    const Item = decisionItem(key, decision, now());
    const put = { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(PK)' };
    await transact(table, [{ write: { Put: put } }]);
  },
});

/** Proposals, which wait for a second person. */
export const dynamoProposals = (table: Table): Proposals => ({
  find: (id) => getItem(table, proposalKey(id), toProposal),
  async create(proposal) {
    const Item = proposalItem(proposal);
    const put = { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(PK)' };
    await conditionalWrite(table.client.send(new PutCommand(put)));
  },
  // Also a transaction: the retry of a plain put after a lost response would report another person's decision.
  move: (before, after) =>
    transact<'proposal_already_decided'>(table, [
      {
        write: {
          Put: {
            TableName: table.name,
            Item: proposalItem(after),
            // The write itself also requires that the approver is not the proposer, whatever the caller has checked.
            ConditionExpression: '#status = :seen AND (:after <> :approved OR proposedBy <> :by)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':seen': before.status,
              ':after': after.status,
              ':approved': 'APPROVED',
              ':by': after.decided?.by ?? after.proposedBy,
            },
          },
        },
        onConditionFailed: 'proposal_already_decided',
      },
    ]),
  listOpen: () => listOpen(table),
});

/** The index is eventually consistent, so each proposal is read from the table. */
async function listOpen(table: Table): Promise<readonly Proposal[]> {
  const found = await batchGet(table, await everythingOn(table, [proposalList]));
  return found
    .map(toProposal)
    .filter(({ status }) => status === 'PROPOSED' || status === 'APPROVED')
    .toSorted((a, b) => a.proposedAt.getTime() - b.proposedAt.getTime() || (a.id < b.id ? -1 : 1));
}

import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SandboxDeps } from './deps.ts';
import type { Order } from './order.ts';

const partition = 'ORDERS';
/** After every reference, in the order of the sort key. */
const last = '~';

const item = z.object({ SK: z.string(), reference: z.string() });

/** An order's place in the list, by the time of its opening. */
export const listItem = ({ openedAt, reference }: Order & { readonly openedAt: Date }) => ({
  PK: partition,
  SK: `${openedAt.toISOString()}#${reference}`,
  reference,
});

export type ListQuery = {
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
  /** From the page before. */
  readonly cursor: string | undefined;
};

/** A page of the references of orders opened in [from, to], newest first. The list lags as the manners say. */
export async function listReferences(
  { table, manners, now }: Pick<SandboxDeps, 'table' | 'manners' | 'now'>,
  { from, to, limit, cursor }: ListQuery,
): Promise<{ readonly references: readonly string[]; readonly next: string | undefined }> {
  const visible = new Date(Math.min(to.getTime(), now().getTime() - manners.listLagSeconds * 1000));
  const upTo = `${visible.toISOString()}${last}`;
  const ends = { ':from': from.toISOString(), ':to': cursor !== undefined && cursor < upTo ? cursor : upTo };
  if (ends[':to'] < ends[':from']) return { references: [], next: undefined };

  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :list AND SK BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':list': partition, ...ends },
      ScanIndexForward: false,
      ConsistentRead: true,
      // One for the cursor, which names the first order of the next page.
      Limit: limit + 1,
    }),
  );
  const found = z.array(item).parse(Items);
  return { references: found.slice(0, limit).map(({ reference }) => reference), next: found[limit]?.SK };
}

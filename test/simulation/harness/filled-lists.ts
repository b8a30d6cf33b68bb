import { ScanCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '../../../lib/store/table.ts';

const item = z.looseObject({ workList: z.string() });

/**
 * Which work lists have items. A sweep queries 64 shards of each list, and nearly all are empty: one scan of the index tells which,
 * so that only the others are queried.
 */
export class FilledLists {
  readonly #table: Table;
  #asOf = -1;
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Whether this query finds nothing. The scan counts for the whole step, in which nothing else proceeds. */
  async areEmptyFor(query: QueryCommandInput, step: number): Promise<boolean> {
    if (query.IndexName !== 'WORK') return false;
    if (step !== this.#asOf) this.#names = this.#now();
    this.#asOf = step;
    const names = await this.#names;
    return names?.has(String(query.ExpressionAttributeValues?.[':list'])) === false;
  }

  async #now(): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const scan = new ScanCommand({
        TableName: this.#table.name,
        IndexName: 'WORK',
        ProjectionExpression: 'workList',
        ExclusiveStartKey,
      });
      const page = await this.#table.client.send(scan);
      for (const each of page.Items ?? []) names.add(item.parse(each).workList);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return names;
  }
}

import { type QueryCommandInput, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '../../../lib/store/table.ts';

const listed = z.looseObject({ PK: z.string(), SK: z.string(), workList: z.string(), workDue: z.string() });
type Listed = z.infer<typeof listed>;
const queried = z.looseObject({ ':list': z.string(), ':until': z.string() });

/** The work index while it lags: for several reads, by any handler, it answers with its contents at the time the lag began. */
export class IndexLag {
  readonly #table: Table;
  #items: readonly Listed[] | undefined;
  #readsLeft = 0;
  #lastReadIn = -1;

  constructor(table: Table) {
    this.#table = table;
  }

  async begin(reads: number): Promise<void> {
    // An index that lags already must not catch up by beginning to lag again.
    if (this.#items) return;
    this.#items = await this.#now();
    this.#readsLeft = reads;
  }

  end(): void {
    this.#items = undefined;
  }

  /** Returns the outdated answer; undefined when the index does not lag. All queries of one step count as one read. */
  answer(query: QueryCommandInput, step: number): { readonly Items: readonly Listed[] } | undefined {
    if (!this.#items || query.IndexName !== 'WORK') return undefined;
    if (step !== this.#lastReadIn) this.#readsLeft -= 1;
    this.#lastReadIn = step;
    if (this.#readsLeft < 0) {
      this.end();
      return undefined;
    }
    const { ':list': list, ':until': until } = queried.parse(query.ExpressionAttributeValues);
    const Items = this.#items
      .filter(({ workList, workDue }) => workList === list && workDue <= until)
      .toSorted((one, other) => (one.workDue < other.workDue ? -1 : 1))
      .slice(0, query.Limit);
    return { Items };
  }

  async #now(): Promise<readonly Listed[]> {
    const items: Listed[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const scan = new ScanCommand({
        TableName: this.#table.name,
        FilterExpression: 'attribute_exists(workList)',
        ExclusiveStartKey,
      });
      const page = await this.#table.client.send(scan);
      items.push(...(page.Items ?? []).map((item) => listed.parse(item)));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return items;
  }
}

import { type QueryCommandInput, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '../../../lib/store/table.ts';

const listed = z.looseObject({ PK: z.string(), SK: z.string(), workList: z.string(), workDue: z.string() });
type Listed = z.infer<typeof listed>;
const asked = z.looseObject({ ':list': z.string(), ':until': z.string() });

/** The work index while it lags: for several reads, whoever's, it answers as it stood when it fell behind. */
export class IndexLag {
  readonly #table: Table;
  #items: readonly Listed[] | undefined;
  #readsLeft = 0;
  #lastReadIn = -1;

  constructor(table: Table) {
    this.#table = table;
  }

  async begin(reads: number): Promise<void> {
    // One that lags already does not catch up by falling behind again.
    if (this.#items) return;
    this.#items = await this.#now();
    this.#readsLeft = reads;
  }

  end(): void {
    this.#items = undefined;
  }

  /** What it answers while it lags. All queries of one step are one read. */
  answer(query: QueryCommandInput, step: number): { readonly Items: readonly Listed[] } | undefined {
    if (!this.#items || query.IndexName !== 'WORK') return undefined;
    if (step !== this.#lastReadIn) this.#readsLeft -= 1;
    this.#lastReadIn = step;
    if (this.#readsLeft < 0) {
      this.end();
      return undefined;
    }
    const { ':list': list, ':until': until } = asked.parse(query.ExpressionAttributeValues);
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

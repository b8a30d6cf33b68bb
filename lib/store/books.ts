import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import { billCurrencies } from '../money/money.ts';
import { inParallel } from '../reconciliation/in-parallel.ts';
import type { Books, JournalReader } from '../reconciliation/ports.ts';
import { balanceList } from './balance-item.ts';
import { batchGet } from './batch-get.ts';
import { entryPartition, timelineOf, toEntry } from './entry-item.ts';
import { eventKey, toEvent } from './event-item.ts';
import { paymentKey, toPayment } from './payment-item.ts';
import { payoutKey, toPayout } from './payout-item.ts';
import { refundKey, toRefund } from './refund-item.ts';
import { storedId } from './stored-id.ts';
import { type Table, tableSchema } from './table.ts';
import { everythingOn } from './work-list.ts';

/** Entries of one timeline that are read at a time: what a reader holds of each merchant at most. */
const entriesPerPage = 50;
const queriesAtOnce = 16;

/** What the reconciliation reads of the table. */
export const dynamoBooks = (table: Table): Books => ({
  journalOf: (period) => journalOf(table, period),
  payments: async (ids) => (await batchGet(table, ids.map(paymentKey))).map(toPayment),
  payouts: async (ids) => (await batchGet(table, ids.map(payoutKey))).map(toPayout),
  refunds: async (ids) => (await batchGet(table, ids.map(refundKey))).map(toRefund),
  events: async (ids) => (await batchGet(table, ids.map(eventKey))).map(toEvent),
  providerFees: async (ids) =>
    (
      await batchGet(
        table,
        ids.map((about) => ({ PK: entryPartition(about), SK: 'PROVIDER_FEE' })),
      )
    ).map(toEntry),
});

type Period = Parameters<Books['journalOf']>[0];

/** One merchant's entries of one currency and month, oldest first, with the page that was read ahead. */
type Timeline = {
  readonly merchantId: MerchantId;
  readonly key: string;
  page: readonly Entry[];
  next: QueryCommandInput['ExclusiveStartKey'];
  isRead: boolean;
};

/**
 * Reads the timelines of every merchant whose balance ever moved, which the work index lists: no scan. Entries without a line of
 * the merchant are in the timeline of the charge's currency, so all currencies are read.
 */
async function journalOf(table: Table, period: Period): Promise<JournalReader> {
  const listed = await everythingOn(table, [balanceList]);
  const merchants = new Set(listed.map(({ PK }) => storedId<MerchantId>().parse(PK.slice('BAL#'.length))));
  const timelines = [...merchants].flatMap((merchantId) =>
    billCurrencies.flatMap((currency) =>
      monthsOf(period).map(
        (month): Timeline => ({
          merchantId,
          key: timelineOf(merchantId, currency, month),
          page: [],
          next: undefined,
          isRead: false,
        }),
      ),
    ),
  );
  return {
    async until(at) {
      const entries: Entry[] = [];
      await inParallel(timelines, queriesAtOnce, async (timeline) => {
        for (;;) {
          const later = timeline.page.findIndex((entry) => entry.at >= at);
          entries.push(...timeline.page.slice(0, later < 0 ? undefined : later));
          timeline.page = later < 0 ? [] : timeline.page.slice(later);
          if (later >= 0 || (timeline.isRead && timeline.next === undefined)) return;
          await readPage(table, timeline, period);
        }
      });
      return entries;
    },
  };
}

const indexed = z.looseObject({ PK: z.string(), SK: z.string() });

async function readPage({ client, name: TableName }: Table, timeline: Timeline, { from, to }: Period) {
  const query = new QueryCommand({
    TableName,
    IndexName: tableSchema.timeline.name,
    KeyConditionExpression: 'timeline = :timeline AND #at BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#at': tableSchema.timeline.sortKey },
    ExpressionAttributeValues: {
      ':timeline': timeline.key,
      ':from': from.toISOString(),
      ':to': new Date(to.getTime() - 1).toISOString(),
    },
    Limit: entriesPerPage,
    ExclusiveStartKey: timeline.next,
  });
  const { Items = [], LastEvaluatedKey } = await client.send(query);
  timeline.isRead = true;
  timeline.next = LastEvaluatedKey;
  // Items that operators may write could carry this timeline attribute too, so only keys of entries count.
  timeline.page = Items.map((raw) => indexed.parse(raw))
    .filter(({ PK }) => PK.startsWith(entryPartition('')))
    .map((raw) => toEntry({ ...raw, merchantId: timeline.merchantId }));
}

/** The months of UTC that the period touches: entries are listed by them. */
function monthsOf({ from, to }: Period): readonly string[] {
  const last = new Date(to.getTime() - 1);
  return [...new Set([from, last].map((at) => at.toISOString().slice(0, 7).replace('-', '')))];
}

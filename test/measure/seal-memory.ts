import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toBillId, toPaymentId } from '../../lib/ids.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import { backOff } from '../../lib/runtime/back-off.ts';
import type { Checkpoint } from '../../lib/seal/checkpoint.ts';
import type { Seals } from '../../lib/seal/ports.ts';
import type { Seal } from '../../lib/seal/seal.ts';
import { sealDays } from '../../lib/seal/seal-days.ts';
import { verifySeals } from '../../lib/seal/verify-seals.ts';
import { entryItem } from '../../lib/store/entry-item.ts';
import { dynamoSealedJournal } from '../../lib/store/sealed-journal.ts';
import { openTable } from '../../lib/store/table.ts';
import { ok } from '../../lib/result.ts';
import { optionsOf } from '../simulation/arguments.ts';
import { aPayment, merchantId } from '../support/builders.ts';
import { localAccount } from '../support/local-account.ts';
import { computedTable } from './computed-table.ts';

const usage = `npm run measure:seals -- [options]: measures the memory and the time that sealing and comparing one merchant's day of many entries takes. The
table is a server that computes entries from their number.

  --entries <number>  captures of the day (1000000)
  --memory <number>   the heap of the sealing process in MB (400)`;

const values = optionsOf(usage, {
  entries: { type: 'string', default: '1000000' },
  memory: { type: 'string', default: '400' },
  /** In the process that seals: the endpoint of the server. */
  endpoint: { type: 'string' },
});

const placeholder = '000000000000';
const dayBegin = new Date('2026-11-21T00:00:00Z');
const placeholderTime = new Date('2026-11-20T00:00:00Z');
const dayMs = 24 * 3600_000;
const execute = promisify(execFile);

async function measure(entries: number): Promise<void> {
  const { server, endpoint } = await tableOf(entries);
  const client = clientAt(endpoint);
  const table = openTable(client, 'sealed', backOff);
  const billId = toBillId(`BILL${placeholder}`);
  const payment = aPayment({ id: toPaymentId(`${billId}Payment001`), billId, feeMinor: 201n });
  const Item = entryItem(captureEntry(payment, 10_050n, placeholderTime));
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
  const { stdout } = await execute(process.execPath, [
    `--max-old-space-size=${values.memory}`,
    import.meta.filename,
    '--endpoint',
    endpoint,
  ]);
  console.log(`${entries} entries of a day:\n${stdout.trim()}`);
  client.destroy();
  server.close();
}

const text = z.object({ S: z.string() });
const key = z.object({ PK: text });
const requests = {
  PutItem: z.object({ Item: z.record(z.string(), z.unknown()) }),
  BatchGetItem: z.object({ RequestItems: z.object({ sealed: z.object({ Keys: z.array(key) }) }) }),
  Query: z.object({
    ExpressionAttributeValues: z.object({ ':timeline': text }),
    Limit: z.number(),
    ExclusiveStartKey: z.optional(key),
  }),
};

/** A server with any number of entries like the one that is put, over the day. */
async function tableOf(entries: number) {
  let template = '';
  const numberIn = ({ PK }: z.infer<typeof key>): string => /BILL(\d{12})/.exec(PK.S)?.[1] ?? '';
  const timeOf = (number: number) =>
    new Date(dayBegin.getTime() + Math.floor((number * dayMs) / entries)).toISOString();
  const itemOf = (number: string): string =>
    template
      .replaceAll(placeholder, number)
      .replaceAll(placeholderTime.toISOString(), timeOf(Number(number)));
  const listed = (number: number): string => {
    const digits = String(number).padStart(12, '0');
    return `{"PK":{"S":"J#BILL${digits}Payment001"},"SK":{"S":"CAPTURE"},"at":{"S":"${timeOf(number)}"}}`;
  };
  function query({ ExpressionAttributeValues, Limit, ExclusiveStartKey }: z.infer<typeof requests.Query>) {
    if (ExpressionAttributeValues[':timeline'].S !== `L#${merchantId}#RUB#202611`) return '{"Items":[]}';
    const first = ExclusiveStartKey ? Number(numberIn(ExclusiveStartKey)) + 1 : 0;
    const length = Math.min(Limit, entries - first);
    const items = Array.from({ length }, (_, at) => listed(first + at));
    const more = first + length < entries ? `,"LastEvaluatedKey":${items.at(-1)}` : '';
    return `{"Items":[${items.join(',')}]${more}}`;
  }
  function answer(operation: string, body: unknown): string {
    if (operation === 'PutItem') {
      template = JSON.stringify(requests.PutItem.parse(body).Item);
      return '{}';
    }
    if (operation === 'Query') return query(requests.Query.parse(body));
    const { Keys } = requests.BatchGetItem.parse(body).RequestItems.sealed;
    const items = Keys.map((each) => itemOf(numberIn(each)));
    return `{"Responses":{"sealed":[${items.join(',')}]},"UnprocessedKeys":{}}`;
  }
  return computedTable(answer);
}

function clientAt(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, ...localAccount });
}

/** Seals the day, compares it with its seal, and prints what each took. */
async function sealAt(endpoint: string): Promise<void> {
  const client = clientAt(endpoint);
  const journal = dynamoSealedJournal(openTable(client, 'sealed', backOff));
  const ports = {
    now: () => new Date(dayBegin.getTime() + 2 * dayMs),
    timeZone: 'UTC',
    log: () => undefined,
    sealArchive: undefined,
    seals: sealsInMemory(),
    sealedJournal: {
      entriesOf: (...of: Parameters<typeof journal.entriesOf>) => journal.entriesOf(...of),
      createdAt: async () => dayBegin,
      merchants: async () => [merchantId],
    },
  };
  const sealing = stopwatch();
  const { written } = await sealDays(ports);
  console.log(`  sealing: ${written} seal in ${sealing()}`);
  const comparing = stopwatch();
  const { findings } = await verifySeals(ports, {
    merchantId: undefined,
    since: undefined,
    knownCheckpoints: 0,
    isSealing: async () => false,
  });
  console.log(`  comparing: ${findings.length} differences in ${comparing()}`);
  client.destroy();
}

function stopwatch(): () => string {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    const memory = Math.round(process.resourceUsage().maxRSS / 1024);
    return `${Math.round((performance.now() - begun) / 1000)} s, ${Math.round((user + system) / 1e6)} s of CPU; at most ${memory} MB`;
  };
}

/** The stored seals of one chain. */
function sealsInMemory(): Seals {
  const seals: Seal[] = [];
  const checkpoints: Checkpoint[] = [];
  const stored = (currency: string) =>
    seals.filter((seal) => seal.currency === currency).map((seal) => ({ date: seal.date, seal }));
  return {
    lastOf: async ({ currency }) => stored(currency).at(-1),
    allOf: async ({ currency }) => stored(currency),
    named: async () => seals,
    linesOf: async () => undefined,
    write: async ({ seal }) => {
      seals.push(seal);
      return ok(undefined);
    },
    lastCheckpoint: async () => undefined,
    checkpoints: async () => checkpoints.map((checkpoint) => ({ date: checkpoint.date, checkpoint })),
    headsOf: async () => seals,
    writeHeads: async () => undefined,
    writeCheckpoint: async (checkpoint) => {
      checkpoints.push(checkpoint);
      return ok(undefined);
    },
  };
}

await (values.endpoint === undefined ? measure(Number(values.entries)) : sealAt(values.endpoint));

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toBillId, toPaymentId } from '../../lib/ids.ts';
import { continueAudit } from '../../lib/operator/audit/run.ts';
import { recordsStep } from '../../lib/operator/audit/records-step.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import { paymentEvent } from '../../lib/payment/payment-postback.ts';
import { backOff } from '../../lib/runtime/back-off.ts';
import { dynamoAuditRuns } from '../../lib/store/audit-runs.ts';
import { balanceKey } from '../../lib/store/balance-item.ts';
import { billItem } from '../../lib/store/bill-item.ts';
import { entryItem } from '../../lib/store/entry-item.ts';
import { eventItem } from '../../lib/store/event-item.ts';
import { merchantItem } from '../../lib/store/merchant-item.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { shopItem } from '../../lib/store/shop-item.ts';
import { openTable } from '../../lib/store/table.ts';
import { optionsOf } from '../simulation/arguments.ts';
import { auditPortsOn } from '../support/audit.ts';
import { aBill, aMerchant, aPayment, aShop, merchantId, today } from '../support/builders.ts';
import { localAccount } from '../support/local-account.ts';
import { computedTable } from './computed-table.ts';

const usage = `npm run measure:audit -- [options]: measures the memory and the time that the audit of a large table takes. The table is a server
that computes the items of a payment from its number, because loading millions into a local database takes hours.

  --payments <number>  paid payments, each with its bill, its entry and its postback (1000000)
  --memory <number>    the heap of the audit's process in MB (400)`;

const values = optionsOf(usage, {
  payments: { type: 'string', default: '1000000' },
  memory: { type: 'string', default: '400' },
  /** In the process that audits: the endpoint of the server. */
  endpoint: { type: 'string' },
});

/** What a scan returns at a time: a megabyte of items of payments. */
const paymentsPerPage = 400;
const placeholder = '000000000000';
const execute = promisify(execFile);

async function measure(payments: number): Promise<void> {
  const { server, endpoint, keysRead } = await tableOf(payments);
  const client = clientAt(endpoint);
  const table = openTable(client, 'audited', backOff);
  for (const Item of templates()) await table.client.send(new PutCommand({ TableName: table.name, Item }));
  const { stdout } = await execute(process.execPath, [
    `--max-old-space-size=${values.memory}`,
    import.meta.filename,
    '--endpoint',
    endpoint,
  ]);
  console.log(`${payments} payments: ${stdout.trim()}; ${keysRead()} keys read beside the scan`);
  client.destroy();
  server.close();
}

/** The items of one merchant with a balance, one shop and one delivered payment of 100.50, as the service writes them. */
function templates(): readonly Readonly<Record<string, unknown>>[] {
  const billId = toBillId(`BILL${placeholder}`);
  const id = toPaymentId(`${billId}Payment001`);
  const payment = aPayment({
    id,
    billId,
    status: 'SUCCESS',
    phase: 'DONE',
    receivedMinor: 10_050n,
    feeMinor: 201n,
    deliveredAt: today,
  });
  const attempts = [{ at: today, outcome: '200', ms: 12, answer: undefined }];
  const event = { ...paymentEvent(payment, { now: today }), state: 'DELIVERED', attempts, tries: 1 } as const;
  return [
    merchantItem(aMerchant()),
    shopItem(aShop()),
    { ...balanceKey(merchantId, 'RUB'), available: 9_849n },
    billItem(aBill({ id: billId, status: 'SUCCESS', current: id, fenced: true, paidBy: id })),
    { ...paymentItem(payment, today), workList: undefined, workDue: undefined },
    entryItem(captureEntry(payment, 10_050n, today)),
    { ...eventItem(event), workList: undefined, workDue: undefined },
  ];
}

const key = z.object({ PK: z.object({ S: z.string() }), SK: z.object({ S: z.string() }) });
type Key = z.infer<typeof key>;
const nameOf = ({ PK, SK }: Key): string => `${PK.S} ${SK.S}`;
const put = z.object({ Item: z.looseObject(key.shape) });
const requests = {
  PutItem: put,
  GetItem: z.object({ Key: key }),
  TransactWriteItems: z.object({ TransactItems: z.array(z.object({ Put: put })) }),
  BatchGetItem: z.object({ RequestItems: z.object({ audited: z.object({ Keys: z.array(key) }) }) }),
  Query: z.object({ ExpressionAttributeValues: z.object({ ':partition': z.object({ S: z.string() }) }) }),
  Scan: z.object({ Segment: z.number(), TotalSegments: z.number(), ExclusiveStartKey: z.optional(key) }),
};

/** A server with the items that are put, and with those of any number of payments like the one that is put. */
async function tableOf(payments: number) {
  const stored = new Map<string, string>();
  let keysRead = 0;
  const numberIn = (text: string): string => /BILL(\d{12})/.exec(text)?.[1] ?? '';
  const itemOf = (wanted: Key): readonly string[] => {
    const name = nameOf(wanted);
    const number = numberIn(name);
    const template = stored.get(number === '' ? name : name.replaceAll(number, placeholder));
    return template === undefined
      ? []
      : [number === '' ? template : template.replaceAll(placeholder, number)];
  };
  const ofPayment = (number: number, isEntry: boolean): readonly string[] =>
    [...stored]
      .filter(([name]) => numberIn(name) !== '' && /^[JE]#/.test(name) === isEntry)
      .map(([, item]) => item.replaceAll(placeholder, String(number).padStart(12, '0')));
  /** Bills with their payments, and entries and postbacks of others: a table has each partition at a random place. */
  function scan({ Segment, TotalSegments, ExclusiveStartKey }: z.infer<typeof requests.Scan>): string {
    const [from, to] = [Segment, Segment + 1].map((at) => Math.floor((payments * at) / TotalSegments));
    const first = ExclusiveStartKey ? Number(numberIn(ExclusiveStartKey.PK.S)) : (from ?? 0);
    const last = Math.min(first + paymentsPerPage, to ?? 0);
    const numbers = Array.from({ length: last - first }, (_, at) => first + at);
    const items = [
      ...numbers.flatMap((number) => ofPayment(number, false)),
      ...numbers.flatMap((number) => ofPayment((number + Math.floor(payments / 2)) % payments, true)),
    ];
    const next = `BILL${String(last).padStart(12, '0')}`;
    const more = last === to ? '' : `,"LastEvaluatedKey":{"PK":{"S":"B#${next}"},"SK":{"S":"B"}}`;
    return `{"Items":[${items.join(',')}]${more}}`;
  }
  function answer(operation: string, body: unknown): string {
    const store = ({ Item }: z.infer<typeof put>) => stored.set(nameOf(Item), JSON.stringify(Item));
    switch (operation) {
      case 'PutItem':
        store(requests.PutItem.parse(body));
        return '{}';
      case 'TransactWriteItems':
        for (const { Put } of requests.TransactWriteItems.parse(body).TransactItems) store(Put);
        return '{}';
      case 'GetItem': {
        const [item] = itemOf(requests.GetItem.parse(body).Key);
        return item === undefined ? '{}' : `{"Item":${item}}`;
      }
      case 'BatchGetItem': {
        const { Keys } = requests.BatchGetItem.parse(body).RequestItems.audited;
        keysRead += Keys.length;
        return `{"Responses":{"audited":[${Keys.flatMap(itemOf).join(',')}]},"UnprocessedKeys":{}}`;
      }
      case 'Query': {
        const { S } = requests.Query.parse(body).ExpressionAttributeValues[':partition'];
        const number = numberIn(S);
        const items = number === '' ? [] : itemOf({ PK: { S }, SK: { S: `P#BILL${number}Payment001` } });
        return `{"Items":[${items.join(',')}]}`;
      }
      default:
        return scan(requests.Scan.parse(body));
    }
  }
  return { ...(await computedTable(answer)), keysRead: () => keysRead };
}

function clientAt(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, ...localAccount });
}

/** Audits the records as the scheduled function does, one invocation after another, and prints what it took. */
async function auditAt(endpoint: string): Promise<void> {
  const client = clientAt(endpoint);
  const table = openTable(client, 'audited', backOff);
  const auditRuns = dynamoAuditRuns(table);
  const now = () => new Date();
  const begun = performance.now();
  const ports = {
    ...auditPortsOn({ table, now }),
    auditRuns,
    remainingMs: () => 580_000,
    timeZone: 'UTC',
    log: () => undefined,
    alarm: () => undefined,
  };
  let invocations = 0;
  for (let answer: string | undefined; answer !== 'ended'; invocations += 1) {
    const done = await continueAudit(ports, [recordsStep(ports)]);
    if ('refused' in done) throw new Error(done.refused);
    answer = done.ran;
  }
  const run = await auditRuns.current();
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  console.log(
    `${run?.counts['items']} items in ${Math.round((performance.now() - begun) / 1000)} s and ${invocations} invocations, ${Math.round((userCPUTime + systemCPUTime) / 1e6)} s of CPU; ${run?.differenceCount} differences; at most ${Math.round(maxRSS / 1024)} MB`,
  );
  client.destroy();
}

await (values.endpoint === undefined ? measure(Number(values.payments)) : auditAt(values.endpoint));

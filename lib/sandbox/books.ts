import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { textOrAbsent, time, type Table } from './table.ts';

const movementKinds = ['captured', 'refunded', 'paid_out'] as const;

/** A movement of money: a line of the books, written in one transaction with the state that caused it. */
export type Movement = {
  readonly kind: (typeof movementKinds)[number];
  /** The payment or the payout; the rail's idempotency key for a client that named no payout. */
  readonly subject: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Of a capture: what the acquirer kept of it. */
  readonly feeMinor?: bigint;
  /** The provider's id of the capture, refund or transfer, and the client's. Absent in lines of earlier versions. */
  readonly named?: {
    readonly reference: string;
    readonly ourId: string | undefined;
    /** The provider's id of the order that was captured or refunded. Absent for transfers and in lines of earlier versions. */
    readonly order: string | undefined;
  };
};

const partition = 'BOOKS';
const minor = z.coerce.bigint();
const movement = z.object({
  kind: z.enum(movementKinds),
  subject: z.string(),
  amountMinor: minor,
  currency: z.string(),
  feeMinor: z.exactOptional(minor),
  named: z.exactOptional(z.object({ reference: z.string(), ourId: textOrAbsent, order: textOrAbsent })),
  at: time,
});
type Booked = z.infer<typeof movement>;

/** The key is unique: no order is captured twice, no refund is made twice, no transfer is paid twice. */
export const toMovementItem = (line: Movement, at: Date): Record<string, unknown> => ({
  PK: partition,
  SK: [line.kind, line.subject, line.named?.reference].filter(Boolean).join('#'),
  ...line,
  at: at.toISOString(),
});

/** Every line of the books. */
export async function movements({ client, name }: Table): Promise<readonly Booked[]> {
  const lines: Booked[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'PK = :partition',
        ExpressionAttributeValues: { ':partition': partition },
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    lines.push(...z.array(movement).parse(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return lines;
}

export type Line = Pick<Movement, 'subject' | 'currency'> & {
  readonly [kind in Movement['kind']]: bigint;
};

/** Movements per payment or transfer. */
export function bySubject(lines: readonly Movement[]): readonly Line[] {
  const sums = new Map<string, Line>();
  for (const { kind, subject, currency, amountMinor } of lines) {
    const nothing = { subject, currency, captured: 0n, refunded: 0n, paid_out: 0n };
    const line = sums.get(subject) ?? nothing;
    sums.set(subject, { ...line, [kind]: line[kind] + amountMinor });
  }
  return [...sums.values()];
}

/** Totals per currency. */
export const byCurrency = (lines: readonly Movement[]): readonly Line[] =>
  bySubject(lines.map((line) => ({ ...line, subject: line.currency })));

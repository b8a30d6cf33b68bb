import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AcquirerView } from '../payment/acquirer.ts';
import type { UnknownPayment, UnknownPayments } from '../payment/unknown-payments.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';
import { everythingOn } from './work-list.ts';

const unknownList = 'W#UNKNOWN';
const unknownKey = ({ provider, reference }: Pick<UnknownPayment, 'provider' | 'reference'>) => ({
  PK: `UNKNOWN#${provider}#${reference}`,
  SK: 'UNKNOWN',
});

const states = [
  'pending',
  'authorised',
  'captured',
  'declined',
  'cancelled',
  'voided',
] as const satisfies readonly AcquirerView['state'][];

const item = z.object({
  provider: z.string(),
  reference: z.string(),
  paymentId: orAbsent(z.string()),
  state: z.enum(states),
  amountMinor: orAbsent(minor),
  at: moment,
} satisfies Record<AttributeOf<UnknownPayment>, z.ZodMiniType>);

/** Orders of acquirers that no payment is about. They stay on the work index for `payments unknown`. */
export const dynamoUnknownPayments = (table: Table): UnknownPayments => ({
  async keep(payment) {
    const at = payment.at.toISOString();
    const put = new PutCommand({
      TableName: table.name,
      Item: { ...unknownKey(payment), ...payment, at, workList: unknownList, workDue: at },
      ConditionExpression: 'attribute_not_exists(PK)',
    });
    await conditionalWrite(table.client.send(put));
  },
  async list() {
    const found = await batchGet(table, await everythingOn(table, [unknownList]));
    const payments = found.map((raw) => item.parse(raw));
    return payments.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  },
});

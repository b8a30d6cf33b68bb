import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Call, CallKind } from '../payment/call.ts';
import type { Payment } from '../payment/payment.ts';
import { fail, ok, type Result } from '../result.ts';
import { assign } from './assign.ts';
import { type Answered, beginCallStep, callAnsweredStep } from './call-steps.ts';
import { conditionalWrite } from './conditional-write.ts';
import { callAttribute, paymentKey } from './payment-item.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** Records a call before it is made. A transaction, because its caller acts on the result. */
export async function beginCall(
  table: Table,
  payment: Payment,
  { kind, call }: { readonly kind: CallKind; readonly call: Call },
): Promise<boolean> {
  const attribute = callAttribute(kind);
  const state = { name: 'phase', is: payment.phase } as const;
  const caller = { key: paymentKey(payment.id), attribute, state };
  return (await transact(table, [beginCallStep(table, caller, payment[attribute], call)])).ok;
}

/** Records an answer that leaves the matter open. */
export async function callAnswered(
  table: Table,
  { id }: Payment,
  { kind, ...answered }: Answered & { readonly kind: CallKind },
): Promise<void> {
  const caller = { key: paymentKey(id), attribute: callAttribute(kind) };
  await transact(table, [callAnsweredStep(table, caller, answered)]);
}

type KnownOrder = { readonly reference: string; readonly cardPage: string | undefined };

/** Stores reference and page in one write; the page only while its payer may still need it. */
export async function storeOrder(
  table: Table,
  payment: Payment,
  { reference, cardPage }: KnownOrder,
): Promise<Result<void, 'other_reference'>> {
  const isStored = async (set: Readonly<Record<string, string>>, condition: string) => {
    const change = assign(set);
    const values = {
      ...change.ExpressionAttributeValues,
      ...(condition && { ':authorizing': 'AUTHORIZING' }),
    };
    const update = new UpdateCommand({
      TableName: table.name,
      Key: paymentKey(payment.id),
      ...change,
      ConditionExpression: `attribute_exists(PK) AND (attribute_not_exists(#reference) OR #reference = :reference)${condition}`,
      ExpressionAttributeNames: {
        ...change.ExpressionAttributeNames,
        ...(condition && { '#phase': 'phase' }),
      },
      ExpressionAttributeValues: values,
    });
    return (await conditionalWrite(table.client.send(update))) !== undefined;
  };
  if (cardPage !== undefined && (await isStored({ reference, cardPage }, ' AND #phase = :authorizing')))
    return ok(undefined);
  return (await isStored({ reference }, '')) ? ok(undefined) : fail('other_reference');
}

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Call, CallAnswer, CallKind } from '../payment/call.ts';
import type { Payment } from '../payment/payment.ts';
import { fail, ok, type Result } from '../result.ts';
import { assign } from './assign.ts';
import { conditionalWrite } from './conditional-write.ts';
import { callAttribute, paymentKey, storedCall } from './payment-item.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/**
 * Records a call before it is made. A call under the same key is counted, unless the last one was refused and none is unanswered;
 * the next key is recorded only in that case. A transaction, because its caller acts on the result.
 */
export async function beginCall(
  table: Table,
  payment: Payment,
  { kind, call }: { readonly kind: CallKind; readonly call: Call },
): Promise<boolean> {
  const seen = payment[callAttribute(kind)];
  const Update = {
    TableName: table.name,
    Key: paymentKey(payment.id),
    ...(seen === undefined
      ? firstCall(payment, kind, call)
      : seen.attempt === call.attempt
        ? sameKey(payment, kind, call)
        : nextKey(payment, kind, { seen, call })),
  };
  const written = await transact<'moved_meanwhile'>(table, [
    { write: { Update }, onConditionFailed: 'moved_meanwhile' },
  ]);
  return written.ok;
}

const firstCall = ({ phase }: Payment, kind: CallKind, call: Call) => ({
  UpdateExpression: 'SET #call = :call',
  ConditionExpression: '#phase = :phase AND attribute_not_exists(#call)',
  ExpressionAttributeNames: { '#call': callAttribute(kind), '#phase': 'phase' },
  ExpressionAttributeValues: { ':call': storedCall(call), ':phase': phase },
});

const wasRefused = '#call.#unanswered = :none AND #call.#answer IN (:refused, :empty)';

const sameKey = (payment: Payment, kind: CallKind, { attempt, lastAt }: Call) => ({
  UpdateExpression: 'SET #call.#unanswered = #call.#unanswered + :one, #call.#lastAt = :at',
  ConditionExpression: `#phase = :phase AND #call.#attempt = :attempt AND NOT (${wasRefused})`,
  ExpressionAttributeNames: { ...callNames(kind), '#lastAt': 'lastAt' },
  ExpressionAttributeValues: {
    ...refusedValues(payment),
    ':attempt': attempt,
    ':one': 1,
    ':at': lastAt.toISOString(),
  },
});

type NextKey = { readonly seen: Call; readonly call: Call };

const nextKey = (payment: Payment, kind: CallKind, { seen, call }: NextKey) => ({
  UpdateExpression: 'SET #call = :call',
  ConditionExpression: `#phase = :phase AND #call.#attempt = :attempt AND ${wasRefused}`,
  ExpressionAttributeNames: callNames(kind),
  ExpressionAttributeValues: {
    ...refusedValues(payment),
    ':attempt': seen.attempt,
    ':call': storedCall(call),
  },
});

const callNames = (kind: CallKind) => ({
  '#call': callAttribute(kind),
  '#phase': 'phase',
  '#attempt': 'attempt',
  '#unanswered': 'unanswered',
  '#answer': 'answer',
});

const refusedValues = ({ phase }: Payment) => ({
  ':phase': phase,
  ':none': 0,
  ':refused': 'refused',
  ':empty': 'empty',
});

type Answered = {
  readonly kind: CallKind;
  readonly attempt: number;
  readonly answer: CallAnswer | undefined;
  readonly outcome: string | undefined;
};

/**
 * Records an answer that leaves the matter open. A refusal answers one call; what is known of a refund answers every call under its
 * key; without `answer` one call was not carried out.
 */
export async function callAnswered(
  table: Table,
  { id }: Payment,
  { kind, attempt, answer, outcome }: Answered,
): Promise<void> {
  const answersAll = answer !== undefined && answer !== 'refused';
  const said = { ...(answer !== undefined && { answer }), ...(outcome !== undefined && { outcome }) };
  const sets = Object.keys(said).map((name) => `, #call.#${name} = :${name}`);
  const Update = {
    TableName: table.name,
    Key: paymentKey(id),
    UpdateExpression: `SET #call.#unanswered = ${answersAll ? ':none' : '#call.#unanswered - :one'}${sets.join('')}`,
    ConditionExpression: `#call.#attempt = :attempt${answersAll ? '' : ' AND #call.#unanswered > :none'}`,
    ExpressionAttributeNames: {
      '#call': callAttribute(kind),
      '#attempt': 'attempt',
      '#unanswered': 'unanswered',
      ...Object.fromEntries(Object.keys(said).map((name) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ':attempt': attempt,
      ':none': 0,
      ...(!answersAll && { ':one': 1 }),
      ...Object.fromEntries(Object.entries(said).map(([name, value]) => [`:${name}`, value])),
    },
  };
  await transact<'moved_meanwhile'>(table, [{ write: { Update }, onConditionFailed: 'moved_meanwhile' }]);
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

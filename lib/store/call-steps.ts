import type { Call, CallAnswer } from '../payment/call.ts';
import { storedCall } from './payment-item.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** The item that records its calls in an attribute, and the state that it must be in; `to`: the state that the first call leads to. */
type Caller = {
  readonly key: Readonly<Record<string, string>>;
  readonly attribute: string;
  readonly state: { readonly name: 'phase' | 'status'; readonly is: string; readonly to?: string };
};

/**
 * The step that records a call before it is made. A call under the same key is counted, unless the last one was refused and none is
 * unanswered; the next key is recorded only in that case.
 */
export function beginCallStep(
  { name: TableName }: Table,
  caller: Caller,
  seen: Call | undefined,
  call: Call,
): TransactionStep<'moved_meanwhile'> {
  const change =
    seen === undefined
      ? firstCall(caller, call)
      : seen.attempt === call.attempt
        ? sameKey(caller, call)
        : nextKey(caller, seen, call);
  return {
    write: { Update: { TableName, Key: caller.key, ...change } },
    onConditionFailed: 'moved_meanwhile',
  };
}

const firstCall = ({ attribute, state }: Caller, call: Call) => ({
  UpdateExpression: `SET #call = :call${state.to === undefined ? '' : ', #state = :to'}`,
  ConditionExpression: '#state = :state AND attribute_not_exists(#call)',
  ExpressionAttributeNames: { '#call': attribute, '#state': state.name },
  ExpressionAttributeValues: {
    ':call': storedCall(call),
    ':state': state.is,
    ...(state.to !== undefined && { ':to': state.to }),
  },
});

const wasRefused = '#call.#unanswered = :none AND #call.#answer IN (:refused, :empty)';

const sameKey = (caller: Caller, { attempt, lastAt }: Call) => ({
  UpdateExpression: 'SET #call.#unanswered = #call.#unanswered + :one, #call.#lastAt = :at',
  ConditionExpression: `#state = :state AND #call.#attempt = :attempt AND NOT (${wasRefused})`,
  ExpressionAttributeNames: { ...callNames(caller), '#lastAt': 'lastAt' },
  ExpressionAttributeValues: {
    ...refusedValues(caller),
    ':attempt': attempt,
    ':one': 1,
    ':at': lastAt.toISOString(),
  },
});

const nextKey = (caller: Caller, seen: Call, call: Call) => ({
  UpdateExpression: 'SET #call = :call',
  ConditionExpression: `#state = :state AND #call.#attempt = :attempt AND ${wasRefused}`,
  ExpressionAttributeNames: callNames(caller),
  ExpressionAttributeValues: {
    ...refusedValues(caller),
    ':attempt': seen.attempt,
    ':call': storedCall(call),
  },
});

const callNames = ({ attribute, state }: Caller) => ({
  '#call': attribute,
  '#state': state.name,
  '#attempt': 'attempt',
  '#unanswered': 'unanswered',
  '#answer': 'answer',
});

const refusedValues = ({ state }: Caller) => ({
  ':state': state.is,
  ':none': 0,
  ':refused': 'refused',
  ':empty': 'empty',
});

export type Answered = {
  readonly attempt: number;
  readonly answer: CallAnswer | undefined;
  readonly outcome: string | undefined;
};

/**
 * The step that records an answer that leaves the matter open. A refusal answers one call; what is known of a refund answers every call
 * under its key; without `answer` one call was not carried out.
 */
export function callAnsweredStep(
  { name: TableName }: Table,
  { key, attribute }: Pick<Caller, 'key' | 'attribute'>,
  { attempt, answer, outcome }: Answered,
): TransactionStep<'moved_meanwhile'> {
  const answersAll = answer !== undefined && answer !== 'refused';
  const said = { ...(answer !== undefined && { answer }), ...(outcome !== undefined && { outcome }) };
  const sets = Object.keys(said).map((name) => `, #call.#${name} = :${name}`);
  const Update = {
    TableName,
    Key: key,
    UpdateExpression: `SET #call.#unanswered = ${answersAll ? ':none' : '#call.#unanswered - :one'}${sets.join('')}`,
    ConditionExpression: `#call.#attempt = :attempt${answersAll ? '' : ' AND #call.#unanswered > :none'}`,
    ExpressionAttributeNames: {
      '#call': attribute,
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
  return { write: { Update }, onConditionFailed: 'moved_meanwhile' };
}

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ProviderCalls } from '../provider-port.ts';
import { conditionalWrite } from './conditional-write.ts';
import type { Table } from './table.ts';

const callsKey = (provider: string) => ({ PK: `CALLS#${provider}`, SK: 'CALLS' }) as const;

/**
 * One item per provider: the second, the calls in it, and until when none may be sent. A call is one write: it joins the second,
 * or begins a new one, whichever this process expects; two when it expected the other.
 */
export function dynamoProviderCalls(table: Table): ProviderCalls {
  /** The last second that this process saw, by provider: in it, calls are joined rather than begun. */
  const seen = new Map<string, number>();

  return {
    async take(provider, { perSecond, now }) {
      const call = { table, provider, perSecond, now };
      const second = secondOf(now);
      const ways = seen.get(provider) === second ? [join, begin] : [begin, join];
      seen.set(provider, second);
      for (const way of ways) {
        const outcome = await way(call);
        if (outcome !== 'other way') return outcome;
      }
      // The item changed between the two attempts.
      return 1;
    },

    async pause(provider, until) {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: callsKey(provider),
        UpdateExpression: 'SET #pausedUntil = :until',
        ConditionExpression: 'attribute_not_exists(#pausedUntil) OR #pausedUntil < :until',
        ExpressionAttributeNames: { '#pausedUntil': 'pausedUntil' },
        ExpressionAttributeValues: { ':until': until.getTime() },
      });
      await conditionalWrite(table.client.send(update));
    },
  };
}

type Call = {
  readonly table: Table;
  readonly provider: string;
  readonly perSecond: number;
  readonly now: Date;
};
type Turn = number | 'other way';

const secondOf = (now: Date): number => Math.floor(now.getTime() / 1000);

const notPaused = '(attribute_not_exists(#pausedUntil) OR #pausedUntil <= :now)';

/** Another function's clock may be ahead by less than this: its second is joined. A second further ahead is an error. */
const clocksDifferSeconds = 5;

/** The first call of a second. */
const begin = (call: Call): Promise<Turn> =>
  write(call, {
    update: 'SET #second = :second, #count = :one',
    condition: '(attribute_not_exists(#second) OR #second < :second OR #second > :ahead)',
    values: {},
    unlessPaused: () => 'other way',
  });

/** A further call of a second. */
const join = (call: Call): Promise<Turn> =>
  write(call, {
    update: 'SET #count = #count + :one',
    condition: '#second BETWEEN :second AND :ahead AND #count < :most',
    values: { ':most': call.perSecond },
    unlessPaused: (second) =>
      second !== undefined && isNow(second, call) ? (second + 1) * 1000 - call.now.getTime() : 'other way',
  });

const isNow = (second: number, { now }: Call): boolean =>
  secondOf(now) <= second && second <= secondOf(now) + clocksDifferSeconds;

type Way = {
  readonly update: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, number>>;
  /** The outcome when the condition failed for the item's second. */
  readonly unlessPaused: (second: number | undefined) => Turn;
};

async function write({ table, provider, now }: Call, way: Way): Promise<Turn> {
  const command = new UpdateCommand({
    TableName: table.name,
    Key: callsKey(provider),
    UpdateExpression: way.update,
    ConditionExpression: `${way.condition} AND ${notPaused}`,
    ExpressionAttributeNames: { '#second': 'second', '#count': 'count', '#pausedUntil': 'pausedUntil' },
    ExpressionAttributeValues: {
      ':second': secondOf(now),
      ':ahead': secondOf(now) + clocksDifferSeconds,
      ':now': now.getTime(),
      ':one': 1,
      ...way.values,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await table.client.send(command);
    return 0;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const numberOf = (name: string) => {
      const text = error.Item?.[name]?.N;
      return text === undefined ? undefined : Number(text);
    };
    const pausedUntil = numberOf('pausedUntil') ?? 0;
    if (pausedUntil > now.getTime()) return pausedUntil - now.getTime();
    return way.unlessPaused(numberOf('second'));
  }
}

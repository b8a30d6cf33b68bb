import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { Defect } from '../defect.ts';

/** What a conditional write answered; undefined when its condition did not hold and nothing was written. */
export async function conditionalWrite<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** The same for an item that must exist: with `ReturnValuesOnConditionCheckFailure` a refusal tells whether it is. */
export async function conditionalWriteOnExisting<T>(what: string, write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (!error.Item) throw new Defect('ITEM_MISSING', `${what} does not exist`, { cause: error });
    return undefined;
  }
}

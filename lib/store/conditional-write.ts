import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { Defect } from '../defect.ts';

/** Returns the output of a conditional write; undefined when the condition failed and nothing was written. */
export async function conditionalWrite<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/**
 * The same for an item that must exist; throws when it does not. The write needs `ReturnValuesOnConditionCheckFailure`, so
 * that a failed condition returns the item.
 */
export async function conditionalWriteOnExisting<T>(what: string, write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    if (!error.Item) throw new Defect('ITEM_MISSING', `${what} does not exist`, { cause: error });
    return undefined;
  }
}

import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** What a conditional write answered; undefined when its condition did not hold and nothing was written. */
export async function unlessRefused<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

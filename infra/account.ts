import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';

/**
 * Returns the concurrency that the account leaves to this environment: what is unreserved, plus what an earlier deployment
 * reserved for the authorizer under any of its names.
 */
export async function freeConcurrency(lambda: LambdaClient, authorizer: readonly string[]): Promise<number> {
  const [{ AccountLimit }, ...own] = await Promise.all([
    lambda.send(new GetAccountSettingsCommand({})),
    ...authorizer.map((name) => reservedBy(lambda, name)),
  ]);
  return own.reduce((sum, count) => sum + count, AccountLimit?.UnreservedConcurrentExecutions ?? 0);
}

async function reservedBy(lambda: LambdaClient, FunctionName: string): Promise<number> {
  try {
    const answer = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    return answer.ReservedConcurrentExecutions ?? 0;
  } catch (error) {
    // The function does not exist before the first deployment.
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
}

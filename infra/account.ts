import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  type LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';

/**
 * How many functions may run at a time beside what others reserve for themselves: what the authorizer reserved at an
 * earlier deployment, under any of its names, is ours.
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
    // Before the first deployment.
    if (error instanceof ResourceNotFoundException) return 0;
    throw error;
  }
}

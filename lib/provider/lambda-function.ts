import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { Defect } from '../defect.ts';

/** Invokes a function, waits, and returns its JSON result; throws when the function failed. */
export async function invokeFunction(
  client: LambdaClient,
  FunctionName: string,
  event: object,
): Promise<unknown> {
  const { Payload, FunctionError } = await client.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
  );
  if (FunctionError)
    throw new Defect('CARRY_OUT_FAILED', `The function ${FunctionName} failed: its log names the error.`);
  return JSON.parse(new TextDecoder().decode(Payload));
}

/** Where a template runs: what an AWS account and region are to a deployed one. */
export type LocalDeployment = {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  /** What the REST API's invoke URL leads to, without a slash at its end. */
  readonly baseUrl: string;
  /** Where SQS is answered. */
  readonly queueOrigin: string;
};

export const localAccount = '000000000000';

/** The REST API's id here: part of its invoke URL until that is led to the runner's own address. */
export const apiId = 'local';

/** What `Ref` of a pseudo parameter gives. */
export function pseudoParameters({
  stackName,
  region,
  account,
}: LocalDeployment): Readonly<Record<string, string>> {
  return {
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stackName}/local`,
    'AWS::StackName': stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };
}

/** The ARN of something here. */
export const arn = ({ region, account }: LocalDeployment, service: string, rest: string): string =>
  `arn:aws:${service}:${region}:${account}:${rest}`;

/** Links that begin with the API's invoke URL begin with the runner's address instead. */
export function rewriteInvokeUrl({ region, baseUrl }: LocalDeployment, text: string): string {
  const invokeUrl = new RegExp(
    String.raw`https://${apiId}\.execute-api\.${region}\.amazonaws\.com/[A-Za-z0-9_-]+`,
    'g',
  );
  return text.replaceAll(invokeUrl, baseUrl);
}

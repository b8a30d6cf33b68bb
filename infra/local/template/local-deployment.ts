/** The place where a template runs, as account and region are for a deployed one. */
export type LocalDeployment = {
  readonly stackName: string;
  readonly region: string;
  readonly account: string;
  /** Replaces the REST API's invoke URL. Without a trailing slash. */
  readonly baseUrl: string;
  /** The origin of the SQS server. */
  readonly queueOrigin: string;
};

export const localAccount = '000000000000';

/** The REST API's local id, which is part of its invoke URL until `rewriteInvokeUrl` replaces that. */
export const apiId = 'local';

/** Returns the values of the pseudo parameters. */
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

/** Returns the ARN of a local resource. */
export const arn = ({ region, account }: LocalDeployment, service: string, rest: string): string =>
  `arn:aws:${service}:${region}:${account}:${rest}`;

/** Replaces the API's invoke URL in a text by the runner's address. */
export function rewriteInvokeUrl({ region, baseUrl }: LocalDeployment, text: string): string {
  const invokeUrl = new RegExp(
    String.raw`https://${apiId}\.execute-api\.${region}\.amazonaws\.com/[A-Za-z0-9_-]+`,
    'g',
  );
  return text.replaceAll(invokeUrl, baseUrl);
}

export const localRegion = 'us-east-1';

/** Any key and secret will do on the local servers, but the SDK insists on having them. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Where the AWS services are answered locally, under the names by which every AWS SDK knows to find them. */
export type Endpoints = FunctionEndpoints & {
  /** Where functions are invoked; no function calls another. */
  readonly AWS_ENDPOINT_URL_LAMBDA: string;
};

/** Those that functions use. */
export type FunctionEndpoints = {
  readonly AWS_ENDPOINT_URL_DYNAMODB: string;
  readonly AWS_ENDPOINT_URL_SQS: string;
  readonly AWS_ENDPOINT_URL_KMS: string;
  readonly AWS_ENDPOINT_URL_SECRETS_MANAGER: string;
};

/** What an SDK client is made with to use one of the endpoints. */
export const clientConfig = (endpoint: string) => ({
  endpoint,
  region: localRegion,
  credentials: localCredentials,
});

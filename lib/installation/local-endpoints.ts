export const localRegion = 'us-east-1';

/** The local servers accept any credentials, but the SDK requires some. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The endpoints of the local AWS services, under the environment variables that every AWS SDK reads. */
export type Endpoints = FunctionEndpoints & {
  /** Invokes functions. Only commands have it: no function calls another. */
  readonly AWS_ENDPOINT_URL_LAMBDA: string;
};

/** The endpoints that functions use. */
export type FunctionEndpoints = {
  readonly AWS_ENDPOINT_URL_DYNAMODB: string;
  readonly AWS_ENDPOINT_URL_SQS: string;
  readonly AWS_ENDPOINT_URL_KMS: string;
  readonly AWS_ENDPOINT_URL_SECRETS_MANAGER: string;
};

/** Returns the SDK client configuration for a local endpoint. */
export const clientConfig = (endpoint: string) => ({
  endpoint,
  region: localRegion,
  credentials: localCredentials,
});

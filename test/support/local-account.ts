/**
 * The account of SDK clients that call a local server directly. It looks whether a request has a signature, but never at which, so that one
 * is given: computing it takes a third of the client's time for a call.
 */
export const localAccount = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  signer: {
    sign: async <T extends { headers: Record<string, string> }>(request: T): Promise<T> => {
      request.headers['authorization'] = signature;
      request.headers['x-amz-date'] = '20260101T000000Z';
      return request;
    },
  },
};

const signature =
  'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0';

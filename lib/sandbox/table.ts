import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The sandbox's own table, separate from the service's, with keys PK and SK. */
export type Table = { readonly client: Pick<DynamoDBDocumentClient, 'send'>; readonly name: string };

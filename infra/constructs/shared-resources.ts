import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Environment } from '../../lib/installation/environments.ts';
import type { QueueName } from '../../lib/installation/environments.ts';
import type { SecretName } from '../../lib/installation/providers.ts';
import type { Names } from '../../lib/installation/names.ts';
import type { SealBucket } from './seal-bucket.ts';
import type { OperatorAlarms } from './operator-alarms.ts';
import type { WorkQueue } from './work-queue.ts';

/** The resources that functions share. Each function uses those that its rights and settings name. */
export type SharedResources = {
  readonly environment: Environment;
  readonly names: Names;
  /** The folder with one bundle per function. */
  readonly bundles: string;
  readonly publicUrl: string;
  readonly sandboxUrl: string;
  /** Reserved concurrency of the authorizer. Undefined where the account has too little. */
  readonly authorizerConcurrency: number | undefined;
  readonly table: Table;
  readonly sandboxTable: Table | undefined;
  readonly queues: Readonly<Record<QueueName, WorkQueue>>;
  readonly keys: { readonly tokens: Key; readonly destinations: Key };
  /** A provider's secrets exist where the environment has the provider. */
  readonly secrets: Readonly<Record<'page' | 'fingerprint', Secret> & Partial<Record<SecretName, Secret>>>;
  /** Where the record has one. */
  readonly sealBucket: SealBucket | undefined;
  readonly alarms: OperatorAlarms;
};

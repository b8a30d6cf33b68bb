import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, PolicyDocument } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { tableSchema } from '../../lib/store/table.ts';
import { removalOf } from './removal.ts';
import { journalIsImmutable } from './rights.ts';

type Props = { readonly tableName: string; readonly keepsData: boolean };

const text = (name: string) => ({ name, type: AttributeType.STRING });
const { partitionKey, sortKey, timeToLive, work, timeline, list } = tableSchema;

/** The keys, time-to-live attribute and billing mode of every table. */
const schema = {
  partitionKey: text(partitionKey),
  sortKey: text(sortKey),
  timeToLiveAttribute: timeToLive,
  billingMode: BillingMode.PAY_PER_REQUEST,
};

const keysOf = (index: typeof work | typeof timeline | typeof list) => ({
  indexName: index.name,
  partitionKey: text(index.partitionKey),
  sortKey: text(index.sortKey),
});

/** The service's single table and its three indexes (lib/store/README.md). Its resource policy protects the journal from everyone. */
export class ServiceTable extends Table {
  constructor(scope: Construct, id: string, { tableName, keepsData }: Props) {
    super(scope, id, {
      tableName,
      ...schema,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepsData,
      removalPolicy: removalOf({ keepsData }),
      resourcePolicy: new PolicyDocument({
        statements: journalIsImmutable({ principals: [new AnyPrincipal()], resources: ['*'] }),
      }),
    });
    this.addGlobalSecondaryIndex({ ...keysOf(work), projectionType: ProjectionType.KEYS_ONLY });
    this.addGlobalSecondaryIndex({
      ...keysOf(timeline),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...timeline.attributes],
    });
    this.addGlobalSecondaryIndex({ ...keysOf(list), projectionType: ProjectionType.KEYS_ONLY });
  }
}

/** The sandbox's own table. It is deleted with the stack in every environment. */
export class SandboxTable extends Table {
  constructor(scope: Construct, id: string, { tableName }: Pick<Props, 'tableName'>) {
    super(scope, id, {
      tableName,
      ...schema,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}

import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, PolicyDocument } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { removalOf } from './removal.ts';
import { journalIsImmutable } from './rights.ts';

type Props = { readonly tableName: string; readonly keepsData: boolean };

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** The one table and its two indexes (core, section 1). Its own policy guards the journal from everybody. */
export class ServiceTable extends Table {
  constructor(scope: Construct, id: string, { tableName, keepsData }: Props) {
    super(scope, id, {
      tableName,
      partitionKey: text('PK'),
      sortKey: text('SK'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepsData,
      removalPolicy: removalOf({ keepsData }),
      resourcePolicy: new PolicyDocument({
        statements: [journalIsImmutable({ principals: [new AnyPrincipal()], resources: ['*'] })],
      }),
    });
    this.addGlobalSecondaryIndex({
      indexName: 'WORK',
      partitionKey: text('workList'),
      sortKey: text('workDue'),
      projectionType: ProjectionType.KEYS_ONLY,
    });
    this.addGlobalSecondaryIndex({
      indexName: 'TIMELINE',
      partitionKey: text('timeline'),
      sortKey: text('at'),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['lines', 'kind', 'about'],
    });
  }
}

/** The sandbox's books: a party of its own, disposable everywhere. */
export class SandboxTable extends Table {
  constructor(scope: Construct, id: string, { tableName }: Pick<Props, 'tableName'>) {
    super(scope, id, {
      tableName,
      partitionKey: text('PK'),
      sortKey: text('SK'),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'ttl',
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}

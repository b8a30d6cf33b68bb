import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/**
 * The bucket of seals, where the record has one. In compliance mode nobody, not even the account's root user, can remove or shorten what is
 * locked; so the bucket is retained when the stack is deleted.
 */
export class SealBucket extends Bucket {
  constructor(scope: Construct, id: string, { years }: { readonly years: number }) {
    super(scope, id, {
      objectLockEnabled: true,
      objectLockDefaultRetention: ObjectLockRetention.compliance(Duration.days(years * 365)),
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}

import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { canonicalText } from '../seal/canonical.ts';
import { canonicalCheckpoint, type Checkpoint } from '../seal/checkpoint.ts';
import type { SealArchive } from '../seal/ports.ts';
import { canonicalSeal, type Seal } from '../seal/seal.ts';

/**
 * Writes seals to a bucket with object lock, as `<merchant>/<currency>/<date>.json` and `checkpoints/<date>.json`. An object that is written again
 * is a further version: no version can be removed before the bucket's years are over.
 */
export function sealBucket(client: S3Client, bucket: string): SealArchive {
  const put = async (key: string, body: Parameters<typeof canonicalText>[0]) => {
    const Body = `${canonicalText(body)}\n`;
    await client.send(
      new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentType: 'application/json' }),
    );
  };
  return {
    keepSeal: (seal: Seal) =>
      put(`${seal.merchantId}/${seal.currency}/${seal.date}.json`, {
        ...canonicalSeal(seal),
        hash: seal.hash,
      }),
    keepCheckpoint: (checkpoint: Checkpoint) =>
      put(`checkpoints/${checkpoint.date}.json`, {
        ...canonicalCheckpoint(checkpoint),
        hash: checkpoint.hash,
      }),
  };
}

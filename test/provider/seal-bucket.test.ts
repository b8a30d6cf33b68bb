import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { startQueues } from '../../infra/local/services/queues.ts';
import { clientConfig } from '../../lib/installation/local-endpoints.ts';
import { sealBucket } from '../../lib/provider/seal-bucket.ts';
import { sha256 } from '../../lib/seal/canonical.ts';
import { checkpointOf } from '../../lib/seal/checkpoint.ts';
import { DayEntries, sealOf } from '../../lib/seal/seal.ts';
import { dayContaining } from '../../lib/seal/sealed-day.ts';
import { merchantId } from '../support/builders.ts';
import { anEntry, moscow, rubOf } from '../support/seals.ts';

it('the bucket has each seal and checkpoint in canonical form, which leads to its hash', async () => {
  // The server of the queues has buckets too.
  const server = await startQueues();
  const client = new S3Client({ ...clientConfig(server.origin), forcePathStyle: true });
  const Bucket = 'seals';
  await client.send(new CreateBucketCommand({ Bucket }));
  const at = new Date('2026-11-20T10:00:00.000Z');
  const { seal } = sealOf(
    rubOf(),
    dayContaining(at, undefined, moscow),
    DayEntries.of([anEntry('one', at)]),
    undefined,
  );
  const checkpoint = checkpointOf(
    { to: seal.to, date: seal.date, parts: 1, chains: 1, headsHash: seal.hash },
    undefined,
  );
  const archive = sealBucket(client, Bucket);
  await archive.keepSeal(seal);
  await archive.keepCheckpoint(checkpoint);
  const kept = async (Key: string) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  };
  const hashOf = (text: string) => sha256(text.trim().replace(/"hash":"[0-9a-f]{64}",/, ''));
  const sealText = await kept(`${merchantId}/RUB/2026-11-20.json`);
  expect([hashOf(sealText), JSON.parse(sealText).hash]).toEqual([seal.hash, seal.hash]);
  const checkpointText = await kept('checkpoints/2026-11-20.json');
  expect(hashOf(checkpointText)).toBe(checkpoint.hash);
  client.destroy();
  await server.stop();
});

import { S3Client } from '@aws-sdk/client-s3';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunPorts } from '../operator/audit/run.ts';
import type { AuditPorts } from '../operator/audit/steps.ts';
import type { SealPorts } from '../seal/ports.ts';
import { sealBucket } from '../provider/seal-bucket.ts';
import { remainingMs, requestHandler } from './deadlines.ts';
import * as stores from './stores.ts';
import { optionalSetting, system, timeZone } from './system.ts';

/** Undefined where the record names no bucket. */
function sealArchive(): SealPorts['sealArchive'] {
  const bucket = optionalSetting('SEAL_BUCKET');
  return bucket === undefined ? undefined : sealBucket(new S3Client({ requestHandler }), bucket);
}

export type AuditFunctionPorts = RunPorts & AuditPorts & SealPorts;

/** For the function that audits the table. */
export const auditPorts = (): AuditFunctionPorts => ({
  now: system.now,
  log: system.log,
  alarm: system.alarm,
  timeZone: timeZone(),
  wait: async (ms) => wait(ms),
  remainingMs,
  auditSource: stores.auditSource(),
  balanceBooks: stores.balanceBooks(),
  auditRuns: stores.auditRuns(),
  books: stores.books(),
  reconciliations: stores.reconciliations(),
  seals: stores.seals(),
  sealedJournal: stores.sealedJournal(),
  sealArchive: sealArchive(),
});

// Loaded into every process of the run that builds the hit map. Plain JavaScript, because child processes may not support TypeScript.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const seen = new Set();

/** Called by every instrumented function: records the running test file, once per function. */
globalThis.__hit = (file, start) => {
  const { PAYLINK_HITS: folder, PAYLINK_HITS_OF: test } = process.env;
  if (!folder || !test) return;
  const hit = `${file}\t${start}`;
  if (seen.has(`${test}\t${hit}`)) return;
  seen.add(`${test}\t${hit}`);
  appendFileSync(join(folder, encodeURIComponent(test)), `${hit}\n`);
};

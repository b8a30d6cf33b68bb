// Loaded into every process of the run that makes the hit map. Plain JavaScript, because children may be anything.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const seen = new Set();

/** Called by every function of the marked sources: notes which test file was running, once for each. */
globalThis.__hit = (file, start) => {
  const { PAYLINK_HITS: folder, PAYLINK_HITS_OF: test } = process.env;
  if (!folder || !test) return;
  const hit = `${file}\t${start}`;
  if (seen.has(`${test}\t${hit}`)) return;
  seen.add(`${test}\t${hit}`);
  appendFileSync(join(folder, encodeURIComponent(test)), `${hit}\n`);
};

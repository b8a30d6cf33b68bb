import { noHash } from './canonical.ts';
import { checkpointHash, foldHeads, type Head } from './checkpoint.ts';
import type { SealFinding } from './finding.ts';
import type { SealsRead, StoredCheckpoint } from './ports.ts';

/**
 * Verifies the checkpoint at this place of the list: its hash, that it follows the one before, and, where its heads are read, that each seal
 * that it names is there as it was.
 */
export async function verifyCheckpoint(
  seals: SealsRead,
  stored: readonly StoredCheckpoint[],
  at: number,
  { isRead }: { readonly isRead: boolean },
): Promise<readonly SealFinding[]> {
  const { date, checkpoint } = stored[at] ?? { date: '', checkpoint: undefined };
  const finding = (text: string): SealFinding => ({
    invariant: 'seals_chained',
    about: `checkpoint ${date}`,
    text: `The checkpoint of ${date} ${text}`,
  });
  if (!checkpoint) return [finding('cannot be read.')];
  const { hash, ...content } = checkpoint;
  if (content.date !== date || checkpointHash(content) !== hash)
    return [finding('was changed: its hash is not that of its content.')];
  const before = stored[at - 1];
  const follows = checkpoint.previous === (before ? before.checkpoint?.hash : noHash);
  const findings = follows
    ? []
    : [
        finding(
          before
            ? `does not follow the one of ${before.date}: one between them was removed, or that one was changed.`
            : 'does not begin the chain: checkpoints before it were removed.',
        ),
      ];
  if (!isRead) return findings;
  let folded = noHash;
  for (let part = 0; part < checkpoint.parts; part += 1) {
    const heads = await seals.headsOf(checkpoint, part);
    folded = foldHeads(folded, heads);
    findings.push(...(await missingHeads(seals, heads)));
  }
  if (folded !== checkpoint.headsHash) findings.push(finding('lists other seals than it was written with.'));
  return findings;
}

async function missingHeads(seals: SealsRead, heads: readonly Head[]): Promise<readonly SealFinding[]> {
  const found = new Map((await seals.named(heads)).map((seal) => [textOf(seal), seal.hash]));
  return heads
    .filter((head) => found.get(textOf(head)) !== head.hash)
    .map((head) => ({
      invariant: 'seals_chained',
      about: `seal ${textOf(head)}`,
      text: `The seal of merchant ${textOf(head)} is not the one that its checkpoint names: it was removed or changed.`,
    }));
}

const textOf = ({ merchantId, currency, date }: Head): string => `${merchantId} ${currency} ${date}`;

import type { Mutant } from './mutant.ts';

const by = { scenario: 'what is done to a sealed journal is found' } as const;
const chain = 'lib/seal/verify-chain.ts';
const checkpoint = 'lib/seal/verify-checkpoint.ts';
const verification = 'lib/seal/verify-seals.ts';
const entries = 'lib/seal/verify-entries.ts';

/** The seals of the journal (docs/seals.md). */
export const sealMutants: readonly Mutant[] = [
  {
    name: 'seal-any-hash',
    guard: 'a seal has the hash of its content',
    patches: [{ file: chain, find: 'if (sealHash(seal) !== hash) return', put: "if (hash === '') return" }],
    by,
  },
  {
    name: 'seal-any-key',
    guard: 'a seal is under its own key',
    patches: [{ file: chain, find: '|| seal.date !== date)', put: ')' }],
    by,
  },
  {
    name: 'seal-of-tomorrow',
    guard: 'a seal is of a day that is over',
    patches: [
      {
        file: chain,
        find: "if (seal.to > now) return 'is of a day that is not over';",
        put: '',
      },
    ],
    by,
  },
  {
    name: 'seal-without-checkpoint',
    guard: 'what is sealed has a checkpoint',
    patches: [{ file: verification, find: 'if (!last ||', put: 'if (last || !last ||' }],
    by,
  },
  {
    name: 'seal-fewer-checkpoints',
    guard: 'there are never fewer checkpoints than an audit counted',
    patches: [{ file: verification, find: 'if (count >= knownCheckpoints) return;', put: 'return;' }],
    by,
  },
  {
    name: 'seal-first-of-any',
    guard: 'the first seal has none before it',
    patches: [
      {
        file: chain,
        find: 'return seal.previous === noHash ? undefined :',
        put: 'return seal.date ? undefined :',
      },
    ],
    by,
  },
  {
    name: 'seal-after-any',
    guard: 'a seal follows the one before',
    patches: [
      {
        file: chain,
        find: 'if (seal.previous !== before.seal.hash)',
        put: "if (seal.previous === '')",
      },
    ],
    by,
  },
  {
    name: 'seal-any-closing',
    guard: 'a seal closes with the sums before it and its own',
    patches: [
      {
        file: chain,
        find: 'if (!areSameSums(seal.closing,',
        put: 'if (seal.count < 0 && !areSameSums(seal.closing,',
      },
    ],
    by,
  },
  {
    name: 'sealed-day-any-entries',
    guard: 'the entries of a sealed day are those that were sealed',
    patches: [
      {
        file: entries,
        find: 'if (hash === seal.entriesHash && stored.count === seal.count &&',
        put: 'if (stored.count >= 0 ||',
      },
    ],
    by,
  },
  {
    name: 'sealed-day-any-hash',
    guard: 'the entries of a sealed day are compared by their hash, not by their number and sums alone',
    patches: [{ file: entries, find: 'if (hash === seal.entriesHash && ', put: 'if (' }],
    by,
  },
  {
    name: 'sealed-time-any-entry',
    guard: 'no entry is of sealed time and in no seal',
    patches: [
      { file: entries, find: 'if (!this.#first) return [];', put: 'if (this.#count >= 0) return [];' },
    ],
    by,
  },
  {
    name: 'checkpoint-any-hash',
    guard: 'a checkpoint has the hash of its content',
    patches: [{ file: checkpoint, find: '|| checkpointHash(content) !== hash)', put: ')' }],
    by,
  },
  {
    name: 'checkpoint-after-any',
    guard: 'a checkpoint follows the one before',
    patches: [
      {
        file: checkpoint,
        find: 'const follows = checkpoint.previous === (before ? before.checkpoint?.hash : noHash);',
        put: 'const follows = checkpoint.previous !== before?.date;',
      },
    ],
    by,
  },
  {
    name: 'checkpoint-any-heads',
    guard: 'a checkpoint lists the seals that it was written with',
    patches: [{ file: checkpoint, find: 'if (folded !== checkpoint.headsHash)', put: "if (folded === '')" }],
    by,
  },
  {
    name: 'checkpoint-heads-missing',
    guard: 'the seals that a checkpoint names are there: a chain cannot lose its last ones',
    patches: [
      {
        file: checkpoint,
        find: 'found.get(textOf(head)) !== head.hash',
        put: 'found.get(textOf(head)) === noHash',
      },
    ],
    by,
  },
  {
    name: 'sealed-at-once',
    guard: 'a day is sealed an hour after its end, when no entry of it is written any more',
    patches: [
      {
        file: 'lib/seal/sealed-day.ts',
        find: 'now.getTime() - sealingDelayMs',
        put: 'now.getTime() - sealingDelayMs / 2',
      },
    ],
    by,
  },
  {
    name: 'seal-overwritten',
    guard: 'a seal is written once',
    patches: [
      {
        file: 'lib/store/seals.ts',
        find: "Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(PK)' },",
        put: 'Put: { TableName: table.name, Item },',
      },
    ],
    by,
  },
];

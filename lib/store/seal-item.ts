import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { merchantAccounts, platformAccounts } from '../ledger/entry.ts';
import { billCurrencies } from '../money/money.ts';
import type { Checkpoint, Head } from '../seal/checkpoint.ts';
import type { Chain, Seal } from '../seal/seal.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/** Seals: a chain for each merchant and currency, in the order of their dates. Written once. */
export const chainPartition = ({ merchantId, currency }: Chain) => `SEAL#${merchantId}#${currency}` as const;
export const sealKey = (seal: Chain & Pick<Seal, 'date'>) =>
  ({ PK: chainPartition(seal), SK: `D#${seal.date}` }) as const;
/** The lines of the day, each with an entry's key and hash. */
export const linesKey = (seal: Chain & Pick<Seal, 'date'>) =>
  ({ PK: chainPartition(seal), SK: `L#${seal.date}` }) as const;

/** Checkpoints, and the heads of chains that each lists in parts. */
export const checkpointPartition = 'SEAL#ALL';
const checkpointKey = (date: string) => ({ PK: checkpointPartition, SK: `C#${date}` }) as const;
export const headsKey = (date: string, part: number) =>
  ({ PK: checkpointPartition, SK: `H#${date}#${String(part).padStart(6, '0')}` }) as const;

const sums = z.array(
  z.object({
    account: z.enum([...merchantAccounts, ...platformAccounts]),
    currency: z.enum(billCurrencies),
    minor,
  }),
);
const chain = { merchantId: storedId<MerchantId>(), currency: z.enum(billCurrencies) };

const seal = z.object({
  ...chain,
  date: z.string(),
  timeZone: z.string(),
  from: moment,
  to: moment,
  count: z.number(),
  sums,
  closing: sums,
  entriesHash: z.string(),
  previous: z.string(),
  hash: z.string(),
} satisfies Record<keyof Seal, z.ZodMiniType>);

const checkpoint = z.object({
  date: z.string(),
  to: moment,
  parts: z.number(),
  chains: z.number(),
  headsHash: z.string(),
  previous: z.string(),
  hash: z.string(),
} satisfies Record<keyof Checkpoint, z.ZodMiniType>);

const heads = z.object({
  heads: z.array(
    z.object({ ...chain, date: z.string(), hash: z.string() } satisfies Record<keyof Head, z.ZodMiniType>),
  ),
});

export const toSealItem = (of: Seal) => ({
  ...sealKey(of),
  ...of,
  from: of.from.toISOString(),
  to: of.to.toISOString(),
});
/** Undefined for an item that is no seal: the verification tells of it. */
export const readSeal = (raw: unknown): Seal | undefined => seal.safeParse(raw).data;

export const toCheckpointItem = (of: Checkpoint) => ({
  ...checkpointKey(of.date),
  ...of,
  to: of.to.toISOString(),
});
export const readCheckpoint = (raw: unknown): Checkpoint | undefined => checkpoint.safeParse(raw).data;

export const readHeads = (raw: unknown): readonly Head[] | undefined => heads.safeParse(raw).data?.heads;

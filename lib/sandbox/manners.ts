import * as z from 'zod/mini';

const seconds = z.int().check(z.nonnegative());

/**
 * How the sandbox treats its clients: as kindly as it can, or as a real provider does. It is a setting of the environment's
 * record, as JSON. The sandbox obeys it, and its adapters promise no more than it.
 */
export const sandboxManners = z.strictObject({
  /** Card orders: `two` authorises and then captures, `one` captures at once. SBP always captures at once. */
  steps: z.enum(['two', 'one']),
  /** Whether `cancel` ends an order that nobody has paid. Otherwise it is refused, and the order ends by itself. */
  endsOpenOrders: z.boolean(),
  /** How long an order's page can be paid, from its opening. */
  payableMinutes: z.int().check(z.positive()),
  /** How long an authorisation is held, from the opening of its order; then it lapses. */
  holdHours: z.union([z.literal('unlimited'), z.number().check(z.positive())]),
  /** Whether a declined order stays declined. Otherwise some test cards are captured later (`test-values.ts`). */
  failureIsFinal: z.boolean(),
  /** How long an idempotency key is known. After it the same key makes a new order, a new refund or a new transfer. */
  keyLifeHours: z.union([z.literal('unlimited'), z.number().check(z.positive())]),
  /** Whether a refusal is repeated under its key, although the call would be possible by now. */
  repeatsRefusals: z.boolean(),
  /** The fee on each capture, in hundredths of a percent, rounded half up. With 0 none is taken, and none is told. */
  feeBasisPoints: z.int().check(z.nonnegative(), z.maximum(10_000)),
  /** How long after the capture an order does not tell its fee yet. */
  feeAfterMinutes: z.int().check(z.nonnegative()),
  /** How long a new order is missing from the list. */
  listLagSeconds: seconds,
  /** How long a new transfer is missing from the search by the client's id. */
  searchLagSeconds: seconds,
  /** Whether cancelling an unknown transfer refuses its key from then on. */
  tombstones: z.boolean(),
  /**
   * Notifications: `doubled` are sent twice, `lost` never. `early` ones also come before the answer to the call that caused
   * them. `forged` ones also come when nothing happened: a capture that never was, and an order that does not exist.
   */
  notices: z.enum(['once', 'doubled', 'early', 'lost', 'forged']),
});
export type SandboxManners = Readonly<z.infer<typeof sandboxManners>>;

/** Keeps every promise that a provider can make. */
export const kindManners: SandboxManners = {
  steps: 'two',
  endsOpenOrders: true,
  payableMinutes: 60,
  holdHours: 'unlimited',
  failureIsFinal: true,
  keyLifeHours: 'unlimited',
  repeatsRefusals: false,
  feeBasisPoints: 0,
  feeAfterMinutes: 0,
  listLagSeconds: 0,
  searchLagSeconds: 0,
  tombstones: true,
  notices: 'once',
};

/** The manners of an environment's record: what it does not say is as kind as can be. */
export const mannersFrom = (given: object): SandboxManners =>
  sandboxManners.parse({ ...kindManners, ...given });

/** Keeps no more promises than the first real provider does. */
export const unkindManners: SandboxManners = {
  ...kindManners,
  endsOpenOrders: false,
  holdHours: 168,
  failureIsFinal: false,
  keyLifeHours: 24,
  repeatsRefusals: true,
  feeBasisPoints: 350,
  listLagSeconds: 60,
  searchLagSeconds: 60,
  tombstones: false,
  notices: 'forged',
};

/** Whether an idempotency key that was first used at this time is still known. */
export const isKeyAlive = (
  { keyLifeHours }: Pick<SandboxManners, 'keyLifeHours'>,
  at: Date,
  now: Date,
): boolean => keyLifeHours === 'unlimited' || now.getTime() - at.getTime() < keyLifeHours * 3_600_000;

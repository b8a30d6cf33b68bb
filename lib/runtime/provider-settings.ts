import * as z from 'zod/mini';
import type {
  AcquirerName,
  PaymentRoutes,
  PayoutRoutes,
  ProviderName,
  RailName,
  SettingsVariable,
} from '../installation/providers.ts';
import { billCurrencies } from '../money/money.ts';
import { paymentMethods } from '../payment/acquirer.ts';
import { accountTypes } from '../payout/destination.ts';
import { sandboxManners } from '../sandbox/manners.ts';
import { optionalSetting, setting } from './system.ts';

// The parts of an environment's record that are about providers, as the template passes them on. Each is read without a
// secret and without a call.

const names = ['sandbox', 'yookassa'] as const satisfies readonly ProviderName[];
const minor = z.pipe(
  z.int(),
  z.transform((value: number) => BigInt(value)),
);
const range = z.object({ minMinor: minor, maxMinor: minor });
const common = {
  payments: z.optional(
    z.partialRecord(z.enum(paymentMethods), z.partialRecord(z.enum(billCurrencies), range)),
  ),
  payouts: z.optional(z.partialRecord(z.enum(accountTypes), range)),
  calls: z.optional(z.object({ atOnce: z.int(), perSecond: z.int() })),
};
const receipts = z.object({
  taxSystem: z.optional(z.literal([1, 2, 3, 4, 5, 6])),
  vatCode: z.int(),
  subject: z.string(),
  mode: z.string(),
  sentBy: z.optional(z.literal('email')),
});
const schemas = {
  sandbox: z.object({ ...common, manners: z.partial(sandboxManners) }),
  yookassa: z.object({
    ...common,
    apiUrl: z.string(),
    live: z.optional(z.boolean()),
    receipts: z.optional(receipts),
    payoutBalanceAlarm: z.optional(z.partialRecord(z.enum(billCurrencies), minor)),
  }),
} as const satisfies Record<ProviderName, z.ZodMiniType>;

export type ProviderSettings<Name extends ProviderName = ProviderName> = z.output<(typeof schemas)[Name]>;

const variables = {
  sandbox: 'SANDBOX_SETTINGS',
  yookassa: 'YOOKASSA_SETTINGS',
} as const satisfies Record<ProviderName, SettingsVariable>;

/** Returns the settings of a deployed provider; undefined when it is not deployed or this function does not work with it. */
export function settingsOf<Name extends ProviderName>(name: Name): ProviderSettings<Name> | undefined {
  const text = optionalSetting(variables[name]);
  if (text === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this name gives this type
  return schemas[name].parse(JSON.parse(text)) as ProviderSettings<Name>;
}

/** Returns the names of the deployed providers that this function works with. */
export const deployedProviders = (): readonly ProviderName[] =>
  names.filter((name) => optionalSetting(variables[name]) !== undefined);

/** Returns which acquirer takes new payments, per method and currency. */
export const paymentRoutes = (): PaymentRoutes =>
  z
    .partialRecord(
      z.enum(paymentMethods),
      z.partialRecord(z.enum(billCurrencies), z.enum(names satisfies readonly AcquirerName[])),
    )
    .parse(JSON.parse(setting('PAYMENT_ROUTES')));

/** Returns which rail takes new payouts, per account type. */
export const payoutRoutes = (): PayoutRoutes =>
  z
    .partialRecord(z.enum(accountTypes), z.enum(names satisfies readonly RailName[]))
    .parse(JSON.parse(setting('PAYOUT_ROUTES')));

import { isIP } from 'node:net';
import {
  type CommonSettings,
  deployedNames,
  type DeployedProviders,
  type PaymentRoutes,
  type PayoutRoutes,
  providerNamed,
  type ProviderName,
  type Range,
  type YookassaSettings,
} from './providers.ts';
import { receiptFieldsWanted } from './receipt-settings.ts';

type ProviderFields = {
  readonly name: string;
  readonly providers: DeployedProviders;
  readonly payments: PaymentRoutes;
  readonly payouts: PayoutRoutes;
};

/** Returns what to change in a record's providers before it can be deployed, each as a part of one sentence. */
export function providersWanted(record: ProviderFields): readonly string[] {
  const routes = routesIn(record);
  return [
    ...(record.name === 'prod' ? testProvidersIn(record, routes) : []),
    ...routes.flatMap(({ field, provider, limitsField, limits }) => {
      if (!record.providers[provider]) return [`add ${provider}, which ${field} names, to providers`];
      return limits ? [] : [`give ${limitsField} limits, or take ${provider} out of ${field}`];
    }),
    ...deployedNames(record.providers).flatMap((name) => settingsWanted(name, record)),
  ];
}

/** A field of the record that names a provider for something new, and the provider's limits for that. */
type Route = {
  readonly field: string;
  readonly provider: ProviderName;
  readonly limitsField: string;
  readonly limits: Range | undefined;
};

const routesIn = ({ providers, payments, payouts }: ProviderFields): readonly Route[] => [
  ...present(payments).flatMap(([method, byCurrency]) =>
    present(byCurrency).map(([currency, provider]) => ({
      field: `payments.${method}.${currency}`,
      provider,
      limitsField: `providers.${provider}.payments.${method}.${currency}`,
      limits: providers[provider]?.payments?.[method]?.[currency],
    })),
  ),
  ...present(payouts).map(([type, provider]) => ({
    field: `payouts.${type}`,
    provider,
    limitsField: `providers.${provider}.payouts.${type}`,
    limits: providers[provider]?.payouts?.[type],
  })),
];

/** The fields through which production would accept test payments as real money. */
function testProvidersIn({ providers }: ProviderFields, routes: readonly Route[]): readonly string[] {
  const deployed = deployedNames(providers).map((name) => ({ field: 'providers', provider: name }));
  const found = [...deployed, ...routes].filter(({ provider }) => providerNamed(provider).forTests);
  const names = [...new Set(found.map(({ provider }) => provider))];
  return names.map((name) => {
    const fields = found.filter(({ provider }) => provider === name).map(({ field }) => field);
    return `take the ${name} out of ${listed(fields)}`;
  });
}

function settingsWanted(
  name: ProviderName,
  { name: environment, providers }: ProviderFields,
): readonly string[] {
  const settings: (CommonSettings & Partial<YookassaSettings>) | undefined = providers[name];
  if (!settings) return [];
  const { payments, payouts, calls, apiUrl, cardPayouts, receipts } = settings;
  const { notificationSources, payoutBalanceAlarm } = settings;
  const ranges = [
    ...present(payments).flatMap(([method, byCurrency]) =>
      present(byCurrency).map(([currency, range]) => [`payments.${method}.${currency}`, range] as const),
    ),
    ...present(payouts).map(([type, range]) => [`payouts.${type}`, range] as const),
  ];
  return [
    ...ranges.flatMap(([field, range]) =>
      isRange(range) ? [] : [`make providers.${name}.${field} a range of whole minor units`],
    ),
    ...(calls && !isCount(calls.atOnce) ? [`make providers.${name}.calls.atOnce at least 1`] : []),
    ...(calls && !isCount(calls.perSecond) ? [`make providers.${name}.calls.perSecond at least 1`] : []),
    ...(apiUrl !== undefined && environment !== 'local' && !isApiUrl(apiUrl)
      ? [`make providers.${name}.apiUrl an https address of another machine that ends in /v3`]
      : []),
    ...present(payoutBalanceAlarm).flatMap(([currency, minor]) =>
      isCount(minor) ? [] : [`make providers.${name}.payoutBalanceAlarm.${currency} whole minor units`],
    ),
    ...(notificationSources?.every(isAddressRange) === false
      ? [`make providers.${name}.notificationSources address ranges like 185.71.76.0/27`]
      : []),
    ...(name === 'yookassa' && payouts?.credit_card && cardPayouts === undefined
      ? [
          `take credit_card out of providers.${name}.payouts, or say in providers.${name}.cardPayouts that you may send card numbers`,
        ]
      : []),
    ...(receipts ? receiptFieldsWanted(receipts) : []).map(
      (wanted) => `make providers.${name}.receipts.${wanted}`,
    ),
  ];
}

/** The adapter appends paths. Credentials are sent there, and a loopback address is an emulator's. */
function isApiUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || text !== `${url.origin}${url.pathname}`) return false;
  const isLoopback = /^(?:(?:.*\.)?localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(url.hostname);
  return url.pathname.endsWith('/v3') && !isLoopback;
}

/** Whether text is a range in CIDR notation, and not of all addresses, which the firewall refuses. */
function isAddressRange(text: string): boolean {
  const [address = '', prefix = '', ...more] = text.split('/');
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0;
  return version !== 0 && more.length === 0 && bits >= 1 && bits <= longest;
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
const isRange = ({ minMinor, maxMinor }: Range): boolean =>
  isCount(minMinor) && isCount(maxMinor) && minMinor <= maxMinor;

/** Returns the entries of a record that have a value. */
const present = <Key extends string, Value>(
  record: Readonly<{ [K in Key]?: Value }> | undefined,
): readonly (readonly [Key, Value])[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `entries` loses the keys' type
  (Object.entries(record ?? {}) as [Key, Value | undefined][]).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );

/** `a, b and c`. */
export const listed = (parts: readonly string[]): string => parts.join(', ').replace(/, ([^,]*)$/, ' and $1');

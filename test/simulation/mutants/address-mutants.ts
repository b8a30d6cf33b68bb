import type { Mutant } from './mutant.ts';

const addresses = 'lib/http/api-addresses.ts';

/** Tokens that are tied to addresses. */
export const addressMutants: readonly Mutant[] = [
  {
    name: 'address-unchecked',
    guard: 'a token tied to addresses is refused from another, before every other refusal',
    patches: [
      {
        file: 'lib/http/endpoint.ts',
        find: 'if (!mayCallFrom(caller.apiAddresses, sourceIp))',
        put: 'if (!caller.banned && !mayCallFrom(caller.apiAddresses, sourceIp))',
      },
    ],
    by: { scenario: 'a token tied to addresses is refused from elsewhere' },
  },
  {
    name: 'address-not-carried',
    guard: 'the authorizer tells the endpoints the addresses of a token',
    patches: [
      {
        file: 'lib/http/caller.ts',
        find: "...(caller.apiAddresses && { apiAddresses: caller.apiAddresses.join(' ') }),",
        put: '',
      },
    ],
    by: { scenario: 'a token tied to addresses is refused from elsewhere' },
  },
  {
    name: 'address-unreadable',
    guard: 'a request whose address cannot be read is from none of the addresses',
    patches: [
      {
        file: addresses,
        find: "if (address === undefined || address.includes('/')) return false;",
        put: "if (address === undefined || address.includes('/')) return true;",
      },
    ],
    by: { scenario: 'a token tied to addresses is refused from what is no address' },
  },
  {
    name: 'audit-token-addresses',
    guard: 'the audit finds a token whose addresses were lifted',
    patches: [
      {
        file: 'lib/operator/audit/merchant-rules.ts',
        find: 'differingNames(flags, flagsOf(merchant))',
        put: 'differingNames(flags, { ...flagsOf(merchant), apiAddresses: flags.apiAddresses })',
      },
    ],
    by: { corruption: 'a token whose addresses were lifted' },
  },
];

import { newMerchantId } from '../ids.ts';
import { apiTokenContext, merchantWebhookContext } from './encryption-context.ts';
import type { Merchant, MerchantFlags } from './merchant.ts';
import { newToken, tokenHash } from './token.ts';
import { firstSecret, newWebhookSecret } from './webhook-secret.ts';
import type { IssuingPorts } from './issuing.ts';

type Ports = Pick<IssuingPorts, 'now' | 'newId' | 'random' | 'tokenKind' | 'merchants' | 'sealer'>;

/** The secrets in plaintext: they cannot be read again. */
type NewMerchant = {
  readonly merchant: Merchant;
  readonly apiToken: string;
  readonly payoutWebhookSecret: string;
};

/** The flags of a new merchant: what needs approval is off until the operator switches it on. */
const flagsAtFirst: MerchantFlags = {
  enabled: true,
  banned: false,
  verified: false,
  regularPayouts: false,
  subscription: 'active',
  apiAddresses: undefined,
  shards: undefined,
};

/** Creates a merchant with an API token and a payout webhook secret. */
export async function createMerchant(
  ports: Ports,
  { name }: { readonly name: string },
): Promise<NewMerchant> {
  const { now, newId, random, tokenKind, merchants, sealer } = ports;
  const id = newMerchantId(newId);
  const apiToken = newToken(random, tokenKind);
  const payoutWebhookSecret = newWebhookSecret(random);
  const merchant: Merchant = {
    ...flagsAtFirst,
    id,
    name,
    createdAt: now(),
    tokenHash: tokenHash(apiToken),
    tokenVersion: 1,
    sealedToken: await sealer.seal(apiToken, apiTokenContext({ id, tokenVersion: 1 })),
    payoutWebhookUrl: undefined,
    payoutWebhookSince: undefined,
    webhookSecrets: firstSecret(await sealer.seal(payoutWebhookSecret, merchantWebhookContext(id))),
    settlesKztIn: 'RUB',
  };
  await merchants.create(merchant);
  return { merchant, apiToken, payoutWebhookSecret };
}

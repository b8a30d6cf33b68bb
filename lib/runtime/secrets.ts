import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretVariable } from '../installation/providers.ts';
import { standingOfPrevious } from '../payment/page-secrets.ts';
import {
  type Accepted,
  type Credentials,
  standingOfPrevious as previousOfProvider,
} from '../provider/credentials.ts';
import { readSecret, readWithPrevious } from '../provider/secrets-manager.ts';
import type { YookassaCredentials } from '../provider/yookassa/client.ts';
import { readGatewaySecret, readShopSecret } from '../provider/yookassa/secret.ts';
import { requestHandler } from './deadlines.ts';
import { cached, cacheMs, lazy, type Renewable, renewable } from './cached.ts';
import { setting, system } from './system.ts';

const client = lazy(() => new SecretsManagerClient({ requestHandler }));

const secret = (settingName: SecretVariable) =>
  cached(() => readSecret(client(), setting(settingName)), { forMs: cacheMs });

export const pageSecrets = cached(
  () =>
    readWithPrevious(client(), setting('PAGE_SECRET_ID'), (since) => standingOfPrevious(since, system.now())),
  { forMs: cacheMs },
);
export const fingerprintSecret = secret('FINGERPRINT_SECRET_ID');

/** With the previous value for two days after a change, so that calls and notifications in flight survive it. */
const providerSecret = (name: SecretVariable) =>
  renewable(
    () => readWithPrevious(client(), setting(name), (since) => previousOfProvider(since, system.now())),
    { forMs: cacheMs },
  );
const credentialsIn =
  ({ value, renew }: Renewable<Accepted<string>>): Credentials<string> =>
  (how) =>
    how?.renewed ? renew() : value();

export const sandboxCredentials = credentialsIn(providerSecret('SANDBOX_SECRET_ID'));
/** For the sandbox itself. */
export const sandboxSecret = async () => (await sandboxCredentials())[0];

const yookassaShopValues = credentialsIn(providerSecret('YOOKASSA_SECRET_ID'));
const yookassaGatewayValues = credentialsIn(providerSecret('YOOKASSA_PAYOUTS_SECRET_ID'));
export const yookassaShopCredentials: Credentials<YookassaCredentials> = async (how) =>
  readShopSecret(await yookassaShopValues(how));
export const yookassaGatewayCredentials: Credentials<YookassaCredentials> = async (how) =>
  readGatewaySecret(await yookassaGatewayValues(how));
/** The secret parts of the notification address: the current one, then the previous one. */
export const yookassaNotificationSecrets = credentialsIn(providerSecret('YOOKASSA_NOTIFICATIONS_SECRET_ID'));

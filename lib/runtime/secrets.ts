import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SecretVariable } from '../installation/providers.ts';
import { standingOfPrevious } from '../payment/page-secrets.ts';
import { readSecret, readWithPrevious } from '../provider/secrets-manager.ts';
import * as yookassa from '../provider/yookassa/secret.ts';
import { requestHandler } from './deadlines.ts';
import { cached, lazy, cacheMs } from './cached.ts';
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
export const sandboxSecret = secret('SANDBOX_SECRET_ID');
/** With the previous value for two days after a change, so that calls and notifications in flight survive it. */
export const yookassaSecrets = cached(
  async () =>
    yookassa.readYookassaSecret(
      await readWithPrevious(client(), setting('YOOKASSA_SECRET_ID'), (since) =>
        yookassa.standingOfPrevious(since, system.now()),
      ),
    ),
  { forMs: cacheMs },
);

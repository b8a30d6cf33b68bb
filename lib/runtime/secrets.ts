import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readSecret } from '../provider/secrets-manager.ts';
import { requestHandler } from './aws-deadlines.ts';
import { lazy } from './lazy.ts';
import { setting } from './setting.ts';

const client = lazy(() => new SecretsManagerClient({ requestHandler }));

/** Read at the first use and kept for the life of the function's process. */
const secret = (settingName: string) => lazy(() => readSecret(client(), setting(settingName)));

export const pageSecret = secret('PAGE_SECRET_ID');
export const fingerprintSecret = secret('FINGERPRINT_SECRET_ID');
export const sandboxSecret = secret('SANDBOX_SECRET_ID');

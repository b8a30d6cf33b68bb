import type { Opener } from '../merchant/ports.ts';
import { liveSecrets } from '../merchant/webhook-secret.ts';
import type { Target } from './recipient.ts';
import type { Keys } from './signed-request.ts';

/** Opens the API token and the webhook secrets that sign a postback at this time. */
export async function openKeys(
  opener: Opener,
  { token: sealedToken, webhook }: Pick<Target, 'token' | 'webhook'>,
  at: Date,
): Promise<Keys> {
  const [token, webhookSecrets] = await Promise.all([
    opener.open(sealedToken.sealed, sealedToken.context),
    Promise.all(liveSecrets(webhook.secrets, at).map((sealed) => opener.open(sealed, webhook.context))),
  ]);
  return { token, webhookSecrets };
}

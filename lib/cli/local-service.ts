import type { MerchantId } from '../ids.ts';
import { CommandError } from '../installation/command-error.ts';
import {
  type Demo,
  readDemo,
  readRuntime,
  type RunningService,
  writeDemo,
} from '../installation/data-folder.ts';
import type { WebhookOwnerId } from '../merchant/rotate-webhook-secret.ts';

/** The local service, if it runs. */
export async function runningService(folder: string): Promise<RunningService> {
  const running = await readRuntime(folder);
  if (running) return running;
  throw new CommandError('The local service is not running: start it with npm start.', 'not_running');
}

type NewToken = { readonly merchantId: MerchantId; readonly apiToken: string };

/** Puts a merchant's new token into `demo.json`, if the file is about this merchant; answers whether it is. */
export async function replaceDemoToken(folder: string, { merchantId, apiToken }: NewToken): Promise<boolean> {
  const demo = await readDemo(folder);
  if (demo?.merchantId !== merchantId) return false;
  await writeDemo(folder, { ...demo, apiToken });
  return true;
}

/** Puts a new webhook secret into `demo.json`, if the file is about this shop or merchant; answers whether it is. */
export async function replaceDemoWebhookSecret(
  folder: string,
  owner: WebhookOwnerId,
  webhookSecret: string,
): Promise<boolean> {
  const demo = await readDemo(folder);
  const changed = demo && withWebhookSecret(demo, owner, webhookSecret);
  if (!changed) return false;
  await writeDemo(folder, changed);
  return true;
}

/** Shop and merchant begin with one secret; once either has a new one, that of payouts stands apart. */
function withWebhookSecret(demo: Demo, owner: WebhookOwnerId, webhookSecret: string): Demo | undefined {
  const { payoutWebhookSecret = demo.webhookSecret } = demo;
  if ('merchantId' in owner)
    return owner.merchantId === demo.merchantId ? { ...demo, payoutWebhookSecret: webhookSecret } : undefined;
  return owner.shopId === demo.shopId ? { ...demo, webhookSecret, payoutWebhookSecret } : undefined;
}

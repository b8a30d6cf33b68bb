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

/** Returns the running local service. Throws a `CommandError` if it is not running. */
export async function runningService(folder: string): Promise<RunningService> {
  const running = await readRuntime(folder);
  if (running) return running;
  throw new CommandError('The local service is not running: start it with npm start.', 'not_running');
}

type NewToken = { readonly merchantId: MerchantId; readonly apiToken: string };

/** Writes a merchant's new token to `demo.json` if the file is about this merchant. Returns whether it is. */
export async function replaceDemoToken(folder: string, { merchantId, apiToken }: NewToken): Promise<boolean> {
  const demo = await readDemo(folder);
  if (demo?.merchantId !== merchantId) return false;
  await writeDemo(folder, { ...demo, apiToken });
  return true;
}

/** Writes a new webhook secret to `demo.json` if the file is about this shop or merchant. Returns whether it is. */
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

/** Shop and merchant share a secret at first. When either gets a new one, the payout secret gets its own field. */
function withWebhookSecret(demo: Demo, owner: WebhookOwnerId, webhookSecret: string): Demo | undefined {
  const { payoutWebhookSecret = demo.webhookSecret } = demo;
  if ('merchantId' in owner)
    return owner.merchantId === demo.merchantId ? { ...demo, payoutWebhookSecret: webhookSecret } : undefined;
  return owner.shopId === demo.shopId ? { ...demo, webhookSecret, payoutWebhookSecret } : undefined;
}

import { type Command, Option } from 'commander';
import { livePrevious } from '../../merchant/webhook-secret.ts';
import {
  findWebhookOwner,
  rotateWebhookSecret,
  type WebhookOwner,
} from '../../merchant/rotate-webhook-secret.ts';
import { keyValues } from '../output.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';

type Options = { readonly atOnce?: true };

export function webhookSecretCommands(group: Command, shell: Shell): void {
  addCommand<Options>(group, shell, {
    usage: 'rotate <shop-or-merchant>',
    description: 'create a new secret; the old one also signs for 24 hours, so that receivers can switch',
    options: [new Option('--at-once', 'after a leak: only the new secret signs from now on')],
    example: 'webhook-secret rotate 8sYw2Rk1TzQ4JhVe --yes',
    run: async (context, { args: [id = ''], options: { atOnce = false }, confirm }) => {
      const owner = required(await findWebhookOwner(context, id), 'shop_or_merchant_not_found');
      await confirm(`${question(owner)} ${consequence(owner, { atOnce, now: context.now() })}`);
      const made = unwrap(await rotateWebhookSecret(context, { owner, atOnce }));
      const { webhookSecret, previousUntil } = made;
      const json = { ...owner.id, webhookSecret, previousUntil: previousUntil?.toISOString() ?? null };
      // The secret must be shown even if the file cannot be written.
      const rewritten = await context.demo.replaceWebhookSecret(owner.id, webhookSecret).catch(() => false);
      const also = rewritten ? '\nIt is also in .paylink/demo.json.' : '';
      return { json, text: `${keyValues(json)}\n\nKeep it safe: it is not shown again.${also}` };
    },
  });
}

const question = ({ id, name }: WebhookOwner): string =>
  `Replace the secret of the ${'shopId' in id ? 'payment' : 'payout'} postbacks of ${name}?`;

type When = { readonly atOnce: boolean; readonly now: Date };

/** Returns the effect on receivers. A receiver without a signing secret refuses every postback. */
function consequence({ webhookSecrets }: WebhookOwner, { atOnce, now }: When): string {
  if (atOnce) return 'Only the new one signs from now on.';
  return livePrevious(webhookSecrets, now)
    ? 'The one before it still signs and stops now; the current one stops in 24 hours.'
    : 'The old one stops in 24 hours.';
}

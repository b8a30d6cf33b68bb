import { type Command, Option } from 'commander';
import { rotatePageSecret } from '../../payment/rotate-page-secret.ts';
import { addCommand } from '../add-command.ts';
import type { Shell } from '../shell.ts';

type Options = { readonly atOnce?: true };

export function pageSecretCommands(group: Command, shell: Shell): void {
  addCommand<Options>(group, shell, {
    usage: 'rotate',
    description: 'create a new secret; forms signed with the old one are accepted for two more hours',
    options: [new Option('--at-once', 'after a leak: only forms signed with the new secret are accepted')],
    example: 'page-secret rotate --yes',
    run: async (context, { options: { atOnce = false }, confirm }) => {
      await confirm(`Replace the secret of the payer pages? ${consequence(atOnce)}`);
      await rotatePageSecret(context, { atOnce });
      const text = `Done: every function accepts the new secret within five minutes and signs with it within fifteen. ${consequence(atOnce)}`;
      return { json: { rotated: true, atOnce }, text };
    },
  });
}

const consequence = (atOnce: boolean): string =>
  atOnce
    ? 'In five minutes the old one is no longer accepted: payers with an open page are shown it again.'
    : 'Forms on pages that are open now stay valid for their full lifetime.';

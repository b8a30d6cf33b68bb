import { type Command, Option } from 'commander';
import { rotatePageSecret } from '../../payment/rotate-page-secret.ts';
import { addCommand, addGroup } from '../add-command.ts';
import type { Shell } from '../shell.ts';

type Options = { readonly atOnce?: true };

export function pageSecretCommands(program: Command, shell: Shell): void {
  const group = addGroup(program, 'page-secret', 'what the payers’ pages sign their forms with');

  addCommand<Options>(group, shell, {
    usage: 'rotate',
    description: 'make a new secret; what the old one signed is accepted for two hours more',
    options: [new Option('--at-once', 'the old one has leaked: only what the new one signed is accepted')],
    example: 'page-secret rotate --yes',
    run: async (context, { options: { atOnce = false }, confirm }) => {
      await confirm(`Replace the secret of the payers’ pages? ${consequence(atOnce)}`);
      await rotatePageSecret(context, { atOnce });
      const text = `Done: every function knows the new one in five minutes and signs with it in fifteen. ${consequence(atOnce)}`;
      return { json: { rotated: true, atOnce }, text };
    },
  });
}

const consequence = (atOnce: boolean): string =>
  atOnce
    ? 'In five minutes the old one opens nothing any more: who has a payment page open then sees it again.'
    : 'Pages that are open now can be sent for as long as they live.';

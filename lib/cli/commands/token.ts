import type { Command } from 'commander';
import { refreshToken } from '../../operator/refresh-token.ts';
import { facts } from '../answer.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { noun, verb } from '../verb.ts';

export function tokenCommands(program: Command, shell: Shell): void {
  const token = noun(program, 'token', 'what a merchant signs its requests with');

  verb(token, shell, {
    usage: 'refresh <merchant>',
    meaning: 'make a new token; the old one is refused from then on',
    example: 'token refresh 3f9KpQ7sXv2LmN8b --yes',
    work: async (context, { args: [merchantId = ''], confirm }) => {
      const { name } = required(await context.merchants.find(merchantId), 'merchant_not_found');
      await confirm(`Replace the token of ${name}? The old one stops working at once.`);
      const json = unwrap(await refreshToken(context, { merchantId }));
      const rewritten = await context.demo.replaceToken(merchantId, json.apiToken);
      const also = rewritten ? '\n.paylink/demo.json has the new one too.' : '';
      return { json, text: `${facts(json)}\n\nKeep it safe: it is not shown again.${also}` };
    },
  });
}

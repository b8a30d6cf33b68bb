import type { Command } from 'commander';
import { readMerchantId } from '../../ids.ts';
import { refreshToken } from '../../merchant/refresh-token.ts';
import { keyValues } from '../output.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';

export function tokenCommands(token: Command, shell: Shell): void {
  addCommand(token, shell, {
    usage: 'refresh <merchant>',
    description: 'create a new token; the old one is refused at once',
    example: 'token refresh 3f9KpQ7sXv2LmN8b --yes',
    run: async (context, { args: [merchant], confirm }) => {
      const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
      const { name } = required(await context.merchants.find(merchantId), 'merchant_not_found');
      await confirm(`Replace the token of ${name}? The old one stops working at once.`);
      const json = unwrap(await refreshToken(context, { merchantId }));
      const rewritten = await context.demo.replaceToken(merchantId, json.apiToken);
      const also = rewritten ? '\nIt is also in .paylink/demo.json.' : '';
      return { json, text: `${keyValues(json)}\n\nKeep it safe: it is not shown again.${also}` };
    },
  });
}

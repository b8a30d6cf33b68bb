import { type Command, Option } from 'commander';
import { replayOnePostback } from '../../operator/replay-postback.ts';
import { findWebhookOwner } from '../../operator/rotate-webhook-secret.ts';
import { endpointIdOf } from '../../postback/event.ts';
import { resumeEndpoint } from '../../postback/replay-postbacks.ts';
import { table } from '../output.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand, addGroup } from '../add-command.ts';
import { postbackView } from '../views.ts';

type Filter = { readonly shop?: string; readonly merchant?: string };

export function postbackCommands(program: Command, shell: Shell): void {
  const postbacks = addGroup(program, 'postbacks', 'notices that are owed to merchants');
  addList(postbacks, shell);
  addReplay(postbacks, shell);

  const endpoint = addGroup(
    program,
    'endpoint',
    'where postbacks go: a shop’s Result URL, a merchant’s payout webhook',
  );
  addResume(endpoint, shell);
}

function addList(group: Command, shell: Shell): void {
  addCommand<Filter>(group, shell, {
    usage: 'list',
    description: 'show what was not delivered: still being tried, PAUSED or DEAD',
    options: [
      new Option('--shop <shop>', 'only those for this shop’s Result URL'),
      new Option('--merchant <merchant>', 'only those of this merchant'),
    ],
    example: 'postbacks list --shop 8sYw2Rk1TzQ4JhVe',
    run: async (context, { options: { shop, merchant } }) => {
      const { events, shops, merchants } = context;
      if (shop !== undefined) required(await shops.find(shop), 'shop_not_found');
      if (merchant !== undefined) required(await merchants.find(merchant), 'merchant_not_found');
      const json = (await events.listUndelivered())
        .filter((event) => shop === undefined || endpointIdOf(event) === shop)
        .filter((event) => merchant === undefined || event.merchantId === merchant)
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
        .map(postbackView);
      const rows = json.map((each) => [
        each.id,
        each.state,
        each.endpoint,
        each.tries,
        each.lastOutcome,
        each.nextAt ?? '-',
      ]);
      const titles = ['postback', 'state', 'endpoint', 'tries', 'last outcome', 'next'];
      return { json, text: table(titles, rows, 'Every postback is delivered.') };
    },
  });
}

function addReplay(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'replay <postback>',
    description: 'send a postback again, delivered or not; it keeps its id',
    example: 'postbacks replay pay.uW3kZ9sLq0TbXc5V00aB4dE6fG.SUCCESS',
    run: async (context, { args: [eventId = ''] }) => {
      const json = postbackView(unwrap(await replayOnePostback(context, { eventId })));
      return { json, text: `Postback ${json.id} is on its way to ${json.endpoint}: see trace ${json.id}` };
    },
  });
}

function addResume(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'resume <shop-or-merchant>',
    description: 'call an endpoint again that was paused, and send what waited for it',
    example: 'endpoint resume 8sYw2Rk1TzQ4JhVe',
    run: async (context, { args: [endpointId = ''] }) => {
      const { name } = required(await findWebhookOwner(context, endpointId), 'shop_or_merchant_not_found');
      const health = await context.endpoints.find(endpointId);
      const { replayed } = await resumeEndpoint({ ...context, queue: context.postbackQueue }, endpointId);
      const text = health?.paused
        ? `The endpoint of ${name} is called again; postbacks on their way: ${replayed}.`
        : `The endpoint of ${name} was not paused; postbacks on their way: ${replayed}.`;
      return { json: { endpoint: endpointId, wasPaused: health?.paused ?? false, replayed }, text };
    },
  });
}

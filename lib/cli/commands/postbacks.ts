import { type Command, Option } from 'commander';
import { readMerchantId, readRefundUrlId, readShopId, shopIdOf } from '../../ids.ts';
import type { EndpointId } from '../../postback/event.ts';
import { isOwedTo, replayOnePostback, replaySince } from '../../postback/replay-postback.ts';
import { findWebhookOwner, type WebhookOwnerId } from '../../merchant/rotate-webhook-secret.ts';
import { resumeEndpoint } from '../../postback/replay-postbacks.ts';
import { CommandError } from '../../installation/command-error.ts';
import type { OperatorContext } from '../operator-context.ts';
import { moment } from '../options.ts';
import { table } from '../output.ts';
import { required, unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';
import { postbackView } from '../views.ts';

type Filter = { readonly shop?: string; readonly merchant?: string };
type Replay = Filter & { readonly since?: Date };

const shopOption = () =>
  new Option('--shop <shop>', 'only postbacks to this shop’s Result URL and refund URL');
const merchantOption = () => new Option('--merchant <merchant>', 'only postbacks of this merchant');

export function postbackCommands(group: Command, shell: Shell): void {
  addList(group, shell);
  addReplay(group, shell);
}

export function endpointCommands(group: Command, shell: Shell): void {
  addResume(group, shell);
}

function addList(group: Command, shell: Shell): void {
  addCommand<Filter>(group, shell, {
    usage: 'list',
    description: 'show undelivered postbacks: being retried, PAUSED, or DEAD for up to 90 days',
    options: [shopOption(), merchantOption()],
    example: 'postbacks list --shop 8sYw2Rk1TzQ4JhVe',
    run: async (context, { options }) => {
      const whose = await ownersIn(context, options);
      const json = (await context.events.listUndelivered())
        .filter((event) => whose.every((each) => isOwedTo(each, event)))
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
        .map(postbackView);
      const rows = json.map((each) => [
        each.id,
        each.heldByBreaker ? `${each.state}, breaker open` : each.state,
        each.endpoint,
        each.tries,
        each.lastOutcome,
        each.nextAt ?? '-',
      ]);
      const titles = ['postback', 'state', 'endpoint', 'tries', 'last answer', 'next'];
      return { json, text: table(titles, rows, 'Every postback of the last 90 days is delivered.') };
    },
  });
}

/** Returns the named shop and merchant. Throws a `CommandError` if one does not exist. */
async function ownersIn(
  { shops, merchants }: OperatorContext,
  { shop, merchant }: Filter,
): Promise<readonly WebhookOwnerId[]> {
  const owners: WebhookOwnerId[] = [];
  if (shop !== undefined) {
    const shopId = required(readShopId(shop), 'shop_not_found');
    owners.push({ shopId: required(await shops.find(shopId), 'shop_not_found').id });
  }
  if (merchant !== undefined) {
    const merchantId = required(readMerchantId(merchant), 'merchant_not_found');
    owners.push({ merchantId: required(await merchants.find(merchantId), 'merchant_not_found').id });
  }
  return owners;
}

function addReplay(group: Command, shell: Shell): void {
  addCommand<Replay>(group, shell, {
    usage: 'replay [postback]',
    description:
      'send one postback again, delivered or not, or all undelivered ones since a date, including DEAD; ids stay the same',
    options: [shopOption(), merchantOption(), moment('since', 'postbacks created since then, in UTC')],
    example: 'postbacks replay --shop 8sYw2Rk1TzQ4JhVe --since 2026-11-20',
    run: async (context, { args: [eventId], options }) => {
      if (eventId === undefined) return replayMany(context, options);
      const json = postbackView(unwrap(await replayOnePostback(context, { eventId })));
      return { json, text: `Postback ${json.id} is queued for ${json.endpoint}: see trace ${json.id}` };
    },
  });
}

async function replayMany(context: OperatorContext, options: Replay) {
  const [whose, ...others] = await ownersIn(context, options);
  const { since } = options;
  if (!whose || others.length > 0 || !since)
    throw new CommandError(
      'Name one postback, or --shop or --merchant together with --since.',
      'nothing_named',
    );
  const json = await replaySince(context, { whose, since });
  const rest =
    json.paused.length === 0
      ? ''
      : ` Paused, so nothing was sent there: ${json.paused.join(', ')}; see endpoint resume.`;
  return { json, text: `Postbacks queued: ${json.replayed}; see postbacks list.${rest}` };
}

function addResume(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'resume <endpoint>',
    description:
      'resume an endpoint, close its circuit breaker, and send its waiting and DEAD postbacks: a shop (its Result URL), <shop>.refund (its refund URL), or a merchant (its payout webhook)',
    example: 'endpoint resume 8sYw2Rk1TzQ4JhVe',
    run: async (context, { args: [id = ''] }) => {
      const { endpointId, told } = await endpointNamed(context, id);
      const health = await context.endpoints.find(endpointId);
      const { replayed } = await resumeEndpoint({ ...context, queue: context.postbackQueue }, endpointId);
      const text = health?.paused
        ? `${told} is resumed; postbacks queued: ${replayed}.`
        : `${told} was not paused; postbacks queued: ${replayed}.`;
      return { json: { endpoint: endpointId, wasPaused: health?.paused ?? false, replayed }, text };
    },
  });
}

type Named = { readonly endpointId: EndpointId; readonly told: string };

/** Returns the endpoint with this id, as postbacks list shows it. Throws a `CommandError` when its shop or merchant does not exist. */
async function endpointNamed(context: OperatorContext, id: string): Promise<Named> {
  const refundUrlId = readRefundUrlId(id);
  if (refundUrlId) {
    const { name } = required(await context.shops.find(shopIdOf(refundUrlId)), 'shop_not_found');
    return { endpointId: refundUrlId, told: `The refund endpoint of ${name}` };
  }
  const { name, id: owner } = required(await findWebhookOwner(context, id), 'shop_or_merchant_not_found');
  return {
    endpointId: 'shopId' in owner ? owner.shopId : owner.merchantId,
    told: `The endpoint of ${name}`,
  };
}

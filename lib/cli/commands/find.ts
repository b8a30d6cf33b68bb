import type { Command, Option } from 'commander';
import { type Finding, find, type FoundItem } from '../../operator/lists/find.ts';
import { ownersOf } from '../../operator/lists/list.ts';
import { toDecimal } from '../../money/money.ts';
import { chargeMinor } from '../../payment/payment.ts';
import { defineCommand } from '../add-command.ts';
import { commandLine } from '../command-line.ts';
import { type ListOptions, listOptions, missing, windowOf } from '../list-command.ts';
import { merchantOption } from '../list-sources.ts';
import { merchantAsked } from '../merchant-asked.ts';
import { counted, table, timestamp } from '../output.ts';
import type { Shell } from '../shell.ts';

type Options = Pick<ListOptions, 'since' | 'until' | 'limit'> & { readonly merchant?: string };
type Asked = Options & { readonly env: string; readonly folder: string };

const taken = ['since', 'until', 'limit'];
const options = (): readonly Option[] => [
  merchantOption(),
  ...listOptions().filter((option) => taken.includes(option.attributeName())),
];

export function findCommand(command: Command, shell: Shell): void {
  defineCommand<Options>(command, shell, {
    options: options(),
    example: 'find 1250.00 --since 2026-11-20',
    run: async (context, { args: [text = ''], options: asked }) => {
      const now = context.now();
      const merchantId = await merchantAsked(context, asked.merchant);
      const owners = await ownersOf(context, merchantId);
      const window = windowOf(asked, now);
      const finding = await find(context, text, { owners, window, limit: asked.limit });
      const incompleteBefore = merchantId
        ? await context.listHistory.incompleteBefore(merchantId, now)
        : await context.listHistory.incompleteForAll(now);
      const shown = finding.found.slice(0, asked.limit).map(viewOf);
      const about = {
        owners: owners.length,
        window,
        incompleteBefore: missing(window.from, incompleteBefore),
      };
      return {
        json: {
          found: shown,
          since: window.from.toISOString(),
          until: window.to.toISOString(),
          merchants: owners.length,
          isAll: shown.length === finding.found.length && finding.unread.length === 0 && !finding.isOrderCut,
          incompleteBefore: about.incompleteBefore?.toISOString() ?? null,
        },
        text: [tableOf(shown), notesOn(finding, text, asked, about).join('\n')].join('\n\n'),
      };
    },
  });
}

const viewOf = (found: FoundItem) => ({
  is: found.kind,
  id: found.item.id,
  createdAt: found.item.createdAt.toISOString(),
  status: found.item.status,
  amount: toDecimal(found.kind === 'payment' ? chargeMinor(found.item) : found.item.amount.minor),
  currency: found.item.amount.currency,
  account: accountOf(found),
  orderId: found.kind === 'refund' ? null : (found.item.orderId ?? null),
  merchantId: found.item.merchantId,
});

function accountOf({ kind, item }: FoundItem): string | null {
  if (kind === 'payment') return item.fromCard ?? null;
  return kind === 'payout' ? item.mask : null;
}

function tableOf(shown: readonly ReturnType<typeof viewOf>[]): string {
  const rows = shown.map(({ is, id, createdAt, status, amount, currency, account, orderId, merchantId }) => [
    is,
    id,
    timestamp(new Date(createdAt)),
    status,
    `${amount} ${currency}`,
    account,
    merchantId,
    orderId,
  ]);
  const titles = ['', 'id', 'created', 'status', 'amount', 'account', 'merchant', 'order'];
  return table(titles, rows, 'Nothing was found.');
}

type About = {
  readonly owners: number;
  readonly window: ReturnType<typeof windowOf>;
  readonly incompleteBefore: Date | undefined;
};

/** What was searched, and what was left out. */
function notesOn(
  { sought, found, unread, isOrderCut }: Finding,
  text: string,
  asked: Asked,
  { owners, window, incompleteBefore }: About,
): readonly string[] {
  const { limit, merchant } = asked;
  const forms = [
    ...(sought.minor === undefined ? [] : ['by amount']),
    ...(sought.lastFour === undefined ? [] : ['by the last four digits of cards and accounts']),
  ];
  const ofMerchant = merchant === undefined ? [] : ['--merchant', merchant];
  const again = (more: readonly string[]) => commandLine(asked, ['find', text, ...ofMerchant, ...more]);
  // Every list is read again from where the first of them stopped, with what was created at that time.
  const stopped = Math.max(...unread.map(({ from }) => Date.parse(from.slice(0, 24))));
  const goOn =
    unread.length === 0
      ? []
      : ['--since', window.from.toISOString(), '--until', new Date(stopped + 1).toISOString()];
  return [
    `Searched ${counted(owners, 'merchant')}: by order id, whenever it was${
      forms.length === 0 ? '' : `; ${forms.join(' and ')}, what was created since ${timestamp(window.from)}`
    }.`,
    ...(found.length > limit ? [`${found.length - limit} older ones are left out: --limit shows them.`] : []),
    ...unread.map(
      ({ kind, from }) => `The ${kind}s are searched back to ${timestamp(new Date(from.slice(0, 24)))} only.`,
    ),
    ...(goOn.length === 0 ? [] : [`Go on: ${again(goOn)}`]),
    ...(isOrderCut
      ? [
          `An order has more than is shown: ${commandLine(asked, ['payments', 'list', ...ofMerchant, '--order', text])}`,
        ]
      : []),
    ...(forms.length > 0 && asked.since === undefined && goOn.length === 0
      ? ['--since searches amounts and accounts further back.']
      : []),
    ...(incompleteBefore === undefined
      ? []
      : [
          `Items from before the version with lists may be missing. To add them: ${commandLine(asked, ['migrate'])}`,
        ]),
    ...(found.length > 0 ? ['trace <id> shows everything about one of them.'] : []),
  ];
}

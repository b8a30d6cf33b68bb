import type { Demo } from '../../lib/installation/data-folder.ts';

/** What a person reads while the template is made. */
export const startingText =
  'Paylink starts: bundling the functions, synthesizing the template, and running it here …';

/** And after Ctrl-C. */
export const stoppingText = '\nStopping. The data stays in .paylink/.';

type Ready = { readonly seconds: number; readonly publicUrl: string | undefined };

/** What a person reads once everything runs. */
export function readyText({ baseUrl, apiToken, shopId }: Demo, { seconds, publicUrl }: Ready): string {
  const bearer = `-H 'Authorization: Bearer ${apiToken}'`;
  return `
Ready in ${seconds.toFixed(1)} s.

  Base URL  ${baseUrl}${publicUrl === undefined ? '' : `\n  Others    ${publicUrl}`}
  Token     ${apiToken}
  Shop id   ${shopId}

Create a bill, and keep its id:
  BILL=$(curl -s ${baseUrl}/api/v1/bill/create ${bearer} -d shop_id=${shopId} -d amount=100.50 | sed 's/.*"bill_id":"\\([^"]*\\)".*/\\1/'); echo "$BILL"

Its status:
  curl -sw '\\n' "${baseUrl}/api/v1/bill/status?id=$BILL" ${bearer}

The balance:
  curl -sw '\\n' ${baseUrl}/api/v1/merchant/balance ${bearer}

Then pay the bill with npm run pay -- "$BILL", or open ${baseUrl}/transfer/<bill id> in a browser,
and look at its status and the balance again. Ctrl-C stops everything; the data stays in .paylink/.
`;
}

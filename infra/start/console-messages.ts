import type { Demo, YookassaAccess } from '../../lib/installation/data-folder.ts';

/** Printed at start. */
export const startingText =
  'Paylink starts: bundling the functions, synthesizing the template, and running it here …';

/** Printed after Ctrl-C. */
export const stoppingText = '\nStopping. The data stays in .paylink/.';

type Ready = { readonly seconds: number; readonly publicUrl: string | undefined };

const yookassaLines = ({ apiUrl, journal }: YookassaAccess): string => `
  YooKassa  ${apiUrl} (an emulator; its keys are in demo.json, its exchanges in ${journal})`;

/** Returns the text that is printed when the service is ready. */
export function readyText(
  { baseUrl, apiToken, shopId, yookassa }: Demo,
  { seconds, publicUrl }: Ready,
): string {
  const bearer = `-H 'Authorization: Bearer ${apiToken}'`;
  return `
Ready in ${seconds.toFixed(1)} s.

  Base URL  ${baseUrl}${publicUrl === undefined ? '' : `\n  Others    ${publicUrl}`}
  Token     ${apiToken}
  Shop id   ${shopId}${yookassa ? yookassaLines(yookassa) : ''}

Create a bill and store its id in BILL:
  BILL=$(curl -s ${baseUrl}/api/v1/bill/create ${bearer} -d shop_id=${shopId} -d amount=100.50 | sed 's/.*"bill_id":"\\([^"]*\\)".*/\\1/'); echo "$BILL"

Get its status:
  curl -sw '\\n' "${baseUrl}/api/v1/bill/status?id=$BILL" ${bearer}

Get the balance:
  curl -sw '\\n' ${baseUrl}/api/v1/merchant/balance ${bearer}

Then pay the bill with npm run pay -- "$BILL", or open ${baseUrl}/transfer/<bill id> in a browser,
and get its status and the balance again. Ctrl-C stops everything; the data stays in .paylink/.
`;
}

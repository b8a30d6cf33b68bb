import { Command, Option } from 'commander';
import { keyValues } from './output.ts';
import { reportFailure } from './failure.ts';
import { type Journey, payBill, payerContact, sbp } from './payer.ts';
import { folderOption } from './options.ts';
import { runningService } from './local-service.ts';
import { CommandError } from '../installation/command-error.ts';

type PayOptions = {
  readonly card: string;
  readonly sbp?: true;
  readonly contact: string;
  readonly json?: true;
  readonly folder: string;
};

const program = new Command('pay')
  .description('Pays a bill over HTTP as a payer would, following pages and forms as a browser does.')
  .argument('<bill>', 'a bill’s id, or its link')
  .option('--card <number>', 'the card to pay with', '4111111111111111')
  .addOption(new Option('--sbp', 'pay with SBP instead of a card').conflicts('card'))
  .option('--contact <text>', 'the email or phone for the receipt, if the page asks', payerContact)
  .option('--json', 'print one JSON document')
  .addOption(folderOption())
  .addHelpText(
    'after',
    `
Exit code: 0 when the payment succeeded, 2 when it failed, 1 on any other error.

Examples:
  npm run pay -- uW3kZ9sLq0TbXc5V
  npm run pay -- http://127.0.0.1:3000/transfer/uW3kZ9sLq0TbXc5V --card 4000000000000002
  npm run pay -- uW3kZ9sLq0TbXc5V --sbp`,
  )
  .exitOverride()
  .action(async (bill: string, options: PayOptions) => {
    const { json, folder, contact } = options;
    const means = options.sbp ? sbp : options.card;
    const journey = await payBill(await linkTo(bill, folder), means, contact);
    console.log(json ? JSON.stringify(journey, null, 2) : summary(journey));
    process.exitCode = journey.status === 'FAIL' ? 2 : 0;
  });

async function linkTo(bill: string, folder: string): Promise<URL> {
  if (URL.canParse(bill)) return new URL(bill);
  if (/^[\w.-]+$/.test(bill)) {
    const { baseUrl, publicUrl = baseUrl } = await runningService(folder);
    redirectRequests(publicUrl, baseUrl);
    return new URL(`${publicUrl}/transfer/${bill}`);
  }
  throw new CommandError('Give a bill’s id, or its link_url or link_page_url.', 'bad_bill');
}

/** Sends requests for the public URL, which this machine may not resolve, to the local service. */
function redirectRequests(from: string, to: string): void {
  const fetchOriginal = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? undefined : String(input);
    return fetchOriginal(url?.startsWith(`${from}/`) ? to + url.slice(from.length) : input, init);
  };
}

function summary({ status, said, paymentId, sentTo, fields, shopAnswered }: Journey): string {
  const shop = shopAnswered === undefined ? `${sentTo} (no response)` : sentTo;
  return keyValues({
    status,
    ...(said !== undefined && { said }),
    payment: paymentId,
    'sent to': shop,
    ...fields,
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, process.argv, { out: console.log, err: console.error });
}

import { Command, InvalidArgumentError, Option } from 'commander';
import { dataFolder } from '../../lib/installation/paths.ts';

/** The options of `npm start --`. */
export type StartOptions = {
  readonly port: number;
  /** The address to listen on. */
  readonly host: string;
  /** The base URL for other machines and containers, without a trailing slash. */
  readonly publicUrl?: string;
  readonly reset: boolean;
  readonly resultUrl?: string;
  readonly successUrl?: string;
  readonly failUrl?: string;
  readonly payoutWebhookUrl?: string;
  /** The provider of payments and payouts: the sandbox, or the YooKassa emulator. */
  readonly provider: 'sandbox' | 'yookassa';
  /** Whether the YooKassa shop sends fiscal receipts, so that payers are asked for a contact. */
  readonly receipts: boolean;
  readonly steps?: 'one' | 'two';
  readonly sandboxPort?: number;
  /** The data folder. */
  readonly folder: string;
  /** The folder of an existing cloud assembly. Absent: one is synthesized. */
  readonly assembly?: string;
};

/** Parses the command line. `--help` prints the help and exits. */
export function readOptions(words: readonly string[]): StartOptions {
  const command = new Command('npm start --')
    .description('Runs Paylink on this machine, from its synthesized template, with the data in .paylink/.')
    .addOption(new Option('--port <number>', 'port of the API').argParser(portNumber).default(3000))
    .option(
      '--host <address>',
      'address that the API listens on; 0.0.0.0 makes it reachable from containers and other machines',
      '127.0.0.1',
    )
    .addOption(
      new Option('--public-url <url>', 'base URL for containers and other machines, used in links').argParser(
        origin,
      ),
    )
    .option('--reset', 'delete all local data first', false)
    .option('--result-url <url>', "the demo shop's Result URL, which receives payment postbacks")
    .option('--success-url <url>', "the demo shop's Success URL")
    .option('--fail-url <url>', "the demo shop's Fail URL")
    .option('--payout-webhook-url <url>', "the demo merchant's URL for payout postbacks")
    .addOption(
      new Option(
        '--provider <name>',
        'who takes payments in roubles and sends payouts: the sandbox, or a YooKassa emulator',
      )
        .choices(['sandbox', 'yookassa'])
        .default('sandbox'),
    )
    .option('--receipts', 'the YooKassa shop sends fiscal receipts, for which payers give a contact', false)
    .addOption(new Option('--steps <number>', 'how the sandbox captures').choices(['one', 'two']).hideHelp())
    .addOption(
      new Option('--sandbox-port <number>', 'serves the sandbox at a separate origin')
        .argParser(portNumber)
        .hideHelp(),
    )
    .addOption(new Option('--folder <path>', 'data folder').default(dataFolder).hideHelp())
    .addOption(new Option('--assembly <path>', 'runs an existing cloud assembly').hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  npm start -- --provider yookassa
  npm start -- --provider yookassa --receipts
  npm start -- --port 8080 --result-url http://127.0.0.1:9000/postbacks
  npm start -- --host 0.0.0.0 --public-url http://host.docker.internal:3000 --result-url http://localhost:8000/result`,
    );
  const options = command.parse(words, { from: 'user' }).opts<StartOptions>();
  if (options.receipts && options.provider !== 'yookassa')
    command.error('error: --receipts needs --provider yookassa: the sandbox sends no receipts');
  return options;
}

/** Parses a URL that has only an origin. Returns it without a trailing slash. */
function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError(
    'Give scheme, host and port only, for example http://host.docker.internal:3000.',
  );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 1 to 65535; 0 selects any free port.');
}

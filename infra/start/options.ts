import { Command, InvalidArgumentError, Option } from 'commander';
import { dataFolder } from '../../lib/installation/data-folder.ts';

/** What `npm start --` takes. */
export type StartOptions = {
  readonly port: number;
  /** The address to listen at. */
  readonly host: string;
  /** Where others reach this machine; without a slash at its end. */
  readonly publicUrl?: string;
  readonly reset: boolean;
  readonly resultUrl?: string;
  readonly successUrl?: string;
  readonly failUrl?: string;
  readonly payoutWebhookUrl?: string;
  readonly steps?: 'one' | 'two';
  readonly sandboxPort?: number;
  /** Where data stays. */
  readonly folder: string;
  /** A cloud assembly that was made before; without it one is made. */
  readonly assembly?: string;
};

/** Reads the command line; shows the help and ends the process when asked to. */
export function readOptions(words: readonly string[]): StartOptions {
  const command = new Command('npm start --')
    .description('Runs Paylink on this machine: the synthesized template itself, with its data in .paylink/.')
    .addOption(new Option('--port <number>', 'where the API is served').argParser(portNumber).default(3000))
    .option(
      '--host <address>',
      'where the API listens; 0.0.0.0 lets containers and other machines in',
      '127.0.0.1',
    )
    .addOption(
      new Option('--public-url <url>', 'how they reach it: links and addresses begin with it').argParser(
        origin,
      ),
    )
    .option('--reset', 'forget all local data and begin anew', false)
    .option('--result-url <url>', "the demo shop's Result URL, which gets the payment postbacks")
    .option('--success-url <url>', "the demo shop's Success URL")
    .option('--fail-url <url>', "the demo shop's Fail URL")
    .option('--payout-webhook-url <url>', "the demo merchant's URL for payout postbacks")
    .addOption(new Option('--steps <number>', 'how the sandbox captures').choices(['one', 'two']).hideHelp())
    .addOption(
      new Option('--sandbox-port <number>', 'serves the sandbox at an origin of its own')
        .argParser(portNumber)
        .hideHelp(),
    )
    .addOption(new Option('--folder <path>', 'where data stays').default(dataFolder).hideHelp())
    .addOption(new Option('--assembly <path>', 'runs a template made before').hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  npm start -- --port 8080 --result-url http://127.0.0.1:9000/postbacks
  npm start -- --host 0.0.0.0 --public-url http://host.docker.internal:3000 --result-url http://localhost:8000/result`,
    );
  return command.parse(words, { from: 'user' }).opts<StartOptions>();
}

/** As links begin with it: no path, no slash at the end. */
function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError('It is scheme, host and port alone, as http://host.docker.internal:3000.');
}

function portNumber(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 1 to 65535; 0 takes any free one.');
}

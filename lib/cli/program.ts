import { Command } from 'commander';
import { accountCommands } from './commands/account.ts';
import { adjustmentCommands } from './commands/adjustments.ts';
import { auditCommand } from './commands/audit.ts';
import { autoCommands } from './commands/auto.ts';
import { merchantCommands } from './commands/merchant.ts';
import { pageSecretCommands } from './commands/page-secret.ts';
import { paymentCommands } from './commands/payments.ts';
import { payoutCommands } from './commands/payouts.ts';
import { proposalCommands } from './commands/proposals.ts';
import { postbackCommands } from './commands/postbacks.ts';
import { rateCommands } from './commands/rates.ts';
import { shopCommands } from './commands/shop.ts';
import { termsCommands } from './commands/terms.ts';
import { tokenCommands } from './commands/token.ts';
import { traceCommand } from './commands/trace.ts';
import { webhookSecretCommands } from './commands/webhook-secret.ts';
import { whereCommand } from './commands/where.ts';
import { tellFailure } from './failure.ts';
import { folderOption } from './options.ts';
import type { Shell } from './shell.ts';

const groups = [
  merchantCommands,
  shopCommands,
  tokenCommands,
  webhookSecretCommands,
  pageSecretCommands,
  termsCommands,
  accountCommands,
  autoCommands,
  payoutCommands,
  paymentCommands,
  adjustmentCommands,
  proposalCommands,
  postbackCommands,
  rateCommands,
  traceCommand,
  auditCommand,
  whereCommand,
];

/** Runs one command line (without `node` and the script) and says the exit code of the process. */
export async function run(words: readonly string[], shell: Shell): Promise<number> {
  const program = programFor(shell);
  try {
    await program.parseAsync(words, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    return tellFailure(error, words, shell);
  }
}

/** All commands there are. */
export function programFor(shell: Shell): Command {
  const program = new Command('paylink')
    .description('The operator’s side of Paylink: what the service knows and no endpoint sets.')
    .option('--env <name>', 'the environment to work on: local, dev, staging or prod', 'local')
    .option('--json', 'answer with one JSON document')
    .option('--yes', 'do not ask before money moves or a token or secret is replaced')
    .option(
      '--by <name>',
      'local service only: whose name is kept with this, in place of your login’s; elsewhere it is your AWS identity',
    )
    .addOption(folderOption())
    .addHelpText('after', '\nEvery command explains itself: npm run paylink -- merchant set --help');
  for (const group of groups) group(program, shell);
  configureAll(program, shell);
  return program;
}

/** Settings that commander does not pass on to commands that were added before. */
function configureAll(command: Command, shell: Shell): void {
  command
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for its options and an example.')
    .configureOutput({
      writeOut: (text) => shell.out(text.trimEnd()),
      writeErr: (text) => shell.err(text.trimEnd()),
    });
  for (const each of command.commands) configureAll(each, shell);
}

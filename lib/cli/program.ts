import { Command } from 'commander';
import { accountCommands } from './commands/account.ts';
import { adjustmentCommands } from './commands/adjustments.ts';
import { auditCommand } from './commands/audit.ts';
import { autoCommands } from './commands/auto.ts';
import { bankCommands } from './commands/banks.ts';
import { reconcileCommands } from './commands/reconcile.ts';
import { chargebackCommands } from './commands/chargebacks.ts';
import { claimCommands } from './commands/claims.ts';
import { earningsCommand } from './commands/earnings.ts';
import { journalCommands } from './commands/journal.ts';
import { merchantCommands } from './commands/merchant.ts';
import { pageSecretCommands } from './commands/page-secret.ts';
import { paymentCommands } from './commands/payments.ts';
import { payoutCommands } from './commands/payouts.ts';
import { proposalCommands } from './commands/proposals.ts';
import { postbackCommands } from './commands/postbacks.ts';
import { providerCommands } from './commands/provider.ts';
import { rateCommands } from './commands/rates.ts';
import { receiptCommands } from './commands/receipts.ts';
import { shopCommands } from './commands/shop.ts';
import { termsCommands } from './commands/terms.ts';
import { tokenCommands } from './commands/token.ts';
import { traceCommand } from './commands/trace.ts';
import { webhookSecretCommands } from './commands/webhook-secret.ts';
import { whereCommand } from './commands/where.ts';
import { reportFailure } from './failure.ts';
import { folderOption } from './options.ts';
import type { Shell } from './shell.ts';
import { plainShell } from './terminal-text.ts';

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
  receiptCommands,
  chargebackCommands,
  claimCommands,
  adjustmentCommands,
  proposalCommands,
  postbackCommands,
  rateCommands,
  bankCommands,
  providerCommands,
  traceCommand,
  auditCommand,
  earningsCommand,
  journalCommands,
  reconcileCommands,
  whereCommand,
];

/** Runs one command line, without `node` and the script. Returns the process's exit code. */
export async function run(words: readonly string[], given: Shell): Promise<number> {
  const shell = plainShell(given);
  const program = programFor(shell);
  try {
    await program.parseAsync(words, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    return reportFailure(error, words, shell);
  }
}

/** Returns the program with all commands. */
export function programFor(shell: Shell): Command {
  const program = new Command('paylink')
    .description('The operator’s commands: everything about Paylink that no endpoint sets or shows.')
    .option('--env <name>', 'the environment to work on: local, dev, staging or prod', 'local')
    .option('--json', 'print one JSON document')
    .option('--yes', 'do not ask before money moves or a token or secret is replaced')
    .option(
      '--by <name>',
      'local service only: the name to record instead of your login; a deployed service uses your AWS identity',
    )
    .addOption(folderOption())
    .addHelpText('after', '\nEvery command has its own help: npm run paylink -- merchant set --help');
  for (const group of groups) group(program, shell);
  configureAll(program, shell);
  return program;
}

/** Applies settings that commander does not pass on to commands that already exist. */
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

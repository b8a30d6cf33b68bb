import { CommanderError, InvalidArgumentError } from 'commander';
import { CommandError } from '../installation/command-error.ts';

/** Where a command prints. */
type Output = { readonly out: (text: string) => void; readonly err: (text: string) => void };
type Failure = { readonly code: string; readonly sentence: string };

const noInstallation =
  'There is no such installation in this account and region: check --env, AWS_REGION and AWS_PROFILE.';

/** Sentences for errors of the SDK and the prompt, by the error's name. */
const sentences: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'No AWS credentials were found: log in, or set AWS_PROFILE.',
  ExpiredTokenException: 'The AWS credentials have expired: log in again.',
  UnrecognizedClientException: 'AWS does not know these credentials: log in again, or check AWS_PROFILE.',
  AccessDeniedException:
    'These AWS credentials are not allowed to do this: use the operator’s role, the approver’s to approve, or an administrator’s for a provider’s keys.',
  ResourceNotFoundException: noInstallation,
  QueueDoesNotExist: noInstallation,
  NotFoundException: noInstallation,
  ExitPromptError: 'Nothing was done.',
  TimeoutError: 'AWS is not responding: check the network and try again.',
};

/** Returns the code for scripts and the sentence for people of any error that ended a command. */
export function outcomeOf(error: unknown): Failure {
  if (error instanceof CommandError) return { code: error.code, sentence: error.message };
  if (error instanceof InvalidArgumentError) return { code: 'bad_argument', sentence: error.message };
  if (!(error instanceof Error)) return { code: 'broken', sentence: 'The command broke: try again.' };
  if (isRefusedConnection(error)) {
    return { code: 'not_running', sentence: 'The service is not responding: start it with npm start.' };
  }
  if (error.message === 'Region is missing') {
    return { code: 'no_region', sentence: 'No AWS region is set: set AWS_REGION.' };
  }
  const known = sentences[error.name];
  if (known) return { code: error.name, sentence: known };
  return {
    code: 'broken',
    sentence: `The command broke (${error.name}: ${error.message}): nothing more was done.`,
  };
}

const isRefusedConnection = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET');

/** Prints why the command ended, with `--json` also as JSON. Returns the exit code. */
export function reportFailure(error: unknown, words: readonly string[], { out, err }: Output): 0 | 1 {
  // commander has already printed its own errors and its help, but not an invalid argument that a command's action found.
  const isPrinted = error instanceof CommanderError && !(error instanceof InvalidArgumentError);
  if (isPrinted && error.exitCode === 0) return 0;
  const { code, sentence } = isPrinted ? usageError(error) : outcomeOf(error);
  if (!isPrinted) err(sentence);
  if (words.includes('--json')) out(JSON.stringify({ error: code, message: sentence }, null, 2));
  return 1;
}

const usageError = ({ code, message }: CommanderError): Failure => ({
  code: 'usage',
  sentence: code === 'commander.help' ? 'A command is missing: see --help.' : message.replace(/^error: /, ''),
});

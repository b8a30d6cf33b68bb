import { CommandError } from '../installation/command-error.ts';
import type { Shell } from './shell.ts';

/** The keys of the JSON value of a provider's secret, such as `shopId` and `secretKey`. */
type Fields = { readonly id: string; readonly secretKey: string };
type Keys = { readonly id: string; readonly value: string };

/** What a person says before an account is replaced by another. */
export const noOpenMoney = 'no payment or payout is open';

/**
 * Reads the keys of an account: from prompts that do not show them, or as one JSON object from standard input. They are never read
 * from the command line, which is visible in npm's log, the process list and the shell's history.
 */
export async function readKeys(
  { isInteractive, askHidden, readInput }: Pick<Shell, 'isInteractive' | 'askHidden' | 'readInput'>,
  fields: Fields,
  { live }: { readonly live: boolean },
): Promise<Keys> {
  const given = isInteractive
    ? {
        id: await askHidden(`${fields.id} (it is not shown):`),
        secretKey: await askHidden(`${fields.secretKey} (it is not shown):`),
      }
    : fromJson(await readInput(), fields);
  const [id, secretKey] = [given.id.trim(), given.secretKey.trim()];
  if (!/^\d{1,20}$/.test(id)) throw malformed(`${fields.id} must be digits, as in the cabinet`);
  if (!/^[\w.-]{20,200}$/.test(secretKey))
    throw malformed(`${fields.secretKey} must be 20 or more letters, digits, "_", "-" and "." in one line`);
  if (live && secretKey.startsWith('test_'))
    throw malformed(
      'this is the key of a test account, and prod takes real money: give those of the real one, which begin with live_',
    );
  return { id, value: JSON.stringify({ [fields.id]: id, [fields.secretKey]: secretKey }) };
}

function fromJson(text: string, fields: Fields): { readonly id: string; readonly secretKey: string } {
  const value = objectIn(text);
  const [id, secretKey] = [value?.[fields.id], value?.[fields.secretKey]];
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof secretKey !== 'string')
    throw malformed(
      `standard input must be one JSON object: {"${fields.id}": "…", "${fields.secretKey}": "…"}`,
    );
  // A longer number is rounded by JSON: it would be the id of another account.
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw malformed(`give ${fields.id} as text, in double quotes`);
  return { id: String(id), secretKey };
}

/** Never names the value: it may be a key. */
const malformed = (what: string): CommandError =>
  new CommandError(`Nothing was stored: ${what}.`, 'keys_malformed');

/** Returns the id of the account whose keys are stored; empty when none are. */
export function idIn(value: string, fields: Fields): string {
  const id = objectIn(value)?.[fields.id];
  return typeof id === 'string' ? id : '';
}

type Replacement = {
  readonly field: string;
  readonly environment: string;
  /** What the person says of it. */
  readonly words: string | undefined;
};

/** Throws a `CommandError` when the keys are of another account than the stored ones, and it is not said that nothing is open. */
export function refuseAnotherAccount(
  stored: string,
  given: string,
  { field, environment, words }: Replacement,
): void {
  if (stored === '' || stored === given || words === noOpenMoney) return;
  throw new CommandError(
    `Nothing was stored: ${environment} has ${field} ${stored}, and this is ${given}. Another account knows none of its payments and ` +
      'payouts, so one that is open could be lost or sent twice. When none is open, add ' +
      `--another-account "${noOpenMoney}".`,
    'another_account',
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

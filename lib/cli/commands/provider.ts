import { type Command, Option } from 'commander';
import { randomInt } from 'node:crypto';
import { base62Digits } from '../../base62.ts';
import { CommandError } from '../../installation/command-error.ts';
import { type SecretReader, secretNamesOf } from '../../installation/providers.ts';
import { addCommand } from '../add-command.ts';
import type { OperatorContext } from '../operator-context.ts';
import { keyValues } from '../output.ts';
import { idIn, noOpenMoney, readKeys, refuseAnotherAccount } from '../provider-keys.ts';
import { reportText } from '../provider-told.ts';
import type { Shell } from '../shell.ts';

export function providerCommands(group: Command, shell: Shell): void {
  addCheck(group, shell);
  addSet(group, shell);
  addAddress(group, shell);
}

function addCheck(group: Command, shell: Shell): void {
  addCommand(group, shell, {
    usage: 'check <provider>',
    description:
      'compare its accounts with the environment’s record, and send a notification to our own address; nothing is changed',
    example: 'provider check yookassa --env prod',
    run: async (context, { args: [name = ''] }) => {
      secretOf(name, 'notifications');
      const report = await context.checkProvider(name);
      if (!report) throw notDeployed(name, context.environment);
      const { problems } = report;
      return {
        json: { provider: name, environment: context.environment, ...report },
        text: reportText(name, context.environment, report),
        exitCode: problems.length === 0 ? 0 : 1,
      };
    },
  });
}

type SetOptions = { readonly payouts?: true; readonly anotherAccount?: string };

function addSet(group: Command, shell: Shell): void {
  addCommand<SetOptions>(group, shell, {
    usage: 'set <provider>',
    description:
      'store the id and secret key of the shop, or of the payout gateway, as JSON from standard input or from a prompt; the previous key counts for two days',
    options: [
      new Option('--payouts', 'the payout gateway in place of the shop'),
      new Option(
        '--another-account <words>',
        `replace the account by another: say "${noOpenMoney}" when that is so`,
      ),
    ],
    example: 'provider set yookassa --env prod',
    // The keys decide where the money goes: neither the operator's nor the approver's policy allows this.
    under: 'administrator',
    run: async (context, { args: [name = ''], options: { payouts = false, anotherAccount }, confirm }) => {
      const secret = secretOf(name, payouts ? 'rail' : 'acquirer');
      const { credentials } = secret;
      if (!credentials) throw notSettable(name);
      const keys = await readKeys(shell, credentials, { live: context.environment === 'prod' });
      const before = await readStored(context, name, secret.name);
      const stored = idIn(before, credentials);
      refuseAnotherAccount(stored, keys.id, {
        field: credentials.id,
        environment: context.environment,
        words: anotherAccount,
      });
      // A second copy would make the current keys the previous ones too, while the old ones still count.
      if (before === keys.value)
        throw new CommandError(`Nothing was stored: ${context.environment} has these keys.`, 'keys_known');
      await confirm(
        `Store the keys of ${credentials.id} ${keys.id} as ${secret.name} of ${context.environment}?`,
      );
      await context.providerSecrets.replace(secret.name, keys.value);
      const next = `provider check ${name} --env ${context.environment}`;
      return {
        json: { provider: name, secret: secret.name, id: keys.id, replaced: stored === '' ? null : stored },
        text: `Done: functions use the keys of ${credentials.id} ${keys.id} within five minutes. Next: ${next}`,
      };
    },
  });
}

function addAddress(group: Command, shell: Shell): void {
  addCommand<{ readonly rotate?: true }>(group, shell, {
    usage: 'address <provider>',
    description: 'show the notification address, which has a secret, for the provider’s cabinet',
    options: [new Option('--rotate', 'create a new address; the previous one stays open for two days')],
    example: 'provider address yookassa --env prod',
    under: 'administrator',
    run: async (context, { args: [name = ''], options: { rotate = false }, confirm }) => {
      const { name: secret } = secretOf(name, 'notifications');
      const current = await readStored(context, name, secret);
      const last = rotate ? newAddressSecret() : current;
      if (rotate) {
        await confirm(
          `Create a new notification address of ${name} in ${context.environment}? The previous one closes in two days.`,
        );
        await context.providerSecrets.replace(secret, last);
      }
      const address = `${publicUrlOf(context)}/acquirer/${name}/${last}`;
      const json = { provider: name, address, rotated: rotate };
      const what = rotate ? 'Set it in the cabinet within two days' : 'Set it in the cabinet';
      return {
        json,
        text: `${keyValues({ address })}\n\n${what}, of the shop and of the payout gateway. It is a secret: whoever has it can send notifications.`,
      };
    },
  });
}

/** Throws a `CommandError` in an environment without the provider, which has no such secret. */
async function readStored(
  { environment, providerSecrets }: OperatorContext,
  provider: string,
  secret: string,
): Promise<string> {
  try {
    return await providerSecrets.read(secret);
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException')
      throw notDeployed(provider, environment);
    throw error;
  }
}

const newAddressSecret = (): string =>
  Array.from({ length: 64 }, () => base62Digits.charAt(randomInt(base62Digits.length))).join('');

/** Without a domain the address begins with the API's own URL, which the stack prints. */
const publicUrlOf = ({ serviceUrl }: OperatorContext): string => serviceUrl ?? '<PublicUrl of the stack>';

/** Returns the provider's secret for this reader. Throws a `CommandError` for a provider without one. */
function secretOf(provider: string, reader: SecretReader) {
  const found = secretNamesOf(provider);
  if (!found)
    throw new CommandError(
      `There is no provider "${provider}": name one that the record can have, such as yookassa.`,
      'provider_unknown',
    );
  const secret = found.find(({ readBy }) => readBy.includes(reader));
  if (!secret) throw notSettable(provider);
  return secret;
}

const notSettable = (provider: string): CommandError =>
  new CommandError(
    `The ${provider} has no account, keys or notification address of this kind.`,
    'provider_without_account',
  );

const notDeployed = (provider: string, environment: string): CommandError =>
  new CommandError(
    `${environment} does not have ${provider}: add it to providers in its record, and deploy.`,
    'provider_not_deployed',
  );

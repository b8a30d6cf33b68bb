import { InvalidArgumentError, Option } from 'commander';
import { dataFolder } from '../installation/paths.ts';
import { CommandError } from '../installation/command-error.ts';
import { mostApiAddresses, readAddressRange } from '../http/api-addresses.ts';
import { balanceCurrencies, billCurrencies, parseDecimal } from '../money/money.ts';

/** `--name yes|no` */
export const yesNo = (name: string, description: string): Option =>
  new Option(`--${name} <yes|no>`, description).argParser((text) => {
    if (text === 'yes') return true;
    if (text === 'no') return false;
    throw new InvalidArgumentError('Give yes or no.');
  });

/** `--name <one of a few words>` */
export const choice = (name: string, words: readonly string[], description: string): Option =>
  new Option(`--${name} <${words.join('|')}>`, description).choices(words);

const mostMinor = 999_999_999_999_999n;

/** `--name <decimal>`, in minor units; zero is allowed. */
export const amount = (name: string, description: string): Option =>
  new Option(`--${name} <amount>`, description).argParser((text) => {
    const minor = parseDecimal(text, 2);
    if (minor !== undefined && minor <= mostMinor) return minor;
    throw new InvalidArgumentError(
      'Give a decimal with at most two places and at most thirteen digits before them, like 100.50.',
    );
  });

/** `--name <whole number>` */
export const wholeNumber = (
  name: string,
  [least, most]: readonly [number, number],
  description: string,
): Option =>
  new Option(`--${name} <number>`, description).argParser((text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  });

/** Returns a date or time, in UTC if it has no time zone. */
export function readMoment(text: string): Date {
  const at = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (/^\d{4}-\d\d-\d\d(?:T|$)/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new InvalidArgumentError('Give a date or a time in UTC, like 2026-11-20 or 2026-11-20T18:30.');
}

/** `--name <date or time>` */
export const moment = (name: string, description: string): Option =>
  new Option(`--${name} <date>`, description).argParser(readMoment);

/** `--api-addresses <list|any>`. `any` becomes the empty text, which removes the setting; empty text itself is refused. */
export const apiAddresses = (description: string): Option =>
  new Option(
    '--api-addresses <list|any>',
    `${description}, separated by commas, at most ${mostApiAddresses}`,
  ).argParser((text) => {
    if (text === 'any') return '';
    const ranges = text.split(',').map((each) => {
      const range = readAddressRange(each.trim());
      if (range !== undefined) return range;
      throw new InvalidArgumentError(
        `“${each.trim()}” is not an address such as 203.0.113.7 or a range such as 203.0.113.0/24 or 2001:db8::/48. Give any to lift the restriction.`,
      );
    });
    if (ranges.length <= mostApiAddresses) return [...new Set(ranges)];
    throw new InvalidArgumentError(`Give at most ${mostApiAddresses} addresses and ranges.`);
  });

/** `--name <text>`; an empty text removes the setting. */
export const setting = (flags: string, description: string): Option =>
  new Option(flags, `${description}; "" removes it`);

const maxNameLength = 100;

/** Returns a display name, trimmed. Throws if it is empty or too long. */
export function readName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= maxNameLength) return name;
  throw new InvalidArgumentError(`Give a name of at most ${maxNameLength} characters.`);
}

export const nameOption = (description: string): Option =>
  new Option('--name <name>', description).argParser(readName);

/** Parses an argument that names a currency, in upper or lower case. */
const currencyIn =
  <C extends string>(known: readonly C[]) =>
  (text: string): C => {
    const currency = known.find((each) => each === text.toUpperCase());
    if (currency) return currency;
    throw new InvalidArgumentError(`Choose one of ${known.join(', ')}.`);
  };

export const billCurrency = currencyIn(billCurrencies);
export const balanceCurrency = currencyIn(balanceCurrencies);

/** Returns the given options among `names`. An empty text becomes `undefined`, which removes the setting. */
export function picked<O extends object, N extends keyof O>(
  options: O,
  names: readonly N[],
): Partial<Pick<O, N>> {
  const some: Partial<Pick<O, N>> = {};
  for (const name of names)
    if (name in options) some[name] = options[name] === '' ? undefined : options[name];
  return some;
}

/** Returns the changes. Throws a `CommandError` if there are none. */
export function requireChanges<C extends object>(changes: C): C {
  if (Object.keys(changes).length > 0) return changes;
  throw new CommandError('Name a setting to change: --help lists them.', 'nothing_named');
}

/** The local service's data folder: two services can run at the same time, each with its own folder. */
export const folderOption = (): Option =>
  new Option('--folder <path>', 'data folder of the local service').default(dataFolder).hideHelp();

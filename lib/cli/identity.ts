import { CommandError } from '../installation/command-error.ts';
import { readPersonName } from '../ledger/signed-reason.ts';

export type Identify = (named: string | undefined, login: string) => Promise<string>;

/** At the local service a person is the name given with `--by`, or their login. */
export const identifyByName: Identify = async (named, login) => {
  const name = readPersonName(named ?? login);
  if (name !== undefined) return name;
  throw new CommandError('Give a name of 1 to 100 printable characters with --by.', 'person_invalid');
};

import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { CommandError } from '../installation/command-error.ts';
import { readPersonName } from '../ledger/signed-reason.ts';

type Identify = (named: string | undefined, login: string) => Promise<string>;

/** At the local service a person is the name given with `--by`, or their login. */
export const identifyByName: Identify = async (named, login) => {
  const name = readPersonName(named ?? login);
  if (name !== undefined) return name;
  throw new CommandError('Give a name of 1 to 100 printable characters with --by.', 'person_invalid');
};

/** A deployed service identifies people by the `aws:userid` of their login, which they cannot choose (docs/security.md). */
export const identifyBy =
  (sts: STSClient): Identify =>
  async (named) => {
    if (named !== undefined)
      throw new CommandError(
        '--by is for the local service: a deployed one uses your AWS identity.',
        'by_is_local',
      );
    const { UserId } = await sts.send(new GetCallerIdentityCommand({}));
    if (UserId !== undefined) return UserId;
    throw new CommandError('AWS does not return your identity: log in again.', 'person_invalid');
  };

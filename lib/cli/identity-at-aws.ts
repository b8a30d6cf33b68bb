import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { CommandError } from '../installation/command-error.ts';
import type { Identify } from './identity.ts';

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

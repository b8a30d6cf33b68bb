import { CommandError, messageOf } from '../installation/command-error.ts';
import { type Environment, environmentNamed, environments } from '../installation/environments.ts';
import { accessKeyOf, type LocalCaller } from '../installation/local-caller.ts';
import { clientConfig, type Endpoints } from '../installation/local-endpoints.ts';
import { namesOf } from '../installation/names.ts';
import { runningService } from './local-service.ts';

/** What an SDK client is made with; a deployed environment leaves all but its region to the SDK and the person's AWS login. */
type ClientConfig = Partial<Omit<ReturnType<typeof clientConfig>, 'credentials'>> & {
  readonly credentials?: () => Promise<Credentials>;
};
type Credentials = ReturnType<typeof clientConfig>['credentials'] & { readonly expiration: Date };
type WhoCalls = () => Promise<LocalCaller>;
type Service = 'DYNAMODB' | 'SQS' | 'KMS' | 'SECRETS_MANAGER' | 'LAMBDA';

/** One installation of the service: its record, its names, and how its AWS services are reached. */
export type Installation = {
  readonly environment: Environment;
  readonly names: ReturnType<typeof namesOf>;
  /** Who calls is asked at each call of the local service; elsewhere it is the person's AWS login. */
  readonly clientFor: (service: Service, whoCalls: WhoCalls) => ClientConfig;
  /** Where the local service keeps its data. */
  readonly folder: string | undefined;
};

/** The installation of that name: the service that runs here, or one that is deployed. */
export async function installationNamed(name: string, folder: string): Promise<Installation> {
  const environment = known(name);
  if (environment.name === 'local')
    return localInstallation((await runningService(folder)).endpoints, folder);
  const { region } = environment;
  const clientFor = () => (region ? { region } : {});
  return { environment, names: namesOf(environment.name), clientFor, folder: undefined };
}

/** The service that runs here. */
export const localInstallation = (endpoints: Endpoints, folder?: string): Installation => ({
  environment: environments.local,
  names: namesOf('local'),
  clientFor: (service, whoCalls) => {
    const config = clientConfig(endpoints[`AWS_ENDPOINT_URL_${service}`]);
    return { ...config, credentials: async () => credentialsOf(await whoCalls()) };
  },
  folder,
});

/** Over at once, so that the next call asks again who calls. */
const credentialsOf = (caller: LocalCaller): Credentials => ({
  accessKeyId: accessKeyOf(caller),
  secretAccessKey: 'local',
  expiration: new Date(0),
});

function known(name: string): Environment {
  try {
    return environmentNamed(name);
  } catch (error) {
    throw new CommandError(messageOf(error), 'no_environment');
  }
}

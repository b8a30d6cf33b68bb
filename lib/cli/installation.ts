import { CommandError, messageOf } from '../../infra/command-error.ts';
import { type Environment, environmentNamed, environments } from '../../infra/environments.ts';
import { clientConfig, type Endpoints } from '../../infra/local-endpoints.ts';
import { namesOf } from '../../infra/names.ts';
import { runningService } from './local-service.ts';

/** What an SDK client is made with; a deployed environment leaves all but its region to the SDK and the person's AWS login. */
type ClientConfig = Partial<ReturnType<typeof clientConfig>>;
type Service = 'DYNAMODB' | 'SQS' | 'KMS' | 'SECRETS_MANAGER' | 'LAMBDA';

/** One installation of the service: its record, its names, and how its AWS services are reached. */
export type Installation = {
  readonly environment: Environment;
  readonly names: ReturnType<typeof namesOf>;
  readonly clientFor: (service: Service) => ClientConfig;
  /** Where the local service keeps its data. */
  readonly folder?: string | undefined;
};

/** The installation of that name: the service that runs here, or one that is deployed. */
export async function installationNamed(name: string, folder: string): Promise<Installation> {
  const environment = known(name);
  if (environment.name === 'local')
    return localInstallation((await runningService(folder)).endpoints, folder);
  const { region } = environment;
  return { environment, names: namesOf(environment.name), clientFor: () => (region ? { region } : {}) };
}

/** The service that runs here. */
export const localInstallation = (endpoints: Endpoints, folder?: string): Installation => ({
  environment: environments.local,
  names: namesOf('local'),
  clientFor: (service) => clientConfig(endpoints[`AWS_ENDPOINT_URL_${service}`]),
  folder,
});

function known(name: string): Environment {
  try {
    return environmentNamed(name);
  } catch (error) {
    throw new CommandError(messageOf(error), 'no_environment');
  }
}

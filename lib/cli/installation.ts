import { CommandError, messageOf } from '../installation/command-error.ts';
import { type Environment, environmentNamed, environments } from '../installation/environments.ts';
import { accessKeyOf, type LocalCaller } from '../installation/local-caller.ts';
import { clientConfig, type Endpoints } from '../installation/local-endpoints.ts';
import { namesOf } from '../installation/names.ts';
import { runningService } from './local-service.ts';

/** An SDK client's configuration. For a deployed environment it is only the region; the rest comes from the AWS login. */
type ClientConfig = Partial<Omit<ReturnType<typeof clientConfig>, 'credentials'>> & {
  readonly credentials?: () => Promise<Credentials>;
};
type Credentials = ReturnType<typeof clientConfig>['credentials'] & { readonly expiration: Date };
type WhoCalls = () => Promise<LocalCaller>;
type Service = 'DYNAMODB' | 'SQS' | 'KMS' | 'SECRETS_MANAGER' | 'LAMBDA';

/** An installation of the service: its environment, its names, and how to reach its AWS services. */
export type Installation = {
  readonly environment: Environment;
  readonly names: ReturnType<typeof namesOf>;
  /** At the local service `whoCalls` is evaluated at each call. A deployed one uses the person's AWS login. */
  readonly clientFor: (service: Service, whoCalls: WhoCalls) => ClientConfig;
  /** The URL of the domain or of the local service; undefined for an environment without a domain. */
  readonly publicUrl: string | undefined;
  /** The local service's data folder. */
  readonly folder: string | undefined;
};

/** Returns the installation of an environment. `local` is the running local service. */
export async function installationNamed(name: string, folder: string): Promise<Installation> {
  const environment = known(name);
  if (environment.name === 'local') {
    const { endpoints, baseUrl, publicUrl = baseUrl } = await runningService(folder);
    return { ...localInstallation(endpoints, folder), publicUrl };
  }
  const { region, domain } = environment;
  const clientFor = () => (region ? { region } : {});
  const publicUrl = domain && `https://${domain.name}`;
  return { environment, names: namesOf(environment.name), clientFor, publicUrl, folder: undefined };
}

/** Returns the local service's installation. */
export const localInstallation = (endpoints: Endpoints, folder?: string): Installation => ({
  environment: environments.local,
  names: namesOf('local'),
  clientFor: (service, whoCalls) => {
    const config = clientConfig(endpoints[`AWS_ENDPOINT_URL_${service}`]);
    return { ...config, credentials: async () => credentialsOf(await whoCalls()) };
  },
  publicUrl: undefined,
  folder,
});

/** Credentials that expire at once, so that the SDK evaluates the caller at the next call again. */
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

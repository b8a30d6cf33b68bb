import { type EnvironmentName, environmentNamed } from '../../infra/environments.ts';
import { namesOf } from '../../infra/names.ts';
import { runningService } from './running.ts';
import { Trouble } from './trouble.ts';

/** What an SDK client is made with; a deployed environment leaves all to the SDK and the person's AWS login. */
type ClientConfig = {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
};
type Service = 'DYNAMODB' | 'SQS' | 'KMS';

/** One installation of the service: its record, its names, and how its AWS services are reached. */
export type Installation = {
  readonly environment: ReturnType<typeof environmentNamed>;
  readonly names: ReturnType<typeof namesOf>;
  readonly clientFor: (service: Service) => ClientConfig;
};

/** The SDK insists on having these; the local servers take any. */
const localClient = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/** The installation of that name: the service that runs here, or one that is deployed. */
export async function installationNamed(name: string, folder: string): Promise<Installation> {
  const environment = known(name);
  const names = namesOf(environment.name);
  if (environment.name !== 'local') return { environment, names, clientFor: () => ({}) };
  const { endpoints } = await runningService(folder);
  return {
    environment,
    names,
    clientFor: (service) => ({ ...localClient, endpoint: endpoints[`AWS_ENDPOINT_URL_${service}`] }),
  };
}

function known(name: string): { readonly name: EnvironmentName } & Installation['environment'] {
  try {
    return environmentNamed(name);
  } catch (error) {
    throw new Trouble('no_environment', error instanceof Error ? error.message : String(error));
  }
}

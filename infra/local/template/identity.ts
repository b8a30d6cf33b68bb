import { createHash } from 'node:crypto';
import { apiId, arn, type LocalDeployment } from './local-deployment.ts';

/** The values of a resource's `Ref` and of its `Fn::GetAtt` attributes. */
export type Identity = { readonly ref: string; readonly attributes: Readonly<Record<string, string>> };

/** A resource's logical id, and its evaluated text properties by name. */
type Named = { readonly id: string; readonly name: (property: string) => string | undefined };

/** The identity of each resource type. Names, ids and ARNs are the same at every start. */
const identities: Readonly<Record<string, (resource: Named, deployment: LocalDeployment) => Identity>> = {
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::SQS::Queue': (resource, deployment) => {
    const name = nameOf(resource, 'QueueName', deployment);
    return identity(`${deployment.queueOrigin}/${deployment.account}/${name}`, {
      QueueName: name,
      QueueUrl: `${deployment.queueOrigin}/${deployment.account}/${name}`,
      Arn: arn(deployment, 'sqs', name),
    });
  },
  'AWS::KMS::Key': ({ id }, deployment) => {
    const keyId = uuidOf(id);
    return identity(keyId, { KeyId: keyId, Arn: arn(deployment, 'kms', `key/${keyId}`) });
  },
  'AWS::KMS::Alias': (resource, deployment) => identity(nameOf(resource, 'AliasName', deployment)),
  'AWS::SecretsManager::Secret': (resource, deployment) => {
    const name = nameOf(resource, 'Name', deployment);
    const secretArn = arn(deployment, 'secretsmanager', `secret:${name}-${digest(name).slice(0, 6)}`);
    return identity(secretArn, { Id: secretArn });
  },
  'AWS::Lambda::Function': (resource, deployment) => {
    const name = nameOf(resource, 'FunctionName', deployment);
    return identity(name, { Arn: arn(deployment, 'lambda', `function:${name}`) });
  },
  'AWS::Lambda::Version': (resource, deployment) => qualified(resource, deployment, '1'),
  'AWS::Lambda::Alias': (resource, deployment) =>
    qualified(resource, deployment, resource.name('Name') ?? 'live'),
  'AWS::ApiGateway::RestApi': ({ id }) => identity(apiId, { RootResourceId: rootOf(id), RestApiId: apiId }),
  'AWS::ApiGateway::Stage': (resource) => identity(resource.name('StageName') ?? 'prod'),
};

/** Returns the `RootResourceId` of a REST API. */
export const rootOf = (restApi: string): string => `${restApi}-root`;

/** Returns a resource's identity. Resources that the runner ignores (roles, alarms, log groups) have a name and an ARN too. */
export function identify(type: string, resource: Named, deployment: LocalDeployment): Identity {
  const known = identities[type]?.(resource, deployment);
  if (known) return known;
  const service = type.split('::')[1]?.toLowerCase() ?? 'local';
  return identity(resource.id, { Arn: arn(deployment, service, resource.id) });
}

function table(resource: Named, deployment: LocalDeployment): Identity {
  const name = nameOf(resource, 'TableName', deployment);
  return identity(name, { Arn: arn(deployment, 'dynamodb', `table/${name}`), TableId: name });
}

/** Versions and aliases all refer to the same local function. */
function qualified(resource: Named, deployment: LocalDeployment, qualifier: string): Identity {
  const functionArn = arn(
    deployment,
    'lambda',
    `function:${resource.name('FunctionName') ?? resource.id}:${qualifier}`,
  );
  return identity(functionArn, { Version: qualifier, FunctionArn: functionArn, AliasArn: functionArn });
}

const identity = (ref: string, attributes: Readonly<Record<string, string>> = {}): Identity => ({
  ref,
  attributes,
});

const nameOf = ({ id, name }: Named, property: string, { stackName }: LocalDeployment): string =>
  name(property) ?? `${stackName}-${id}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function uuidOf(text: string): string {
  const hex = digest(text);
  return [8, 12, 16, 20].reduceRight((id, at) => `${id.slice(0, at)}-${id.slice(at)}`, hex.slice(0, 32));
}

import { cached } from '../runtime/cached.ts';
import { requestHandler, whileADayIsReconciled, whileAFunctionRuns } from '../runtime/deadlines.ts';
import type { Opener, Sealer } from '../merchant/ports.ts';
import { identifyByName } from './identity.ts';
import type { Installation } from './installation.ts';
import type { OperatorContext } from './operator-context.ts';

type AwsPorts = Pick<
  OperatorContext,
  | 'sealer'
  | 'destinationOpener'
  | 'destinationSealer'
  | 'fingerprintSecret'
  | 'pageSecret'
  | 'providerSecrets'
  | 'checkProvider'
  | 'postbackQueue'
  | 'identify'
  | 'carryOut'
  | 'reconcile'
  | 'refreshBanks'
>;
type ClientFor = (service: Parameters<Installation['clientFor']>[0]) => ReturnType<Installation['clientFor']>;

/**
 * Returns the ports on AWS services other than the table. Each SDK client is loaded and opened at the first call that needs it: to load
 * one takes longer than to load a command.
 */
export function awsPorts({ environment, names }: Installation, clientFor: ClientFor) {
  const open: { destroy(): void }[] = [];
  const once = <T>(make: () => Promise<T>) => cached(make, { forMs: Infinity });
  const client = <C extends { destroy(): void }>(make: () => Promise<C>) =>
    once(async () => {
      const made = await make();
      open.push(made);
      return made;
    });

  const kms = client(async () => {
    const { KMSClient } = await import('@aws-sdk/client-kms');
    return new KMSClient({ requestHandler, ...clientFor('KMS') });
  });
  const sealing = (alias: string): Sealer & Opener => {
    const under = once(async () => {
      const { openerUnder, sealerUnder } = await import('../provider/kms.ts');
      const opened = await kms();
      return { ...openerUnder(opened, names.alias(alias)), ...sealerUnder(opened, names.alias(alias)) };
    });
    return {
      seal: async (...given) => (await under()).seal(...given),
      open: async (...given) => (await under()).open(...given),
    };
  };

  const secretsManager = client(async () => {
    const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
    return new SecretsManagerClient({ requestHandler, ...clientFor('SECRETS_MANAGER') });
  });
  const secrets: OperatorContext['providerSecrets'] = {
    read: async (name) => {
      const { readSecret } = await import('../provider/secrets-manager.ts');
      return readSecret(await secretsManager(), names.secret(name));
    },
    replace: async (name, value) => {
      const { replaceSecret } = await import('../provider/secrets-manager.ts');
      await replaceSecret(await secretsManager(), names.secret(name), value);
    },
  };

  const lambdaWith = (
    config: typeof whileAFunctionRuns | typeof whileADayIsReconciled,
    maxAttempts?: number,
  ) =>
    client(async () => {
      const { LambdaClient } = await import('@aws-sdk/client-lambda');
      const attempts = maxAttempts === undefined ? {} : { maxAttempts };
      return new LambdaClient({ requestHandler: config, ...attempts, ...clientFor('LAMBDA') });
    });
  const lambda = lambdaWith(whileAFunctionRuns);
  // A repeated call would run the day a second time.
  const patientLambda = lambdaWith(whileADayIsReconciled, 1);
  const invocations = () => import('./invocations.ts');

  const queue = once(async () => {
    const [{ GetQueueUrlCommand, SQSClient }, { sqsQueue }] = await Promise.all([
      import('@aws-sdk/client-sqs'),
      import('../provider/sqs-queue.ts'),
    ]);
    const sqs = new SQSClient({ requestHandler, ...clientFor('SQS'), useQueueUrlAsEndpoint: false });
    open.push(sqs);
    const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: names.queue('postbacks') }));
    return sqsQueue(sqs, QueueUrl, 'eventId');
  });

  const sts = client(async () => {
    const { STSClient } = await import('@aws-sdk/client-sts');
    return new STSClient({ requestHandler });
  });

  const ports: AwsPorts = {
    sealer: sealing('tokens'),
    destinationOpener: sealing('destinations'),
    destinationSealer: sealing('destinations'),
    fingerprintSecret: () => secrets.read('fingerprint'),
    pageSecret: { replace: (secret) => secrets.replace('page', secret) },
    providerSecrets: secrets,
    checkProvider: async (provider) =>
      (await invocations()).checkBy(await lambda(), names.function('provider-check'))(provider),
    carryOut: async (key) =>
      (await invocations()).carryOutBy(await lambda(), names.function('carry-out'))(key),
    reconcile: async (date) =>
      (await invocations()).reconcileBy(await patientLambda(), names.function('reconcile'))(date),
    refreshBanks: async (how) =>
      (await invocations()).refreshBanksBy(await lambda(), names.function('payout-banks'))(how),
    postbackQueue: {
      send: async (...given) => (await queue()).send(...given),
      length: async () => (await queue()).length(),
    },
    identify:
      environment.name === 'local'
        ? identifyByName
        : async (...given) => (await import('./identity-at-aws.ts')).identifyBy(await sts())(...given),
  };
  const close = (): void => {
    for (const each of open) each.destroy();
  };
  return { ports, close };
}

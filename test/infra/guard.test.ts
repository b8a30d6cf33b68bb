import { createServer, type Server } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DecryptCommand, KMSClient, ReEncryptCommand } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../infra/local/http-server.ts';
import { accessKeyOf, type LocalRole } from '../../lib/installation/local-caller.ts';
import { type Guard, guardRights } from '../../infra/local/services/rights-guard.ts';
import { personOf } from '../../infra/start/paylink-here.ts';
import { templateOf } from './template.ts';

/** A service that answers everything with an empty object; the tests look at what reaches it. */
const reached: string[] = [];
let service: Server;
let guard: Guard;

beforeAll(async () => {
  service = createServer((request, response) => {
    reached.push(String(request.headers['x-amz-target']));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  const upstream = `http://127.0.0.1:${await listen(service, 0)}`;
  guard = await guardRights({ template: templateOf('local'), personOf, upstream: () => upstream });
});
beforeEach(() => void reached.splice(0));
afterAll(async () => {
  await guard.stop();
  service.close();
});

const config = (name: string) => signedWith(`paylink-local-fn-${name}`);
const signedWith = (accessKeyId: string) => ({
  endpoint: guard.origin,
  region: 'us-east-1',
  maxAttempts: 1,
  credentials: { accessKeyId, secretAccessKey: 'any' },
});
const tableOf = (name: string) => DynamoDBDocumentClient.from(new DynamoDBClient(config(name)));
const key = (PK: string) => ({ TableName: 'paylink-local', Key: { PK, SK: 'x' } });
const denied = { name: 'AccessDeniedException' };

describe('the guard of a local run', () => {
  it('lets a function read only what its role allows', async () => {
    await tableOf('bill-status').send(new GetCommand(key('B#1')));
    await expect(tableOf('bill-status').send(new GetCommand(key('BAL#1')))).rejects.toMatchObject(denied);
    expect(reached).toEqual(['DynamoDB_20120810.GetItem']);
    expect(guard.refusals.at(-1)).toMatchObject({ who: 'paylink-local-fn-bill-status' });
  });

  it('checks every step of a transaction', async () => {
    const put = (PK: string) => ({ Put: { TableName: 'paylink-local', Item: { PK, SK: 'x' } } });
    const update = (PK: string) => ({ Update: { ...key(PK), UpdateExpression: 'SET a = :a' } });
    const settle = (...TransactItems: (ReturnType<typeof put> | ReturnType<typeof update>)[]) =>
      tableOf('payment-check').send(new TransactWriteCommand({ TransactItems }));

    await settle(update('B#1'), update('BAL#1'), put('J#1'), put('E#1'));
    await expect(settle(update('B#1'), update('J#1'))).rejects.toMatchObject(denied);
    await expect(settle(update('B#1'), put('T#1'))).rejects.toMatchObject(denied);
    expect(reached).toEqual(['DynamoDB_20120810.TransactWriteItems']);
  });

  it('takes a journal entry in a transaction, and not as a put of its own', async () => {
    const entry = { TableName: 'paylink-local', Item: { PK: 'J#1', SK: 'x' } };
    const alone = tableOf('payment-check').send(new PutCommand(entry));
    await expect(alone).rejects.toMatchObject(denied);
    await tableOf('payment-check').send(new TransactWriteCommand({ TransactItems: [{ Put: entry }] }));
    expect(reached).toEqual(['DynamoDB_20120810.TransactWriteItems']);
  });

  it('recognizes the list that a query reads', async () => {
    const due = (name: string, list: string) =>
      tableOf(name).send(
        new QueryCommand({
          TableName: 'paylink-local',
          IndexName: 'WORK',
          KeyConditionExpression: '#list = :list AND workDue <= :now',
          ExpressionAttributeNames: { '#list': 'workList' },
          ExpressionAttributeValues: { ':now': 'now', ':list': list },
        }),
      );
    await due('postback-sweep', 'W#PB#01');
    await expect(due('postback-sweep', 'W#PO#01')).rejects.toMatchObject(denied);
  });

  it('checks the encryption context before a value is decrypted', async () => {
    const open = (name: string, use: string) =>
      new KMSClient(config(name)).send(
        new DecryptCommand({ CiphertextBlob: Buffer.from('x'), EncryptionContext: { use } }),
      );
    await open('postback-deliver', 'webhook-secret');
    await expect(open('result-page', 'webhook-secret')).rejects.toMatchObject(denied);
    await expect(open('payout-personal-create', 'payout-destination')).rejects.toMatchObject(denied);
  });

  it('checks both encryption contexts of a re-encryption', async () => {
    const reseal = (name: string, from: string, to: string) =>
      new KMSClient(config(name)).send(
        new ReEncryptCommand({
          CiphertextBlob: Buffer.from('x'),
          SourceEncryptionContext: { use: from },
          DestinationKeyId: 'alias/paylink-local-destinations',
          DestinationEncryptionContext: { use: to },
        }),
      );
    await reseal('payout-cancel', 'payout-destination', 'postback-phone');
    await expect(reseal('payout-cancel', 'payer-contact', 'postback-phone')).rejects.toMatchObject(denied);
    await expect(reseal('payout-cancel', 'payout-destination', 'api-token')).rejects.toMatchObject(denied);
    await expect(reseal('payout-dispatch', 'payout-destination', 'postback-phone')).rejects.toMatchObject(
      denied,
    );
  });

  it('refuses what it does not know', async () => {
    const scan = tableOf('bill-status').send(new ScanCommand({ TableName: 'paylink-local' }));
    await expect(scan).rejects.toMatchObject(denied);
    expect(reached).toEqual([]);
  });

  it('allows secrets and queues only to functions that need them', async () => {
    const read = (name: string, SecretId: string) =>
      new SecretsManagerClient(config(name)).send(new GetSecretValueCommand({ SecretId }));
    const QueueUrl = `${guard.origin}/000000000000/paylink-local-postbacks`;
    const send = (name: string) =>
      new SQSClient(config(name)).send(new SendMessageCommand({ QueueUrl, MessageBody: '1' }));

    await read('pay-page', 'arn:aws:secretsmanager:us-east-1:000000000000:secret:paylink/local/page-abcdef');
    await expect(read('redirect-page', 'paylink/local/sandbox')).rejects.toMatchObject(denied);
    await expect(send('bill-create')).rejects.toMatchObject(denied);
    await send('pay-submit').catch((error: Error) => expect(error.name).not.toBe(denied.name));
    expect(reached).toEqual(['secretsmanager.GetSecretValue', 'AmazonSQS.SendMessage']);
  });
});

describe('the guard before people', () => {
  const as = (role: LocalRole, by: string) => signedWith(accessKeyOf({ role, by }));
  const tableAs = (role: LocalRole, by: string) =>
    DynamoDBDocumentClient.from(new DynamoDBClient(as(role, by)));
  const puts = (role: LocalRole, by: string, PK: string) =>
    tableAs(role, by).send(new PutCommand({ TableName: 'paylink-local', Item: { PK, SK: 'x' } }));

  it('lets each write decisions of their own kind under their own name', async () => {
    await puts('operator', 'Ольга', 'OPERATOR#Ольга');
    await puts('approver', 'petr', 'APPROVER#petr');
    await expect(puts('operator', 'olga', 'OPERATOR#petr')).rejects.toMatchObject(denied);
    await expect(puts('operator', 'olga', 'APPROVER#olga')).rejects.toMatchObject(denied);
    await expect(puts('approver', 'petr', 'OPERATOR#petr')).rejects.toMatchObject(denied);
    expect(reached).toEqual(Array(2).fill('DynamoDB_20120810.PutItem'));
    expect(guard.refusals.at(-1)).toMatchObject({ who: 'approver petr' });
  });

  it('takes a name literally: a star in it matches nobody else', async () => {
    await puts('operator', '*', 'OPERATOR#*');
    await expect(puts('operator', '*', 'OPERATOR#petr')).rejects.toMatchObject(denied);
  });

  it('lets nobody write a payment, or a change that no transaction makes', async () => {
    const update = new UpdateCommand({ ...key('B#1'), UpdateExpression: 'SET a = :a' });
    await expect(tableAs('operator', 'olga').send(update)).rejects.toMatchObject(denied);
    await expect(puts('operator', 'olga', 'CHANGE#olga')).rejects.toMatchObject(denied);
    expect(reached).toEqual([]);
  });

  it('lets an operator say when a postback is sent, and not what it says', async () => {
    const change = (name: string) =>
      tableAs('operator', 'olga').send(
        new UpdateCommand({
          ...key('E#1'),
          UpdateExpression: `SET ${name} = :a, #b = if_not_exists(#b, :a)`,
          ExpressionAttributeNames: { '#b': 'tries' },
          ExpressionAttributeValues: { ':a': 'x' },
        }),
      );
    await change('nextAt');
    await expect(change('fields')).rejects.toMatchObject(denied);
    expect(reached).toEqual(['DynamoDB_20120810.UpdateItem']);
  });

  it('lets both read the whole table, and have decisions carried out by that function alone', async () => {
    for (const role of ['operator', 'approver'] as const) {
      const invoke = (name: string) =>
        new LambdaClient(as(role, 'anna')).send(
          new InvokeCommand({ FunctionName: `paylink-local-fn-${name}`, Payload: '{}' }),
        );
      await tableAs(role, 'anna').send(new ScanCommand({ TableName: 'paylink-local' }));
      await invoke('carry-out');
      await expect(invoke('payout-auto')).rejects.toMatchObject(denied);
    }
    expect(reached).toHaveLength(4);
  });

  it('refuses an unknown access key, and lets an administrator do everything', async () => {
    const scan = new ScanCommand({ TableName: 'paylink-local' });
    const stranger = DynamoDBDocumentClient.from(new DynamoDBClient(signedWith('local')));
    await expect(stranger.send(scan)).rejects.toMatchObject(denied);
    await puts('administrator', 'paylink', 'BAL#1');
  });
});

import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failedIds } from '../../infra/local/functions/batch-report.ts';
import { queueClient } from '../../infra/local/services/queues.ts';
import { type Bundle, run } from './runner-kit.ts';

const queues = {
  Dead: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'dead' } },
  Jobs: {
    Type: 'AWS::SQS::Queue',
    Properties: {
      QueueName: 'jobs',
      VisibilityTimeout: 1,
      RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 2 },
    },
  },
};

const mapping = (properties: object = {}) => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    BatchSize: 10,
    EventSourceArn: { 'Fn::GetAtt': ['Jobs', 'Arn'] },
    FunctionName: { 'Fn::GetAtt': ['work', 'Arn'] },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ...properties,
  },
});

async function start(work: Bundle, properties?: object) {
  const runner = await run({ functions: { work }, resources: { ...queues, Mapping: mapping(properties) } });
  const client = queueClient(runner.endpoints.AWS_ENDPOINT_URL_SQS);
  onTestFinished(() => client.destroy());
  const url = (name: string) => `${runner.endpoints.AWS_ENDPOINT_URL_SQS}/000000000000/${name}`;
  return {
    runner,
    send: (MessageBody: string) =>
      client.send(new SendMessageCommand({ QueueUrl: url('jobs'), MessageBody })),
    waiting: async (name: string) => {
      const QueueUrl = url(name);
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
      );
      return names.map((attribute) => Number(Attributes?.[attribute])).reduce((sum, count) => sum + count, 0);
    },
    texts: () => runner.lines.filter(({ stream }) => stream === 'stdout').map(({ text }) => text),
  };
}

describe('a queue with a function here', () => {
  it('delivers messages, and deletes handled ones', async () => {
    const { send, waiting, texts } = await start({
      code: `exports.handler = async ({ Records }) => {
        for (const { body, eventSource, eventSourceARN } of Records) console.log(body, eventSource, eventSourceARN);
      };`,
    });

    await send('one');

    await expect.poll(texts).toEqual(['one aws:sqs arn:aws:sqs:us-east-1:000000000000:jobs']);
    await expect.poll(() => waiting('jobs')).toBe(0);
  });

  it('redelivers only the messages that the function reports, and dead-letters them in the end', async () => {
    const { send, waiting, texts } = await start({
      code: `exports.handler = async ({ Records }) => {
        for (const { body, attributes } of Records) console.log(body, attributes.ApproximateReceiveCount);
        const failed = Records.filter(({ body }) => body === 'bad');
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      };`,
    });

    await Promise.all([send('good'), send('bad')]);

    await expect.poll(() => waiting('dead'), { timeout: 10_000 }).toBe(1);
    expect(texts().toSorted()).toEqual(['bad 1', 'bad 2', 'good 1']);
    expect(await waiting('jobs')).toBe(0);
  });

  it('redelivers the whole batch when the function fails', async () => {
    const { send, waiting, texts } = await start({
      code: `let count = 0;
        exports.handler = async ({ Records }) => {
          console.log(Records[0].body);
          if (++count === 1) throw new Error('crashed');
        };`,
    });

    await send('again');

    await expect.poll(texts, { timeout: 10_000 }).toEqual(['again', 'again']);
    await expect.poll(() => waiting('jobs')).toBe(0);
  });

  it('processes no more batches at once than the template says', async () => {
    const { send, texts } = await start(
      {
        code: `const { setTimeout: delay } = require('node:timers/promises');
          const { threadId } = require('node:worker_threads');
          exports.handler = async ({ Records }) => { await delay(20); console.log(threadId, Records[0].body); };`,
      },
      { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } },
    );

    await Promise.all(Array.from({ length: 12 }, (_, index) => send(String(index))));

    // On a busy machine a message comes again after its second, as queues may.
    const seen = (at: 0 | 1) => new Set(texts().map((text) => text.split(' ')[at]));
    await expect.poll(() => seen(1).size, { timeout: 10_000 }).toBe(12);
    expect(seen(0).size).toBeLessThanOrEqual(2);
  });
});

describe('a report of failed messages', () => {
  const messages = [{ MessageId: 'a' }, { MessageId: 'b' }];
  const report = (payload: unknown) => [
    ...failedIds({ ok: true, payload }, { reportsItemFailures: true }, messages),
  ];

  it.each([
    ['nothing', null, []],
    ['an empty list', { batchItemFailures: [] }, []],
    ['one of them', { batchItemFailures: [{ itemIdentifier: 'b' }] }, ['b']],
    ['a stranger', { batchItemFailures: [{ itemIdentifier: 'z' }] }, ['a', 'b']],
    ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }, ['a', 'b']],
    ['something else', 'ok', ['a', 'b']],
  ])('that names %s', (_case, payload, expected) => {
    expect(report(payload)).toEqual(expected);
  });
});

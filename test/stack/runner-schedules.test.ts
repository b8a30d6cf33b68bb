import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../infra/local/schedule-expression.ts';
import { run } from './runner-kit.ts';

const since = new Date('2026-11-21T10:00:30.000Z');

describe('a schedule here', () => {
  it.each([
    ['rate(1 minute)', '2026-11-21T10:00:30.000Z', '2026-11-21T10:01:30.000Z'],
    ['rate(1 minute)', '2026-11-21T10:05:00.000Z', '2026-11-21T10:05:30.000Z'],
    ['rate(2 hours)', '2026-11-21T10:00:30.000Z', '2026-11-21T12:00:30.000Z'],
    ['rate(1 day)', '2026-11-23T09:00:00.000Z', '2026-11-23T10:00:30.000Z'],
    ['cron(* * * * ? *)', '2026-11-21T10:00:30.000Z', '2026-11-21T10:01:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-11-21T10:46:00.000Z', '2026-11-21T11:00:00.000Z'],
    ['cron(30 3 * * ? *)', '2026-11-21T03:30:00.000Z', '2026-11-22T03:30:00.000Z'],
    ['cron(0 9 ? * MON-FRI *)', '2026-11-21T10:00:00.000Z', '2026-11-23T09:00:00.000Z'],
    ['cron(0 0 1 JAN,jul ? *)', '2026-11-21T10:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['cron(0 0 29 2 ? *)', '2026-11-21T10:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ])('%s after %s runs at %s', (expression, after, next) => {
    expect(parseSchedule(expression)(new Date(after), since).toISOString()).toBe(next);
  });

  it.each([
    'rate(0 minutes)',
    'rate(5 weeks)',
    'cron(* * * *)',
    'cron(61 * * * ? *)',
    'cron(0 0 L * ? *)',
    'daily',
  ])('%s is refused in one sentence', (expression) => {
    expect(() => parseSchedule(expression)).toThrow(`can not read the schedule "${expression}"`);
  });

  it('calls its function at its time with EventBridge’s event', async () => {
    // Half a second before the minute, by a clock that begins there.
    const began = Date.now();
    const now = () => new Date(Date.parse('2026-11-21T09:59:59.500Z') + Date.now() - began);
    const runner = await run({
      functions: { tick: { code: 'exports.handler = async (event) => console.log(JSON.stringify(event));' } },
      resources: {
        Rule: {
          Type: 'AWS::Events::Rule',
          Properties: {
            ScheduleExpression: 'cron(0 10 * * ? *)',
            Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['tick', 'Arn'] } }],
          },
        },
        Off: {
          Type: 'AWS::Events::Rule',
          Properties: {
            ScheduleExpression: 'cron(0 10 * * ? *)',
            State: 'DISABLED',
            Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['tick', 'Arn'] } }],
          },
        },
        Scheduled: {
          Type: 'AWS::Scheduler::Schedule',
          Properties: {
            ScheduleExpression: 'cron(0 10 * * ? *)',
            Target: { Arn: { 'Fn::GetAtt': ['tick', 'Arn'] }, Input: '{"hello":1}' },
          },
        },
      },
      options: { schedules: true, now },
    });

    await expect.poll(() => runner.lines.length, { timeout: 5000 }).toBe(2);
    expect(runner.lines.map(({ text }) => JSON.parse(text))).toEqual(
      expect.arrayContaining([
        { hello: 1 },
        expect.objectContaining({
          source: 'aws.events',
          'detail-type': 'Scheduled Event',
          time: '2026-11-21T10:00:00Z',
        }),
      ]),
    );
  });
});

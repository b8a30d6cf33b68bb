import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../infra/local/functions/schedule-expression.ts';
import { run } from './runner-kit.ts';

const since = new Date('2026-11-21T10:00:30.000Z');

/** Schedules are made at 09:59:00, and a moment later only half a second is left of their minute. */
function clockNearTheMinute(): () => Date {
  const readings = [new Date('2026-11-21T09:59:00.000Z')];
  const began = Date.now();
  return () => readings.pop() ?? new Date(Date.parse('2026-11-21T09:59:59.500Z') + Date.now() - began);
}

describe('a schedule here', () => {
  it.each([
    ['rate(1 minute)', '2026-11-21T10:00:30.000Z', '2026-11-21T10:01:30.000Z'],
    ['rate(1 minute)', '2026-11-21T10:05:00.000Z', '2026-11-21T10:05:30.000Z'],
    ['rate(2 hours)', '2026-11-21T10:00:30.000Z', '2026-11-21T12:00:30.000Z'],
    ['rate(1 day)', '2026-11-23T09:00:00.000Z', '2026-11-23T10:00:30.000Z'],
  ])('%s after %s runs at %s', (expression, after, next) => {
    expect(parseSchedule(expression)(new Date(after), since).toISOString()).toBe(next);
  });

  it.each(['rate(0 minutes)', 'rate(5 weeks)', 'cron(0 10 * * ? *)', 'daily'])(
    '%s is refused in one sentence',
    (expression) => {
      expect(() => parseSchedule(expression)).toThrow(`cannot read the schedule "${expression}"`);
    },
  );

  it('calls its function at its time with EventBridge’s event', async () => {
    const runner = await run({
      functions: { tick: { code: 'exports.handler = async (event) => console.log(JSON.stringify(event));' } },
      resources: {
        Rule: {
          Type: 'AWS::Events::Rule',
          Properties: {
            ScheduleExpression: 'rate(1 minute)',
            Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['tick', 'Arn'] } }],
          },
        },
        Off: {
          Type: 'AWS::Events::Rule',
          Properties: {
            ScheduleExpression: 'rate(1 minute)',
            State: 'DISABLED',
            Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['tick', 'Arn'] } }],
          },
        },
        Scheduled: {
          Type: 'AWS::Scheduler::Schedule',
          Properties: {
            ScheduleExpression: 'rate(1 minute)',
            Target: { Arn: { 'Fn::GetAtt': ['tick', 'Arn'] }, Input: '{"hello":1}' },
          },
        },
      },
      options: { schedules: true, now: clockNearTheMinute() },
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

import * as z from 'zod/mini';
import { functionNameIn } from './functions.ts';
import { localRegion } from '../../../lib/installation/local-endpoints.ts';
import { localAccount } from '../template/local-deployment.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { type NextRun, parseSchedule } from './schedule-expression.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** A schedule of the template. */
export type Schedule = {
  readonly functionName: string;
  readonly nextRun: NextRun;
  /** The event. Absent: EventBridge's default event. */
  readonly input?: unknown;
  readonly ruleArn: string;
};

const target = z.object({ Arn: z.string(), Input: z.optional(z.string()) });
const ruleSchema = z.object({
  ScheduleExpression: z.string(),
  State: z._default(z.string(), 'ENABLED'),
  Targets: z._default(z.array(target), []),
});
const scheduleSchema = z.object({
  ScheduleExpression: z.string(),
  State: z._default(z.string(), 'ENABLED'),
  Target: target,
});

/** Returns the enabled schedules of EventBridge rules and EventBridge Scheduler. */
export function schedulesOf(resources: readonly Resource[]): readonly Schedule[] {
  const rules = ofType(resources, 'AWS::Events::Rule').filter(
    ({ properties }) => 'ScheduleExpression' in properties,
  );
  const schedules = ofType(resources, 'AWS::Scheduler::Schedule');
  return [...rules, ...schedules].flatMap((resource) => {
    const { ScheduleExpression, State, targets } = read(resource);
    const nextRun = parseSchedule(ScheduleExpression);
    const ruleArn = resource.identity.attributes['Arn'] ?? resource.id;
    return State === 'ENABLED' ? targets.map((one) => scheduleOf(one, nextRun, ruleArn)) : [];
  });
}

/** Runs the schedules until they are stopped. */
export function startSchedules(
  schedules: readonly Schedule[],
  invoke: (functionName: string, event: unknown) => Promise<unknown>,
  now: () => Date,
): { stop: () => void } {
  const since = now();
  const timers = new Map<Schedule, NodeJS.Timeout>();
  const wait = (schedule: Schedule): void => {
    const at = schedule.nextRun(now(), since);
    // A timer waits at most 24.8 days; a longer wait takes several timers.
    const ms = Math.min(at.getTime() - now().getTime(), 2 ** 31 - 1);
    const timer = setTimeout(() => {
      if (now() >= at) void invoke(schedule.functionName, eventOf(schedule, at));
      wait(schedule);
    }, ms);
    timers.set(schedule, timer);
  };
  for (const schedule of schedules) wait(schedule);
  return { stop: () => timers.forEach((timer) => clearTimeout(timer)) };
}

/** Returns the rule's input, or EventBridge's default event. */
function eventOf({ input, ruleArn }: Schedule, at: Date): unknown {
  if (input !== undefined) return input;
  return {
    version: '0',
    id: `local-${at.getTime()}`,
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: localAccount,
    time: `${at.toISOString().slice(0, 19)}Z`,
    region: localRegion,
    resources: [ruleArn],
    detail: {},
  };
}

function scheduleOf({ Arn, Input }: z.infer<typeof target>, nextRun: NextRun, ruleArn: string): Schedule {
  const functionName = functionNameIn(Arn);
  if (!functionName)
    throw new CommandError(`The local runner runs schedules of functions only, not of ${Arn}.`);
  return { functionName, nextRun, ruleArn, input: Input === undefined ? undefined : JSON.parse(Input) };
}

function read({ id, type, properties }: Resource) {
  const rule = type === 'AWS::Events::Rule' ? ruleSchema.safeParse(properties) : undefined;
  if (rule?.success) return { ...rule.data, targets: rule.data.Targets };
  const schedule = rule ? undefined : scheduleSchema.safeParse(properties);
  if (schedule?.success) return { ...schedule.data, targets: [schedule.data.Target] };
  throw new CommandError(`The local runner cannot read the schedule ${id} of the template.`);
}

import { describe, expect, it } from 'vitest';
import { environments } from '../../lib/installation/environments.ts';
import { functions } from '../../infra/functions.ts';
import { plain } from '../../infra/local/rights/policy.ts';
import { allFunctions, at, functionOf, listAt, ofType, templateOf } from './template.ts';

const template = templateOf('prod');
const deployed = allFunctions.filter((name) => name !== 'sandbox');
const idOf = (name: string): string => functionOf(template, `paylink-prod-fn-${name}`).id;
const scheduled = Object.entries(functions).flatMap(([name, { trigger }]) =>
  trigger && 'everyMinutes' in trigger ? [[name, trigger.everyMinutes] as const] : [],
);
const workers = Object.entries(functions).flatMap(([name, { trigger }]) =>
  trigger && 'queue' in trigger ? [[name, trigger.queue] as const] : [],
);

describe('a scheduled function', () => {
  it.each([
    ['payment-sweep', 'rate(1 minute)'],
    ['postback-sweep', 'rate(1 minute)'],
    ['payout-sweep', 'rate(1 minute)'],
    ['payout-banks', 'rate(1 day)'],
    ['audit', 'rate(10 minutes)'],
    ['payout-auto', 'rate(1 minute)'],
  ])('%s is called at a %s', (name, rate) => {
    const rule = ofType(template, 'AWS::Events::Rule').find((one) =>
      JSON.stringify(at(one, 'Targets')).includes(`"${idOf(name)}"`),
    );
    expect(rule?.Properties).toMatchObject({ ScheduleExpression: rate, State: 'ENABLED' });
  });

  it.each(scheduled)('%s is not run again after a failure, by Lambda neither', (name, minutes) => {
    const configured = ofType(template, 'AWS::Lambda::EventInvokeConfig').filter(
      (one) => plain(at(one, 'FunctionName')) === idOf(name),
    );
    expect(configured).toMatchObject([
      { Properties: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: Math.min(minutes * 60, 21_600) } },
    ]);
  });

  it.each(scheduled)('%s is invoked once per event', (name) => {
    const targets = ofType(template, 'AWS::Events::Rule').flatMap((rule) => listAt(rule, 'Targets'));
    const own = targets.filter((target) => JSON.stringify(target).includes(`"${idOf(name)}"`));
    expect(own).toMatchObject([{ RetryPolicy: { MaximumRetryAttempts: 0 } }]);
  });
});

describe('a queue’s worker', () => {
  it('may send to its own queue despite loop detection; no other function may', () => {
    const looping = deployed.filter(
      (name) => at(functionOf(template, `paylink-prod-fn-${name}`), 'RecursiveLoop') === 'Allow',
    );
    const sendsToItself = ([name, queue]: (typeof workers)[number]) =>
      functions[name]?.rights.sends?.includes(queue) === true;
    expect(looping).toEqual(workers.filter(sendsToItself).map(([name]) => name));
  });

  it('checks one payment per batch, with the concurrency of the record', () => {
    const mappings = ofType(template, 'AWS::Lambda::EventSourceMapping');
    const [mapping] = mappings.filter((one) => plain(at(one, 'FunctionName')) === idOf('payment-check'));
    expect(mapping?.Properties).toMatchObject({
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: environments.prod.concurrency.payments },
    });
  });
});

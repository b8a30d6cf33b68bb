import { isoTime } from '../clock.ts';
import { runDue } from '../due.ts';
import { advanceClock } from '../world.ts';
import type { ControlCall, ControlRoute } from './route.ts';
import { clockMove, forgedNotification, notificationAddress, readFaultRule } from './schemas.ts';

const clock = ({ world }: ControlCall) => ({
  now: isoTime(world.clock.now()),
  aheadSeconds: world.clock.offset() / 1000,
});

/** Answers when everything that became due has happened and its notifications were answered or failed. */
async function moveClock(call: ControlCall) {
  const { world, notifier } = call;
  const { advanceSeconds } = clockMove.parse(call.body);
  advanceClock(world, Math.round(advanceSeconds * 1000));
  runDue(world);
  await notifier.sendDue();
  await notifier.idle();
  return clock(call);
}

const notifications = ({ notifier }: ControlCall) => ({
  url: notifier.url() ?? null,
  pending: notifier.pending(),
});

function setAddress(call: ControlCall) {
  call.notifier.setUrl(notificationAddress.parse(call.body).url ?? undefined);
  return notifications(call);
}

/** Sends a notification that the provider did not make. Answers with the status of the receiver, null if it did not answer. */
async function forge({ notifier, body }: ControlCall) {
  const forged = forgedNotification.parse(body).body;
  return { status: (await notifier.forge(JSON.stringify(forged))) ?? null };
}

const faults = ({ world }: ControlCall) => ({ rules: world.faults.list() });

export const worldRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: /^\/clock$/, run: clock },
  { method: 'POST', path: /^\/clock$/, run: moveClock },
  { method: 'GET', path: /^\/notifications$/, run: notifications },
  { method: 'PUT', path: /^\/notifications$/, run: setAddress },
  { method: 'POST', path: /^\/notifications$/, run: forge },
  { method: 'GET', path: /^\/faults$/, run: faults },
  { method: 'POST', path: /^\/faults$/, run: ({ world, body }) => world.faults.add(readFaultRule(body)) },
  {
    method: 'DELETE',
    path: /^\/faults$/,
    run: (call) => {
      call.world.faults.clear();
      return faults(call);
    },
  },
];

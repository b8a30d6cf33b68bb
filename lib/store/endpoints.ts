import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { isRefundUrlId, shopIdOf } from '../ids.ts';
import type { EndpointId } from '../postback/event.ts';
import type { EndpointHealth, Endpoints } from '../postback/ports.ts';
import { changeSteps } from './changes.ts';
import { conditionalWrite } from './conditional-write.ts';
import { endpointKey, toEndpointHealth } from './endpoint-item.ts';
import { getItem } from './get-item.ts';
import { transact } from './transact.ts';
import type { Table } from './table.ts';

const allBreaker = 'openUntil, openings, nextProbeAt';
const allTrouble = `failuresInARow, failingSince, failedTries, ${allBreaker}`;
const failure = 'failingSince = if_not_exists(failingSince, :now)';

/** Health of endpoints: one item each, written only while an endpoint has trouble. */
export function dynamoEndpoints(table: Table): Endpoints {
  const { client, name: TableName } = table;
  const update = (id: EndpointId, change: Change) =>
    conditionalWrite(
      client.send(new UpdateCommand({ TableName, Key: endpointKey(id), ...expression(change) })),
    );
  const changed = async (id: EndpointId, change: Change): Promise<EndpointHealth> =>
    toEndpointHealth((await update(id, { ...change, ReturnValues: 'ALL_NEW' }))?.Attributes);

  return {
    find: (id) => getItem(table, endpointKey(id), toEndpointHealth),
    failed: (id, now) =>
      changed(id, {
        update: `SET ${failure} ADD failedTries :one, failuresInARow :one`,
        values: { ':now': now.toISOString(), ':one': 1 },
      }),
    refused: (id, now) =>
      changed(id, {
        update: `SET ${failure} ADD failedTries :one REMOVE failuresInARow, ${allBreaker}`,
        values: { ':now': now.toISOString(), ':one': 1 },
      }),
    async open({ id, openUntil }, { until, nextProbeAt }) {
      await update(id, {
        update:
          'SET openUntil = :until, nextProbeAt = :probe, openings = if_not_exists(openings, :none) + :one',
        when: openUntil ? 'openUntil = :seen' : 'attribute_not_exists(openUntil)',
        values: {
          ':until': until.toISOString(),
          ':probe': nextProbeAt.toISOString(),
          ':none': 0,
          ':one': 1,
          ...(openUntil ? { ':seen': openUntil.toISOString() } : {}),
        },
      });
    },
    async takeProbe(id, now, nextProbeAt) {
      const taken = await update(id, {
        update: 'SET nextProbeAt = :next',
        when: 'attribute_exists(openUntil) AND (attribute_not_exists(nextProbeAt) OR nextProbeAt <= :now)',
        values: { ':now': now.toISOString(), ':next': nextProbeAt.toISOString() },
      });
      return taken !== undefined;
    },
    async slow(id, until) {
      await update(id, {
        update: 'SET slowUntil = :until ADD waits :one',
        values: { ':until': until.toISOString(), ':one': 1 },
      });
    },
    async answered(id) {
      await update(id, { update: 'REMOVE slowUntil, waits' });
    },
    async healthy(id) {
      await update(id, { update: `REMOVE ${allTrouble}` });
    },
    async pause(id) {
      await update(id, { update: 'SET paused = :yes', values: { ':yes': true } });
    },
    async countAsked(id, now, most) {
      const values = { ':minute': now.toISOString().slice(0, 16), ':one': 1 };
      const counted = {
        update: 'ADD asked :one',
        when: 'askedMinute = :minute AND asked < :most',
        values: { ...values, ':most': most },
      };
      const begun = {
        update: 'SET askedMinute = :minute, asked = :one',
        when: 'attribute_not_exists(askedMinute) OR askedMinute < :minute',
        values,
      };
      // Another call may begin the minute in between.
      for (const change of [counted, begun, counted]) if (await update(id, change)) return true;
      return false;
    },
    async resume(id) {
      const health = await getItem(table, endpointKey(id), toEndpointHealth);
      const change = {
        TableName,
        Key: endpointKey(id),
        ...expression({ update: `REMOVE paused, slowUntil, waits, ${allTrouble}` }),
      };
      const record = health?.paused ? await resumptionSteps(table, id) : [];
      await transact(table, [{ write: { Update: change } }, ...record]);
    },
  };
}

/** A shop's change says which of its two URLs was resumed. */
const resumptionSteps = (table: Table, id: EndpointId) =>
  isRefundUrlId(id)
    ? changeSteps(table, shopIdOf(id), { refundUrlPaused: true }, {})
    : changeSteps(table, id, { paused: true }, {});

type Change = {
  readonly update: string;
  readonly when?: string;
  readonly values?: Record<string, unknown>;
  readonly ReturnValues?: UpdateCommandInput['ReturnValues'];
};

const expression = ({ update, when, values, ReturnValues }: Change) => ({
  UpdateExpression: update,
  ConditionExpression: when,
  ExpressionAttributeValues: values,
  ReturnValues,
});

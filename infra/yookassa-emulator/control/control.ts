import * as z from 'zod/mini';
import type { Notifier } from '../notifications.ts';
import type { World } from '../world.ts';
import { accountRoutes } from './account-routes.ts';
import { objectRoutes } from './object-routes.ts';
import { type ControlRoute, Refused } from './route.ts';
import { worldRoutes } from './world-routes.ts';

/** A request below `/control`; `path` begins after that part. */
export type ControlRequest = { readonly method: string; readonly path: string; readonly body: string };
export type ControlAnswer = { readonly status: number; readonly body: unknown };

export const controlRoutes: readonly ControlRoute[] = [...worldRoutes, ...accountRoutes, ...objectRoutes];

/** The control endpoint: what a test, or a person, makes happen at the provider. It has no authentication. */
export function control(world: World, notifier: Notifier) {
  return async ({ method, path, body }: ControlRequest): Promise<ControlAnswer> => {
    const matching = controlRoutes.filter((route) => route.path.test(path));
    const route = matching.find((each) => each.method === method);
    if (!route) return refusal(matching.length > 0 ? 405 : 404, `There is no ${method} /control${path}.`);
    try {
      const [, id = ''] = route.path.exec(path) ?? [];
      return { status: 200, body: await route.run({ world, notifier, id, body: readJson(body) }) };
    } catch (thrown) {
      if (thrown instanceof Refused) return refusal(thrown.status, thrown.message);
      if (thrown instanceof z.core.$ZodError) return refusal(400, z.prettifyError(thrown));
      throw thrown;
    }
  };
}

const refusal = (status: number, error: string): ControlAnswer => ({ status, body: { error } });

function readJson(body: string): unknown {
  if (body.trim() === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw new Refused(400, 'The body is not JSON.');
  }
}

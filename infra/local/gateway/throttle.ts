import * as z from 'zod/mini';
import { ofType, type Resource } from '../template/resources.ts';

type Limit = { readonly rate: number; readonly burst: number };

/** Takes a token for a request to this method and path. Returns false when the request is over the limit. */
export type Throttle = (httpMethod: string, pattern: string) => boolean;

const schema = z.object({
  MethodSettings: z._default(
    z.array(
      z.object({
        ResourcePath: z.optional(z.string()),
        HttpMethod: z.optional(z.string()),
        ThrottlingRateLimit: z.optional(z.number()),
        ThrottlingBurstLimit: z.optional(z.number()),
      }),
    ),
    [],
  ),
});

/** Creates token buckets for the stage's limits. A method's own limit replaces the stage's. */
export function throttleOf(resources: readonly Resource[], now: () => Date): Throttle {
  const settings = ofType(resources, 'AWS::ApiGateway::Stage').flatMap(
    ({ properties }) => schema.parse(properties).MethodSettings,
  );
  const buckets = new Map(
    settings.flatMap(
      ({ ResourcePath = '/*', HttpMethod = '*', ThrottlingRateLimit, ThrottlingBurstLimit }) => {
        if (ThrottlingRateLimit === undefined || ThrottlingBurstLimit === undefined) return [];
        const limit = { rate: ThrottlingRateLimit, burst: ThrottlingBurstLimit };
        return [[keyOf(HttpMethod, ResourcePath), bucket(limit, now)] as const];
      },
    ),
  );
  return (httpMethod, pattern) => {
    const path = `/${pattern.slice(1).replaceAll('/', '~1')}`;
    const keys = [keyOf(httpMethod, path), keyOf('*', path), keyOf('*', '/*')];
    const fitting = keys.map((key) => buckets.get(key)).find((one) => one !== undefined);
    return fitting?.() ?? true;
  };
}

const keyOf = (httpMethod: string, path: string): string =>
  // CloudFormation encodes the slashes of a path as ~1; the first one may be either.
  `${httpMethod} ${path.replace(/^\/~1/, '/')}`;

function bucket({ rate, burst }: Limit, now: () => Date): () => boolean {
  let tokens = burst;
  let filledAt = now().getTime();
  return () => {
    const time = now().getTime();
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * rate);
    filledAt = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

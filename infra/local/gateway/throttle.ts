import * as z from 'zod/mini';
import { ofType, type Resource } from '../template/resources.ts';

type Limit = { readonly rate: number; readonly burst: number };

/** Whether a request to this method of this path may pass now. */
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

/** The stage's limits, as token buckets: a method's own limit takes the place of the stage's. */
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
  // CloudFormation writes the slashes inside a path as ~1, with or without the first.
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

import * as z from 'zod/mini';
import { type GatewayAnswer, type Headers, withType } from './gateway-answer.ts';
import { type GatewayRequest, headerOf } from './gateway-request.ts';
import { isBinaryType } from './proxy-event.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const schema = z.object({
  statusCode: z.coerce.number().check(z.int(), z.minimum(100), z.maximum(599)),
  headers: z.nullish(z.record(z.string(), scalar)),
  multiValueHeaders: z.nullish(z.record(z.string(), z.array(scalar))),
  body: z.nullish(z.string()),
  isBase64Encoded: z.nullish(z.boolean()),
});
type ProxyResponse = z.infer<typeof schema>;

/** Converts a function's result to the HTTP response. Undefined when it is not a valid proxy response. */
export function answerOf(
  payload: unknown,
  request: GatewayRequest,
  binaryTypes: readonly string[],
): GatewayAnswer | undefined {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { statusCode, body, isBase64Encoded } = parsed.data;
  const isBinary =
    isBase64Encoded === true && isBinaryType(binaryTypes, headerOf(request, 'accept') ?? '*/*');
  return {
    status: statusCode,
    headers: headersOf(parsed.data),
    body: Buffer.from(body ?? '', isBinary ? 'base64' : 'utf8'),
  };
}

/** Headers that API Gateway sets itself; a function's value is sent as `x-amzn-Remapped-…`. */
const remapped = [
  'connection',
  'content-length',
  'content-md5',
  'date',
  'host',
  'server',
  'transfer-encoding',
  'user-agent',
  'www-authenticate',
];

function headersOf({ headers, multiValueHeaders }: ProxyResponse): Headers {
  const multiple = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    values.map((value) => [name, String(value)] as const),
  );
  const repeated = new Set(multiple.map(([name]) => name.toLowerCase()));
  const single = Object.entries(headers ?? {})
    .filter(([name]) => !repeated.has(name.toLowerCase()))
    .map(([name, value]) => [name, String(value)] as const);
  return withType([...single, ...multiple].map(([name, value]) => [renamed(name), value]));
}

const renamed = (name: string): string =>
  remapped.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;

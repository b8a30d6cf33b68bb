import type * as z from 'zod/mini';

/**
 * How one endpoint answers a refusal. A status alone means the message `api:error.<refusal>`. `message` is a text that the contract
 * gives in its place. With `field` the response has `errors` with a sentence that says what to fix; at 422 the message is that of
 * invalid data. With `details` the response may also have numbers (refusal-details.ts), and the sentence is built from them.
 */
export type RefusalAnswer =
  | 400
  | 403
  | 422
  | { readonly status: 403 | 429; readonly message: string }
  | {
      readonly status: 400 | 403 | 422;
      readonly field: string;
      readonly sentence: string;
      readonly details?: true;
    };

/** The HTTP contract of one endpoint of the merchant's API. */
export type ApiRoute<
  Refusal extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> = {
  /** The file in functions/ that handles it. */
  readonly function: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/api/v1/${string}`;
  /** The summary of the operation in the OpenAPI document. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  /** Whether it accepts an `Idempotency-Key` header. */
  readonly idempotent?: boolean;
  readonly refusals: Readonly<Record<Refusal, RefusalAnswer>>;
};

/**
 * Declares an endpoint, as `route<Refusal>()({ … })`. A refusal of the use case without a status, or a status without a refusal,
 * does not compile.
 */
export const route =
  <Refusal extends string>() =>
  <const Input extends z.ZodMiniType, const Output extends z.ZodMiniType>(
    definition: ApiRoute<Refusal, Input, Output>,
  ): ApiRoute<Refusal, Input, Output> =>
    definition;

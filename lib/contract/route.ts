import type * as z from 'zod/mini';

/**
 * What a refusal looks like at one endpoint: a status alone means `api:error.<refusal>`; with `message` the contract
 * gives another text; with `field` the answer has `errors`, where a sentence says what to fix: as invalid data (422), or
 * beside the key. With `details` the answer may have numbers, too (refusal-details.ts), and a sentence made of them.
 */
export type RefusalAnswer =
  | 400
  | 403
  | 422
  | { readonly status: 403; readonly message: string }
  | {
      readonly status: 400 | 403 | 422;
      readonly field: string;
      readonly sentence: string;
      readonly details?: true;
    };

/** One endpoint of the merchant's API, all that the wire has to know about it. */
export type ApiRoute<
  Refusal extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> = {
  /** The file in functions/ that answers it. */
  readonly function: string;
  readonly method: 'GET' | 'POST';
  readonly path: `/api/v1/${string}`;
  /** One line for the document of the contract. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  /** Takes an `Idempotency-Key` header. */
  readonly idempotent?: boolean;
  readonly refusals: Readonly<Record<Refusal, RefusalAnswer>>;
};

/**
 * `route<Refusal>()({ … })`: a refusal of the use case without a status, or a status without a refusal, does not
 * compile.
 */
export const route =
  <Refusal extends string>() =>
  <const Input extends z.ZodMiniType, const Output extends z.ZodMiniType>(
    definition: ApiRoute<Refusal, Input, Output>,
  ): ApiRoute<Refusal, Input, Output> =>
    definition;

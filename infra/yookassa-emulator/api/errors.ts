import { randomUUID } from 'node:crypto';

type ErrorCode =
  | 'invalid_request'
  | 'invalid_credentials'
  | 'forbidden'
  | 'not_found'
  | 'too_many_requests'
  | 'internal_server_error';

export type ErrorBody = {
  readonly type: 'error';
  readonly id: string;
  readonly code?: ErrorCode;
  readonly description: string;
  readonly parameter?: string;
  /** Milliseconds. */
  readonly retry_after?: number;
};

/** A refusal with the vendor's status and error body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: Omit<ErrorBody, 'type' | 'id'> & { readonly id?: string }) {
    super(body.description);
    this.status = status;
    this.body = { type: 'error', id: randomUUID(), ...body };
  }

  /** The refusal of an earlier request, with the same id. */
  static again(status: number, body: ErrorBody): ApiError {
    return new ApiError(status, body);
  }
}

export const invalid = (parameter: string, description: string): ApiError =>
  new ApiError(400, { code: 'invalid_request', description, parameter });

export const forbidden = (description: string, parameter?: string): ApiError =>
  new ApiError(403, { code: 'forbidden', description, ...(parameter !== undefined && { parameter }) });

export const notFound = (description: string, parameter?: string): ApiError =>
  new ApiError(404, { code: 'not_found', description, ...(parameter !== undefined && { parameter }) });

export const invalidCredentials = (): ApiError =>
  new ApiError(401, {
    code: 'invalid_credentials',
    description:
      'Error in shopId or secret key. Check their validity. You can reissue the key in the Merchant Profile',
    parameter: 'Authorization',
  });

export const wrongMethod = (): ApiError =>
  new ApiError(405, { description: 'The method is not allowed for this resource.' });

export const wrongContentType = (): ApiError =>
  new ApiError(415, { description: 'The content type of a POST request is application/json.' });

export const tooManyRequests = (retryAfterMs: number): ApiError =>
  new ApiError(429, {
    code: 'too_many_requests',
    description: 'Too many requests are sent at the same time. Repeat the request later.',
    retry_after: retryAfterMs,
  });

/** The caller does not know whether the request took effect. */
export const internalError = (): ApiError =>
  new ApiError(500, {
    code: 'internal_server_error',
    description: 'Technical difficulties. The result of the request is unknown.',
    retry_after: 1800,
  });

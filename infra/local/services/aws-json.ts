import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import { close, listen, readBody } from '../http-server.ts';
import { messageOf } from '../../../lib/installation/command-error.ts';

/** The actions of a service by name. Each takes the request's JSON and returns the response's. */
export type AwsService = Readonly<Record<string, (input: unknown) => object>>;

/** A server for the AWS JSON 1.1 protocol, on loopback. */
type AwsEndpoint = { readonly origin: string; readonly stop: () => Promise<void> };

const largestRequest = 1_000_000;

/** Serves the services, by the service name in `X-Amz-Target`. Signatures are not checked. */
export async function serveAws(services: Readonly<Record<string, AwsService>>): Promise<AwsEndpoint> {
  const server = createServer((request, response) => void answer(services, request, response));
  const port = await listen(server, 0);
  return { origin: `http://127.0.0.1:${port}`, stop: () => close(server) };
}

async function answer(
  services: Readonly<Record<string, AwsService>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body, error } = await act(services, request);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': randomUUID(),
    ...(error && { 'x-amzn-errortype': error }),
  });
  response.end(JSON.stringify(body));
}

type AwsResponse = { readonly status: number; readonly body: object; readonly error?: string };

async function act(
  services: Readonly<Record<string, AwsService>>,
  request: IncomingMessage,
): Promise<AwsResponse> {
  try {
    const [service = '', action = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
    const perform = services[service]?.[action];
    if (!perform)
      throw new AwsError(
        'UnknownOperationException',
        `The local runner does not support ${service}.${action}.`,
      );
    const body = await readBody(request, largestRequest);
    return { status: 200, body: perform(JSON.parse(body?.toString() ?? '')) };
  } catch (thrown) {
    return refusal(thrown);
  }
}

function refusal(thrown: unknown): AwsResponse {
  const isBadInput = thrown instanceof SyntaxError || thrown instanceof z.core.$ZodError;
  const error =
    thrown instanceof AwsError ? thrown.name : isBadInput ? 'ValidationException' : 'InternalFailure';
  const status = error === 'InternalFailure' ? 500 : 400;
  return { status, body: { __type: error, message: messageOf(thrown) }, error };
}

/** What is sent to the one address goes to the other: this machine need not know the name by which others reach it. */
export type LeadsBack = { readonly from: string; readonly to: string };

/** What a worker thread is told when it starts. */
export type Start = {
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly leadsBack?: LeadsBack | undefined;
};

/** One invocation. Events and results travel as JSON, as they do to and from Lambda. */
export type ToWorker = { readonly requestId: string; readonly event: string; readonly deadline: number };

export type FunctionError = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: string | undefined;
};

export type FromWorker =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'unable' } & FunctionError)
  | { readonly kind: 'done'; readonly requestId: string; readonly payload: string }
  | ({ readonly kind: 'failed'; readonly requestId: string } & FunctionError);

/** How an invocation ended. */
export type InvocationOutcome =
  | { readonly ok: true; readonly payload: unknown }
  | ({ readonly ok: false } & FunctionError);

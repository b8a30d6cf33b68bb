/** Redirects a function's requests from the public URL to the local one: this machine may not resolve its public name. */
export type LeadsBack = { readonly from: string; readonly to: string };

/** The worker thread's start data. */
export type Start = {
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly leadsBack: LeadsBack | undefined;
  /** The folder of compiled code that all threads share, which halves the time to load a bundle. */
  readonly compiled: string;
};

/** One invocation. Events and results are passed as JSON, as on Lambda. */
export type ToWorker = { readonly requestId: string; readonly event: string; readonly deadline: number };

export type FunctionError = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: string | undefined;
};

export type FromWorker =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'unable' } & FunctionError)
  | { readonly kind: 'done'; readonly requestId: string; readonly payload: string }
  | ({ readonly kind: 'failed'; readonly requestId: string } & FunctionError);

/** An invocation's result or error. */
export type InvocationOutcome =
  | { readonly ok: true; readonly payload: unknown }
  | ({ readonly ok: false } & FunctionError);

/** One Lambda function behind the gateway. `{name}` marks a path parameter. */
export type Route = {
  readonly function: string;
  readonly methods: readonly ('GET' | 'POST' | 'ANY')[];
  readonly paths: readonly string[];
  readonly access: 'bearer' | 'public';
};

const api = (name: string, method: 'GET' | 'POST', path: string): Route => ({
  function: name,
  methods: [method],
  paths: [`/api/v1${path}`],
  access: 'bearer',
});

const open = (name: string, methods: Route['methods'], ...paths: string[]): Route => ({
  function: name,
  methods,
  paths,
  access: 'public',
});

/** The merchant's API: interface specification, section 4. */
export const apiRoutes: readonly Route[] = [
  api('bill-create', 'POST', '/bill/create'),
  api('bill-toggle-activity', 'POST', '/bill/toggle_activity'),
  api('bill-payments', 'GET', '/bill/payments'),
  api('bill-status', 'GET', '/bill/status'),
  api('payment-status', 'GET', '/payment/status'),
  api('merchant-balance', 'GET', '/merchant/balance'),
];

/** The payer's pages, the acquirer's notifications and the contract as a document. */
export const publicRoutes: readonly Route[] = [
  open('link-page', ['GET'], '/link/{bill}'),
  open('pay-page', ['GET'], '/transfer/{bill}'),
  open('pay-submit', ['POST'], '/transfer/{bill}'),
  open('result-page', ['GET', 'POST'], '/result/{payment}'),
  open('redirect-page', ['GET', 'POST'], '/redirect/payment/success', '/redirect/payment/fail'),
  open('acquirer-notification', ['POST'], '/acquirer/notification'),
];

/** Only where the environment has the sandbox provider. */
export const sandboxRoutes: readonly Route[] = [open('sandbox', ['ANY'], '/sandbox/{proxy+}')];

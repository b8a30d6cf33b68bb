/**
 * Responses of API Gateway itself, before a request reaches a function. Each is a fixed text: a template that includes the
 * gateway's own message would reveal the bearer token of a request to an unknown route.
 */
export const gatewayAnswers = {
  unauthenticated: { message: 'Unauthenticated.' },
  notFound: { success: false, message: 'Not found.' },
  general: { success: false, message: 'api:error.general_error' },
  invalid: { success: false, message: 'The given data was invalid.', errors: {} },
  tooLarge: { success: false, message: 'The request is too large.' },
  tooMany: { success: false, message: 'Too many requests.' },
} as const;

/**
 * The firewall's response to a request body that is too large for a payer's page. In both languages, because the firewall does not
 * negotiate one; without styles, because it has no nonce.
 */
export const tooLargePage = `<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>413</title></head>
<body><main><h1>Запрос слишком большой</h1><p>Ничего не обработано. Откройте ссылку на оплату ещё раз.</p>
<div lang="en"><h1>The request is too large</h1><p>Nothing was processed. Open the payment link again.</p></div></main></body></html>
`;

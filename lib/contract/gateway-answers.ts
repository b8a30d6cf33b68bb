/**
 * What the gateway says by itself, before a request comes to its function. Each is a fixed text: a template that repeats
 * the gateway's own message would show the bearer token of a request to an unknown route.
 */
export const gatewayAnswers = {
  unauthenticated: { message: 'Unauthenticated.' },
  notFound: { success: false, message: 'Not found.' },
  general: { success: false, message: 'api:error.general_error' },
  invalid: { success: false, message: 'The given data was invalid.', errors: {} },
  tooLarge: { success: false, message: 'The request is too large.' },
  tooMany: { success: false, message: 'Too many requests.' },
} as const;

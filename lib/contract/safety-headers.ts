/** On every answer, pages and JSON, also those of the gateway itself: https only, and nothing taken for what it is not. */
export const safetyHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;

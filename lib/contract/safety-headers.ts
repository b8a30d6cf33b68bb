/** Headers of every response, pages and JSON, those of the gateway included: HTTPS only, and no MIME sniffing. */
export const safetyHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;

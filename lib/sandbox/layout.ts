import { createHash } from 'node:crypto';
import { safetyHeaders } from '../contract/safety-headers.ts';
import { html, type Html } from '../page/html.ts';
import type { Language } from '../page/language.ts';
import type { SandboxResponse } from './answer.ts';
import { messagesIn } from './messages.ts';
import { style } from './style.ts';

type Page = {
  readonly status?: number;
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** Where its form finally leads: browsers apply `form-action` to redirects as well. */
  readonly returnUrl?: string;
};

const styleHash = createHash('sha256').update(style.toString()).digest('base64');

function policy(returnUrl: string | undefined): string {
  const target = returnUrl ? ` ${new URL(returnUrl).origin}` : '';
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${target}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A page of the sandbox: no scripts, no external resources, never cached. */
export function page({ status = 200, language, title, body, returnUrl }: Page): SandboxResponse {
  const document = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><header>${messagesIn(language).sandbox}</header><main>${body}</main></body></html>`;
  return {
    statusCode: status,
    headers: {
      ...safetyHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(returnUrl),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'strict-origin',
      'X-Frame-Options': 'DENY',
      'Permissions-Policy': 'payment=()',
    },
    body: document.toString(),
  };
}

import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';

type About = {
  /** The URL of the OpenAPI document. */
  readonly openApiUrl: string;
};

/** `/`: says what this service is, for payers whose link is incomplete and for merchants' developers. */
export function aboutPage(reader: Reader, { openApiUrl }: About): Page {
  const texts = messagesIn(reader.language).about;
  const markup = layout(reader, {
    title: texts.heading,
    name: 'about',
    outcome: 'about',
    body: html`<h1>${texts.heading}</h1>
<p>${texts.payers}</p>
<p class="quiet">${texts.developers} <a href="${openApiUrl}">openapi.json</a></p>`,
  });
  return { status: 200, markup };
}

import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';

type About = {
  /** The address of the API's description. */
  readonly openApiUrl: string;
};

/** `/`: what this service is, for a payer who lost a part of their link and for a merchant's developer. */
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

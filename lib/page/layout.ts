import { plainLine } from '../plain-line.ts';
import { html, type Html } from './html.ts';
import { iconUrl } from './icon.ts';
import { messagesIn } from './messages.ts';
import type { Reader } from './page.ts';
import { style } from './style.ts';

type Content = {
  readonly title: string;
  /** The name of the page, for clients and tests: `link`, `payment`, `message`, `waiting`, `hand-off`, `outcome`, `about`. */
  readonly name: string;
  /** The machine-readable outcome: `payable`, `paid`, `failed`, `waiting`, `not_found`, … */
  readonly outcome: string;
  /** Why the payment page is shown again, if so. */
  readonly notice?: string;
  readonly body: Html;
  readonly script?: Html;
  /** Query parameters that the link to the other language must keep; `false` where a page cannot be requested again. */
  readonly keep?: Readonly<Record<string, string>> | false;
};

/** The frame of every page: no external resource, works without JavaScript, light and dark. */
export function layout({ language, nonce, backTo }: Reader, content: Content): Html {
  const { title, name, outcome, notice, body, script, keep = {} } = content;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${plainLine(title)}</title>
<link rel="icon" href="${iconUrl}">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main data-page="${name}" data-outcome="${outcome}"${notice !== undefined && html` data-notice="${notice}"`}>
${body}
${backTo !== undefined && html`<p class="quiet back"><a href="${backTo}" rel="noreferrer">${messagesIn(language).handOff.back}</a></p>`}
</main>
<footer><span>${messagesIn(language).service}</span>${keep && otherLanguage(language, keep)}</footer>
${script && html`<script nonce="${nonce}">${script}</script>`}
</body>
</html>
`;
}

function otherLanguage(language: Reader['language'], keep: Readonly<Record<string, string>>): Html {
  const other = language === 'ru' ? 'en' : 'ru';
  const query = new URLSearchParams({ ...keep, lang: other }).toString();
  return html`<a href="?${query}" lang="${other}" hreflang="${other}">${messagesIn(language).switchTo}</a>`;
}

import { html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import type { Page, Reader } from './page.ts';
import { sign } from './signs.ts';

type HandOff = {
  /** The shop's Success or Fail URL, or the service's own outcome page. */
  readonly url: string;
  readonly isShops: boolean;
  readonly outcome: 'success' | 'fail';
  /** Contract 6.3, in its order; each value is exactly the text that was signed. */
  readonly fields: Readonly<Record<string, string>>;
  /** Merchant URLs may be plain http: in local environments only. */
  readonly plainHttp: boolean;
};

// Field names are ours, so none can shadow `form.submit`; only values are untrusted.
const submit = html`document.forms[0].submit()`;

/**
 * Redirects the payer's browser to the shop by POST (contract 6.3): a form that submits itself, with a button for browsers
 * without JavaScript. The shop's server may redirect to another origin, so `form-action` allows every https origin.
 */
export function handOffPage(reader: Reader, { url, isShops, outcome, fields, plainHttp }: HandOff): Page {
  const texts = messagesIn(reader.language).handOff;
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  const markup = layout(reader, {
    title: texts[outcome],
    name: 'hand-off',
    outcome: outcome === 'success' ? 'paid' : 'failed',
    keep: false,
    body: html`${sign(outcome === 'success' ? 'good' : 'bad')}
<h1>${texts[outcome]}</h1>
${isShops && html`<p>${texts.text}</p>`}
<form method="post" action="${url}" accept-charset="utf-8">
${inputs}<button class="button">${isShops ? texts.back : texts.next}</button>
</form>`,
    script: submit,
  });
  return { status: 200, markup, formAction: plainHttp ? ['https:', 'http:'] : ['https:'], runsScript: true };
}

/** Markup that is safe to send. Only `html` creates it, and it escapes every interpolated value. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }

  static join(parts: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(String.raw({ raw: parts }, ...values.map(markupOf)));
  }
}

/** `undefined` and `false` render as nothing, so `condition && html…` renders a part conditionally. */
type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/** A template that escapes its values, in text and in quoted attributes, unless they are Html. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  Html.join(parts, values);

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(markupOf).join('');
  return escape(String(value));
}

// Line breaks too: an HTML parser turns CR into LF, and the merchant's `custom` must be returned unchanged.
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
  '\n': '&#10;',
};

const escape = (text: string): string =>
  text.replace(/[&<>"'\r\n]/g, (character) => escapes[character] ?? '');

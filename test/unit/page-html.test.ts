import { describe, expect, it } from 'vitest';
import { html } from '../../lib/page/html.ts';

const rendered = (markup: { toString(): string }) => markup.toString();

describe('html', () => {
  it('escapes every value that is not markup, in text and in attributes', () => {
    const hostile = `<script>alert("x")</script> & 'y'`;

    expect(rendered(html`<p title="${hostile}">${hostile}</p>`)).toBe(
      `<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;">` +
        `&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;</p>`,
    );
  });

  it('inserts markup and lists of markup unchanged', () => {
    const items = ['a', '<b>'].map((each) => html`<li>${each}</li>`);
    expect(rendered(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  });

  it('refuses an object that only looks like markup', () => {
    const forged = { toString: () => '<script>' };
    // @ts-expect-error: the types refuse it
    expect(() => rendered(html`${forged}`)).toThrow();
  });

  it('omits undefined and false, but not zero or empty text', () => {
    expect(rendered(html`[${undefined}${false}${0}${''}]`)).toBe('[0]');
  });

  it('encodes line breaks so that the browser’s parser does not change them', () => {
    expect(rendered(html`<input value="${'a\r\nb'}">`)).toBe('<input value="a&#13;&#10;b">');
  });

  it('does not interpret $ patterns or backslashes in values', () => {
    expect(rendered(html`<p>${'$& $1 \\n'}</p>`)).toBe('<p>$&amp; $1 \\n</p>');
  });
});

/** Cut off by the end of the answer, fewer characters than this tell nobody anything. */
const leastTold = 4;

/**
 * Returns the start of a receiver's answer without these texts: a receiver may echo its request, in the request's encoding or its own. A
 * text that the end of the answer cuts off goes, too.
 */
export function redact(answer: string, texts: readonly string[]): string {
  const written = texts.filter((text) => text !== '').flatMap(encodings);
  const longestFirst = [...new Set(written)].toSorted((one, other) => other.length - one.length);
  const whole = longestFirst.reduce(
    (body, text) =>
      body.replaceAll(
        new RegExp(text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`), 'giu'),
        '[not kept]',
      ),
    answer,
  );
  const lower = whole.toLowerCase();
  const cutOff = Math.max(0, ...longestFirst.map((text) => longestStartAtEnd(lower, text.toLowerCase())));
  return cutOff < leastTold ? whole : `${whole.slice(0, -cutOff)}[not kept]`;
}

/** The length of the longest beginning of the text with which the answer ends. */
function longestStartAtEnd(answer: string, text: string): number {
  const lengths = Array.from({ length: Math.min(text.length - 1, answer.length) }, (_, at) => at + 1);
  return lengths.findLast((length) => answer.endsWith(text.slice(0, length))) ?? 0;
}

/** The text as forms, URLs, JSON (once, twice, in ASCII, with its slashes escaped) and HTML write it. */
function encodings(text: string): readonly string[] {
  const json = inJson(text);
  const written = [
    text,
    json,
    inJson(json),
    inAscii(json),
    encodeURIComponent(text),
    inForm(text),
    inHtml(text),
  ];
  return written.flatMap((each) => [each, each.replaceAll('/', String.raw`\/`)]);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inForm = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const inHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

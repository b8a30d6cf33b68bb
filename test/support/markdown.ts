/** A Markdown table in the format of the documents' tested tables. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Returns the text between `<!-- name -->` and `<!-- /name -->`; empty if the markers are missing. */
export const section = (document: string, name: string): string =>
  new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n?<!-- /${name} -->`).exec(document)?.[1] ?? '';

const withoutFences = (document: string): string => document.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** Returns the targets of all links outside code, unchanged. */
export const linksOf = (document: string): readonly string[] =>
  [
    ...withoutFences(document)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^()\s]+)\)/g),
  ].map(([, target = '']) => target);

/** Returns the anchors of the headings as code hosts generate them: lower case, without punctuation, hyphens for spaces. */
export const headingsOf = (document: string): readonly string[] =>
  [...withoutFences(document).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Returns the packages in the first column of a document's tables, sorted. */
export const documentedPackages = (document: string): readonly string[] =>
  [...document.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name).toSorted();

/** Returns the code of the document's only block in this language; throws if there is not exactly one. */
export function codeBlock(document: string, language: string): string {
  const [block, ...others] = [
    ...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
  ];
  if (block?.[1] === undefined || others.length > 0)
    throw new Error(`The document does not have exactly one block in ${language}`);
  return block[1];
}

/** Returns the command lines after `npm run paylink --` in a document, in blocks and in sentences, without comments. */
export const paylinkLines = (document: string): readonly string[] =>
  [...document.replaceAll('\\\n', ' ').matchAll(/npm run (?:-s )?paylink -- ([^\n`]+)/g)].map(
    ([, line = '']) => line.replace(/ +#.*$/, '').trim(),
  );

/** Returns the text of each code span in a document's sentences and tables. */
export const codeSpans = (document: string): readonly string[] =>
  [...withoutFences(document).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

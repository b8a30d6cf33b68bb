/** A Markdown table, as the documents write those that are held by a test. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The text between `<!-- name -->` and `<!-- /name -->`; empty where the marks are missing. */
export const section = (document: string, name: string): string =>
  new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n?<!-- /${name} -->`).exec(document)?.[1] ?? '';

const withoutFences = (document: string): string => document.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The targets of all links outside code, as they are written. */
export const linksOf = (document: string): readonly string[] =>
  [
    ...withoutFences(document)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^()\s]+)\)/g),
  ].map(([, target = '']) => target);

/** The anchors that a host makes of the headings: lower case, without punctuation, hyphens for blanks. */
export const headingsOf = (document: string): readonly string[] =>
  [...withoutFences(document).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The packages in the first column of the tables of a document, sorted. */
export const documentedPackages = (document: string): readonly string[] =>
  [...document.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name).toSorted();

/** The code of the document's one block in this language. */
export function codeBlock(document: string, language: string): string {
  const [block, ...others] = [
    ...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
  ];
  if (block?.[1] === undefined || others.length > 0) throw new Error(`Not one block in ${language}`);
  return block[1];
}

import { isUtf8 } from 'node:buffer';
import { Busboy } from '@fastify/busboy';
import type { Entry } from './parameter.ts';
import { UnreadableBody } from './unreadable-body.ts';

/** The replacement character: decoders write it for bytes that are not UTF-8. */
const replaced = '\uFFFD';
const notUtf8 = 'The body must be in UTF-8.';

/** Parses `application/x-www-form-urlencoded` as browsers do: a stray % is taken literally. Throws `UnreadableBody`. */
export function readUrlencoded(text: string): readonly Entry[] {
  const entries = [...new URLSearchParams(text)];
  if (hasReplaced(entries) && !/%EF%BF%BD|\uFFFD/i.test(text)) throw new UnreadableBody(notUtf8);
  return entries;
}

/** Parses the fields of `multipart/form-data`. A file is an unreadable parameter. Throws `UnreadableBody`. */
export async function readMultipart(bytes: Buffer, contentType: string): Promise<readonly Entry[]> {
  const entries = await new Promise<readonly Entry[]>((resolve, reject) => {
    const found: Entry[] = [];
    const busboy = new Busboy({ headers: { 'content-type': contentType } });
    busboy.on('field', (name: string | undefined, value) => {
      if (name !== undefined) found.push([name, value]);
    });
    busboy.on('file', (name: string | undefined, file) => {
      file.resume();
      if (name !== undefined) found.push([name, { sentence: `The ${name} field must be text, not a file.` }]);
    });
    busboy.on('error', reject);
    busboy.on('finish', () => resolve(found));
    busboy.end(bytes);
  }).catch(() => {
    throw new UnreadableBody(
      'The body must be complete multipart/form-data, with its boundary in Content-Type.',
    );
  });
  if (hasReplaced(entries) && !isUtf8(bytes)) throw new UnreadableBody(notUtf8);
  return entries;
}

const hasReplaced = (entries: readonly Entry[]): boolean =>
  entries.some(
    ([name, value]) => name.includes(replaced) || (typeof value === 'string' && value.includes(replaced)),
  );

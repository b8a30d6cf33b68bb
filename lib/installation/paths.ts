import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder that holds package.json. */
export const root = join(import.meta.dirname, '../..');

/** Where the bundles go unless told otherwise. */
export const bundlesDir = join(root, 'dist');

/** One name per file in functions/: each is a Lambda function of that name. */
export function functionNames(): readonly string[] {
  const folder = join(root, 'functions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .sort();
}

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder with package.json. */
export const root = join(import.meta.dirname, '../..');

/** The default data folder of the local service. */
export const dataFolder = join(root, '.paylink');

/** The default folder of the bundles. */
export const bundlesDir = join(root, 'dist');

/** Returns the name of each file in functions/, sorted. Each file is the Lambda function with its name. */
export function functionNames(): readonly string[] {
  const folder = join(root, 'functions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .sort();
}

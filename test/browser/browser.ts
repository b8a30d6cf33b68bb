import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/**
 * Launches Chromium. The build that `npm ci` installs is preferred, so that every Linux machine tests with the same
 * version; elsewhere an installed browser is used. The browser's sandbox is off because it does not start as root, and
 * tests open only our own pages. The package's other switches are not used: they disable web security, which is tested.
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(await found()), args: ['--no-sandbox'] });
}

async function found(): Promise<LaunchOptions> {
  if (process.platform === 'linux' && process.arch === 'x64') return packaged(await unpack());
  const executablePath = installed.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'No browser found for the tests: install Chromium or Google Chrome, or run them on Linux (x64).',
    );
  }
  return { executablePath };
}

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The package contains libraries and fonts for minimal machines; those of the machine are preferred. */
function packaged(folder: string): LaunchOptions {
  const executablePath = join(folder, 'chromium');
  const bareLibraries = execFileSync('ldd', [executablePath], { encoding: 'utf8' }).includes('not found');
  const bareFonts = !existsSync('/etc/fonts/fonts.conf');
  return {
    executablePath,
    env: {
      ...process.env,
      ...(bareLibraries && { LD_LIBRARY_PATH: join(folder, 'al2023/lib') }),
      ...(bareFonts && { FONTCONFIG_FILE: join(folder, 'fonts.conf') }),
    },
  };
}

/** Unpacks once per installation. The folder is renamed into place, so that concurrent test files see it complete. */
async function unpack(): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  const folder = join(home, '../unpacked');
  if (existsSync(folder)) return folder;
  const draft = await mkdtemp(join(home, '../unpacking-'));
  await inflateInto(draft, join(home, '../bin'));
  await writeFile(join(draft, 'fonts.conf'), fontSettings(join(folder, 'fonts')));
  await rename(draft, folder).catch(async (error: unknown) => {
    if (!existsSync(folder)) throw error;
    await rm(draft, { recursive: true });
  });
  return folder;
}

/** Replaces the package's font settings, which name folders of another machine. */
const fontSettings = (folder: string): string =>
  `<?xml version="1.0"?><fontconfig><dir>${folder}</dir><cachedir>${folder}</cachedir></fontconfig>\n`;

/** The package unpacks into the temporary folder of the process, so `TMPDIR` is changed meanwhile. */
async function inflateInto(folder: string, packages: string): Promise<void> {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => inflate(join(packages, name))),
    );
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
}

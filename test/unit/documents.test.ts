import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nouns } from '../../infra/functions.ts';
import { alarms } from '../../lib/alarms.ts';
import { errorTable } from '../../lib/contract/error-table.ts';
import { run, wholeProgram } from '../../lib/cli/program.ts';
import { invariants } from '../../lib/operator/audit/records.ts';
import { CommandError } from '../../lib/installation/command-error.ts';
import { merchantTables } from '../support/merchant-tables.ts';
import {
  codeSpans,
  documentedPackages,
  headingsOf,
  linksOf,
  paylinkLines,
  section,
  table,
} from '../support/markdown.ts';
import { aShell } from '../support/stack-operator.ts';

const documents = [...globSync('*.md'), ...globSync('{docs,functions,infra,lib,test}/**/*.md')];
const read = (file: string): string => readFileSync(file, 'utf8');

describe('the documents', () => {
  it('tie every endpoint and cause to its status and key, as the contract in code does', () => {
    const rows = errorTable().map(({ endpoint, cause, status, message, field }) => [
      `\`${endpoint}\``,
      cause,
      String(status),
      field === undefined ? `\`${message}\`` : `\`${message}\` (\`${field}\`)`,
    ]);
    const expected = table(['Endpoint', 'Cause', 'Status', 'Message'], rows);
    expect(section(read('docs/reference.md'), 'errors')).toBe(expected);
  });

  it('say what every alarm means and what to do about it', () => {
    const rows = Object.entries(alarms).map(([name, { means, remedy }]) => [`\`${name}\``, means, remedy]);
    expect(section(read('docs/operating.md'), 'alarms')).toBe(table(['Alarm', 'Means', 'Do'], rows));
  });

  it('say what every difference of an audit means and what to do about it', () => {
    const named = (document: string) =>
      new Set(codeSpans(document).filter((span) => /^[a-z]+(_[a-z]+)+$|^items$/.test(span)));
    const operating = named(section(read('docs/operating.md'), 'differences'));
    expect([...operating].toSorted()).toEqual([...invariants, 'items'].toSorted());
    expect([...named(read('lib/ledger/README.md'))]).toEqual(expect.arrayContaining([...invariants]));
  });

  it('list every command of the operator', async () => {
    const rows = (await wholeProgram(aShell('').shell)).commands.map((noun) => [
      `\`${noun.name()}\``,
      noun.commands.map((verb) => `\`${verb.name()}\``).join(' ') || '—',
    ]);
    expect(section(read('docs/operating.md'), 'commands')).toBe(table(['Noun', 'Commands'], rows));
  });

  it.each(Object.entries(merchantTables()))(
    'tell the merchant the %s as the code has them',
    (name, expected) => {
      expect(section(read('docs/merchants.md'), name)).toBe(expected);
    },
  );

  it('say what each package is for, and name no other', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'));
    const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(documentedPackages(read('docs/decisions/dependencies.md'))).toEqual(installed.toSorted());
  });

  it('classify each noun of the table: what personal data its items hold, or that they hold none', () => {
    const text = read('docs/security.md');
    const items = [...section(text, 'personal data').matchAll(/`([A-Z]+)(?:#[^`]*)?`/g)];
    const bare = [...section(text, 'no personal data').matchAll(/`([A-Z]+)`/g)];
    const classified = [...items, ...bare].map(([, noun]) => noun);
    expect(new Set(classified)).toEqual(new Set(nouns));
    expect(bare.filter(([, noun]) => items.some(([, holding]) => holding === noun))).toEqual([]);
  });

  it('say where personal data of Russian citizens may be stored before anything else about deploying', () => {
    const [, first = ''] = read('docs/deploying.md').split(/^## /m);
    for (const fact of ['1 July 2025', '152-FZ, article 18 part 5', 'no region in Russia', 'your counsel'])
      expect(first.replaceAll(/\s+/g, ' ')).toContain(fact);
  });

  it('begin with a README of at most 10 KB', () => {
    expect(statSync('README.md').size).toBeLessThanOrEqual(10 * 1024);
  });

  it('list every decision, and nothing else', () => {
    const listed = linksOf(read('docs/decisions/README.md')).filter((link) => /^\d{4}-/.test(link));
    expect(listed).toEqual(
      globSync('docs/decisions/[0-9]*.md')
        .map((file) => file.slice(15))
        .toSorted(),
    );
  });

  it.each(documents)('%s has no dead link', (file) => {
    const dead = linksOf(read(file)).filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
      if (!existsSync(target)) return true;
      if (anchor === undefined) return false;
      return statSync(target).isDirectory() || !headingsOf(read(target)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it.each(documents)('%s gives only commands that exist, with their options', async (file) => {
    const wrong: string[] = [];
    for (const line of paylinkLines(read(file)).filter((each) => !each.startsWith('<command>'))) {
      const { shell, complained } = aShell('');
      const connect = () => Promise.reject(new CommandError('It is understood.', 'understood'));
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      const exitCode = await run(words, { ...shell, connect });
      // `where` connects to nothing, and has no map of the example.
      const isUnderstood = exitCode === 0 || /understood|no source map/.test(complained.join());
      if (!isUnderstood) wrong.push(line);
    }
    expect(wrong).toEqual([]);
  });

  it.each(documents)('%s names only commands that exist, with their options', async (file) => {
    const { commands: groups, options: everywhere } = await wholeProgram(aShell('').shell);
    const wrong = codeSpans(read(file)).filter((span) => {
      const [noun, verb = '', ...rest] = span.split(' ');
      const group = groups.find((each) => each.name() === noun && each.commands.length > 0);
      if (!group || !/^[a-z][a-z-]*$/.test(verb)) return false;
      const command = group.commands.find((each) => each.name() === verb);
      const known = [...(command?.options ?? []), ...everywhere].map(({ long }) => long);
      return !command || rest.some((word) => /^--[a-z-]+$/.test(word) && !known.includes(word));
    });
    expect(wrong).toEqual([]);
  });
});

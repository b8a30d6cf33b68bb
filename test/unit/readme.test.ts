import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { alarms } from '../../lib/alarms.ts';
import { errorTable } from '../../lib/contract/error-table.ts';
import { testValues } from '../../lib/sandbox/test-values.ts';

const readme = readFileSync('README.md', 'utf8');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What stands between the two marks. */
const section = (name: string): string =>
  new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n?<!-- /${name} -->`).exec(readme)?.[1] ?? '';

describe('the README', () => {
  it('ties every endpoint and cause to its status and key, as the contract in code does', () => {
    const rows = errorTable().map(({ endpoint, cause, status, message, field }) => [
      `\`${endpoint}\``,
      cause,
      String(status),
      field === undefined ? `\`${message}\`` : `\`${message}\` (\`${field}\`)`,
    ]);
    expect(section('errors')).toBe(table(['Endpoint', 'Cause', 'Status', 'Message'], rows));
  });

  it('says what every alarm means and asks for', () => {
    const rows = Object.entries(alarms).map(([name, { means, remedy }]) => [`\`${name}\``, means, remedy]);
    expect(section('alarms')).toBe(table(['Alarm', 'Means', 'Do'], rows));
  });

  it('names every test value of the sandbox', () => {
    const rows = testValues.map(({ use, value, en }) => [use, `\`${value}\``, en]);
    expect(section('sandbox values')).toBe(table(['As a', 'Value', 'Outcome'], rows));
  });
});

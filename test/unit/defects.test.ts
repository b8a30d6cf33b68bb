import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Defect, defectCodes } from '../../lib/defect.ts';
import { kindOf } from '../../lib/log.ts';
import { positionsOf } from '../../lib/stack-positions.ts';

const sources = ['lib', 'functions']
  .flatMap((top) => readdirSync(top, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Their errors are read by whoever typed the command. */
const commands = /^lib\/(?:cli|installation)\//;
/** What Lambda prints in the place of an error, which the log has told by then. */
const inItsPlace = 'lib/runtime/lambda-handler.ts';

describe('every defect', () => {
  it('has a code: no function and no use case throws a plain error', () => {
    const plain = sources.filter(
      ({ file, text }) => !commands.test(file) && /\bnew (?:Type|Range|Syntax)?Error\(/.test(text),
    );
    expect(plain.map(({ file }) => file)).toEqual([inItsPlace]);
  });

  it('has a code of its own, and no code is of nothing', () => {
    const thrown = sources.flatMap(({ text }) =>
      [...text.matchAll(/new Defect\(\s*'(\w+)'/g)].map(([, code = '']) => code),
    );
    expect(thrown.toSorted((one, other) => one.localeCompare(other))).toEqual(
      defectCodes.toSorted((one, other) => one.localeCompare(other)),
    );
  });

  it('is told by its code, and not by its words', () => {
    expect(kindOf(new Defect('PAYMENT_MISSING', 'Payment 1 does not exist'))).toEqual({
      error: 'Defect',
      code: 'PAYMENT_MISSING',
    });
  });
});

describe('an error that is none of ours', () => {
  it('is told by a name that is known, for an SDK takes names from answers', () => {
    const named = (name: string) => kindOf(Object.assign(new Error('x'), { name }));
    expect(named('ProvisionedThroughputExceededException')).toEqual({
      error: 'ProvisionedThroughputExceededException',
    });
    expect(named('SecretOfSomebody')).toEqual({ error: 'OtherError' });
  });
});

describe('the positions of an error', () => {
  const withStack = (message: string, frames: string) =>
    Object.assign(new Error(message), { stack: `Error: ${message}\n${frames}` });

  it('are the lines and columns of the bundle, and nothing of Node', () => {
    const frames = [
      '    at Xe (/var/task/index.js:1:20345)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
      '    at async /var/task/index.js:2:17',
    ];
    expect(positionsOf(withStack('no', frames.join('\n')))).toBe('1:20345 2:17');
  });

  it('are never taken from the message, whatever it looks like', () => {
    const message = 'no\n    at card (/var/task/index.js:521324:3715986)';
    expect(positionsOf(withStack(message, '    at Xe (/var/task/index.js:1:2)'))).toBe('1:2');
    expect(positionsOf(withStack(message, ''))).toBeUndefined();
  });

  it('are never taken from a message that was changed after the stack was written', () => {
    const first = 'no\n/index.js:521324:3715986';
    const changed = Object.assign(withStack(first, '    at Xe (/var/task/index.js:1:2)'), {
      message: 'other',
    });
    expect(positionsOf(changed)).toBe('1:2');
  });

  it('are all there when the message became longer after the stack was written, as the SDK makes it', () => {
    const denied = Object.assign(
      withStack('', '    at Xe (/var/task/index.js:1:2)\n    at f (/var/task/index.js:1:3)'),
      {
        message: 'User is not authorized to perform dynamodb:GetItem on this resource',
      },
    );
    expect(positionsOf(denied)).toBe('1:2 1:3');
  });

  it('are missing, and nothing throws, for an error without a message or a stack of text', () => {
    const [noStack, noMessage] = [new Error('x'), new Error('x')];
    Object.defineProperty(noStack, 'stack', { value: null });
    Object.defineProperty(noMessage, 'message', { value: undefined });
    expect(positionsOf(noStack)).toBeUndefined();
    expect(positionsOf(noMessage)).toBeUndefined();
  });

  it('are those of the innermost eight calls', () => {
    const frames = Array.from({ length: 20 }, (_, at) => `    at f (/var/task/index.js:1:${at})`);
    expect(positionsOf(withStack('deep', frames.join('\n')))).toBe('1:0 1:1 1:2 1:3 1:4 1:5 1:6 1:7');
  });
});

import { userInfo } from 'node:os';
import { text as textOf } from 'node:stream/consumers';
import { shownInput } from './hidden-input.ts';
import { run } from './program.ts';
import type { Shell } from './shell.ts';

// What only some commands need is loaded when one needs it: the AWS SDK and the prompts take longer to load than all else.
const shell: Shell = {
  connect: async (...installation) => (await import('./connect.ts')).connect(...installation),
  out: (text) => console.log(text),
  err: (text) => console.error(text),
  operator: userInfo().username,
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  ask: async (question) => {
    const { default: confirm } = await import('@inquirer/confirm');
    return confirm({ message: question, default: false });
  },
  askHidden: async (question) => {
    const { default: password } = await import('@inquirer/password');
    return password({ message: question });
  },
  readInput: async () => {
    if (process.stdin.isTTY) throw shownInput();
    return textOf(process.stdin);
  },
  watchInterrupt: () => {
    let isInterrupted = false;
    process.once('SIGINT', () => {
      isInterrupted = true;
    });
    return { isInterrupted: () => isInterrupted };
  },
  exitCode: 0,
};

process.exitCode = await run(process.argv.slice(2), shell);

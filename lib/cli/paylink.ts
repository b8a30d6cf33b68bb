import confirm from '@inquirer/confirm';
import password from '@inquirer/password';
import { text as textOf } from 'node:stream/consumers';
import { userInfo } from 'node:os';
import { connect } from './connect.ts';
import { shownInput } from './hidden-input.ts';
import { run } from './program.ts';

const shell = {
  connect,
  out: (text: string) => console.log(text),
  err: (text: string) => console.error(text),
  operator: userInfo().username,
  isInteractive: process.stdin.isTTY && process.stdout.isTTY,
  ask: (question: string) => confirm({ message: question, default: false }),
  askHidden: (question: string) => password({ message: question }),
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

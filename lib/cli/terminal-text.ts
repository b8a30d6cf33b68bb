import type { Shell } from './shell.ts';

/** Control characters but the line break: a terminal interprets them. */
const controls = /[^\P{Cc}\n]/gu;

/**
 * Returns untrusted text without characters that steer a terminal or change the order of what is read: control characters and
 * bidirectional controls. Payers, merchants and providers write parts of what commands show.
 */
const terminalText = (text: string): string =>
  text.replaceAll(controls, ' ').replaceAll(/\p{Bidi_Control}/gu, '');

/** Returns a JSON document with the same values, and those characters as escapes: JSON itself escapes only those below U+0020. */
export const terminalJson = (json: string): string =>
  json.replaceAll(
    /[^\P{Cc}\n]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the shell with everything that it prints as text for a terminal. */
export const plainShell = (shell: Shell): Shell => ({
  ...shell,
  out: (text) => shell.out(terminalText(text)),
  err: (text) => shell.err(terminalText(text)),
  ask: (question) => shell.ask(terminalText(question)),
});

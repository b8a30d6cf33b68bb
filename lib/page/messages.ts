import type { Language } from './language.ts';
import { english } from './messages-en.ts';
import { type Messages, russian } from './messages-ru.ts';

export type { Messages } from './messages-ru.ts';

const messages: Readonly<Record<Language, Messages>> = { ru: russian, en: english };

/** All texts that a payer reads, in one language. */
export const messagesIn = (language: Language): Messages => messages[language];

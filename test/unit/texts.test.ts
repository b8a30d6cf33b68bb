import { describe, expect, it } from 'vitest';
import { gatewayAnswers } from '../../lib/contract/gateway-answers.ts';
import { errorTable } from '../../lib/contract/error-table.ts';
import { meanings } from '../../lib/contract/refusals.ts';
import { contract } from '../../lib/contract/routes.ts';
import { messagesIn } from '../../lib/page/messages.ts';
import { messagesIn as sandboxMessagesIn } from '../../lib/sandbox/messages.ts';

type Text = readonly [where: string, text: string];

/** Every text of a table, by its place; a text with a gap has it filled in. */
function textsOf(table: unknown, where: string): readonly Text[] {
  if (typeof table === 'string') return [[where, table]];
  if (typeof table === 'function') return textsOf(table('FILLED IN', 'FILLED IN'), where);
  if (typeof table !== 'object' || table === null) return [];
  return Object.entries(table).flatMap(([name, value]) => textsOf(value, `${where}.${name}`));
}

/** Only of gaps, blanks and signs: nobody would know what is meant. */
const saysNothing = ([, text]: Text): boolean => !/\p{L}/u.test(text.replaceAll('FILLED IN', ''));

/** What follows a number and ends the sentence. */
const onlyTheEnd = ([where]: Text): boolean => /\.(?:beingPaid\.held|unpaid\.(?:open|again))\.1$/.test(where);

const pages = { ru: messagesIn('ru'), en: messagesIn('en') };
const sandboxPages = { ru: sandboxMessagesIn('ru'), en: sandboxMessagesIn('en') };

describe('no text is empty', () => {
  it.each([
    ['of the payer’s pages', [...textsOf(pages.ru, 'ru'), ...textsOf(pages.en, 'en')]],
    ['of the sandbox’s pages', [...textsOf(sandboxPages.ru, 'ru'), ...textsOf(sandboxPages.en, 'en')]],
    ['of the gateway', textsOf(gatewayAnswers, 'gateway')],
    ['of the table of errors', textsOf(errorTable(), 'errors')],
    ['of what refusals mean', textsOf(meanings, 'meanings')],
    [
      'of the answers to refusals',
      textsOf(
        contract.map(({ refusals }) => refusals),
        'refusals',
      ),
    ],
    [
      'of the routes',
      textsOf(
        contract.map(({ summary }) => summary),
        'summaries',
      ),
    ],
  ])('%s', (_whose, texts) => {
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.filter(saysNothing).filter((text) => !onlyTheEnd(text))).toEqual([]);
  });
});

describe('a text of a page is in the language of the page', () => {
  const cyrillic = /\p{Script=Cyrillic}/u;
  const exceptTheSwitch = (texts: readonly Text[]) =>
    texts.filter(([where]) => !where.endsWith('.switchTo')).filter((text) => !saysNothing(text));

  it('Russian', () => {
    expect(exceptTheSwitch(textsOf(pages.ru, 'ru')).filter(([, text]) => !cyrillic.test(text))).toEqual([]);
    expect(pages.ru.switchTo).toBe('English');
  });

  it('English', () => {
    expect(exceptTheSwitch(textsOf(pages.en, 'en')).filter(([, text]) => cyrillic.test(text))).toEqual([]);
    expect(pages.en.switchTo).toBe('Русский');
  });

  it('and is there in both', () => {
    const places = (texts: readonly Text[]) => texts.map(([where]) => where.replace(/^(ru|en)/, ''));
    expect(places(textsOf(pages.en, 'en'))).toEqual(places(textsOf(pages.ru, 'ru')));
  });
});

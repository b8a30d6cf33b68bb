import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { handOffPage } from '../../lib/page/hand-off-page.ts';
import type { Language } from '../../lib/page/language.ts';
import { linkPage } from '../../lib/page/link-page.ts';
import { messagesIn } from '../../lib/page/messages.ts';
import { outcomePage } from '../../lib/page/outcome-page.ts';
import type { Page } from '../../lib/page/page.ts';
import { paymentPage } from '../../lib/page/payment-page.ts';
import { returnAnswer } from '../../lib/page/return-answer.ts';
import { declineReasons } from '../../lib/payment/acquirer.ts';
import type { ShopPage } from '../../lib/payment/return-of-payer.ts';
import { sampleBill, samplePages } from '../browser/sample-pages.ts';
import { aPayment } from '../support/builders.ts';

const view = { locale: undefined, returnUrl: undefined };
const reader = { language: 'en', languageChosen: false, nonce: 'NONCE' } as const;
const chosen = { ...reader, languageChosen: true };
const documentOf = (page: Page) => parse(page.markup.toString());
const textOf = (page: Page) => documentOf(page).querySelector('main')?.text.replace(/\s+/g, ' ') ?? '';
const linksOf = (page: Page) =>
  documentOf(page)
    .querySelectorAll('main a')
    .map((each) => each.getAttribute('href'));
const outcomeOf = (page: Page) => documentOf(page).querySelector('main')?.getAttribute('data-outcome');

const payable = {
  ...sampleBill,
  forms: [{ method: 'card', token: 'TOKEN' }],
  notice: undefined,
  acquirerSources: ['https://cards.example'],
} as const;

describe('the payment page', () => {
  it('says what is paid, to whom and how much', () => {
    const text = textOf(paymentPage(reader, payable));
    for (const part of [
      'Гончарная мастерская',
      'Кружка «Утро», 2 шт.',
      'Заказ № 1047 от 21 ноября',
      '₽1,250.00',
    ]) {
      expect(text).toContain(part);
    }
  });

  const linesOf = (lines: readonly [string, string][], language: 'ru' | 'en' = 'en') => {
    const items = lines.map(([name, quantity]) => ({
      name,
      quantity,
      priceMinor: 4025n,
      category: undefined,
    }));
    return paymentPage({ ...reader, language }, { ...payable, bill: { ...sampleBill.bill, items } });
  };

  it('shows the items of the bill, each with its quantity and total', () => {
    const page = linesOf([
      ['Tea', '2'],
      ['Cup', '1'],
      ['Honey', '0.75'],
    ]);
    expect(textOf(page)).toContain('Tea × 2₽80.50 Cup₽40.25 Honey × 0.75₽30.19');
    expect(documentOf(page).querySelector('details')).toBeNull();
    expect(textOf(linesOf([['Мёд', '0.75']], 'ru'))).toContain('Мёд × 0,7530,19 ₽');
  });

  it('folds a list of more than four, and shows each name escaped and isolated', () => {
    const page = documentOf(linesOf(Array.from({ length: 5 }, () => ['<b>Tea</b>', '1'])));
    expect(page.querySelector('details summary')?.text).toBe('Items: 5');
    expect(page.querySelectorAll('details dt bdi').map((name) => name.innerHTML)).toEqual(
      Array.from({ length: 5 }, () => '&lt;b&gt;Tea&lt;/b&gt;'),
    );
  });

  it('shows the surcharge apart from the amount, and their sum', () => {
    const text = textOf(paymentPage(reader, { ...payable, surchargeMinor: 2_500n, chargeMinor: 127_500n }));
    expect(text).toContain('Amount₽1,250.00 Fee₽25.00 To pay₽1,275.00');
    expect(text).toContain('Pay ₽1,275.00');
  });

  it('does not mention a fee that the payer does not pay', () => {
    expect(textOf(paymentPage(reader, payable))).not.toContain('Fee');
  });

  it('posts the one-time token to its own address', () => {
    const form = documentOf(paymentPage(reader, payable)).querySelector('form');
    expect(form?.getAttribute('method')).toBe('post');
    expect(form?.getAttribute('action')).toBeUndefined();
    expect(form?.querySelector('input[name=token]')?.getAttribute('value')).toBe('TOKEN');
  });

  it('has a heading when the merchant named no purpose', () => {
    const unnamed = { ...payable, bill: { ...sampleBill.bill, name: undefined, description: undefined } };
    expect(documentOf(paymentPage(reader, unnamed)).querySelector('h1')?.text).toBe('Your payment');
  });

  it('shows the merchant’s texts escaped', () => {
    const hostile = { ...payable, bill: { ...sampleBill.bill, name: '<img src=x onerror=alert(1)>' } };
    expect(documentOf(paymentPage(reader, hostile)).querySelector('img')).toBeNull();
  });

  const cardAndSbp = [
    { method: 'card', token: 'CARD' },
    { method: 'sbp', token: 'SBP' },
  ] as const;
  const buttonsOf = (page: Page) =>
    documentOf(page)
      .querySelectorAll('form')
      .map((each) => [each.querySelector('input[name=token]')?.getAttribute('value'), each.text.trim()]);

  it('has a form with a token of its own for each way to pay', () => {
    expect(buttonsOf(paymentPage(reader, { ...payable, forms: cardAndSbp }))).toEqual([
      ['CARD', 'Pay ₽1,250.00 by card'],
      ['SBP', 'Pay ₽1,250.00 by SBP'],
    ]);
  });

  it('offers what still works before the way that does not', () => {
    const failed = { notice: 'not_responding', failedMethod: 'card' } as const;
    const page = paymentPage(reader, { ...payable, forms: cardAndSbp, ...failed });
    expect(page).toMatchObject({ status: 503, retryAfterSeconds: 60 });
    expect(buttonsOf(page).map(([token]) => token)).toEqual(['SBP', 'CARD']);
    expect(textOf(page)).toContain('is not responding');
    expect(textOf(page)).toContain('Pay in another way');
  });

  it('says so when the only way is refused', () => {
    const page = paymentPage(reader, { ...payable, notice: 'method_refused', failedMethod: 'card' });
    expect(page.status).toBe(503);
    expect(textOf(page)).toContain('refused to start the payment. You were not charged. Try again');
  });

  it('has no button where nothing takes the charge, and says why', () => {
    const page = paymentPage(reader, { ...payable, forms: [] });
    expect([page.status, outcomeOf(page), buttonsOf(page)]).toEqual([200, 'no_method', []]);
    expect(textOf(page)).toContain('no way to pay takes this amount or currency');
  });

  const asking = cardAndSbp.map((form) => ({ ...form, asks: 'email_or_phone' as const }));
  const fieldOf = (page: Page) => {
    const field = documentOf(page).querySelector('input[name=contact]');
    const note = documentOf(page).querySelector(`[id="${field?.getAttribute('aria-describedby')}"]`);
    return { field, note: note?.text };
  };

  it('asks once where the receipt goes, in a form with a token for each way to pay', () => {
    const page = paymentPage(reader, { ...payable, forms: asking });
    const [form, ...others] = documentOf(page).querySelectorAll('form');
    expect(others).toEqual([]);
    const fields = form
      ?.querySelectorAll('[name]')
      .map((each) => [each.getAttribute('name'), each.getAttribute('value')]);
    expect(fields).toEqual([
      ['token-card', 'CARD'],
      ['token-sbp', 'SBP'],
      ['contact', ''],
      ['method', 'card'],
      ['method', 'sbp'],
    ]);
    expect(form?.querySelector('label[for=contact]')?.text).toBe('Email or phone for the receipt');
    expect(fieldOf(page).field?.hasAttribute('aria-invalid')).toBe(false);
    expect(fieldOf(page).note).toContain('The fiscal receipt is sent here.');
  });

  it('asks nothing of who pays in a way without a receipt', () => {
    const [card, sbp] = [{ ...cardAndSbp[0], asks: 'email' } as const, cardAndSbp[1]];
    const forms = documentOf(paymentPage(reader, { ...payable, forms: [card, sbp] })).querySelectorAll(
      'form',
    );
    expect(
      forms.map((form) => form.querySelectorAll('input').map((each) => each.getAttribute('name'))),
    ).toEqual([['token-card', 'contact'], ['token']]);
  });

  it.each([
    ['contact_missing', 'No payment was started: enter where', 'Enter an email address or a phone number'],
    ['contact_unreadable', 'No payment was started: check where', 'This is neither an email address'],
  ] as const)(
    'keeps what was typed for the receipt, and says what is wrong with it: %s',
    (notice, told, wrong) => {
      const page = paymentPage(reader, {
        ...payable,
        forms: asking,
        notice,
        typed: { contact: 'ivan@"<b>' },
      });
      expect(page.status).toBe(422);
      expect(textOf(page)).toContain(told);
      const { field, note } = fieldOf(page);
      expect(note).toContain(wrong);
      expect(field?.getAttribute('value')).toBe('ivan@"<b>');
      expect([field?.hasAttribute('aria-invalid'), field?.hasAttribute('autofocus')]).toEqual([true, true]);
    },
  );

  it('asks what the bill asks in one form with all ways to pay, and marks what is wrong', () => {
    const page = paymentPage(reader, {
      ...payable,
      forms: cardAndSbp,
      fields: ['email', 'phone', 'name', 'comment'],
      notice: 'fields_wrong',
      typed: { email: 'ivan@', phone: '', comment: '\n</textarea><b>' },
      troubles: { email: 'unreadable', phone: 'missing' },
    });
    expect(page.status).toBe(422);
    expect(textOf(page)).toContain('No payment was started: check the marked fields.');
    const [form, ...others] = documentOf(page).querySelectorAll('form');
    expect(others).toEqual([]);
    const named = ['email', 'phone', 'name', 'comment'].map((name) =>
      form?.querySelector(`[id=${name}][name=${name}]`),
    );
    expect(named.map((each) => each?.hasAttribute('required'))).toEqual([true, true, true, false]);
    expect(named.map((each) => each?.hasAttribute('aria-invalid'))).toEqual([true, true, false, false]);
    expect(named.map((each) => each?.hasAttribute('autofocus'))).toEqual([true, false, false, false]);
    expect(form?.querySelectorAll('.bad').map(({ id, text }) => [id, text])).toEqual([
      ['email-note', 'This is not an email address. One looks like this: ivan@example.com.'],
      ['phone-note', 'Enter your phone number.'],
    ]);
    expect(named[0]?.getAttribute('value')).toBe('ivan@');
    expect(page.markup.toString()).toContain('>\n&#10;&lt;/textarea&gt;&lt;b&gt;</textarea>');
    for (const label of form?.querySelectorAll('label') ?? [])
      expect(form?.querySelector(`[id=${label.getAttribute('for')}]`)).not.toBeNull();
  });

  it('links back to the shop, escaped and without a referrer', () => {
    const page = paymentPage({ ...reader, backTo: 'https://shop.example/cart?a=1&b="' }, payable);
    const link = documentOf(page).querySelector('p.back a');
    expect([link?.text, link?.getAttribute('href'), link?.getAttribute('rel')]).toEqual([
      'Back to the shop',
      'https://shop.example/cart?a=1&b="',
      'noreferrer',
    ]);
  });

  it.each([
    ['failed_before', 200, 'not charged'],
    ['form_too_old', 409, 'too old'],
    ['foreign_form', 403, 'did not come from this page'],
  ] as const)('explains why it is shown again: %s', (notice, status, words) => {
    const page = paymentPage(reader, { ...payable, notice });
    expect(page.status).toBe(status);
    expect(textOf(page)).toContain(words);
    expect(documentOf(page).querySelector('main')?.getAttribute('data-notice')).toBe(notice);
  });
});

describe('the link page', () => {
  const payUrl = 'https://pay.example/transfer/aB3dE6gH9jK2mN5p';

  it('shows the payment page’s address as a QR code and a link', () => {
    const page = linkPage(reader, { ...sampleBill, payUrl });
    expect(documentOf(page).querySelector('[role=img] svg path')).not.toBeNull();
    expect(linksOf(page)).toEqual([payUrl]);
  });

  it('keeps a chosen language', () => {
    expect(linksOf(linkPage(chosen, { ...sampleBill, payUrl }))).toEqual([`${payUrl}?lang=en`]);
  });
});

describe('the hand-off page', () => {
  const fields = {
    InvId: '1047',
    OutSum: '1250.00',
    CurrencyIn: 'RUB',
    custom: '"><script>\r\n{"a":1}',
    SignatureValue: 'AB'.repeat(16),
  };
  const url = 'https://shop.example/paid?x=1&y="2"';
  const page = handOffPage(reader, { url, isShops: true, outcome: 'success', fields, plainHttp: false });

  it('posts the fields in the contract’s order, byte for byte, to the shop', () => {
    const form = documentOf(page).querySelector('form');
    const inputs = form
      ?.querySelectorAll('input')
      .map((each) => [each.getAttribute('name'), each.getAttribute('value')]);
    expect(form?.getAttribute('action')).toBe(url);
    expect(inputs).toEqual(Object.entries(fields));
  });

  it('has a button for browsers without JavaScript and one script with the nonce for the rest', () => {
    const scripts = documentOf(page).querySelectorAll('script');
    expect(documentOf(page).querySelector('form button')).not.toBeNull();
    expect(scripts.map((each) => each.getAttribute('nonce'))).toEqual(['NONCE']);
  });

  it('has a machine-readable outcome', () => {
    expect(outcomeOf(page)).toBe('paid');
    const failed = handOffPage(reader, { url, isShops: true, outcome: 'fail', fields, plainHttp: false });
    expect(outcomeOf(failed)).toBe('failed');
  });

  const backAt = (shopPage: ShopPage | undefined) =>
    returnAnswer(
      {
        id: '',
        method: 'GET',
        query: {},
        form: {},
        headers: {},
        sourceIp: '192.0.2.7',
        reader,
        publicUrl: 'https://pay.example',
      },
      {
        back: { kind: 'hand_off', outcome: 'success', payment: aPayment(), shopPage, view },
        plainHttp: false,
        now: new Date('2026-11-21T12:34:56Z'),
      },
    );
  const postedBy = (handOff: Page) => {
    const form = documentOf(handOff).querySelector('form');
    const inputs = form?.querySelectorAll('input').map((each) => each.getAttribute('name'));
    return [form?.getAttribute('action'), inputs];
  };

  it('posts only the payment’s id to Paylink’s own outcome page', () => {
    expect(postedBy(backAt(undefined))).toEqual(['https://pay.example/redirect/payment/success', ['TrsId']]);
    expect(postedBy(backAt({ url, fields }))).toEqual([url, Object.keys(fields)]);
  });

  it('mentions the return to the shop only when it leads there', () => {
    const own = handOffPage(reader, { url, isShops: false, outcome: 'success', fields, plainHttp: false });
    expect([textOf(page), textOf(own)].map((text) => /the shop/i.test(text))).toEqual([true, false]);
  });
});

describe('Paylink’s own outcome page', () => {
  it.each([
    ['outcome-paid', 'paid'],
    ['outcome-overpaid', 'overpaid'],
    ['outcome-underpaid', 'underpaid'],
    ['outcome-failed', 'failed'],
    ['outcome-refunded', 'refunded'],
    ['outcome-waiting', 'waiting'],
    ['outcome-unknown', 'unknown'],
  ])('%s has the machine-readable outcome %s', (name, outcome) => {
    expect(outcomeOf(samplePages[name]!(reader))).toBe(outcome);
  });

  it('offers another attempt only after a failure', () => {
    const tries = ['outcome-failed', 'outcome-refunded', 'outcome-paid', 'outcome-waiting'].map(
      (name) => linksOf(samplePages[name]!(reader)).length,
    );
    expect(tries).toEqual([1, 0, 0, 0]);
  });

  it.each(declineReasons)(
    'says in both languages why a payment failed, and that nothing was charged: %s',
    (declineReason) => {
      const shown = (status: 'FAIL' | 'SUCCESS', language: Language) =>
        textOf(
          outcomePage(
            { ...reader, language },
            {
              payment: { ...aPayment(), status, declineReason },
              bill: sampleBill.bill,
              shop: undefined,
              payUrl: 'https://pay.example/',
            },
          ),
        );
      for (const language of ['ru', 'en'] as const) {
        const { declined, outcomes } = messagesIn(language);
        expect(shown('FAIL', language)).toContain(`${declined[declineReason]} ${outcomes.FAIL[1]}`);
        expect(shown('SUCCESS', language)).not.toContain(declined[declineReason]);
      }
    },
  );

  it('claims neither success nor failure without a payment', () => {
    expect(textOf(outcomePage(reader, undefined))).not.toMatch(/received|failed|charged/i);
  });

  it('keeps the payment when the payer changes the language', () => {
    const link = documentOf(samplePages['outcome-paid']!(reader)).querySelector('footer a');
    expect(link?.getAttribute('href')).toBe('?TrsId=aB3dE6gH9jK2mN5p00Qr7Tu8Vw&lang=ru');
  });
});

describe('a merchant’s text with bidirectional controls', () => {
  const turn = '\u202e\u2067';
  const bill = {
    ...sampleBill,
    bill: { ...sampleBill.bill, name: `name${turn}`, description: `detail${turn}` },
  };
  const shop = { name: `sh${turn}op\n\u0007` };
  const hostile = { ...payable, ...bill, shop };
  const payment = { ...aPayment(), status: 'FAIL' } as const;
  const pages: readonly (readonly [string, Page])[] = [
    ['link', linkPage(reader, { ...hostile, payUrl: 'https://pay.example/' })],
    ['payment', paymentPage(reader, hostile)],
    ['outcome', outcomePage(reader, { payment, bill: bill.bill, shop, payUrl: 'https://pay.example/' })],
  ];

  it.each(pages)('is isolated on the %s page and absent from its title', (_name, page) => {
    const document = documentOf(page);
    for (const each of document.querySelectorAll('bdi')) each.remove();
    expect(document.toString()).not.toMatch(/\p{Bidi_Control}/u);
    expect(document.toString()).not.toContain('\u0007');
  });

  it('keeps the shop’s name in the title on one line', () => {
    expect(documentOf(paymentPage(reader, hostile)).querySelector('title')?.text).toBe('Payment — shop');
  });
});

describe('every page', () => {
  it.each(Object.keys(samplePages))('%s is small, complete and free of third-party resources', (name) => {
    const markup = samplePages[name]!({ ...reader, language: 'ru' }).markup.toString();
    const withoutCode = markup.replace(/<path d="M\d[^"]{2000,}"\/>/, '');
    expect(Buffer.byteLength(withoutCode)).toBeLessThan(10_240);
    expect(markup).toMatch(/^<!doctype html>\n<html lang="ru">/);
    expect(markup).not.toMatch(/<(?:img|iframe|script src|link rel="stylesheet")| style=| on\w+=/);
  });
});

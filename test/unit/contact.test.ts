import { describe, expect, it } from 'vitest';
import {
  contactEndUnpaid,
  contactEndOf,
  longestComment,
  longestPayerName,
  masksOf,
  noContact,
  openContact,
  parseComment,
  parseContact,
  parseEmail,
  parseMobile,
  parsePayerName,
  sealContact,
} from '../../lib/bill/contact.ts';
import { contactEnd } from '../../lib/payment/contact.ts';
import { aPayment, billId, today } from '../support/builders.ts';
import { contactOpener as opener, contactSealer as sealer } from '../support/contacts.ts';
import { toBillId } from '../../lib/ids.ts';

const day = 24 * 3600_000;

describe('an e-mail address', () => {
  it.each([
    [' ivan.petrov@example.ru ', 'ivan.petrov@example.ru'],
    ['Ivan+shop@EXAMPLE.Ru', 'Ivan+shop@example.ru'],
    ['a@xn--80a1acny.xn--p1ai', 'a@xn--80a1acny.xn--p1ai'],
  ])('%j is stored as %s', (text, email) => expect(parseEmail(text)).toBe(email));

  it.each([
    '',
    'ivan',
    '@example.ru',
    'ivan@',
    'ivan@example',
    'ivan@example.ru,anna@example.ru',
    'ivan@example.ru\r\nBcc: a@b.ru',
    'a b@example.ru',
    'ivan@@example.ru',
    'иван@почта.рф',
    '.ivan@example.ru',
    'ivan.@example.ru',
    'ivan..petrov@example.ru',
    'ivan@example.r',
    'ivan@127.0.0.1',
    `${'a'.repeat(65)}@example.ru`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.ru`,
  ])('%j is none', (text) => expect(parseEmail(text)).toBeUndefined());

  it('is not looked for in a long text', () => expect(parseEmail('a'.repeat(60_000))).toBeUndefined());
});

describe('a mobile number', () => {
  it.each([
    ['+7 (912) 345-67-12', '79123456712'],
    ['8 912 345 67 12', '79123456712'],
    ['9123456712', '79123456712'],
    ['+7 701 234 56 78', '77012345678'],
  ])('%s is stored as %s', (text, phone) => expect(parseMobile(text)).toBe(phone));

  it.each(['', '+7 495 123-45-67', '123', '+1 212 555 0100', '+7912345671', 'call me'])(
    '%j is none',
    (text) => expect(parseMobile(text)).toBeUndefined(),
  );

  it('is not looked for in a long text', () => expect(parseMobile('9'.repeat(60_000))).toBeUndefined());
});

describe('the name of a payer', () => {
  it.each([
    [' Ivan\t Petrov ', 'Ivan Petrov'],
    ['Zo\u0308e\nO\u2019Neill', 'Zo\u0308e O\u2019Neill'],
    ['\u202eIvan', 'Ivan'],
    ['И'.repeat(longestPayerName), 'И'.repeat(longestPayerName)],
  ])('%j is stored as %j', (text, name) => expect(parsePayerName(text)).toBe(name));

  it.each([
    '',
    ' \n',
    'Ivan\0',
    'Ivan\u001b[31m',
    '\ud800',
    'x'.repeat(longestPayerName + 1),
    'x'.repeat(60_000),
  ])('%.20j is none', (text) => expect(parsePayerName(text)).toBeUndefined());
});

describe('a comment of the payer', () => {
  it.each([
    [' Call first \r\n  door 2\r\n', 'Call first\ndoor 2'],
    ['\u202eabc', 'abc'],
    ['👍'.repeat(longestComment / 2), '👍'.repeat(longestComment / 2)],
  ])('%.30j is stored as %.30j', (text, comment) => expect(parseComment(text)).toBe(comment));

  it.each(['', '\r\n', 'a\0b', '\udfff', 'x'.repeat(longestComment + 1)])('%.20j is none', (text) =>
    expect(parseComment(text)).toBeUndefined(),
  );
});

describe('a contact', () => {
  it('is what of it is readable, and none when nothing is', () => {
    expect(parseContact({ ...noContact, email: 'a@b.ru', phone: 'x', name: '\0' })).toEqual({
      ...noContact,
      email: 'a@b.ru',
    });
    expect(parseContact({ ...noContact, phone: '9123456712' })).toEqual({
      ...noContact,
      phone: '79123456712',
    });
    expect(parseContact({ ...noContact, name: 'Ivan' })).toEqual({ ...noContact, name: 'Ivan' });
    expect(parseContact({ email: 'x', phone: 'x', name: ' ', comment: '' })).toBeUndefined();
  });

  it.each([
    ['ivan@example.ru', 'i***@e***.ru'],
    ['i@e.ru', 'i***@e***.ru'],
    ['ivan@mail.shop.example.com', 'i***@m***.com'],
  ])('%s is shown as %s', (email, mask) => expect(masksOf({ ...noContact, email }).email).toBe(mask));

  it('has a phone of which the last two digits are shown', () => {
    expect(masksOf({ ...noContact, phone: '79123456712' })).toEqual({
      ...noContact,
      phone: '+7 *** ***-**-12',
    });
  });

  it.each([
    ['Ivan', 'I***'],
    ['Иван Петров', 'И*** П***'],
    ['a b c d e f', 'a*** b***'],
    ['👩‍💻 Zoya', '👩*** Z***'],
  ])('has a name, shown by the first letters of two words: %s as %s', (name, mask) =>
    expect(masksOf({ ...noContact, name })).toEqual({ ...noContact, name: mask }),
  );

  it('has a comment of which nothing is shown', () =>
    expect(masksOf({ ...noContact, comment: 'Call first' }).comment).toBe('***'));

  it('of the largest size fits one KMS encryption of 4,096 bytes', () => {
    const [email, phone] = [`${'a'.repeat(64)}@${'b.'.repeat(93)}com`, '79123456712'];
    const largest = { email, phone, name: '€'.repeat(longestPayerName), comment: '€'.repeat(longestComment) };
    expect(parseContact(largest)).toEqual(largest);
    expect(Buffer.byteLength(JSON.stringify(largest))).toBeLessThan(4096);
    const quoted = {
      ...largest,
      name: '"'.repeat(longestPayerName),
      comment: '\n"'.repeat(longestComment / 2),
    };
    expect(Buffer.byteLength(JSON.stringify(quoted))).toBeLessThan(4096);
  });

  it('that an earlier version sealed has no name and no comment', async () => {
    const context = { use: 'payer-contact', bill: billId };
    const sealed = await sealer.seal(JSON.stringify({ email: 'a@b.ru' }), context);
    const stored = { sealed, masks: noContact, until: today };
    expect(await openContact(opener, stored, billId)).toEqual({ ...noContact, email: 'a@b.ru' });
  });

  it('opens for its own bill alone', async () => {
    const contact = { email: 'ivan@example.ru', phone: '79123456712', name: 'Ivan', comment: 'Call first' };
    const sealed = await sealContact(sealer, contact, { billId, until: today });
    expect(sealed).toMatchObject({ masks: masksOf(contact), until: today });
    expect(await openContact(opener, sealed, billId)).toEqual(contact);
    expect(await openContact(opener, sealed, toBillId('AnotherBillBillB'))).toBeUndefined();
  });

  it('of an unpaid bill is retained for two weeks after its end, at most a year', () => {
    const after = (days: number) => new Date(today.getTime() + days * day);
    expect(contactEndOf({ createdAt: today, expiresAt: after(2) })).toEqual(after(16));
    expect(contactEndOf({ createdAt: today, expiresAt: undefined })).toEqual(after(365));
    expect(contactEndOf({ createdAt: today, expiresAt: after(400) })).toEqual(after(365));
  });

  it('of a payment is retained for 90 days after its first final state, and what was erased stays erased', () => {
    const after = (days: number) => new Date(today.getTime() + days * day);
    const until = contactEndUnpaid(today);
    const end = (traits: Parameters<typeof aPayment>[0], at: Date) =>
      contactEnd(aPayment(traits), at).contactUntil;
    expect(end({ contactUntil: until }, after(2))).toEqual(after(92));
    expect(end({ contactUntil: after(92), status: 'FAIL' }, after(50))).toEqual(after(92));
    expect(end({ contactUntil: until }, after(400))).toEqual(until);
    expect(end({}, after(2))).toBeUndefined();
  });
});

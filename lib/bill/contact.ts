import * as z from 'zod/mini';
import type { BillId } from '../ids.ts';
import type { Opener, Sealer } from '../merchant/ports.ts';
import { SealBroken } from '../merchant/seal-broken.ts';
import { plainLine } from '../plain-line.ts';

/**
 * What is known of the payer: for the fiscal receipt and the shop's extended postbacks. It exists in the clear only from the request
 * until it is sealed, and from its decryption until the call to the provider or the shop; all other code has the masks.
 */
export type Contact = {
  readonly email: string | undefined;
  /** `7` and ten digits. */
  readonly phone: string | undefined;
  /** One line, at most `longestPayerName` UTF-16 units. */
  readonly name: string | undefined;
  /** What the payer wrote to the shop; may have line breaks, at most `longestComment` UTF-16 units. */
  readonly comment: string | undefined;
};

/** A contact of which nothing is known. */
export const noContact: Contact = { email: undefined, phone: undefined, name: undefined, comment: undefined };

/** A contact as stored: encrypted, with masks that merchants and operators are shown, and the time of its erasure. */
export type SealedContact = {
  readonly sealed: string;
  readonly masks: Contact;
  readonly until: Date;
};

/** RFC 5321 4.5.3.1: what a mail server accepts. */
const longestEmail = 254;
const longestLocalPart = 64;

/** With an e-mail address and a phone they fit the 4,096 bytes that KMS encrypts, in any script. */
export const longestPayerName = 128;
export const longestComment = 500;

/** RFC 5321 4.1.2: dots stand between other characters. */
const misplacedDot = /^\.|\.\.|\.$/;
/** A top-level domain: letters, or the ASCII form of another script. Not the end of an IP address. */
const topLevel = /\.(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/;

/**
 * Returns the address without surrounding blanks, its domain in lower case; undefined for text that a browser's e-mail field would
 * not accept either, for a misplaced dot, and for a domain without a top-level domain: a provider refuses the whole payment for these.
 * A domain in Cyrillic is accepted in its ASCII form (`xn--…`) alone.
 */
export function parseEmail(text: string): string | undefined {
  if (text.length > 4 * longestEmail) return undefined;
  const email = text.trim();
  const at = email.indexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1).toLowerCase()];
  const fits = email.length <= longestEmail && local.length <= longestLocalPart;
  if (misplacedDot.test(local) || !topLevel.test(domain)) return undefined;
  return fits && z.regexes.html5Email.test(email) ? `${local}@${domain}` : undefined;
}

/**
 * Normalizes a mobile number of Russia or Kazakhstan in its usual notations, `+7 (912) 345-67-89`, `8 912 345 67 89`, `9123456789`,
 * to `7` and ten digits; undefined for other text.
 */
export function parseMobile(text: string): string | undefined {
  if (text.length > longestEmail) return undefined;
  const compact = text.replace(/[\s().\u2010-\u2015-]/g, '');
  const [, coded, bare] = /^(?:(?:\+?7|8)([79]\d{9})|(9\d{9}))$/.exec(compact) ?? [];
  const number = coded ?? bare;
  return number === undefined ? undefined : `7${number}`;
}

/** Control characters other than line breaks and tabs. */
const controls = /[^\P{Cc}\t\n\r]/u;

/** Returns the name as one line; undefined for text that is blank, too long, not valid Unicode, or has control characters. */
export const parsePayerName = (text: string): string | undefined =>
  readable(text, plainLine, longestPayerName);

/** Returns the comment without trailing blanks, its line breaks as `\n`; undefined for text that is no readable comment. */
export const parseComment = (text: string): string | undefined =>
  readable(
    text,
    (lines) =>
      lines
        .split(/\r\n?|\n/)
        .map(plainLine)
        .join('\n')
        .trim(),
    longestComment,
  );

function readable(text: string, clean: (text: string) => string, longest: number): string | undefined {
  if (text.length > 4 * longest || !text.isWellFormed() || controls.test(text)) return undefined;
  const cleaned = clean(text);
  return cleaned === '' || cleaned.length > longest ? undefined : cleaned;
}

/** Returns the contact of what is readable; undefined when nothing is. */
export function parseContact({ email, phone, name, comment }: Contact): Contact | undefined {
  const contact = {
    email: email === undefined ? undefined : parseEmail(email),
    phone: phone === undefined ? undefined : parseMobile(phone),
    name: name === undefined ? undefined : parsePayerName(name),
    comment: comment === undefined ? undefined : parseComment(comment),
  };
  return Object.values(contact).some((each) => each !== undefined) ? contact : undefined;
}

/** The masks `i***@e***.ru`, `+7 *** ***-**-12` and `I*** P***`; of a comment only that there is one. */
export const masksOf = ({ email, phone, name, comment }: Contact): Contact => ({
  email: email?.replace(/^(.).*@(.).*(\.[^.]+)$/, '$1***@$2***$3'),
  phone: phone === undefined ? undefined : `+7 *** ***-**-${phone.slice(-2)}`,
  name: name
    ?.split(' ')
    .slice(0, 2)
    .map((word) => `${word.match(/^./u)?.join('') ?? ''}***`)
    .join(' '),
  comment: comment === undefined ? undefined : '***',
});

const dayMs = 24 * 3600_000;
const longestMs = 365 * dayMs;
const afterBillMs = 14 * dayMs;

/**
 * Until when a bill's contact is retained while the bill is not paid: two weeks after its end, because a payment that began before may be
 * captured or refunded for a week (late queries) and then needs a receipt; at most a year.
 */
export function contactEndOf(bill: { readonly createdAt: Date; readonly expiresAt: Date | undefined }): Date {
  const last = contactEndUnpaid(bill.createdAt);
  if (bill.expiresAt === undefined) return last;
  const end = new Date(bill.expiresAt.getTime() + afterBillMs);
  return end < last ? end : last;
}

/** Until when the contact of a payment is retained while it has no final state. */
export const contactEndUnpaid = (createdAt: Date): Date => new Date(createdAt.getTime() + longestMs);

/** Until when a contact is retained after the final state of its payment: 90 days, in which money may be returned. */
export const contactEndAfter = (finalAt: Date): Date => new Date(finalAt.getTime() + 90 * dayMs);

/** The encryption context. Its bill is part of it, so that a copy opens for the payments of its bill alone. */
const contextOf = (billId: BillId) => ({ use: 'payer-contact', bill: billId });

/** A contact sealed by an earlier version has no name and no comment. */
const text = z.optional(z.string());
const clear = z.object({ email: text, phone: text, name: text, comment: text });

/** Encrypts a contact of this bill or of one of its payments. */
export async function sealContact(
  sealer: Sealer,
  contact: Contact,
  { billId, until }: { readonly billId: BillId; readonly until: Date },
): Promise<SealedContact> {
  const sealed = await sealer.seal(JSON.stringify(contact), contextOf(billId));
  return { sealed, masks: masksOf(contact), until };
}

/** Decrypts a contact; undefined when it was not sealed for this bill. */
export async function openContact(
  opener: Opener,
  { sealed }: SealedContact,
  billId: BillId,
): Promise<Contact | undefined> {
  const opened = await opener.open(sealed, contextOf(billId)).catch((error: unknown) => {
    if (error instanceof SealBroken) return undefined;
    throw error;
  });
  if (opened === undefined) return undefined;
  return { ...noContact, ...clear.parse(JSON.parse(opened)) };
}

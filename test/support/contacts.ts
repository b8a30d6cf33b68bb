import { type Contact, contactEndOf, sealContact, type SealedContact } from '../../lib/bill/contact.ts';
import type { BillId } from '../../lib/ids.ts';
import type { Opener, Sealer } from '../../lib/merchant/ports.ts';
import { SealBroken } from '../../lib/merchant/seal-broken.ts';
import { billId as aBillId, today } from './builders.ts';

/** Seals without KMS: the context is stored with the text, in Base64, so that a search for the text in the clear finds nothing. */
export const contactSealer: Sealer = {
  seal: async (secret, context) => Buffer.from(JSON.stringify({ secret, context })).toString('base64'),
};

export const contactOpener: Opener = {
  async open(sealed, context) {
    const { secret, context: sealedFor } = JSON.parse(Buffer.from(sealed, 'base64').toString());
    if (JSON.stringify(context) !== JSON.stringify(sealedFor)) throw new SealBroken();
    return secret;
  },
};

export const aContact: Contact = {
  email: 'ivan@example.ru',
  phone: '79123456712',
  name: 'Ivan Petrov',
  comment: 'Call first',
};

/** A contact of the bill, retained as that of a bill without an end. */
export const aSealedContact = ({
  billId = aBillId,
  until = contactEndOf({ createdAt: today, expiresAt: undefined }),
}: {
  readonly billId?: BillId;
  readonly until?: Date;
} = {}): Promise<SealedContact> => sealContact(contactSealer, aContact, { billId, until });

import type { Contacts } from '../bill/ports.ts';
import { contactKey, toSealedContact } from './contact-item.ts';
import { getItem } from './get-item.ts';
import type { Table } from './table.ts';

/** Payers' contacts. One whose end is before `now` is absent. */
export const dynamoContacts = (table: Table, now: () => Date): Contacts => ({
  find: (billId, ownerId) =>
    getItem(table, contactKey(billId, ownerId), (raw) => toSealedContact(raw, now())),
});

import * as z from 'zod/mini';
import type { Contacts } from '../bill/ports.ts';
import { batchGet } from './batch-get.ts';
import { contactKey, toSealedContact } from './contact-item.ts';
import { getItem } from './get-item.ts';
import type { Table } from './table.ts';

const itemKey = z.object({ PK: z.string() });

/** Payers' contacts. One whose end is before `now` is absent. */
export const dynamoContacts = (table: Table, now: () => Date): Contacts => ({
  find: (billId, ownerId) =>
    getItem(table, contactKey(billId, ownerId), (raw) => toSealedContact(raw, now())),
  async findAll(billIds) {
    const items = await batchGet(
      table,
      billIds.map((id) => contactKey(id)),
    );
    const byKey = new Map(items.map((item) => [itemKey.parse(item).PK, toSealedContact(item, now())]));
    return new Map(
      billIds.flatMap((id) => {
        const contact = byKey.get(contactKey(id).PK);
        return contact ? [[id, contact] as const] : [];
      }),
    );
  },
});

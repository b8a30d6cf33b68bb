/** So long a transaction holds its items, where the test says nothing: `PAYLINK_LOCK_MS=15 npm test`. */
export const usualLockMs = Number(process.env['PAYLINK_LOCK_MS'] ?? 0);

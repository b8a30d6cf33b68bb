/** The default time for which a transaction holds its items: `PAYLINK_LOCK_MS=15 npm test`. */
export const usualLockMs = Number(process.env['PAYLINK_LOCK_MS'] ?? 0);

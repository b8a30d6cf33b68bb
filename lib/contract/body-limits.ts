/** The largest request body, in bytes, of the API, the service's own outcome page and the acquirer's notifications. */
export const largestBody = 64 * 1024;

/** The longest `custom` of a bill, in UTF-16 units. */
export const longestCustom = 4096;

/** The largest request body, in bytes, of all other pages: their forms have a few short fields. */
export const largestForm = 8 * 1024;

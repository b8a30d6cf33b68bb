/** Bytes of a body that the API, our own outcome page and the acquirer's notifications take. */
export const largestBody = 64 * 1024;

/** Bytes of a body that all other pages take: their forms have a few short fields. */
export const largestForm = 8 * 1024;

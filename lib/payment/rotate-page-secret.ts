/** Where the secret of the payers' pages is kept: each replacement makes the current one the previous one. */
export interface PageSecretStore {
  replace(secret: string): Promise<void>;
}

type Ports = { readonly pageSecret: PageSecretStore; readonly newId: (length: number) => string };

const length = 64;

/**
 * A new secret, which signs as soon as every function knows it; the one before is accepted for two hours. `atOnce`, for a
 * leaked one: a second replacement leaves nothing of it to accept.
 */
export async function rotatePageSecret(
  { pageSecret, newId }: Ports,
  { atOnce }: { readonly atOnce: boolean },
): Promise<void> {
  if (atOnce) await pageSecret.replace(newId(length));
  await pageSecret.replace(newId(length));
}

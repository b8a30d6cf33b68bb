/** Stores the secret of the payer's pages: a replacement makes the current one the previous one. */
export interface PageSecretStore {
  replace(secret: string): Promise<void>;
}

type Ports = { readonly pageSecret: PageSecretStore; readonly newId: (length: number) => string };

const length = 64;

/**
 * Replaces the page secret. The new one signs once every function knows it; the previous one is accepted for two hours.
 * `atOnce`, for a leaked secret: replaces twice, so that it is no longer the previous one either.
 */
export async function rotatePageSecret(
  { pageSecret, newId }: Ports,
  { atOnce }: { readonly atOnce: boolean },
): Promise<void> {
  if (atOnce) await pageSecret.replace(newId(length));
  await pageSecret.replace(newId(length));
}

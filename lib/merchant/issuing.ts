import type { Merchants, Sealer, Shops } from './ports.ts';
import type { Random, TokenKind } from './token.ts';

/** The ports for creating a merchant, a shop or a token. `sealer` encrypts under the token key. */
export type IssuingPorts = {
  readonly now: () => Date;
  readonly newId: (length: number) => string;
  readonly random: Random;
  /** `live` in production, `test` elsewhere. */
  readonly tokenKind: TokenKind;
  readonly merchants: Merchants;
  readonly shops: Shops;
  readonly sealer: Sealer;
};

/** Creates the services that issue a single token, with the lifetime, claims and changes of this token. */

import type { Claims, Members } from "../../oauth/members.ts";
import type { Seams, SeamValues } from "../../oauth/seams.ts";
import type { Services } from "../../oauth/services.ts";
import { type AnyMintTerms, type MintKind, mintKinds, readLifetime } from "./mint_terms.ts";

/** Functions that change a token after the hooks have run. */
export interface TokenChanges {
  readonly claims?: (claims: Claims) => Claims;
  readonly header?: (header: Members) => Members;
  /** Returns the text that replaces the signed token. */
  readonly signed?: (token: SeamValues["signed"]) => string | Promise<string>;
}

/** Creates a copy of the services in which settings and seams are changed for one token of this kind. */
export function createMintServices(
  kind: MintKind,
  { expiresIn, claims }: AnyMintTerms,
  changes: TokenChanges,
  services: Services,
): Services {
  const { settings, seams } = services;
  const { member, lifetime } = mintKinds[kind];
  const lifetimes = expiresIn === undefined
    ? settings.lifetimes
    : { ...settings.lifetimes, [lifetime]: readLifetime(kind, expiresIn, settings) };
  return {
    ...services,
    settings: { ...settings, lifetimes },
    seams: changeToken(member, seams, {
      ...changes,
      claims: (defaults) => changes.claims?.({ ...defaults, ...claims }) ?? { ...defaults, ...claims },
    }),
  };
}

/**
 * Wraps the hooks so that they run for this kind of token only. The steps also create the other tokens of a response,
 * but `mint` does not return them.
 */
function changeToken(token: string, hooks: Seams, changes: TokenChanges): Seams {
  return {
    async claims(value, at) {
      if (value.token !== token) return value;
      const hooked = await (hooks.claims?.(value, at) ?? value);
      return { ...hooked, claims: changes.claims?.(hooked.claims) ?? hooked.claims };
    },
    async jwt(value, at) {
      if (value.token !== token) return value;
      const hooked = await (hooks.jwt?.(value, at) ?? value);
      return { ...hooked, header: changes.header?.(hooked.header) ?? hooked.header };
    },
    async signed(value, at) {
      if (value.token !== token) return value;
      const hooked = await (hooks.signed?.(value, at) ?? value);
      return { ...hooked, text: await (changes.signed?.(hooked) ?? hooked.text) };
    },
  };
}

/** Services of the server for a single token, with its own lifetime, claims and changes. */

import type { Claims, Members } from "../../oauth/members.ts";
import type { Seams, SeamValues } from "../../oauth/seams.ts";
import type { Services } from "../../oauth/services.ts";
import { type AnyMintTerms, type MintKind, mintKinds, readLifetime } from "./mint_terms.ts";

/** Changes of a token that apply after the hooks have run. */
export interface TokenChanges {
  readonly claims?: (claims: Claims) => Claims;
  readonly header?: (header: Members) => Members;
  /** Returns another text for the signed token. */
  readonly signed?: (token: SeamValues["signed"]) => string | Promise<string>;
}

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
      claims: (usual) => changes.claims?.({ ...usual, ...claims }) ?? { ...usual, ...claims },
    }),
  };
}

/** Hooks run for this kind of token only, because the other tokens of the same response are thrown away. */
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

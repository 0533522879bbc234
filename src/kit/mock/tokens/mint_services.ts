/** Creates the services that issue a single token, with the lifetime, claims and changes of this token. */

import type { Act, ActContext, Acts } from "../../faults/misbehaviour.ts";
import type { Claims } from "../../../server/oauth/members.ts";
import type { Seam, SeamContext, Seams, SeamValues } from "../../../server/oauth/seams.ts";
import type { Services } from "../../../server/oauth/services.ts";
import { type AnyMintTerms, type MintKind, mintKinds, readLifetime } from "./mint_terms.ts";

/** Creates a copy of the services in which settings and seams are changed for one token of this kind. A misbehaviour acts last. */
export function createMintServices(
  kind: MintKind,
  { expiresIn, claims }: AnyMintTerms,
  acts: Acts,
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
    seams: changeToken(member, claims, seams, acts),
  };
}

/**
 * Wraps the hooks so that they run for this kind of token only. The steps also create the other tokens of a response,
 * but `mint` does not return them.
 */
function changeToken(token: string, claims: Claims | undefined, hooks: Seams, acts: Acts): Seams {
  const at = <N extends "claims" | "jwt" | "signed">(
    seam: N,
    adjust = (hooked: SeamValues[N]): SeamValues[N] => hooked,
  ): Seam<N> => {
    return async (value, context) => {
      if (value.token !== token) return value;
      const [hook, act]: [Seam<N> | undefined, Act<N> | undefined] = [hooks[seam], acts[seam]];
      const wanted = adjust(await (hook?.(value, context) ?? value));
      return await (act?.(wanted, inTokenRequest(context)) ?? wanted);
    };
  };
  return {
    claims: at("claims", (hooked) => ({ ...hooked, claims: { ...hooked.claims, ...claims } })),
    jwt: at("jwt"),
    signed: at("signed"),
  };
}

/** Describes a token request, which a misbehaviour expects, to a function that acts while a token is minted. */
export function inTokenRequest(at: Omit<SeamContext, "acted">): ActContext {
  return { ...at, endpoint: "token", drop() {}, withhold: () => Promise.resolve() };
}

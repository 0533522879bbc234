/** Makes a token with one named fault, for the tests of an API. */

import type { TenantContext } from "../client/tenant_context.ts";
import { findUsualResource } from "../terms/configured.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import {
  forgeries,
  type ForgeryName,
  type ForgeryVerdict,
  type ForgeTerms,
  opaqueToo,
  recipes,
} from "./forgeries.ts";
import type { AnyMintTerms } from "./mint_terms.ts";

/** A token with one fault. */
export interface Forgery {
  readonly name: ForgeryName;
  readonly token: string;
  readonly verdict: ForgeryVerdict;
}

const knownTerms = termsOf<Omit<AnyMintTerms, "kind">>({
  ...{ person: true, client: true, scope: true, resource: true, claims: true, nonce: true },
  ...{ expiresIn: true, itself: true },
});

export async function forge(name: ForgeryName, terms: ForgeTerms, context: TenantContext): Promise<Forgery> {
  context.requireOpen();
  if (!Object.hasOwn(recipes, name)) {
    throw new TypeError(`There is no forgery called ${name}: there is ${forgeries.join(", ")}`);
  }
  requireKnownTerms(`forge ${name}`, terms, knownTerms);
  const { verdict, make } = recipes[name];
  if (!opaqueToo.has(name) && context.services.settings.accessTokens === "opaque") {
    throw new TypeError(
      `Cannot forge ${name}: that is a fault of a JWT, and the access tokens here are opaque; ` +
        'configure accessTokens: "jwt"',
    );
  }
  const resource = terms.resource ?? findUsualResource(`forge ${name}`, "resource", context);
  const meant = resource === undefined ? terms : { ...terms, resource };
  return { name, token: await make(meant, context), verdict };
}

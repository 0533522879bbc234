/** Creates a token with one named fault, for tests of an API. */

import { suggestSimilar } from "../../schema/nearest.ts";
import { describeValue } from "../../schema/received.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { findDefaultResource } from "../terms/configured.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import {
  forgeries,
  type ForgeryName,
  type ForgeryVerdict,
  type ForgeTerms,
  forgingByName,
} from "./forgeries.ts";
import { mintChanged } from "./mint.ts";
import type { AnyMintTerms } from "./mint_terms.ts";

/** The result of `forge`: a token with one fault, and how a resource server must answer it. */
export interface Forgery {
  /** The name of the fault. */
  readonly name: ForgeryName;
  /** The forged access token. */
  readonly token: string;
  /** The response that a resource server must give. */
  readonly verdict: ForgeryVerdict;
}

const knownTerms = termsOf<Omit<AnyMintTerms, "kind">>({
  ...{ person: true, client: true, scope: true, resource: true, claims: true, nonce: true },
  ...{ expiresIn: true, withoutPerson: true, dpop: true },
});

export async function forge(name: ForgeryName, terms: ForgeTerms, context: TenantContext): Promise<Forgery> {
  context.requireOpen();
  if (!Object.hasOwn(forgingByName, name)) {
    throw new TypeError(
      `There is no forgery ${describeValue(name)}: expected one of ${forgeries.join(", ")}` +
        suggestSimilar(name, forgeries),
    );
  }
  requireKnownTerms(`forge ${name}`, terms, knownTerms);
  const forging = forgingByName[name];
  if (!forging.opaque && context.services.settings.accessTokens === "opaque") {
    throw new TypeError(
      `Cannot forge ${name}: only a JWT can have this fault, but the access tokens are opaque. ` +
        'Configure accessTokens: "jwt"',
    );
  }
  const resource = terms.resource ?? findDefaultResource(`forge ${name}`, "resource", context);
  const requestedTerms = resource === undefined ? terms : { ...terms, resource };
  const token = "create" in forging
    ? await forging.create(requestedTerms, context)
    : await mintChanged(requestedTerms, forging.changes(context), context);
  return { name, token, verdict: forging.verdict };
}

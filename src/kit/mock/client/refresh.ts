/** Redeems a refresh token as the client that received the token (OAuth 2.1 §4.3). */

import { refreshParams } from "../../../server/client/flow.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import type { AuthorizationDetail } from "../../../server/features/options.ts";
import { toList } from "../terms/configured.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { type DpopTerm, openDpopKey } from "./dpop_client.ts";
import { findRecipient } from "./find_recipient.ts";
import { type GivenTokens, requireToken } from "./given_tokens.ts";
import { requestAsClient } from "./request_as_client.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { readTokens, type Tokens } from "./token_response.ts";

/** Options of `refresh`. */
export interface RefreshTerms {
  /** The scope of the new access token: the granted scope, or a part of it. Default: the whole scope of the grant. */
  readonly scope?: string | readonly string[];
  /** The resource (API) that the new token is for, or a list of resources. */
  readonly resource?: string | readonly string[];
  /** What the new access token is for (RFC 9396 §6): objects that were granted. Default: all of them. */
  readonly authorizationDetails?: readonly AuthorizationDetail[];
  /** The client id. Default: the client that received the token, if the test kit or the server knows the token. */
  readonly client?: string;
  /** The private JWK of a client that authenticates with `private_key_jwt`. */
  readonly clientKey?: Jwk;
  /**
   * The private JWK for the DPoP proof, or `true` for a new key if the tokens are not bound to one. `false` sends no
   * proof. Default: the key that the tokens are bound to.
   */
  readonly dpop?: DpopTerm;
}

export async function refresh(
  tokens: string | Pick<GivenTokens, "refresh_token">,
  terms: RefreshTerms,
  running: RunningTenant,
): Promise<Tokens> {
  const doing = "refresh";
  running.requireOpen();
  requireTerms(doing, terms, types.RefreshTerms);
  const token = requireToken(doing, tokens, ["refresh_token"], {
    wanted: "a refresh token, or a token response with one",
    none: "these tokens have no refresh_token. Check that the client's grant_types include refresh_token",
  });
  const known = await findRecipient(tokens, token, terms, running);
  const recipient = { ...known, dpop: await openDpopKey(doing, terms.dpop, running, known.dpop) };
  const form = refreshParams({
    refreshToken: token,
    scope: terms.scope && toList(terms.scope).join(" "),
    authorizationDetails: terms.authorizationDetails && JSON.stringify(terms.authorizationDetails),
    resources: toList(terms.resource),
  });
  const answered = await requestAsClient({ endpoint: "token", form, ...recipient }, running);
  const refreshed = await readTokens(doing, answered, recipient.decryptionKey);
  running.recipients.set(refreshed, recipient);
  return refreshed;
}

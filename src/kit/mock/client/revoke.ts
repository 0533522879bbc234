/** Revokes a token as the client that received the token (RFC 7009). */

import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { findRecipient } from "./find_recipient.ts";
import { type GivenTokens, requireToken } from "./given_tokens.ts";
import { requestAsClient } from "./request_as_client.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** Options of `revoke`. */
export interface RevokeTerms {
  /** The client id. Default: the client that received the token, if the test kit or the server knows the token. */
  readonly client?: string;
  /** The private JWK of a client that authenticates with `private_key_jwt`. */
  readonly clientKey?: Jwk;
}

export async function revoke(
  tokens: string | Pick<GivenTokens, "access_token" | "refresh_token">,
  terms: RevokeTerms,
  running: RunningTenant,
): Promise<void> {
  const doing = "revoke";
  running.requireOpen();
  requireTerms(doing, terms, types.RevokeTerms);
  const token = requireToken(doing, tokens, ["refresh_token", "access_token"], {
    wanted: "a token, or a token response with one",
    none: "the response has neither refresh_token nor access_token",
  });
  const recipient = await findRecipient(tokens, token, terms, running);
  const { answer, facts } = await requestAsClient(
    // The key of bound tokens is not needed: a revocation has no proof.
    { endpoint: "revoke", form: [["token", token]], ...recipient, dpop: undefined },
    running,
  );
  if (answer.status !== 200) throw refusedBy(doing, facts, readReceived(answer));
}

/** Reads the parameter id_token_hint: an ID token that a client sends back (OpenID Connect Core §3.1.2.1). */

import { isEncryptedJwt } from "../../crypto/jwt_parts.ts";
import { fail, type RefusalRows, refusals } from "../refusals.ts";
import type { Services } from "../services.ts";
import { type IssuedIdToken, readIssuedIdToken } from "./issued_id_token.ts";

const refusal = refusals({
  hint_not_ours: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "The id_token_hint was not issued here",
    change: "Send an ID token that this server issued as id_token_hint, or leave it out.",
  },
  hint_encrypted: {
    error: "invalid_request",
    spec: "OpenID Connect Core §3.1.2.1",
    sentence: "The id_token_hint is encrypted, and only the client can decrypt it",
    change: "Decrypt the ID token, and send the signed ID token that is inside of it.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function readIdTokenHint(text: string, services: Services): Promise<IssuedIdToken> {
  if (isEncryptedJwt(text)) throw refusal("hint_encrypted");
  return await readIssuedIdToken(text, services) ?? fail(refusal("hint_not_ours"));
}

/** Sends a form as a client: authenticates the client, proves its key, and answers the demand of a nonce. */

import type { Pair } from "../http/form.ts";
import { type AssertionTerms, authenticate, type ClientIdentity } from "./authenticate.ts";
import { type ClientRequest, createClientForm } from "./client_request.ts";
import { type ClientReply, type DpopKey, keepNonce, signProof } from "./dpop_key.ts";

export interface ClientForm {
  readonly url: string;
  readonly params: readonly Pair[];
  readonly identity: ClientIdentity;
  /** The key that the client proves with DPoP. */
  readonly dpop?: DpopKey | undefined;
}

/** Sends the form, and sends it once more if the server demands a nonce (RFC 9449 §8). */
export async function sendAsClient<Reply extends ClientReply>(
  { url, params, identity, dpop }: ClientForm,
  terms: AssertionTerms,
  send: (request: ClientRequest) => Promise<Reply>,
): Promise<Reply> {
  const attempt = async () => {
    const identification = await authenticate(identity, terms);
    const proof = dpop &&
      await signProof(dpop, { method: "POST", url, jti: terms.createId(), now: terms.now });
    return await send(createClientForm(url, params, identification, proof));
  };
  const reply = await attempt();
  return dpop !== undefined && keepNonce(dpop, url, reply) ? await attempt() : reply;
}

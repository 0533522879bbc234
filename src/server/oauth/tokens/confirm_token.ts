/** Accepts a bound token only with its own scheme and a proof of its key (RFC 9449 §7, RFC 8705 §3). */

import { type Challenge, isFault, OAuthError, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { Exchange } from "../contracts/exchange.ts";
import type { ProofOptions, Services } from "../contracts/feature.ts";
import { describeConfirmation } from "./prove_sender.ts";
import type { ReadToken } from "../contracts/read_token.ts";
import { bearer } from "../contracts/sender.ts";

const refusal = refusals({ error: "invalid_token", spec: "RFC 9449 §7, RFC 8705 §3" }, {
  token_binding_unknown: {
    sentence: "The access token is bound to a key by {method}, which this server cannot check",
    change: "Bind the token to a key by a way that this server can check, for example DPoP.",
  },
  token_scheme_differs: {
    spec: "RFC 9449 §7",
    sentence: "The access token must be sent with the scheme {tokenType}",
    expected: "Authorization: {tokenType} <access token>",
    change: "Send the access token with the scheme of its token_type.",
  },
  token_key_unproven: {
    sentence: "The request does not prove the key that its access token is bound to",
    expected: "a proof of {key} in {presentedIn}",
    change: "Prove the key of the access token: by a DPoP proof, or by the certificate of the connection.",
  },
  token_key_differs: {
    sentence: "The request proves another key than the one that its access token is bound to",
    expected: "{key}",
    change: "Prove the key to which the access token is bound.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface Presentation {
  /** The scheme of the Authorization header. A token in a form is presented as a bearer token. */
  readonly scheme: string;
  readonly text: string;
  /** Parameters of all challenges: `resource_metadata`. */
  readonly challengeParams?: Readonly<Record<string, string>> | undefined;
}

/** How a request presents an access token to a resource. A proof has to be for the URL and audience of the resource. */
type ResourcePresentation = Presentation & Pick<ProofOptions, "urls" | "audience" | "nonces">;

/**
 * Returns a challenge for each scheme. The scheme of the request comes first, because its challenge has the error. If
 * every client must prove a key, no client gets a bearer token, so no challenge offers that scheme (RFC 9449 §7.2).
 */
export function listChallenges(
  used: string,
  services: Services,
  common: Readonly<Record<string, string>> = {},
): readonly Challenge[] {
  const { slots: { senderProofs, tokenTypes }, settings } = services;
  const offered = [...new Set([used, ...tokenTypes])].filter((scheme) =>
    !(settings.dpop.required && scheme === bearer.tokenType)
  );
  return offered.map((scheme) => {
    const proof = [...senderProofs.values()].find(({ tokenType }) => tokenType === scheme);
    return { scheme, params: { ...common, ...proof?.challengeParams?.(services) } };
  });
}

/** Returns the token_type of a token. `undefined`: the server cannot check how the token is bound. */
export function tokenTypeOf({ confirmation }: ReadToken, { slots }: Services): string | undefined {
  return confirmation === undefined
    ? bearer.tokenType
    : slots.senderProofs.get(confirmation.method)?.tokenType;
}

/** Returns `false` for a bearer token with the Bearer scheme, which needs no proof. */
export function needsConfirmation({ confirmation }: ReadToken, { scheme }: Presentation): boolean {
  return confirmation !== undefined || scheme !== bearer.tokenType;
}

export async function requireConfirmed(
  token: ReadToken,
  presentation: ResourcePresentation,
  exchange: Exchange,
  services: Services,
): Promise<void> {
  const mismatch = await findMismatch(token, presentation, exchange, services);
  if (mismatch === undefined) return;
  if (isFault(mismatch)) throw mismatch;
  // RFC 9449 §7.1: here a wrong proof gets 401 and a challenge; at the token endpoint it gets 400.
  throw new OAuthError({ code: mismatch.error, status: 401 }, mismatch.message, {
    challenge: listChallenges(presentation.scheme, services, presentation.challengeParams),
    ...mismatch.details,
  });
}

async function findMismatch(
  token: ReadToken,
  { scheme, text, challengeParams: _, ...resource }: ResourcePresentation,
  exchange: Exchange,
  services: Services,
): Promise<OAuthError | undefined> {
  const { confirmation } = token;
  const tokenType = tokenTypeOf(token, services);
  if (tokenType === undefined) {
    const { method } = confirmation!;
    return refusal("token_binding_unknown", { method, received: `cnf ${method}` });
  }
  if (scheme !== tokenType) return refusal("token_scheme_differs", { tokenType, received: scheme });
  if (confirmation === undefined) return undefined;
  const key = describeConfirmation(confirmation);
  const proof = services.slots.senderProofs.get(confirmation.method)!;
  const result = await proof.prove(exchange, { ...resource, accessToken: text }, services);
  if (result === undefined) {
    return refusal("token_key_unproven", { key, presentedIn: proof.presentedIn });
  }
  if ("refusal" in result) return result.refusal;
  const proved = describeConfirmation({ method: confirmation.method, thumbprint: result.thumbprint });
  exchange.note({ provenKey: proved });
  if (result.thumbprint === confirmation.thumbprint) return undefined;
  return refusal("token_key_differs", { key, received: proved });
}

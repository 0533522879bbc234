/** Wrong answers to clients that prove a key (RFC 9449). */

import { splitJwt } from "../../../ground/crypto/jwt_parts.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import {
  answerGrant,
  answerInstead,
  changeAt,
  changeMetadata,
  changeResponse,
  changeTokens,
  errorAnswer,
  invalidToken,
  jsonAnswer,
  setting,
} from "../changes.ts";
import { any, moreThan, refreshes, repeatsCode, to, where } from "../finds.ts";
import type { ActContext, CreateActs } from "../misbehaviour.ts";
import { headerOf, type Seen } from "../seen.ts";
import { attempt } from "../../../ground/values/attempt.ts";
import { present } from "../../../ground/values/present.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

/** Every character of the syntax (RFC 9449 §8.1), several times: all visible ones but the quote and the backslash. */
const longNonce = Array.from({ length: 500 }, (_, index) => String.fromCharCode(0x21 + index % 94))
  .join("").replace(/["\\]/g, "~");

export const dpop: FaultsOf<"dpop"> = faultsOf("dpop", {
  level: "hardening",
  phase: "login",
  needs: ["dpop"],
}, {
  algorithms_unsupported: {
    server: "The metadata says that the server accepts proofs with EdDSA and ML-DSA-65 only.",
    client: "Proves a key of a named algorithm, or gives up before the login.",
    rule: "RFC 9449 §5.1",
    watch: {
      never: to("token", provesWith("ES256", "ES384", "RS256", "PS256")),
      sign: to("token", hasProof),
    },
    acts: changeMetadata(setting({ dpop_signing_alg_values_supported: ["EdDSA", "ML-DSA-65"] })),
  },
  bearer_challenge: {
    phase: "call_api",
    server: "The API refuses the token and its proof, and challenges the client for a bearer token.",
    client: "Does not send the bound token as a bearer token.",
    rule: "RFC 9449 §7.1, §7.2",
    watch: { never: to("resource", usesScheme("bearer")) },
    acts: changeResponse("resource", (answer, _tools, at) => !isProved(at) ? answer : invalidToken),
  },
  bearer_token: {
    server: "The token response has the token_type Bearer, although the request had a proof.",
    client: "Discards the tokens, if their protection by the key matters to it.",
    rule: "RFC 9449 §5: a must only for clients to which the protection matters",
    watch: { never: any(to("userinfo", usesScheme("bearer")), to("resource", usesScheme("bearer"))) },
    acts: changeTokens((members) =>
      members["token_type"] === "DPoP" ? { ...members, token_type: "Bearer" } : members
    ),
  },
  nonce_endless: {
    server: "The token endpoint wants another nonce each time.",
    client: "Gives up after a few attempts.",
    rule: "RFC 9449 §8",
    control: "dpop.nonce_required",
    watch: { never: moreThan(3, to("token")) },
    acts(tools) {
      let count = 0;
      return answerProved("token", () => askForNonce(`nonce-${count += 1}`))(tools);
    },
  },
  nonce_long: {
    level: "tolerate",
    server: "The nonce of the token endpoint has 500 characters, among them each one that a nonce may have.",
    client: "Repeats the request with exactly this nonce.",
    rule: "RFC 9449 §8, §8.1",
    watch: { sign: to("token", hasNonce(longNonce)) },
    acts: demandNonce("token", longNonce),
  },
  nonce_missing: {
    server: "The token endpoint answers use_dpop_nonce without a nonce.",
    client: "Does not send the request again and again.",
    rule: "RFC 9449 §8",
    control: "dpop.nonce_required",
    watch: { never: moreThan(1, to("token")) },
    acts: answerProved("token", () => askForNonce()),
  },
  nonce_of_other_server: {
    phase: "call_api",
    server: "The token endpoint and the API want nonces, each one of its own.",
    client: "Uses a nonce only for the server that gave it.",
    rule: "RFC 9449 §9",
    control: "dpop.nonce_required",
    watch: {
      never: confusesNonces,
      sign: to("resource", hasNonce("nonce-of-the-api")),
      signSays: "sent each server its own nonce",
    },
    acts(tools) {
      const server = demandNonce("token", "nonce-of-the-server")(tools).arrival!;
      const api = demandNonce("resource", "nonce-of-the-api")(tools).arrival!;
      return {
        arrival(value, at) {
          if (at.endpoint !== "resource") return server(value, at);
          // Clients tell servers apart by their origins.
          const isOther = at.exchange.request.address.origin !== new URL(tools.issuer).origin;
          return isOther ? api(value, at) : value;
        },
      };
    },
  },
  nonce_required: {
    level: "tolerate",
    server: "The token endpoint wants a nonce in the proof.",
    client: "Repeats the request with the nonce of the refusal.",
    rule: "RFC 9449 §8",
    watch: { sign: to("token", hasNonce("nonce-1")) },
    acts: demandNonce("token", "nonce-1"),
  },
  nonce_rotates: {
    level: "must",
    phase: "refresh",
    server: "The successful token response has a nonce.",
    client: "Uses this nonce for the next token request.",
    rule: "RFC 9449 §8.2",
    watch: {
      never: where(refreshes, (seen) => hasProof(seen) && !hasNonce("nonce-2")(seen)),
      sign: where(refreshes, hasNonce("nonce-2")),
    },
    acts: changeAt(
      "response",
      (answer, _tools, at) =>
        isProved(at) && answer.status < 300 && at.exchange.facts.grantType === "authorization_code"
          ? withHeaders(answer, { "dpop-nonce": "nonce-2" })
          : answer,
    ),
  },
  nonce_twice: {
    server: "The refusal of the token endpoint has two headers with nonces.",
    client: "Does not take both together for one nonce.",
    rule: "RFC 9449 §8, §8.1",
    control: "dpop.nonce_required",
    watch: { never: to("token", hasNonce("nonce-1, nonce-2")) },
    acts: answerProved(
      "token",
      (at) =>
        readProof(at)["nonce"] === undefined
          ? withHeaders(askForNonce(), { "dpop-nonce": ["nonce-1", "nonce-2"] })
          : undefined,
    ),
  },
  nonce_with_other_error: {
    server: "The token endpoint refuses the code with invalid_grant, and the refusal has a nonce.",
    client: "Does not send the code again, because the error is not about the nonce.",
    rule: "RFC 9449 §8; RFC 6749 §4.1.2",
    watch: { never: repeatsCode },
    acts: answerGrant(
      "authorization_code",
      (_tools, at) =>
        isProved(at) ? errorAnswer(400, "invalid_grant", { "dpop-nonce": "nonce-1" }) : undefined,
    ),
  },
});

function askForNonce(nonce?: string, isApi = false): Answer {
  return jsonAnswer(isApi ? 401 : 400, {
    error: "use_dpop_nonce",
    error_description: "The proof needs a nonce",
  }, present({ "dpop-nonce": nonce, "www-authenticate": isApi ? 'DPoP error="use_dpop_nonce"' : undefined }));
}

/** Clients without proofs do not meet these misbehaviours. */
function isProved({ exchange: { request } }: ActContext): boolean {
  return request.header("dpop") !== undefined;
}

function answerProved(
  endpoint: "token" | "resource",
  answer: (at: ActContext) => Answer | undefined,
): CreateActs {
  return answerInstead(endpoint, (_tools, at) => isProved(at) ? answer(at) : undefined);
}

function demandNonce(endpoint: "token" | "resource", nonce: string): CreateActs {
  return answerProved(
    endpoint,
    (at) => readProof(at)["nonce"] === nonce ? undefined : askForNonce(nonce, endpoint === "resource"),
  );
}

function readProof({ exchange: { request } }: ActContext): Readonly<Record<string, unknown>> {
  return splitProof(request.header("dpop"))?.claims ?? {};
}

function splitProof(text = "") {
  return attempt(() => splitJwt(text));
}

function proofOf(seen: Seen) {
  return splitProof(headerOf(seen, "dpop"));
}

function hasProof(seen: Seen): boolean {
  return proofOf(seen) !== undefined;
}

function hasNonce(nonce: string): (seen: Seen) => boolean {
  return (seen) => proofOf(seen)?.claims["nonce"] === nonce;
}

function confusesNonces(_later: readonly Seen[], acted: readonly Seen[]): readonly Seen[] {
  return acted.filter((seen) =>
    hasNonce(seen.endpoint === "resource" ? "nonce-of-the-server" : "nonce-of-the-api")(seen)
  );
}

function provesWith(...algs: readonly string[]): (seen: Seen) => boolean {
  return (seen) => algs.includes(`${proofOf(seen)?.header["alg"]}`);
}

function usesScheme(scheme: string): (seen: Seen) => boolean {
  return (seen) => headerOf(seen, "authorization")?.toLowerCase().startsWith(`${scheme} `) === true;
}

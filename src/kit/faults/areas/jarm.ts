/** Wrong authorization responses that are JWTs (JARM). */

import { textOf } from "../../../ground/http/body.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import {
  changeAt,
  removing,
  signAgain,
  signAnew,
  signWithEmbeddedKey,
  signWithForeignKey,
  signWithPublicKey,
  writeUnsigned,
} from "../changes.ts";
import { redeemsReceivedCode, where } from "../finds.ts";
import type { PastTime } from "../names.ts";
import { changeAudience, writeIssuer } from "../neighbours.ts";
import type { Find } from "../seen.ts";

const response = "authorization_response";

const lacksClaim = (claim: string, consequence = "") => ({
  server: `The JWT of the authorization response has no ${claim}${consequence}.`,
  rule: "JARM §2.1, §2.4",
  acts: signAgain(response, removing(claim)),
});

export const jarm: FaultsOf<"jarm"> = faultsOf("jarm", {
  level: "must",
  phase: "login",
  client: "Refuses the response, and sends no token request.",
  rule: "JARM §2.4",
  needs: ["jarm"],
  watch: { never: redeemsReceivedCode },
}, {
  alg_none: {
    server: "The JWT of the authorization response has no signature, and its alg verifies nothing.",
    rule: "JARM §2.4, §3; RFC 8725 §3.2; RFC 7515 §4.1.1",
    acts: signAnew(response, writeUnsigned),
  },
  audience_other: {
    server: "The JWT of the authorization response is for another client.",
    rule: "JARM §2.4; RFC 7519 §2, §4.1.3",
    acts: signAgain(response, (claims, tools) => changeAudience(claims, tools, "another-client")),
  },
  audience_missing: lacksClaim("aud"),
  expired: {
    server: "The exp in the JWT of the authorization response is in the past.",
    acts: signAgain(
      response,
      (claims, { findPast, variant }) => ({ ...claims, exp: findPast(variant as PastTime) }),
    ),
  },
  expiry_missing: lacksClaim("exp", ", so it would never expire"),
  issuer_missing: lacksClaim("iss"),
  issuer_other: {
    server: "The JWT of the authorization response is of another issuer.",
    rule: "JARM §2.4; RFC 7519 §2, §4.1.1",
    acts: signAgain(response, (claims, tools) => ({ ...claims, iss: writeIssuer(tools) })),
  },
  jwt_hs256_with_public_key: {
    server:
      "The JWT of the authorization response is signed with an HMAC, and the secret is the server's public key.",
    client: "Refuses the response, because it chooses the algorithm itself and does not trust alg.",
    rule: "JARM §2.4, §3; RFC 8725 §2.1, §3.1",
    acts: signAnew(response, signWithPublicKey),
  },
  jwt_key_embedded: {
    server: "The header of the authorization response names the key that verifies it.",
    client: "Refuses the response, because it trusts the published keys of the server only.",
    rule: "JARM §2.4; RFC 8725 §3.10",
    acts: signAnew(response, signWithEmbeddedKey),
  },
  other_key: {
    server:
      "The kid of the authorization response names a key of the server, but another key signed the JWT.",
    acts: signAnew(response, signWithForeignKey),
  },
  parameters_beside: {
    level: "hardening",
    server: "The authorization response has a code of another login beside the JWT.",
    client: "Takes the parameters from the JWT only, or refuses the response.",
    rule: "JARM §2.3: the JWT is the only parameter, but no rule says what a client does otherwise",
    watch: {
      never: redeemsCodeIf((code) => code === injectedCode),
      sign: redeemsCodeIf((code) => code !== injectedCode),
      signSays: "used the code in the JWT",
    },
    acts: changeAt("response", addCode),
  },
  plain_parameters: {
    level: "hardening",
    server: "The authorization response has plain parameters, although the client asked for a JWT.",
    client: "Refuses the response, because nothing shows who wrote it.",
    rule: "JARM §2.3, §2.4: the response is a JWT, but no rule says what a client does without one",
    acts: changeAt("authorization_response", (value) =>
      value.mode.endsWith("jwt")
        // JARM §2.3.4: for a code, "jwt" is short for "query.jwt".
        ? { ...value, mode: value.mode.replace(/\.?jwt$/, "") || "query" }
        : value),
  },
});

const injectedCode = "code-of-another-login";

function redeemsCodeIf(matches: (code: string) => boolean): Find {
  return where(redeemsReceivedCode, ({ params }) => matches(`${params.get("code")}`));
}

/** Adds a code to a redirect or a form that has a JWT. */
function addCode(answer: Answer): Answer {
  const { location } = answer.headers;
  if (typeof location === "string" && /[?&#]response=eyJ/.test(location)) {
    return { ...answer, headers: { ...answer.headers, location: `${location}&code=${injectedCode}` } };
  }
  const body = textOf(answer.body);
  const changed = body.replace(
    /<input[^<>]* name="response"/,
    `<input type="hidden" name="code" value="${injectedCode}">$&`,
  );
  return changed === body ? answer : { ...answer, body: changed };
}

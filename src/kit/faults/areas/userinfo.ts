/** Wrong responses of userinfo (OpenID Connect Core §5.3). */

import type { Claims } from "../../../ground/values/members.ts";
import { changeMember } from "../../../server/oauth/contracts/seams.ts";
import {
  answerInstead,
  busyAnswer,
  changeResponse,
  changesOf,
  changeText,
  htmlPage,
  neverAnswer,
  redirectElsewhere,
  setting,
  signAgain,
  signWithForeignKey,
  signWithPublicKey,
  writeUnsigned,
} from "../changes.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import { textOf } from "../../../ground/http/body.ts";
import { moreThan, to, trustsOtherServer } from "../finds.ts";
import { changeAudience, writeIssuer, writeNeighbour } from "../neighbours.ts";

const repeats = moreThan(3, to("userinfo"));

const { anew, claims } = changesOf("userinfo");

/** The response is a JWT, as for a client that registered for it. */
const asJwt = {
  level: "should",
  needs: ["userinfo_jwt"],
  settings: { client: { userinfo_signed_response_alg: "RS256" } },
} as const;

/** The end of each sub, because not every sub has letters that can be written in two ways. */
const endings: Readonly<Record<string, { readonly inIdToken: string; readonly inUserinfo: string }>> = {
  capitals: { inIdToken: "-a", inUserinfo: "-A" },
  normalization: { inIdToken: "-\u00e9", inUserinfo: "-e\u0301" },
  // In the compatibility forms of Unicode, it is the same letter.
  full_width: { inIdToken: "-a", inUserinfo: "-\uff41" },
  // Only the low byte of its number is the same.
  low_byte: { inIdToken: "-a", inUserinfo: "-\u0161" },
};

export const userinfo: FaultsOf<"userinfo"> = faultsOf("userinfo", {
  level: "must",
  phase: "login",
  needs: ["userinfo"],
  // Userinfo is the end of a login, so only the client knows whether it used the claims.
  watch: { invisible: true },
  tolerated: { watch: {} },
}, {
  sub_other: {
    server: "The sub of userinfo is not the one of the ID token.",
    client: "Uses nothing of the response, because it is about another person.",
    rule: "OpenID Connect Core §5.3.2",
    acts: claims(setting({ sub: "another-person" })),
  },
  sub_missing: {
    server: "Userinfo has no sub.",
    client: "Uses nothing of the response, because it cannot compare the sub with that of the ID token.",
    rule: "OpenID Connect Core §5.3.2",
    acts: claims(({ sub: _sub, ...claims }) => claims),
  },
  sub_similar: {
    server: "The sub of userinfo resembles that of the ID token.",
    client: "Uses nothing of the response, because the sub must match exactly.",
    rule: "OpenID Connect Core §5.3.2, §2, §14",
    prepares: ["jwt"],
    acts(tools) {
      const { variant = "" } = tools;
      const ends = endings[variant];
      if (ends === undefined) {
        const change = (text: string) => writeNeighbour(variant, text, "another-person");
        return claims((claims) => changeText(claims, "sub", change))(tools);
      }
      const append = (end: string) => (claims: Claims) => ({ ...claims, sub: `${claims["sub"]}${end}` });
      return {
        ...claims(append(ends.inUserinfo))(tools),
        jwt: (value) =>
          value.token === "id_token" ? changeMember(value, "claims", append(ends.inIdToken)) : value,
      };
    },
  },
  never_answers: {
    level: "hardening",
    server: "Requests for userinfo get no answer.",
    client: "Stops waiting after a limit of its own, and does not ask again and again.",
    rule: "OpenID Connect Core §5.3.3: no rule says how long a client waits",
    watch: { never: repeats, timeoutIsRefusal: true, refusalSays: "stopped waiting" },
    acts: neverAnswer("userinfo"),
  },
  redirect_foreign: {
    server: "A request for userinfo is redirected to another origin.",
    client: "Does not send the access token there.",
    rule: "RFC 6750 §5.3",
    bugs: ["CVE-2018-18074"],
    watch: { never: trustsOtherServer, refusalSays: "did not send the access token there" },
    acts: answerInstead("userinfo", redirectElsewhere("userinfo")),
  },
  unavailable: {
    level: "hardening",
    server: "Userinfo answers with the status 503, and names seconds in Retry-After.",
    client: "Goes on without the claims or reports the error, and does not ask again and again.",
    rule: "RFC 9110 §15.6.4, §10.2.3",
    watch: { never: repeats },
    acts: answerInstead("userinfo", busyAnswer(503, "30")),
  },
  unreadable: {
    level: "hardening",
    server: "The response of userinfo has the status 200, and is no JSON object.",
    client: "Goes on without the claims or reports the error, and does not ask again and again.",
    rule:
      "OpenID Connect Core §5.3.2: a success is a JSON object, but no rule says what a client does otherwise",
    watch: { never: repeats },
    acts: changeResponse("userinfo", (answer, { variant }) => {
      if (answer.status !== 200) return answer;
      if (variant === "html") return htmlPage;
      const text = textOf(answer.body);
      return {
        ...answer,
        body: variant === "list" ? `[${text}]` : text.slice(0, Math.ceil(text.length / 2)),
      };
    }),
  },
  jwt_unsigned: {
    ...asJwt,
    server: "Userinfo is a JWT without a signature, and its alg verifies nothing.",
    client: "Refuses the response, because its alg is not the registered one.",
    rule: "OpenID Connect Core §5.3.4 (3); RFC 8725 §3.2; RFC 7515 §4.1.1",
    acts: anew(writeUnsigned),
  },
  jwt_hs256_with_public_key: {
    ...asJwt,
    server: "Userinfo is a JWT that is signed with an HMAC, and the secret is the server's public key.",
    client: "Refuses the response, because its alg is not the registered one.",
    rule: "OpenID Connect Core §5.3.4 (3); RFC 8725 §2.1, §3.1",
    acts: anew(signWithPublicKey),
  },
  jwt_other_key: {
    ...asJwt,
    server: "Userinfo is a JWT whose kid names a key of the server, but another key signed it.",
    client: "Refuses the response.",
    rule: "OpenID Connect Core §5.3.4 (3)",
    acts: anew(signWithForeignKey),
  },
  jwt_aud_wrong: {
    ...asJwt,
    level: "hardening",
    server: "Userinfo is a signed JWT whose aud is another client.",
    client: "Refuses the response, which is for another client.",
    rule: "OpenID Connect Core §5.3.2: a duty of the server; RFC 8725 §3.9",
    acts: signAgain("userinfo", (claims, tools) => changeAudience(claims, tools, "another-client")),
  },
  jwt_iss_wrong: {
    ...asJwt,
    level: "hardening",
    server: "Userinfo is a signed JWT whose iss is another issuer.",
    client: "Refuses the response, which is of another issuer.",
    rule: "OpenID Connect Core §5.3.2: a duty of the server; RFC 8725 §3.8",
    acts: signAgain("userinfo", (claims, tools) => ({ ...claims, iss: writeIssuer(tools) })),
  },
  claims_missing: {
    level: "tolerate",
    server: "Userinfo has only the sub and the email, without email_verified and other claims.",
    client: "Goes on without the other claims, and takes the email as not verified.",
    rule: "OpenID Connect Core §5.3.2: a claim that is not returned is no error",
    // An application may need the email.
    acts: claims((claims) =>
      Object.fromEntries(Object.entries(claims).filter(([name]) => name === "sub" || name === "email"))
    ),
  },
  claims_null: {
    level: "robustness",
    server: "Claims about which the server knows nothing are null.",
    client: "Takes them as missing.",
    rule: "OpenID Connect Core §5.3.2: the server should leave them out",
    acts: claims((claims) => ({ name: null, picture: null, website: null, ...claims })),
  },
  claims_as_text: {
    level: "robustness",
    server: "The claims email_verified and updated_at are text, as large providers send them.",
    client: "Goes on, and takes the text of email_verified as no proof.",
    rule: "OpenID Connect Core §5.1: other types, but no rule says what a client does otherwise",
    acts: claims(setting({ email_verified: "true", updated_at: "2026-11-21T12:00:00.000Z" })),
  },
  claims_unknown: {
    level: "robustness",
    server: "Userinfo has unknown claims with unusual values.",
    client: "Ignores the claims that it does not understand.",
    rule:
      "OpenID Connect Core §5.1.2, §5.3.2: there may be others, but no rule says that a client ignores them",
    acts: claims(setting({ "https://as.test/list": [[1], { deep: null }], "": 1 })),
  },
  claims_distributed: {
    level: "robustness",
    server: "Userinfo names a foreign server from which the client could load more claims.",
    client: "Goes on without these claims, or loads them.",
    rule: "OpenID Connect Core §5.6.2: support is optional",
    acts: claims((claims, { otherServer }) => ({
      ...claims,
      _claim_names: { credit_score: "bank" },
      _claim_sources: { bank: { endpoint: `${otherServer}/claims`, access_token: "for-the-bank" } },
    })),
  },
});

/** Wrong sets of published keys (RFC 7517; OpenID Connect Core §10.1). */

import { encodeText } from "../../../ground/values/octets.ts";
import { toBase64url } from "../../../ground/crypto/bytes.ts";
import { materialOf, publicMembersOf, thumbprint } from "../../../ground/crypto/jwk.ts";
import { joinJwt } from "../../../ground/crypto/jwt_parts.ts";
import { importSigner } from "../../../ground/crypto/platform.ts";
import type { Members } from "../../../ground/values/members.ts";
import { type FaultsOf, faultsOf, maySkipSignature } from "../faults_of.ts";
import {
  answerInstead,
  changeAt,
  changeHeader,
  changeKeys,
  changeResponse,
  forOtherAlg,
  htmlPage,
  neverAnswer,
  publish,
  publishForeign,
  redirectElsewhere,
  setting,
  signAnew,
  signHs256,
  signWithUnknownKey,
  together,
} from "../changes.ts";
import { countLogins } from "../count_logins.ts";
import { afterWrong, to, usesAccessToken, usesReceivedToken } from "../finds.ts";
import { createShortRsaKey } from "../foreign_keys.ts";
import type { CreateActs, Tools, Watch } from "../misbehaviour.ts";
import { writeNeighbour } from "../neighbours.ts";

/** The client verifies the ID token before it uses any token of the response (OpenID Connect Core §3.1.3.5). */
const usesTokens = afterWrong("jwks", usesAccessToken);
const refuses: Watch = { never: usesTokens, invisible: true };

const changeEachKey = (change: (key: Members, tools: Tools) => Members): CreateActs =>
  changeKeys((keys, tools) => keys.map((key) => change(key, tools)));

const addKeysBefore = (others: (tools: Tools) => readonly Members[]): CreateActs =>
  changeKeys((keys, tools) => [...others(tools), ...keys]);

const extendId = (key: Members): Members => ({ ...key, kid: `${key["kid"]}/../a b+c=?&'"\\ü` });

const publishedSecret = "everyone can read this key of 32 B";

/** A key beside the right one, of which no client can make use. */
const unusableKey = { level: "tolerate", client: "Ignores that key.", rule: "RFC 7517 §5" } as const;

export const keys: FaultsOf<"keys"> = faultsOf("keys", {
  level: "hardening",
  phase: "login",
  watch: refuses,
  tolerated: { watch: { sign: usesAccessToken } },
}, {
  rotated: {
    server: "The server signs with a new key, and the keys that the client loads first do not have it yet.",
    client: "Loads the keys once more, or refuses the ID token.",
    rule: `OpenID Connect Core §10.1.1; ${maySkipSignature}`,
    watch: { never: usesTokens, sign: to("jwks"), signSays: "loaded the keys again", invisible: true },
    acts(tools) {
      let isFirst = true;
      return changeKeys((keys) => {
        if (!isFirst) return keys;
        isFirst = false;
        return [publishForeign("RS256", tools)];
      })(tools);
    },
  },
  several: {
    level: "tolerate",
    server: "The server publishes several keys, and signs with the last one.",
    client: "Finds the key by its kid.",
    rule: "RFC 7517 §4.5, §5; OpenID Connect Core §10.1",
    acts: addKeysBefore((tools) => [publishForeign("RS256", tools), publishForeign("ES256", tools)]),
  },
  kid_duplicate: {
    level: "robustness",
    server: "Two keys of different types have the same kid.",
    client: "Chooses the key whose type fits the alg.",
    rule: "RFC 7517 §4.5: a server should publish different kids",
    acts: changeKeys((keys, tools) =>
      keys.flatMap((key) => {
        const alg = key["kty"] === "EC" ? "RS256" : "ES256";
        return [{ ...publishForeign(alg, tools), kid: key["kid"] }, key];
      })
    ),
  },
  kid_odd: {
    level: "tolerate",
    server:
      "The kid of the ID token and of its key has slashes, quotes, spaces and other unusual characters.",
    client: "Compares the kid as text.",
    rule: "RFC 7517 §4.5: a kid may have any structure",
    prepares: ["jwt"],
    // Other JWTs of the server keep the usual kid, and clients verify them, too.
    acts: together(
      changeKeys((keys) => keys.flatMap((key) => [extendId(key), key])),
      changeHeader("id_token", extendId),
    ),
  },
  kid_similar: {
    level: "tolerate",
    server: "The server publishes a second key of the same type, and its kid resembles the right one.",
    client: "Compares the whole kid, with its capital letters, and uses the right key.",
    rule: "RFC 7517 §4.5; RFC 7515 §4.1.4",
    acts: changeKeys((keys, tools) =>
      keys.flatMap((key) => {
        const isLast = tools.variant === "capitals_last";
        const kid = writeNeighbour(isLast ? "capitals" : tools.variant, `${key["kid"]}`, "another");
        const similar = { ...publishForeign(`${key["alg"]}`, tools), kid };
        return isLast ? [key, similar] : [similar, key];
      })
    ),
  },
  alg_absent: {
    level: "robustness",
    server: "The published keys have neither alg nor use.",
    client: "Uses the key, because both members are optional.",
    rule: "RFC 7517 §4.2, §4.4: both are optional",
    acts: changeEachKey(({ alg: _alg, use: _use, ...key }) => key),
  },
  kty_unknown: {
    ...unusableKey,
    server: "One of the published keys has an unknown type.",
    acts: addKeysBefore(() => [{ kty: "FUTURE", kid: "future", alg: "FUTURE-1", use: "sig", pub: "AQAB" }]),
  },
  incomplete: {
    ...unusableKey,
    server: "One of the published keys lacks required members.",
    acts: addKeysBefore(() => [{ kty: "RSA", kid: "incomplete", alg: "RS256", use: "sig" }]),
  },
  curve_unknown: {
    ...unusableKey,
    server: "One of the published keys is on an unknown curve.",
    acts: addKeysBefore((tools) => [{ ...publishForeign("ES256", tools), crv: "P-512" }]),
  },
  point_off_curve: {
    ...unusableKey,
    server: "One of the published keys is a point that is not on its curve.",
    bugs: ["jwx#840"],
    acts: addKeysBefore((tools) => {
      const { x, ...key } = publishForeign("ES256", tools);
      return [{ ...key, x, y: x }];
    }),
  },
  members_unknown: {
    level: "tolerate",
    server: "The published keys and their set have unknown members.",
    client: "Ignores these members.",
    rule: "RFC 7517 §4, §5",
    acts: changeAt("key_set", ({ keys, ...others }) => ({
      ...others,
      "https://as.test/version": null,
      keys: keys.map((key) => ({ ...key, "https://as.test/used": { since: [2026] } })),
    })),
  },
  replaced: {
    level: "robustness",
    server:
      "For each second login, the server publishes and uses another key. For those between, it has the first key again.",
    client: "Loads the keys again when it does not know the kid.",
    rule: `OpenID Connect Core §10.1.1; ${maySkipSignature}`,
    needs: ["keys", "two_logins"],
    watch: { sign: usesReceivedToken, mayKeepKeys: true },
    acts(tools) {
      const isOther = () => number() % 2 === 0;
      const { acts, number } = countLogins(
        (jwt) => isOther() ? signWithUnknownKey(jwt, tools) : undefined,
        tools,
      );
      // The first key still signs what is no ID token.
      const publish = changeKeys((keys) => isOther() ? [...publishOthers(keys, tools), ...keys] : keys);
      return { ...acts, ...publish(tools) };
    },
  },
  withdrawn: {
    server: "After the first login, the server publishes another key, but it still signs with the first one.",
    client: "Refuses the ID token, because its key is no longer a key of the server.",
    rule: `OpenID Connect Core §10.1.1; ${maySkipSignature}`,
    bugs: ["CVE-2025-22149"],
    needs: ["keys", "two_logins"],
    watch: { never: usesReceivedToken, invisible: true, mayKeepKeys: true },
    acts(tools) {
      const isWithdrawn = () => number() > 1;
      const { acts, number } = countLogins(() => undefined, tools);
      return {
        ...acts,
        ...changeKeys((keys) => isWithdrawn() ? publishOthers(keys, tools) : keys)(tools),
        // The ID token is as usual, but its key makes it wrong.
        async signed(value, at) {
          await acts.signed(value, at);
          return isWithdrawn() && value.token === "id_token" ? { ...value } : value;
        },
      };
    },
  },
  symmetric_published: {
    level: "should",
    server: "The published keys contain a secret key, and the ID token is signed with it (HS256).",
    client: "Refuses the ID token, because its alg is not the registered one.",
    rule: "OpenID Connect Core §3.1.3.7 (7); OpenID Connect Discovery §3",
    control: "itself",
    watch: { never: usesReceivedToken, invisible: true },
    prepares: ["key_set"],
    acts: together(
      addKeysBefore(() => [
        { kty: "oct", kid: "symmetric", alg: "HS256", k: encodeText(publishedSecret, "base64url") },
      ]),
      signAnew(
        "id_token",
        ({ header, claims }) => signHs256({ ...header, kid: "symmetric" }, claims, publishedSecret),
      ),
    ),
  },
  private_published: {
    server: "The published key that signed the ID token has its private members.",
    client: "Refuses the key, because everyone can sign with it.",
    rule: `OpenID Connect Discovery §3: a duty of the server; ${maySkipSignature}`,
    control: "keys.several",
    prepares: ["signed"],
    acts: together(
      addKeysBefore((tools) => [{ ...publishForeign("RS256", tools), ...tools.foreignKeyFor("RS256") }]),
      signAnew("id_token", ({ header, claims, signer }, { foreignKeyFor }) => {
        const key = foreignKeyFor("RS256");
        return signer.sign({ ...header, alg: "RS256", kid: thumbprint(key) }, claims, key);
      }),
    ),
  },
  rsa_short: {
    server: "The published key that signed the ID token is an RSA key of 1024 bits.",
    client: "Refuses the key, because others can compute its private half.",
    rule: `RFC 7518 §3.3; ${maySkipSignature}`,
    control: "keys.several",
    prepares: ["signed"],
    acts(tools) {
      const key = createShortRsaKey();
      const kid = thumbprint(key);
      const sign = signAnew("id_token", async ({ header, claims }) => {
        const input = joinJwt({ header: { ...header, alg: "RS256", kid }, claims, signature: "" });
        const sign = await importSigner(materialOf(key), publicMembersOf(key), "RS256");
        return input + toBase64url(await sign(input.slice(0, -1)));
      });
      return together(addKeysBefore(() => [publish(key, "RS256")]), sign)(tools);
    },
  },
  use_enc: {
    server: "The published key that signed the ID token is for encryption.",
    client: "Refuses the ID token, because the key is not for signatures.",
    rule: `RFC 7517 §4.2; ${maySkipSignature}`,
    acts: changeEachKey(setting({ use: "enc" })),
  },
  operations_other: {
    server: "The key_ops of the published key that signed the ID token allow no verification.",
    client: "Refuses the ID token, because the key is not for signatures.",
    rule: `RFC 7517 §4.3; ${maySkipSignature}`,
    acts: changeEachKey(({ use: _use, ...key }) => ({ ...key, key_ops: ["encrypt"] })),
  },
  alg_other: {
    server: "The published key that signed the ID token is for another alg.",
    client: "Refuses the ID token, because a key is for one alg only.",
    rule: `RFC 8725 §3.1; ${maySkipSignature}`,
    acts: changeEachKey((key, { variant }) => forOtherAlg(key, variant)),
  },
  empty: {
    server: "The set of published keys is empty.",
    client: "Refuses the ID token, because it cannot verify it.",
    rule: maySkipSignature,
    acts: changeKeys(() => []),
  },
  status_500: {
    server: "The published keys come with the status 500.",
    client: "Refuses the ID token, because it cannot verify it.",
    rule: maySkipSignature,
    acts: changeResponse("jwks", (answer) => ({ ...answer, status: 500 })),
  },
  html_200: {
    server: "A request for the keys gets an HTML page with the status 200.",
    client: "Refuses the ID token, because it cannot verify it.",
    rule: maySkipSignature,
    acts: answerInstead("jwks", htmlPage),
  },
  silent: {
    server: "Requests for the keys get no answer.",
    client: "Stops waiting after a limit of its own, and refuses the ID token.",
    rule: maySkipSignature,
    watch: { ...refuses, timeoutIsRefusal: true, refusalSays: "did not use the tokens" },
    acts: neverAnswer("jwks"),
  },
  redirect_foreign: {
    server:
      "A request for the keys is redirected to another origin, which publishes the key that signed the ID token.",
    client: "Refuses the ID token, because the keys of another origin are not of the issuer.",
    rule: `RFC 9110 §15.4: no rule forbids following a redirect; ${maySkipSignature}`,
    control: "keys.several",
    prepares: ["signed"],
    acts: together(
      signAnew("id_token", signWithUnknownKey),
      answerInstead("jwks", redirectElsewhere("jwks", 302)),
    ),
  },
});

/** Returns foreign keys of the same kinds. */
function publishOthers(keys: readonly Members[], tools: Tools): readonly Members[] {
  return keys.map(({ alg }) => publishForeign(`${alg}`, tools));
}

/** Wrong ID tokens (OpenID Connect Core §2, §3.1.3.7). */

import { decodeText, joinOctets, utf8Of } from "../../../ground/values/octets.ts";
import { type PublicJwk, thumbprint } from "../../../ground/crypto/jwk.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { without } from "../../../server/oauth/contracts/seams.ts";
import {
  breakSignature,
  changeAt,
  changeKeys,
  changesOf,
  changeTokens,
  emptySignature,
  publishForeign,
  removing,
  requireExtension,
  setting,
  signAgain,
  signHs256,
  signWithEmbeddedKey,
  signWithForeignKey,
  signWithFormOf,
  signWithOtherHash,
  signWithPublicKey,
  together,
  writeUnsigned,
  zeroSignature,
} from "../changes.ts";
import { any, callsOtherServer, moreThan, to, usesAccessToken, usesReceivedToken } from "../finds.ts";
import type { ActContext, CreateActs, Misbehaviour, Tools, Watch } from "../misbehaviour.ts";
import type { FutureTime, PastTime } from "../names.ts";
import { calledUrl } from "../outcome.ts";
import {
  changeAudience,
  listIssuers,
  nameForeignUrl,
  shortenIssuer,
  spellIssuer,
  writeIssuer,
  writeNeighbour,
} from "../neighbours.ts";
import { type FaultsOf, faultsOf, fewMinutes, maySkipSignature } from "../faults_of.ts";

/** The client validates the token response before it uses any token of it (§3.1.3.5). */
const refuses: Watch = { never: usesReceivedToken, invisible: true };

const { anew, claims, header, signed } = changesOf("id_token");

/** Changes a claim if the ID token has it. An ID token from a refresh has no nonce, for example. */
function changeClaim(name: string, change: (value: unknown, tools: Tools) => unknown): CreateActs {
  return claims((claims, tools) =>
    name in claims ? { ...claims, [name]: change(claims[name], tools) } : claims
  );
}

/** Changes the claims for clients whose last authorization request had the parameter. */
function changeClaimsIfAsked(
  param: "max_age" | "acr_values",
  change: (claims: Claims, tools: Tools, asked: string) => Claims,
): Pick<Misbehaviour, "needs" | "prepares" | "acts"> {
  const keepRequests = (byClient: Map<string, URLSearchParams>) =>
    changeAt("arrival", async (value, _tools, { endpoint, exchange }) => {
      if (endpoint !== "authorize" && endpoint !== "par") return value;
      const { method, address } = exchange.request;
      const params = new URLSearchParams(method === "POST" ? await exchange.body() : address.query);
      const client = params.get("client_id");
      // After a pushed request, the browser sends only its request_uri.
      if (client !== null && !params.has("request_uri")) byClient.set(client, params);
      return value;
    });
  return {
    needs: [param],
    prepares: ["arrival"],
    acts(tools) {
      const byClient = new Map<string, URLSearchParams>();
      const changed = claims((claims, tools, { grant }) => {
        const asked = byClient.get(grant?.clientId ?? "")?.get(param);
        return typeof asked === "string" ? change(claims, tools, asked) : claims;
      });
      return together(keepRequests(byClient), changed)(tools);
    },
  };
}

/** `check` is the number of the check in §3.1.3.7 that needs the claim, and `so` what follows without the claim. */
function lacksClaim(claim: string, { check, so }: { readonly check?: number; readonly so?: string } = {}) {
  const isChecked = check !== undefined;
  return {
    level: isChecked ? "must" : "hardening",
    server: `The ID token has no ${claim}${so === undefined ? "" : `, so ${so}`}.`,
    rule: isChecked
      ? `OpenID Connect Core §2, §3.1.3.7 (${check})`
      : `OpenID Connect Core §2: ${claim} is required, but §3.1.3.7 does not tell clients to check it`,
    acts: claims(removing(claim)),
  } as const;
}

const day = 24 * 3600;
const otherHash = "AAAAAAAAAAAAAAAAAAAAAA";

/** The token is valid for a day after the time. */
function beginning(claim: "iat" | "nbf", time: number): Claims {
  return { [claim]: time, exp: time + day };
}

/** A claim that no client knows, of so many megabytes. */
function padding(megabytes: number): Claims {
  return { "https://as.test/padding": "x".repeat(megabytes * 1e6) };
}

/** The token was issued five minutes before. */
function expiring(exp: number): Claims {
  return { iat: exp - 300, exp };
}

export const idToken: FaultsOf<"id_token"> = faultsOf("id_token", {
  phase: "login",
  level: "must",
  client: "Refuses the ID token.",
  watch: refuses,
  tolerated: { watch: { sign: usesAccessToken } },
}, {
  iss_wrong: {
    server: "The iss of the ID token is another issuer.",
    rule: "OpenID Connect Core §3.1.3.7 (2)",
    acts: claims(setting((tools) => ({ iss: writeIssuer(tools) }))),
  },
  iss_slash: {
    server: "The iss of the ID token is the issuer in another spelling.",
    client: "Refuses the ID token, because the issuer must match exactly.",
    rule: "OpenID Connect Core §3.1.3.7 (2)",
    acts: claims(setting((tools) => ({ iss: spellIssuer(tools) }))),
  },
  iss_part: {
    server: "The iss of the ID token is a part of the issuer.",
    client: "Refuses the ID token, because the issuer must match exactly.",
    rule: "OpenID Connect Core §3.1.3.7 (2)",
    bugs: ["CVE-2024-53861"],
    acts: claims(setting((tools) => ({ iss: shortenIssuer(tools) }))),
  },
  iss_list: {
    server: "The iss of the ID token is a list, which contains the right issuer.",
    client: "Refuses the ID token, because the issuer must match exactly.",
    rule: "OpenID Connect Core §2, §3.1.3.7 (2)",
    bugs: ["CVE-2025-30144"],
    acts: claims(listIssuers),
  },
  iss_missing: lacksClaim("iss", { check: 2 }),
  aud_wrong: {
    server: "The aud of the ID token is another client.",
    rule: "OpenID Connect Core §3.1.3.7 (3); RFC 7519 §2, §4.1.3",
    acts: claims((claims, tools) => changeAudience(claims, tools, "another-client")),
  },
  aud_foreign_too: {
    server:
      "The aud of the ID token is a list of the client and of another one, which the client does not know. Its azp, if it has one, is the other one.",
    client: "Refuses the ID token, because it does not trust the other audience.",
    rule: "OpenID Connect Core §3.1.3.7 (3), (5): nothing tells the client to trust the other audience",
    bugs: ["GHSA-p2fr-6hmx-4528"],
    control: "id_token.aud_array",
    acts: claims((claims, { variant }) => {
      const [own, other] = [claims["aud"], "another-client"];
      if (variant === "azp_of_other") return { ...claims, aud: [own, other], azp: other };
      return { ...claims, aud: variant === "foreign_first" ? [other, own] : [own, other] };
    }),
  },
  aud_missing: lacksClaim("aud", { check: 3 }),
  aud_array: {
    level: "tolerate",
    server: "The aud of the ID token is a list whose only item is the client.",
    client: "Accepts the ID token.",
    rule: "OpenID Connect Core §2, §3.1.3.7 (3)",
    acts: changeClaim("aud", (aud) => [aud]),
  },
  aud_empty: {
    server: "The aud of the ID token names no client.",
    client: "Refuses the ID token, because it is not for this client.",
    rule: "OpenID Connect Core §3.1.3.7 (3)",
    bugs: ["CVE-2020-26160"],
    acts: changeClaim("aud", (_aud, { variant }) => variant === "empty_text" ? [""] : []),
  },
  aud_foreign_azp_own: {
    level: "hardening",
    server: "The aud of the ID token is a list of the client and of another one, and its azp is the client.",
    client: "Refuses the ID token, unless it has a reason to trust the other audience.",
    rule: "OpenID Connect Core §3.1.3.7 (3), (4), (5): the client chooses whom it trusts, for example by azp",
    acts: claims((claims) => ({
      ...claims,
      aud: [claims["aud"], "another-client"],
      azp: claims["aud"],
    })),
  },
  aud_twice: {
    server: "The claims of the ID token have two members aud: first the client, and last another client.",
    client: "Refuses the ID token, because a parser may only take the last of them.",
    rule: "RFC 7519 §4; OpenID Connect Core §3.1.3.7 (3)",
    acts: signAgain("id_token", (claims) => `${JSON.stringify(claims).slice(0, -1)},"aud":"another-client"}`),
  },
  azp_instead_of_aud: {
    server: "The aud of the ID token is another client, and its azp is the client.",
    client: "Refuses the ID token, because the aud counts.",
    rule: "OpenID Connect Core §3.1.3.7 (3)",
    acts: claims((claims) => ({ ...claims, aud: "another-client", azp: claims["aud"] })),
  },
  azp_wrong: {
    level: "hardening",
    server: "The azp of the ID token is another client.",
    client: "Refuses the ID token, which was issued to another party.",
    rule: "OpenID Connect Core §2, §3.1.3.7 (4), (5): a choice of the client",
    control: "id_token.unknown_claims",
    acts: claims((claims, { variant }) => ({
      ...claims,
      azp: writeNeighbour(variant, `${claims["aud"]}`, "another-client"),
    })),
  },
  nonce_wrong: {
    server: "The nonce of the ID token is not the one that the client sent.",
    client: "Refuses the ID token, which belongs to another login.",
    rule: "OpenID Connect Core §3.1.3.7 (11)",
    bugs: ["CVE-2024-10318", "CVE-2026-42206"],
    needs: ["nonce"],
    acts: changeClaim("nonce", (nonce, { variant }) => writeNeighbour(variant, `${nonce}`, "another-nonce")),
  },
  nonce_missing: {
    server: "The client sent a nonce, but the ID token has none.",
    rule: "OpenID Connect Core §3.1.3.7 (11)",
    bugs: ["CVE-2024-10318", "CVE-2026-42206"],
    needs: ["nonce"],
    acts: claims(removing("nonce")),
  },
  nonce_of_another_login: {
    server: "The ID token of the second login has the nonce of the first.",
    client: "Refuses the ID token, because it compares the nonce with the one of this login only.",
    rule: "OpenID Connect Core §3.1.3.7 (11)",
    needs: ["nonce", "two_logins"],
    acts(tools) {
      let first: unknown;
      return changeClaim("nonce", (nonce) => first ??= nonce)(tools);
    },
  },
  nonce_unasked: {
    server: "The client sent no nonce, but the ID token has one.",
    client: "Refuses the ID token, which belongs to another login.",
    rule: "OpenID Connect Core §2: a nonce in the ID token equals the one that was sent",
    needs: ["no_nonce"],
    control: "id_token.unknown_claims",
    acts: claims((claims, _tools, { exchange: { facts } }) =>
      "nonce" in claims || facts.grantType !== "authorization_code"
        ? claims
        : { ...claims, nonce: "of-another-login" }
    ),
  },
  exp_past: {
    server: "The ID token has expired.",
    rule: "OpenID Connect Core §3.1.3.7 (9)",
    acts: claims(setting(({ findPast, variant }) => expiring(findPast(variant as PastTime)))),
  },
  exp_minutes_past: {
    level: "hardening",
    server: "The ID token expired twenty minutes ago.",
    client: "Refuses the ID token, because a leeway for clocks that differ is a few minutes at most.",
    rule: `OpenID Connect Core §2, §3.1.3.7 (9); RFC 7519 §4.1.4: ${fewMinutes}`,
    acts: claims(setting(({ findPast }) => expiring(findPast("minutes_ago")))),
  },
  exp_just_past: {
    level: "robustness",
    server: "The clock of the server is behind, so the ID token expired two seconds ago.",
    client: "Accepts the ID token, because clocks differ by some seconds.",
    rule: "OpenID Connect Core §3.1.3.7 (9), RFC 7519 §4.1.4: a client may allow for some leeway",
    acts: claims(setting(({ now }) => expiring(Math.floor(now()) - 2))),
  },
  exp_missing: lacksClaim("exp", { check: 9, so: "it would never expire" }),
  exp_text: {
    level: "hardening",
    server: "The exp of the ID token is text instead of a number.",
    client: "Refuses the ID token, because it cannot compare the time.",
    rule: "RFC 7519 §4.1.4: the value is a number, but no rule says what a client does otherwise",
    acts: changeClaim("exp", String),
  },
  nbf_ahead: {
    level: "robustness",
    server: "The clock of the server is five seconds ahead, so the nbf of the ID token is not reached yet.",
    client: "Accepts the ID token, because clocks differ by some seconds.",
    rule: "RFC 7519 §4.1.5: a client may allow for some leeway",
    acts: claims(setting(({ now }) => ({ nbf: Math.floor(now()) + 5 }))),
  },
  nbf_future: {
    level: "hardening",
    server: "The nbf of the ID token is in the future.",
    client: "Refuses the ID token, which is not valid yet.",
    rule: "RFC 7519 §4.1.5; OpenID Connect Core §2 (a client ignores claims that it does not know)",
    control: "id_token.unknown_claims",
    acts: claims(setting(({ findFuture, variant }) => beginning("nbf", findFuture(variant as FutureTime)))),
  },
  huge: {
    level: "hardening",
    server: "The ID token has ten megabytes.",
    client: "Stops reading after a limit of its own.",
    rule: "OpenID Connect Core §2: no rule limits the size; CWE-770",
    isLarge: true,
    bugs: ["CVE-2025-61920"],
    control: "id_token.unknown_claims",
    acts: claims(setting(() => padding(7.5))),
  },
  encrypted_compressed: {
    level: "hardening",
    server:
      "The ID token is compressed before its encryption: at most 110 kilobytes become 16 megabytes, with the right claims and a long one that is unknown.",
    client: "Refuses compressed tokens, or limits how much it decompresses.",
    rule:
      "RFC 7516 §4.1.3: no rule limits the size; RFC 8725 §3.6: tokens should not be compressed before their encryption; CWE-409",
    isLarge: true,
    bugs: ["CVE-2024-33664", "CVE-2025-62706"],
    needs: ["encrypted_id_token"],
    control: "id_token.unknown_claims",
    acts: signed(async ({ text, header, claims, signer }) =>
      signer.encryptCompressed === undefined
        ? text
        : await signer.encryptCompressed(await signer.sign(header, { ...claims, ...padding(12) }))
    ),
  },
  iat_future: {
    level: "hardening",
    server: "The iat of the ID token is in the future.",
    rule: "OpenID Connect Core §3.1.3.7 (10): a choice of the client",
    acts: claims(setting(({ findFuture, variant }) => beginning("iat", findFuture(variant as FutureTime)))),
  },
  iat_ahead: {
    level: "robustness",
    server: "The clock of the server is five seconds ahead, so the iat of the ID token is not reached yet.",
    client: "Accepts the ID token, because clocks differ by some seconds.",
    rule: "RFC 7519 §4.1.6: iat tells the age of a token, and forbids nothing",
    acts: changeClaim("iat", (iat) => Number(iat) + 5),
  },
  iat_old: {
    level: "hardening",
    server: "The ID token was issued long ago, and has not expired.",
    client: "Refuses the ID token, because the server issues one at each login.",
    rule: "OpenID Connect Core §3.1.3.7 (10): a choice of the client",
    acts: claims(setting(({ findPast }) => ({ iat: findPast() }))),
  },
  iat_missing: lacksClaim("iat"),
  sub_missing: lacksClaim("sub", { so: "it does not say who signed in" }),
  sub_empty: {
    level: "hardening",
    server: "The sub of the ID token is empty.",
    client: "Refuses the ID token, because everyone with such a token would be the same person.",
    rule: "OpenID Connect Core §2: sub identifies the person, but §3.1.3.7 does not tell clients to check it",
    acts: claims(setting({ sub: "" })),
  },
  sub_number: {
    level: "hardening",
    server: "The sub of the ID token is a number.",
    client: "Refuses the ID token, because large numbers lose digits and two people become one.",
    rule: "RFC 7519 §4.1.2: sub is text, but no rule says what a client does otherwise",
    acts: claims(setting({ sub: 9007199254740992 })),
  },
  sub_not_utf8: {
    server: "The sub of the ID token ends in a byte that is not UTF-8.",
    client: "Refuses the ID token, because two people could become one when such bytes are replaced.",
    rule: "RFC 7519 §7.2 (10)",
    acts: anew(({ header, claims, signer }) => {
      const [before = "", after = ""] = JSON.stringify({ ...claims, sub: "\n" }).split("\\n");
      const sub = JSON.stringify(claims["sub"]).slice(1, -1);
      return signer.sign(
        header,
        joinOctets([utf8Of(before + sub), Uint8Array.of(0xff), utf8Of(after)]),
      );
    }),
  },
  sub_long: {
    level: "hardening",
    server: "The sub of the ID token has 256 characters.",
    client: "Refuses the ID token, because a database that cuts the text would mix people up.",
    rule: "OpenID Connect Core §2: at most 255 characters, but §3.1.3.7 does not tell clients to check it",
    acts: claims(setting({ sub: "a".repeat(256) })),
  },
  missing: {
    server: "The token response has no ID token, although the client asked for the scope openid.",
    client: "Refuses the response, because it cannot validate who signed in.",
    rule: "OpenID Connect Core §3.1.3.3, §3.1.3.5, §5.3.2: userinfo counts only with the sub of an ID token",
    acts: changeLoginTokens(removing("id_token")),
  },
  not_a_jwt: {
    server: "The ID token is text that is not a JWT.",
    client: "Refuses the response, because it cannot validate who signed in.",
    rule: "OpenID Connect Core §2, §3.1.3.5",
    acts: changeLoginTokens(setting({ id_token: "not-a-jwt" })),
  },
  alg_none: {
    level: "should",
    server: "The ID token has no signature, and its alg verifies nothing.",
    client: "Refuses the ID token, because it did not register for unsigned ID tokens.",
    rule: "OpenID Connect Core §3.1.3.7 (7); RFC 8725 §3.2; RFC 7515 §4.1.1",
    bugs: ["CVE-2022-23540", "CVE-2026-23993"],
    acts: anew(writeUnsigned),
  },
  hs256_alg_unpublished: {
    level: "should",
    server: "The published keys have no alg, and the ID token is signed with an HMAC.",
    client: "Refuses the ID token, because its alg is not the registered one.",
    rule: "OpenID Connect Core §3.1.3.7 (7); RFC 8725 §2.1, §3.1; RFC 7517 §4.4: a key need not have alg",
    bugs: ["CVE-2026-44699"],
    control: "keys.alg_absent",
    prepares: ["key_set"],
    acts: together(
      changeKeys((keys) => keys.map((key) => without(key, "alg"))),
      anew(({ header, claims, signer }, { variant }) =>
        signWithFormOf(without(signer.publicJwk, "alg") as PublicJwk, { header, claims }, variant)
      ),
    ),
  },
  hs256_with_public_key: {
    level: "should",
    server:
      "The ID token is signed with an HMAC, and the secret is the server's public key, in a usual form.",
    client: "Refuses the ID token, because its alg is not the registered one.",
    rule: "OpenID Connect Core §3.1.3.7 (7); RFC 8725 §2.1, §3.1",
    bugs: ["CVE-2024-37568"],
    acts: anew(signWithPublicKey),
  },
  hs256_with_secret: {
    level: "should",
    server:
      "The ID token has the alg HS256 and is signed with the client's secret, which is empty for a public client.",
    client: "Refuses the ID token, because its alg is not the registered one.",
    rule: "OpenID Connect Core §3.1.3.7 (7)",
    acts: anew(async ({ header, claims }, _tools, at) =>
      signHs256(without(header, "kid"), claims, await readClientSecret(at))
    ),
  },
  alg_unregistered: {
    level: "should",
    server: "The ID token is signed with a published key and an alg for which the client did not register.",
    client: "Refuses the ID token, because its alg is not the registered one.",
    rule: "OpenID Connect Core §3.1.3.7 (7)",
    control: "itself",
    prepares: ["key_set"],
    acts: together(
      changeKeys((keys, tools) => [...keys, publishForeign("ES256", tools), publishForeign("RS256", tools)]),
      anew(async ({ header, claims, signer }, { foreignKeyFor, variant }) => {
        const [, bits] = `${variant}`.split("rs");
        const alg = bits !== undefined || signer.publicJwk.alg === "ES256" ? "RS256" : "ES256";
        const key = foreignKeyFor(alg);
        const named = { ...header, alg, kid: thumbprint(key) };
        return bits === undefined
          ? await signer.sign(named, claims, key)
          : await signWithOtherHash({ header: named, claims }, bits, key);
      }),
    ),
  },
  crit_unknown: {
    level: "hardening",
    server: "The header of the ID token names an unknown extension as critical.",
    client: "Refuses the ID token, because it does not understand the extension.",
    rule: "RFC 7515 §4.1.11; OpenID Connect Core §3.1.3.7 (6) (the client may skip the signature)",
    bugs: ["CVE-2025-59420", "CVE-2026-32597"],
    acts: header(requireExtension),
  },
  signature_bad: {
    level: "hardening",
    server: "One byte of the signature of the ID token is wrong.",
    rule: maySkipSignature,
    acts: signed(breakSignature),
  },
  signature_missing: {
    level: "hardening",
    server: "The ID token has the right alg, and an empty signature.",
    rule: maySkipSignature,
    acts: signed(emptySignature),
  },
  signature_zero: {
    level: "hardening",
    server: "All bytes of the signature of the ID token are zero.",
    rule: maySkipSignature,
    bugs: ["CVE-2022-21449"],
    acts: signed(zeroSignature),
  },
  other_key: {
    level: "hardening",
    server: "The kid of the ID token names a key of the server, but another key signed it.",
    rule: maySkipSignature,
    acts: anew(signWithForeignKey),
  },
  kid_unknown: {
    level: "hardening",
    server:
      "The ID token is signed with a key that the server never publishes, and its header may name a URL of a foreign server.",
    client: "Loads the keys of the server once more, and then refuses the ID token.",
    rule:
      "RFC 8725 §3.10; OpenID Connect Core §10.1.1, §3.1.3.7 (6): the client may skip the signature, because the token came directly from the server over TLS",
    watch: { ...refuses, never: any(usesReceivedToken, callsOtherServer, moreThan(5, to("jwks"))) },
    acts: anew(({ header, claims, signer }, tools) => {
      const key = tools.foreignKeyFor(signer.publicJwk.alg);
      const url = nameForeignUrl("jwks", tools);
      const kid = tools.variant === "url" ? url : thumbprint(key);
      return signer.sign(
        { ...header, kid, ...present({ jku: tools.variant === "jku" ? url : undefined }) },
        claims,
        key,
      );
    }),
  },
  kid_absent: {
    level: "robustness",
    server: "The header of the ID token has no kid.",
    client: "Verifies the ID token with the only published key.",
    rule: "OpenID Connect Core §10.1: only several published keys require a kid",
    acts: header(removing("kid")),
  },
  key_embedded: {
    level: "hardening",
    server: "The header of the ID token contains the key that verifies it.",
    client: "Ignores that key, and refuses the ID token.",
    rule: maySkipSignature,
    bugs: ["CVE-2026-27962"],
    control: "id_token.kid_absent",
    acts: anew(signWithEmbeddedKey),
  },
  jku_foreign: {
    level: "tolerate",
    server:
      "The header of the ID token, which a published key signed, names a foreign URL for keys, whose host may resemble the right one.",
    client: "Ignores the URL, and verifies the ID token with the published keys.",
    rule: "RFC 7515 §4; RFC 8725 §3.10; OpenID Connect Core §2",
    watch: { never: callsOtherServer, neverSays: calledUrl, sign: usesAccessToken },
    acts: header(setting((tools) => ({ jku: nameForeignUrl("jwks", tools) }))),
  },
  typ_other: {
    level: "hardening",
    server: "The typ of the ID token says that it is a logout token.",
    client: "Refuses the token, because it is of another kind.",
    rule: "RFC 8725 §3.11, §3.12: advice to applications",
    acts: header(setting({ typ: "logout+jwt" })),
  },
  at_hash_alg_unknown: {
    level: "should",
    server: "The alg of the ID token is unknown, and its at_hash is of another access token.",
    client: "Refuses the ID token, because its alg is not the registered one, or refuses the access token.",
    rule: "OpenID Connect Core §3.1.3.7 (7); §3.1.3.8 (at_hash): a choice of the client",
    bugs: ["CVE-2026-28498"],
    acts: together(
      changeClaim("at_hash", () => otherHash),
      anew(({ header, claims, signer }) => signer.sign({ ...header, alg: "RS1024" }, claims)),
    ),
  },
  at_hash_wrong: {
    level: "hardening",
    server: "The at_hash of the ID token is of another access token.",
    client: "Refuses the access token.",
    rule: "OpenID Connect Core §3.1.3.8: a choice of the client",
    acts: changeClaim("at_hash", (hash, { variant }) => writeNeighbour(variant, `${hash}`, otherHash)),
  },
  auth_time_old: {
    level: "should",
    server: "The person signed in before the time that the client allows with max_age.",
    client: "Refuses the ID token, or asks for a new login.",
    rule: "OpenID Connect Core §3.1.3.7 (13)",
    ...changeClaimsIfAsked("max_age", (claims, { findPast, variant }, maxAge) => ({
      ...claims,
      auth_time: findPast(variant as PastTime) - Number(maxAge),
    })),
  },
  auth_time_missing: {
    level: "should",
    server: "The client sent max_age, but the ID token does not say when the person signed in.",
    client: "Refuses the ID token, or asks for a new login.",
    rule: "OpenID Connect Core §2, §3.1.3.7 (13)",
    ...changeClaimsIfAsked("max_age", removing("auth_time")),
  },
  acr_weak: {
    level: "should",
    server: "The client asked for a kind of login with acr_values, and the ID token has another acr.",
    client: "Refuses the ID token, or asks for a new login.",
    rule: "OpenID Connect Core §3.1.3.7 (12)",
    ...changeClaimsIfAsked("acr_values", (claims, { variant }, asked) => ({
      ...claims,
      acr: writeNeighbour(variant, asked.split(" ")[0]!, "0"),
    })),
  },
  acr_missing: {
    level: "hardening",
    server:
      "The client asked for a kind of login that the metadata lists, but the ID token names none (acr).",
    client: "Does not take the login for one of this kind.",
    rule: "OpenID Connect Core §3.1.3.7 (12), §5.5.1.1: the acr of acr_values is voluntary",
    ...changeClaimsIfAsked("acr_values", removing("acr")),
  },
  amr_weak: {
    level: "hardening",
    server:
      "The acr of the ID token is the one that the client asked for, but its amr names a password only.",
    client: "Does not take the login for one with several factors.",
    rule: "RFC 8176 §2, §3; OpenID Connect Core §2: the parties agree what amr means",
    ...changeClaimsIfAsked("acr_values", (claims) => "acr" in claims ? { ...claims, amr: ["pwd"] } : claims),
  },
  unknown_claims: {
    level: "tolerate",
    server: "The ID token has unknown claims with unusual values.",
    client: "Ignores the claims that it does not understand.",
    rule: "OpenID Connect Core §2",
    acts: claims(setting({ "https://as.test/list": [[1], { deep: null }], unknown: null, "": true })),
  },
  large: {
    level: "robustness",
    server: "The ID token has 20 kB, because it lists many groups.",
    client: "Accepts the ID token.",
    rule: "OpenID Connect Core §2: no rule limits the size",
    acts: claims(
      setting({ groups: Array.from({ length: 500 }, (_, index) => `group-with-a-long-name-${index}`) }),
    ),
  },
});

/** Changes the token response of a login. The response to a refresh need not have an ID token (§12.2). */
function changeLoginTokens(change: (members: Claims) => Claims): CreateActs {
  return changeTokens((members, _tools, { exchange }) =>
    exchange.facts.grantType === "authorization_code" && "id_token" in members ? change(members) : members
  );
}

/** Returns the secret with which the client authenticates in this request, or an empty one (RFC 6749 §2.3.1). */
async function readClientSecret({ exchange }: ActContext): Promise<string> {
  const [scheme = "", credentials = ""] = exchange.request.header("authorization")?.split(" ") ?? [];
  if (/^basic:?$/i.test(scheme)) {
    const [, secret = ""] = decodeText(credentials, "base64").split(":");
    return new URLSearchParams(`secret=${secret}`).get("secret") ?? "";
  }
  return new URLSearchParams(await exchange.body()).get("client_secret") ?? "";
}

/** Wrong DPoP proofs in requests to an API (RFC 9449 §4.3, §7). A client sends them, so no server can have these faults. */

import { thumbprint } from "../../../ground/crypto/jwk.ts";
import { joinJwt, splitJwt } from "../../../ground/crypto/jwt_parts.ts";
import type { Claims, Members } from "../../../ground/values/members.ts";
import { removing, requireExtension, setting, signHs256, writeUnsigned } from "../changes.ts";
import { foreignKeyFor } from "../foreign_keys.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import type { ApiAnswer, ProofParts } from "../misbehaviour.ts";
import { afterUse, another, kidOfToken } from "../names.ts";
import { toggleSlash, writeNeighbour, writeOtherUrl } from "../neighbours.ts";

const refusal: ApiAnswer = { status: 401, error: "invalid_dpop_proof", seenBy: "proof" };

const unusual = { level: "tolerate", client: "Accepts the request.", api: { status: 200 } } as const;

const claims = (change: (claims: Claims) => Claims) => async ({ header, claims, sign }: ProofParts) => [
  await sign(header, change(claims)),
];

/** Replaces a text, by the neighbour that the variant names, or by `other`. */
const replacing = (name: string, other: string) => ({ variant, ...proof }: ProofParts) =>
  claims((claims) => ({ ...claims, [name]: writeNeighbour(variant, `${claims[name]}`, other) }))(proof);

const header = (change: (header: Members) => Members) => async ({ header, claims, sign }: ProofParts) => [
  await sign(change(header), claims),
];

/** One variant lacks the claim, which each proof has (RFC 9449 §4.2). */
const unlessAbsent = (name: string, change: (proof: ProofParts) => Promise<readonly string[]>) =>
(
  proof: ProofParts,
) => proof.variant === "absent" ? claims(removing(name))(proof) : change(proof);

/** The right proof has a nonce if the API demands one. */
const demanded = (change: (claims: Claims) => Claims) => async (proof: ProofParts) =>
  proof.claims["nonce"] === undefined ? [] : await claims(change)(proof);

const nonce = {
  rule: "RFC 9449 §4.3 (10), §9",
  client: "Refuses the request, and demands a nonce of its own.",
  api: { ...refusal, error: "use_dpop_nonce" },
  lacks: "The API demands no nonces.",
} as const;

/** A proof that does not fit the token: RFC 9449 §7.1 names `invalid_dpop_proof`, and its example has `invalid_token`. */
const misfit = { ...refusal, error: "invalid_token", otherError: "invalid_dpop_proof" } as const;

/** It lacks a minute, so that an API that takes proofs of an hour is noticed, too. */
const hour = 3540;

/** Whether the key that signs the proof is another one, and not what the token is bound to. */
const isOfOtherKey = (variant: string | undefined): boolean =>
  [another, kidOfToken, afterUse].some((each) => each === variant);

/** How many right requests with other proofs come before a replay, because a memory can be short. */
const proofsBetween: ReadonlyMap<string | undefined, number> = new Map(
  [
    ["after_one", 1],
    ["after_twenty", 20],
  ] as const,
);

export const proof: FaultsOf<"proof"> = faultsOf("proof", {
  level: "must",
  phase: "call_api",
  client: "Refuses the request.",
  api: refusal,
  watch: {},
  needs: ["dpop_api"],
  acts: () => ({}),
}, {
  missing: {
    server: "The request presents a token that is bound to a key as a bearer token, without a proof.",
    rule: "RFC 9449 §7.2",
    api: { ...refusal, error: "invalid_token" },
    proofs: () => Promise.resolve([undefined]),
  },
  empty: {
    server: "The header DPoP of the request has no proof.",
    client: "Refuses the request, and does not fail.",
    rule: "RFC 9449 §4.3 (1), (2), §7.1",
    api: { ...refusal, mustNotFail: true },
    proofs: () => Promise.resolve([""]),
  },
  token_unbound: {
    isUnbound: true,
    server: "The request has a right proof, but its token is bound to no key.",
    client: "Refuses the request, because it cannot compare the key of the proof.",
    rule: "RFC 9449 §4.3 (12), §7.1",
    api: misfit,
    proofs: async ({ header, claims, sign }) => [await sign(header, claims)],
  },
  unbound_as_bearer: {
    level: "hardening",
    isUnbound: true,
    server: "The request has no proof, and presents a token that is bound to no key as a bearer token.",
    client: "Refuses the request, if the API requires bound tokens.",
    rule: "RFC 9728 §2: dpop_bound_access_tokens_required",
    api: { ...refusal, error: "invalid_token" },
    proofs: () => Promise.resolve([undefined]),
  },
  key_missing: {
    server: "The header of the proof has no key.",
    client: "Refuses the request, and does not fail.",
    rule: "RFC 9449 §4.3 (3), (6)",
    api: { ...refusal, mustNotFail: true },
    proofs: header(removing("jwk")),
  },
  key_other: {
    server: "The proof is signed with another key than the one that the token is bound to.",
    rule: "RFC 9449 §4.3 (12), §7.1",
    api: misfit,
    bindsTo: (right, variant) => isOfOtherKey(variant) ? undefined : writeNeighbour(variant, right, ""),
    async proofs({ header, claims, sign, privateJwk, variant }) {
      // With the others, the token is bound to another key.
      if (!isOfOtherKey(variant)) return [await sign(header, claims)];
      const { d: _d, ...jwk } = foreignKeyFor("ES256");
      const named = variant === kidOfToken ? { kid: thumbprint(privateJwk) } : {};
      const earlier = variant === afterUse
        ? [await sign(header, { ...claims, jti: `${claims["jti"]}-1` })]
        : [];
      const wrong = { ...header, ...named, jwk: { ...jwk, ...named } };
      return [...earlier, await sign(wrong, claims, foreignKeyFor("ES256"))];
    },
  },
  token_hash_wrong: {
    server: "The ath of the proof is not the hash of the token.",
    rule: "RFC 9449 §4.3 (12)",
    proofs: replacing("ath", "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"),
  },
  token_hash_missing: {
    server: "The proof has no ath, so it is for no token.",
    rule: "RFC 9449 §4.3 (12)",
    proofs: claims(removing("ath")),
  },
  method_wrong: {
    server: "The htm of the proof is not the method of the request.",
    rule: "RFC 9449 §4.3 (3), (8)",
    proofs: unlessAbsent(
      "htm",
      ({ variant, ...proof }) =>
        claims(({ htm, ...claims }) => {
          const other = htm === "DELETE" ? "GET" : "DELETE";
          const written = variant === "in_list" ? [other, htm] : writeNeighbour(variant, `${htm}`, other);
          return { ...claims, htm: written };
        })(proof),
    ),
  },
  method_case: {
    server: "The htm of the proof is the method of the request in small letters.",
    client: "Refuses the request, because a method is case-sensitive.",
    rule: "RFC 9449 §4.3 (8); RFC 9110 §9.1",
    proofs: claims((claims) => ({ ...claims, htm: `${claims["htm"]}`.toLowerCase() })),
  },
  url_wrong: {
    server: "The htu of the proof is not the URL of the request.",
    rule: "RFC 9449 §4.3 (3), (9); RFC 3986 §6.2.2.1",
    proofs: unlessAbsent("htu", ({ variant, ...proof }) =>
      claims(({ htu, ...claims }) => {
        const right = `${htu}`;
        const other = variant === "slash"
          ? toggleSlash(right)
          : `https://another-api.test${new URL(right).pathname}`;
        return { ...claims, htu: writeOtherUrl(variant, right, other) };
      })(proof)),
  },
  old: {
    server: "The proof does not say that it was created just now.",
    rule: "RFC 9449 §4.3 (3), (11)",
    proofs: unlessAbsent("iat", claims((claims) => ({ ...claims, iat: Number(claims["iat"]) - hour }))),
  },
  from_the_future: {
    server: "The proof was created an hour after the request.",
    rule: "RFC 9449 §4.3 (11)",
    proofs: claims((claims) => ({ ...claims, iat: Number(claims["iat"]) + hour })),
  },
  expired_claim: {
    level: "hardening",
    server: "The proof was created just now, but its exp is an hour ago.",
    rule: "RFC 7519 §4.1.4",
    proofs: claims((claims) => ({ ...claims, exp: Number(claims["iat"]) - hour })),
  },
  not_before_claim: {
    level: "hardening",
    server: "The proof was created just now, but its nbf is an hour ahead.",
    rule: "RFC 7519 §4.1.5",
    proofs: claims((claims) => ({ ...claims, nbf: Number(claims["iat"]) + hour })),
  },
  replayed: {
    level: "hardening",
    server: "The same proof is sent a second time.",
    client: "Remembers the jti of each proof for a while, and refuses the second request.",
    rule: "RFC 9449 §11.1",
    async proofs({ header, claims, sign, variant }) {
      const proof = await sign(header, claims);
      const between = Array.from(
        { length: proofsBetween.get(variant) ?? 0 },
        (_, index) => sign(header, { ...claims, jti: `${claims["jti"]}-${index}` }),
      );
      return [proof, ...await Promise.all(between), proof];
    },
  },
  nonce_missing: {
    ...nonce,
    server: "The proof has no nonce, although the API demands one.",
    proofs: demanded(({ nonce: _nonce, ...claims }) => claims),
  },
  nonce_wrong: {
    ...nonce,
    server: "The nonce of the proof is not one of the API.",
    proofs: async (proof) =>
      proof.claims["nonce"] === undefined ? [] : await replacing("nonce", "a-nonce-of-another-server")(proof),
  },
  id_missing: {
    server: "The proof has no jti.",
    rule: "RFC 9449 §4.3 (3)",
    proofs: claims(removing("jti")),
  },
  type_wrong: {
    server: "The typ of the proof is not dpop+jwt.",
    rule: "RFC 9449 §4.3 (4)",
    proofs: ({ variant, ...proof }) =>
      header(({ typ, ...header }) =>
        variant === "absent" ? header : { ...header, typ: writeNeighbour(variant, `${typ}`, "JWT") }
      )(proof),
  },
  alg_none: {
    server: "The proof has no signature, and its alg verifies nothing.",
    rule: "RFC 9449 §4.3 (5)",
    proofs: (proof) => Promise.resolve([writeUnsigned(proof, proof)]),
  },
  crit_unknown: {
    server: "The header of the proof has an unknown extension and says that a verifier must understand it.",
    rule: "RFC 7515 §4.1.11; RFC 9449 §4.3 (2)",
    proofs: header(requireExtension),
  },
  symmetric_key: {
    server: "The proof is signed with HS256, and its header contains the secret.",
    rule: "RFC 9449 §4.3 (5)",
    proofs({ header, claims }) {
      const secret = "a-secret-that-all-can-read";
      const jwk = { kty: "oct", k: btoa(secret).replaceAll("=", "") };
      return Promise.resolve([signHs256({ ...header, alg: "HS256", jwk }, claims, secret)]);
    },
  },
  private_key: {
    server: "The header of the proof contains the private key.",
    rule: "RFC 9449 §4.3 (7)",
    proofs: async (
      { header, claims, sign, privateJwk },
    ) => [await sign({ ...header, jwk: privateJwk }, claims)],
  },
  signature_bad: {
    server: "A claim of the proof was changed after it was signed.",
    rule: "RFC 9449 §4.3 (6)",
    async proofs({ header, claims, sign }) {
      const parts = splitJwt(await sign(header, claims));
      return [joinJwt({ ...parts, claims: { ...parts.claims, jti: `${claims["jti"]}-changed` } })];
    },
  },
  two: {
    server: "The request has two proofs in its header DPoP.",
    rule: "RFC 9449 §4.3 (1)",
    async proofs({ header, claims, sign }) {
      const second = await sign(header, { ...claims, jti: `${claims["jti"]}-2` });
      return [`${await sign(header, claims)}, ${second}`];
    },
  },
  url_spelling: {
    ...unusual,
    server: "The htu of the proof has its scheme and its host in capitals.",
    client: "Normalizes the htu before it compares, and accepts the request.",
    rule: "RFC 9449 §4.3 (9), last paragraph",
    proofs: claims((claims) => ({
      ...claims,
      htu: `${claims["htu"]}`.replace(/^[^/]+\/\/[^/]+/, (origin) => origin.toUpperCase()),
    })),
  },
  url_port: {
    ...unusual,
    server: "The htu of the proof names the usual port of its scheme.",
    client: "Normalizes the htu before it compares, and accepts the request.",
    rule: "RFC 9449 §4.3, last paragraph; RFC 3986 §6.2.3",
    lacks: "The URL of the API names a port.",
    async proofs({ header, claims, sign }) {
      const { protocol, port, host, pathname } = new URL(`${claims["htu"]}`);
      if (port !== "") return [];
      const usual = protocol === "http:" ? 80 : 443;
      return [await sign(header, { ...claims, htu: `${protocol}//${host}:${usual}${pathname}` })];
    },
  },
  url_query: {
    ...unusual,
    level: "robustness",
    server: "The htu of the proof has a query.",
    client: "Ignores the query of the htu, and accepts the request.",
    rule: "RFC 9449 §4.3 (9): an API ignores a query, but §4.2 says that the htu has none",
    proofs: claims((claims) => ({ ...claims, htu: `${claims["htu"]}?page=2` })),
  },
  claims_unknown: {
    ...unusual,
    server: "The proof has claims that no standard defines.",
    client: "Ignores the claims, and accepts the request.",
    rule: "RFC 7519 §4; RFC 9449 §4.2",
    proofs: claims(setting({ "https://as.test/unknown-claim": { version: 7 } })),
  },
});

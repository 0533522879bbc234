/** Wrong DPoP proofs in requests to an API (RFC 9449 §4.3, §7). A client sends them, so no server can have these faults. */

import { joinJwt, splitJwt } from "../../../server/crypto/jwt_parts.ts";
import type { Claims, Members } from "../../../server/oauth/members.ts";
import { without } from "../../../server/oauth/seams.ts";
import { signHs256, writeUnsigned } from "../changes.ts";
import { foreignKeyFor } from "../foreign_keys.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";
import type { ApiAnswer, ProofParts } from "../misbehaviour.ts";

const refusal: ApiAnswer = { status: 401, error: "invalid_dpop_proof", seenBy: "proof" };

const unusual = { level: "tolerate", client: "Accepts the request.", api: { status: 200 } } as const;

const claims = (change: (claims: Claims) => Claims) => async ({ header, claims, sign }: ProofParts) => [
  await sign(header, change(claims)),
];

const header = (change: (header: Members) => Members) => async ({ header, claims, sign }: ProofParts) => [
  await sign(change(header), claims),
];

const hour = 3600;

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
  key_other: {
    server: "The proof is signed with another key than the one that the token is bound to.",
    rule: "RFC 9449 §4.3 (12), §7.1",
    api: { ...refusal, error: "invalid_token" },
    async proofs({ header, claims, sign }) {
      const { d: _d, ...jwk } = foreignKeyFor("ES256");
      return [await sign({ ...header, jwk }, claims, foreignKeyFor("ES256"))];
    },
  },
  token_hash_wrong: {
    server: "The ath of the proof is the hash of another token.",
    rule: "RFC 9449 §4.3 (12)",
    proofs: claims((claims) => ({ ...claims, ath: "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" })),
  },
  token_hash_missing: {
    server: "The proof has no ath, so it is for no token.",
    rule: "RFC 9449 §4.3 (12)",
    proofs: claims((claims) => without(claims, "ath")),
  },
  method_wrong: {
    server: "The htm of the proof is another method than the one of the request.",
    rule: "RFC 9449 §4.3 (8)",
    proofs: claims((claims) => ({ ...claims, htm: claims["htm"] === "DELETE" ? "GET" : "DELETE" })),
  },
  url_wrong: {
    server: "The htu of the proof is another URL than the one of the request.",
    rule: "RFC 9449 §4.3 (9)",
    proofs: claims((claims) => ({ ...claims, htu: "https://another-api.test/orders" })),
  },
  old: {
    server: "The proof was created an hour ago.",
    rule: "RFC 9449 §4.3 (11)",
    proofs: claims((claims) => ({ ...claims, iat: Number(claims["iat"]) - hour })),
  },
  from_the_future: {
    server: "The proof was created an hour after the request.",
    rule: "RFC 9449 §4.3 (11)",
    proofs: claims((claims) => ({ ...claims, iat: Number(claims["iat"]) + hour })),
  },
  replayed: {
    level: "hardening",
    server: "The same proof is sent a second time.",
    client: "Remembers the jti of each proof for a while, and refuses the second request.",
    rule: "RFC 9449 §11.1",
    async proofs({ header, claims, sign }) {
      const proof = await sign(header, claims);
      return [proof, proof];
    },
  },
  id_missing: {
    server: "The proof has no jti.",
    rule: "RFC 9449 §4.3 (3)",
    proofs: claims((claims) => without(claims, "jti")),
  },
  type_wrong: {
    server: "The typ of the proof is not dpop+jwt.",
    rule: "RFC 9449 §4.3 (4)",
    proofs: header((header) => ({ ...header, typ: "JWT" })),
  },
  alg_none: {
    server: "The alg of the proof is none, and it has no signature.",
    rule: "RFC 9449 §4.3 (5)",
    proofs: (proof) => Promise.resolve([writeUnsigned(proof)]),
  },
  symmetric_key: {
    server: "The proof is signed with HS256, and its header contains the secret.",
    rule: "RFC 9449 §4.3 (5)",
    proofs({ header, claims }) {
      const secret = "a-secret-that-all-can-read";
      const jwk = { kty: "oct", k: btoa(secret).replace(/=+$/, "") };
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
    rule: "RFC 9449 §4.3 (9)",
    proofs: claims((claims) => ({
      ...claims,
      htu: `${claims["htu"]}`.replace(/^[^/]+\/\/[^/]+/, (origin) => origin.toUpperCase()),
    })),
  },
  claims_unknown: {
    ...unusual,
    server: "The proof has claims that no standard defines.",
    client: "Ignores the claims, and accepts the request.",
    rule: "RFC 7519 §4; RFC 9449 §4.2",
    proofs: claims((claims) => ({ ...claims, "https://as.test/unknown-claim": { version: 7 } })),
  },
});

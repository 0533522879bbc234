/** How each fault changes an ID-JAG, and the rule by which a server refuses it. */

import type { Jwk } from "../../ground/crypto/jwk.ts";
import type { Claims, Members } from "../../ground/values/members.ts";
import { without } from "../../server/oauth/contracts/seams.ts";
import { foreignKeyFor } from "./foreign_keys.ts";
import type { IdJagFault } from "./id_jag_faults.ts";
import type { Level } from "./misbehaviour.ts";

interface IdJagParts {
  readonly header: Members & { readonly alg: string };
  readonly claims: Claims;
  /** The private key that signs. Absent: the key of the issuer. `none`: nothing signs. */
  readonly key?: Jwk | "none";
}

interface WrongIdJag {
  readonly level: Level;
  readonly error: "invalid_grant" | "invalid_scope" | "invalid_target";
  readonly rule: string;
  /** One sentence about the ID-JAG. */
  readonly why: string;
  change(parts: IdJagParts): IdJagParts;
}

const draft = "draft-ietf-oauth-identity-assertion-authz-grant";

function wrong(
  rule: string,
  why: string,
  change: (parts: IdJagParts) => IdJagParts,
  other: Partial<WrongIdJag> = {},
): WrongIdJag {
  return { level: "must", error: "invalid_grant", rule, why, change, ...other };
}

const claims = (change: (claims: Claims) => Claims) => (parts: IdJagParts): IdJagParts => ({
  ...parts,
  claims: change(parts.claims),
});

const elsewhere = "https://elsewhere.test";
const signedByOther = (parts: IdJagParts) => ({ ...parts, key: foreignKeyFor(parts.header.alg) });

export const wrongIdJags: Readonly<Record<IdJagFault, WrongIdJag>> = {
  alg_none: wrong(
    "RFC 7523 §3 (9)",
    "The alg of the ID-JAG is none, so anyone can have written it.",
    (parts) => ({ ...parts, key: "none" }),
  ),
  audience_several: wrong(
    `${draft} §4.4.1`,
    "The aud of the ID-JAG is a list, which names another server besides this one.",
    claims((claims) => ({ ...claims, aud: [claims["aud"], elsewhere] })),
  ),
  audience_wrong: wrong(
    `${draft} §4.4.1`,
    "The aud of the ID-JAG is another server.",
    claims((claims) => ({ ...claims, aud: elsewhere })),
  ),
  binding_unknown: wrong(
    `${draft} §8.6; RFC 7800 §3.1`,
    "The ID-JAG is bound to a key by a member of cnf that no server knows.",
    claims((claims) => ({ ...claims, cnf: { unknown: "a key" } })),
  ),
  client_missing: wrong(
    `${draft} §3`,
    "The ID-JAG has no client_id.",
    claims((claims) => without(claims, "client_id")),
  ),
  client_wrong: wrong(
    `${draft} §4.4.1`,
    "The client_id of the ID-JAG is another client than the one that sends it.",
    claims((claims) => ({ ...claims, client_id: `${claims["client_id"]}-other` })),
  ),
  details_unknown: wrong(
    `${draft} §4.4.1; RFC 9396 §5`,
    "The authorization_details of the ID-JAG have a type that no server knows.",
    claims((claims) => ({ ...claims, authorization_details: [{ type: "unknown" }] })),
  ),
  expired: wrong(
    "RFC 7523 §3 (4)",
    "The ID-JAG expired an hour ago.",
    claims((claims) => ({ ...claims, iat: Number(claims["iat"]) - 3900, exp: Number(claims["iat"]) - 3600 })),
  ),
  expiry_missing: wrong(
    "RFC 7523 §3 (4)",
    "The ID-JAG has no exp, so it would never expire.",
    claims((claims) => without(claims, "exp")),
  ),
  id_missing: wrong(
    `${draft} §3; RFC 7523 §3 (7)`,
    "The ID-JAG has no jti, which is required of its issuer.",
    claims((claims) => without(claims, "jti")),
    { level: "hardening" },
  ),
  issuer_wrong: wrong(
    "RFC 7523 §3 (1)",
    "The iss of the ID-JAG begins with a trusted issuer, but is a different issuer.",
    claims((claims) => ({ ...claims, iss: `${claims["iss"]}/another` })),
  ),
  key_unknown: wrong(
    "RFC 7523 §3 (9)",
    "A key signs the ID-JAG that its issuer does not publish, and the kid names this key.",
    (parts) => signedByOther({ ...parts, header: { ...parts.header, kid: "unknown" } }),
  ),
  resource_unknown: wrong(
    `${draft} §4.4.1; RFC 8707 §2`,
    "The resource of the ID-JAG is an API that the server does not know.",
    claims((claims) => ({ ...claims, resource: `${elsewhere}/api` })),
    { level: "hardening", error: "invalid_target" },
  ),
  scope_unknown: wrong(
    `${draft} §4.4.1; RFC 6749 §3.3`,
    "The ID-JAG has one scope, which the server does not know.",
    claims((claims) => ({ ...claims, scope: "unknown" })),
    { level: "hardening", error: "invalid_scope" },
  ),
  signature_bad: wrong(
    "RFC 7523 §3 (9)",
    "A foreign key signs the ID-JAG, but the kid names a key of the issuer.",
    signedByOther,
  ),
  subject_unknown: wrong(
    "RFC 7523 §3 (2)",
    "The server does not know the person of the ID-JAG. A server that creates people may accept it.",
    claims((claims) => ({ ...without(claims, "email"), sub: "unknown" })),
    { level: "hardening" },
  ),
  type_wrong: wrong(
    `${draft} §4.4.1; RFC 8725 §3.11`,
    "The typ of the ID-JAG is JWT, as that of an ID token may be.",
    (parts) => ({ ...parts, header: { ...parts.header, typ: "JWT" } }),
  ),
};

/** Finds the entry of `trust` that a JWT belongs to, and verifies the JWT with the keys of its issuer (RFC 7523 §3). */

import type { SigningAlgorithm } from "../../../ground/crypto/platform.ts";
import { readUnverified, readUnverifiedHeader } from "../../../ground/crypto/jwt.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { VerifyForeignJwt } from "../../oauth/foreign/foreign_jwt.ts";
import type { KeySource } from "../../oauth/foreign/foreign_keys.ts";
import type { Claims } from "../../../ground/values/members.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { settingOf } from "../../oauth/contracts/feature_values.ts";
import { idJagTyp } from "../../oauth/tokens/id_jag_claims.ts";
import { describeSecretText, describeValue } from "../../../ground/schema/received.ts";
import { type TrustedIssuer, type TrustEntry, trustSetting } from "./trust_settings.ts";

const refusal = refusals({ error: "invalid_grant", spec: "RFC 7523 §3" }, {
  jwt_grant_malformed: {
    sentence: "The text is not a signed JWT with a subject",
    expected: "a signed JWT with iss and sub",
    change: "Send the JWT of the issuer unchanged, as assertion or as subject_token.",
  },
  jwt_grant_issuer_unknown: {
    sentence: "This server does not trust the issuer of the JWT",
    expected: "one of the issuers of trust",
    change: "Add the issuer to trust, with its keys.",
  },
  jwt_grant_keys_unavailable: {
    sentence: "The server cannot get the keys of the issuer of the JWT",
    expected: "a JWK Set of public keys at the jwks_uri of the issuer",
    change: "Publish the keys of the issuer at the jwks_uri of trust, or give them as jwks.",
  },
  jwt_grant_signature: {
    sentence: "The JWT is not signed with a key of its issuer",
    expected: "a signature by a key of the issuer",
    change: "Send a JWT that the issuer has signed with one of its published keys.",
  },
  jwt_grant_type: {
    spec: "RFC 8725 §3.12",
    sentence: "The JWT is for another purpose",
    expected: "typ {typ}",
    change:
      "Send a JWT that the issuer has made for this purpose, and not an access token or a client assertion.",
  },
  id_jag_type: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.4.1",
    sentence: "This server accepts only ID-JAGs of this issuer",
    expected: `typ ${idJagTyp}`,
    change:
      "Send the ID-JAG that the token exchange at the identity provider returned, and not the ID token.",
  },
  id_jag_unexpected: {
    spec: "draft-ietf-oauth-identity-assertion-authz-grant §4.4.1",
    sentence: "This server accepts no ID-JAGs of this issuer",
    expected: "an entry of trust with idJag",
    change: "Set idJag to true in the entry of the issuer in trust.",
  },
  jwt_grant_not_trusted: {
    sentence: "This server trusts the issuer, but not for the {claim} of the JWT",
    expected: "{claim} {patterns}",
    change: "Add the value to the entry of the issuer in trust, or use a JWT that the entry accepts.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** A JWT with the signature of a trusted issuer. Its audience and its times are not checked yet. */
export interface TrustedJwt {
  readonly text: string;
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Claims;
  readonly entry: TrustEntry;
}

/** Returns the trusted issuer that the text names, which may not have signed it. */
export function findIssuer(text: string, { settings }: Services): TrustedIssuer | undefined {
  const issuer = readUnverified(text)?.["iss"];
  return typeof issuer === "string" ? settingOf(settings, trustSetting).get(issuer) : undefined;
}

export function refuseIssuer(text: string, { settings }: Services): never {
  const claims = readUnverified(text);
  if (claims === undefined) throw refusal("jwt_grant_malformed", { received: describeSecretText(text) });
  const { iss } = claims;
  throw refusal("jwt_grant_issuer_unknown", {
    expected: `iss ${[...settingOf(settings, trustSetting).keys()].join(" or ")}`,
    received: iss === undefined ? "no iss" : `iss ${describeValue(iss, 100)}`,
  });
}

export async function verifyTrustedJwt(
  text: string,
  trusted: TrustedIssuer,
  verify: VerifyForeignJwt,
  exchange: Exchange,
  services: Services,
): Promise<TrustedJwt> {
  const { acceptedAlgorithms: algorithms } = services.settings;
  const jwt = await verify(text, { ...keySourceOf(trusted), algorithms }, exchange, services);
  if (jwt === undefined) return refuseSignature(text, trusted, algorithms);
  const { claims, typ } = jwt;
  const { sub } = claims;
  if (typeof sub !== "string" || sub === "") {
    throw refusal("jwt_grant_malformed", {
      received: sub === undefined ? "no sub" : `sub ${describeValue(sub)}`,
    });
  }
  const entry = findEntry(claims, chooseByType(typ, trusted));
  return { text, issuer: trusted.issuer, subject: sub, claims, entry };
}

function keySourceOf({ source }: TrustedIssuer): KeySource {
  if ("keys" in source) return source;
  // The operator has configured the address.
  return { ...source, reach: "any", refuse: (problem) => refusal("jwt_grant_keys_unavailable", problem) };
}

function refuseSignature(
  text: string,
  { source }: TrustedIssuer,
  algorithms: readonly SigningAlgorithm[],
): never {
  const { kid, alg } = readUnverifiedHeader(text)!;
  const keys = "uri" in source
    ? `a key at ${source.uri}`
    : `one of the keys ${source.keys.map((key) => key.kid ?? key.kty).join(", ")}`;
  throw refusal("jwt_grant_signature", {
    expected: `a signature with ${algorithms.join(", ")} by ${keys}`,
    received: `kid ${kid ?? "left out"} with ${alg}`,
  });
}

/** The types of JWTs that are no ID-JAGs. Platforms sign JWTs for many purposes with the type `JWT`, or without one. */
const usualTypes = ["authorization-grant+jwt", "JWT", "JOSE"];

/** RFC 8725 §3.12: a JWT for another purpose, signed with the same key, is not accepted. */
function chooseByType(typ: string | undefined, { entries }: TrustedIssuer): readonly TrustEntry[] {
  const type = typ?.toLowerCase().replace(/^application\//, "");
  const isIdJag = type === idJagTyp;
  const found = entries.filter((entry) => entry.isIdJag === isIdJag);
  const received = typ === undefined ? "no typ" : `typ ${describeValue(typ)}`;
  if (found.length === 0) throw refusal(isIdJag ? "id_jag_unexpected" : "id_jag_type", { received });
  if (isIdJag || type === undefined || usualTypes.some((usual) => usual.toLowerCase() === type)) return found;
  throw refusal("jwt_grant_type", { typ: `${usualTypes.join(", ")}, or none`, received });
}

function findEntry(claims: Claims, entries: readonly TrustEntry[]): TrustEntry {
  const found = entries.find((entry) => findMismatch(claims, entry) === undefined);
  if (found !== undefined) return found;
  const [claim, patterns] = findMismatch(claims, entries[0]!)!;
  const value = claims[claim];
  throw refusal("jwt_grant_not_trusted", {
    claim,
    patterns: patterns.join(" or "),
    received: value === undefined ? `no ${claim}` : `${claim} ${describeValue(value, 200)}`,
  });
}

function findMismatch(claims: Claims, entry: TrustEntry): TrustEntry["claims"][number] | undefined {
  return entry.claims.find(([name, patterns]) =>
    ![claims[name]].flat().some((value) => patterns.some((pattern) => matches(value, pattern)))
  );
}

/** Compares a value with a pattern, in which `*` stands for any text. */
function matches(value: unknown, pattern: string): boolean {
  if (!["string", "number", "boolean"].includes(typeof value)) return false;
  const text = `${value}`;
  const [start = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start)) return false;
  let from = start.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - end.length >= from && text.endsWith(end);
}

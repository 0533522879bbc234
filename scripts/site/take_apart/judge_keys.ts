/** Judges the keys of a JWKS: which algorithms each verifies, and what is wrong with it (RFC 7517, RFC 7518 §6). */
import {
  encryptsWith,
  isUsefulKey,
  isVerifyingKey,
  type Jwk,
  privateMembers,
  publicKeyText,
  verifiesWith,
} from "../../../src/ground/crypto/jwk.ts";
import { isJsonObject, type JsonObject } from "../../../src/ground/schema/json_object.ts";

export interface JudgedKey {
  readonly kid: string | undefined;
  readonly kty: string;
  readonly result: "passed" | "failed" | "open";
  readonly says: string;
  readonly rule?: string;
}

export function isKeySet(
  members: JsonObject,
): members is JsonObject & { readonly keys: readonly JsonObject[] } {
  const { keys } = members;
  return Array.isArray(keys) && keys.every(isJsonObject);
}

export function judgeKeys(keys: readonly JsonObject[]): readonly JudgedKey[] {
  return keys.map((key) => {
    const jwk = key as Jwk;
    const kid = key["kid"] === undefined ? undefined : `${key["kid"]}`;
    const isTwice = keys.filter((other) => other["kid"] === key["kid"]).length > 1;
    return { kid, kty: `${key["crv"] ?? key["kty"]}`, ...judgeKey(jwk, kid, isTwice) };
  });
}

function judgeKey(
  jwk: Jwk,
  kid: string | undefined,
  isTwice: boolean,
): Pick<JudgedKey, "result" | "says" | "rule"> {
  const secret = privateMembers.find((name) => Object.hasOwn(jwk, name));
  if (secret !== undefined) {
    return {
      result: "failed",
      says: `It has the private member ${secret}, with which every reader can sign. Replace the key.`,
      rule: "RFC 7517 §9.2",
    };
  }
  if (isTwice) {
    return {
      result: "failed",
      says: kid === undefined
        ? "Other keys have no kid either, so a client cannot tell which one signed."
        : "Another key has the same kid.",
      rule: kid === undefined ? "OpenID Connect Core §10.1" : "RFC 7517 §4.5",
    };
  }
  if (isVerifyingKey(jwk)) {
    return { result: "passed", says: `It verifies ${verifiesWith(jwk).join(" or ")}.` };
  }
  if (isUsefulKey(jwk)) return { result: "passed", says: `Others encrypt to it with ${encryptsWith(jwk)}.` };
  return {
    result: "open",
    says: `This page knows ${publicKeyText}. It may be another kind of key, or one that is not whole.`,
  };
}

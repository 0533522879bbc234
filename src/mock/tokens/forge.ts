/** Bad tokens, each by name and with one fault, and what a resource server has to say to them. */

import { Buffer } from "node:buffer";
import { createHmac, createPublicKey } from "node:crypto";
import type { Jwk, SigningAlgorithm } from "../../crypto/jwk.ts";
import { importSigningKey, type SigningKey, signWithHeader } from "../../crypto/jwt.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import { endToken } from "../../oauth/tokens/end_token.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { findUsualResource } from "../terms/configured.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { findFuture, moveBack, readPart } from "./expire.ts";
import { type AnyMintTerms, mint, mintChanged, type MintTerms, type TokenChanges } from "./mint.ts";

/** What is wrong with a token, by name. */
export type ForgeryName =
  | "expired"
  | "not-yet-valid"
  | "no-expiry"
  | "wrong-issuer"
  | "wrong-audience"
  | "wrong-type"
  | "id-token-as-access-token"
  | "alg-none"
  | "no-signature"
  | "bad-signature"
  | "tampered-claims"
  | "hs256-with-public-key"
  | "unknown-kid"
  | "other-key-same-kid"
  | "embedded-key"
  | "crit-unknown"
  | "missing-scope"
  | "revoked";

/** What a resource server has to answer. */
export interface ForgeryVerdict {
  readonly status: 401 | 403;
  readonly error: "invalid_token" | "insufficient_scope";
  readonly spec: string;
  /** Why it has to refuse. */
  readonly why: string;
  /**
   * Who sees the fault: whatever verifies a JWT by issuer, audience, keys and time; whoever looks at the scope
   * besides; or only who asks the server.
   */
  readonly seenBy: "verification" | "scope" | "server";
}

/** A token with one fault. */
export interface Forgery {
  readonly name: ForgeryName;
  readonly token: string;
  readonly verdict: ForgeryVerdict;
}

/** All but the named fault is as these terms say. */
export type ForgeTerms = MintTerms & { readonly kind?: never };

interface Recipe {
  readonly verdict: ForgeryVerdict;
  make(terms: ForgeTerms, context: TenantContext): Promise<string>;
}

const hour = 3600;

function invalid(spec: string, why: string): ForgeryVerdict {
  return { status: 401, error: "invalid_token", spec, why, seenBy: "verification" };
}

const recipes: Readonly<Record<ForgeryName, Recipe>> = {
  "expired": {
    verdict: invalid(
      "RFC 9068 §4",
      "It has expired by every clock, the mock's and the real one, and beyond every leeway.",
    ),
    make: changed(moveBack),
  },
  "not-yet-valid": {
    verdict: invalid(
      "RFC 7519 §4.1.5",
      "Its nbf is ahead of every clock, the mock's and the real one, and before it nobody may accept it.",
    ),
    make: changed((claims, context) => {
      const nbf = findFuture(context);
      const { exp } = claims;
      return { ...claims, nbf, ...(typeof exp === "number" ? { exp: Math.max(exp, nbf) + hour } : {}) };
    }),
  },
  "no-expiry": {
    verdict: invalid(
      "RFC 9068 §2.2",
      "It has no exp, which every access token has, and would be good for ever.",
    ),
    make: changed((claims) => ({ ...claims, exp: undefined })),
  },
  "wrong-issuer": {
    verdict: invalid(
      "RFC 9068 §4",
      "Its iss only begins like the issuer, and is another one, which this API does not trust.",
    ),
    make: changed((claims, { services }) => ({ ...claims, iss: `${services.settings.baseUrl}/another` })),
  },
  "wrong-audience": {
    verdict: invalid(
      "RFC 9068 §4",
      "It is meant for another API, which could have passed it on to this one.",
    ),
    make: changed((claims) => ({ ...claims, aud: "https://another-api.test" })),
  },
  "wrong-type": {
    verdict: invalid(
      "RFC 9068 §4",
      "Its typ is that of another kind of token, so it need not be an access token at all.",
    ),
    make(terms, context) {
      const { accessTokenType } = context.services.settings;
      const typ = accessTokenType === "JWT" ? "logout+jwt" : "JWT";
      return mintChanged(terms, { header: (header) => ({ ...header, typ }) }, context);
    },
  },
  "id-token-as-access-token": {
    verdict: invalid(
      "RFC 8725 §3.12",
      "It is an ID token: it tells a client who signed in, and opens nothing.",
    ),
    make: ({ scope, ...terms }, context) =>
      mint({ ...terms, kind: "id", ...(scope === undefined ? {} : { scope: withOpenid(scope) }) }, context),
  },
  "alg-none": {
    verdict: invalid("RFC 9068 §4", "Its alg is none: nobody signed it, so anybody can have written it."),
    make: respelled(({ header, claims }) => `${encode({ ...header, alg: "none" })}.${encode(claims)}.`),
  },
  "no-signature": {
    verdict: invalid("RFC 7515 §5.2", "Its signature is empty, so anybody can have written it."),
    make: respelled(({ text }) => text.replace(/[^.]*$/, "")),
  },
  "bad-signature": {
    verdict: invalid("RFC 7515 §5.2", "Its signature does not verify: one octet of it is another."),
    make: respelled(({ text }) => {
      const [header, claims, signature = ""] = text.split(".");
      const octets = Buffer.from(signature, "base64url");
      octets.writeUInt8(octets.readUInt8(octets.length - 2) ^ 1, octets.length - 2);
      return `${header}.${claims}.${octets.toString("base64url")}`;
    }),
  },
  "tampered-claims": {
    verdict: invalid("RFC 7515 §5.2", "A scope was written into it after it was signed."),
    make: respelled(({ text, claims }) => {
      const [header, , signature] = text.split(".");
      const scope = `${claims["scope"] ?? ""} admin`.trimStart();
      return `${header}.${encode({ ...claims, scope })}.${signature}`;
    }),
  },
  "hs256-with-public-key": {
    verdict: invalid(
      "RFC 8725 §3.1",
      "It is an HMAC whose secret is the server's public key, which everybody knows: the alg must be pinned.",
    ),
    make: respelled(async ({ header, claims }, { services }) => {
      const { publicJwk } = await services.keys.signingKey(services.settings.alg);
      const key = createPublicKey({ key: { ...publicJwk }, format: "jwk" });
      const input = `${encode({ ...header, alg: "HS256" })}.${encode(claims)}`;
      const secret = key.export({ type: "spki", format: "pem" });
      return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
    }),
  },
  "unknown-kid": {
    verdict: invalid(
      "RFC 9068 §4",
      "Its kid names a key that the server does not publish, and that key signed it.",
    ),
    make: respelled(async ({ header, claims }, { services }) => {
      const key = await importForeignKey(services.settings.alg);
      return await signWithHeader(key, { ...header, kid: key.kid }, claims);
    }),
  },
  "other-key-same-kid": {
    verdict: invalid("RFC 7515 §5.2", "Its kid is the server's, but another key signed it."),
    make: respelled(async ({ header, claims }, { services }) =>
      await signWithHeader(await importForeignKey(services.settings.alg), header, claims)
    ),
  },
  "embedded-key": {
    verdict: invalid(
      "RFC 9068 §4",
      "It brings along the key that verifies it: only the server's own keys count.",
    ),
    make: respelled(async ({ header: { kid: _, ...header }, claims }, { services }) => {
      const key = await importForeignKey(services.settings.alg);
      return await signWithHeader(key, { ...header, jwk: key.publicJwk }, claims);
    }),
  },
  "crit-unknown": {
    verdict: invalid(
      "RFC 7515 §4.1.11",
      "Its header says that whoever does not know its extension must refuse it.",
    ),
    make: (terms, context) => {
      const extension = "https://as.test/unknown-extension";
      const header = (before: Members) => ({ ...before, crit: [extension], [extension]: true });
      return mintChanged(terms, { header }, context);
    },
  },
  "missing-scope": {
    verdict: {
      status: 403,
      error: "insufficient_scope",
      spec: "RFC 6750 §3.1",
      why: "It is valid, and its scope is one that no API asks for.",
      seenBy: "scope",
    },
    make: changed((claims) => ({ ...claims, scope: "another-scope" })),
  },
  "revoked": {
    verdict: {
      status: 401,
      error: "invalid_token",
      spec: "RFC 6750 §3.1",
      why: "It was revoked at the server, as only introspection tells.",
      seenBy: "server",
    },
    async make(terms, context) {
      const text = await mint(terms, context);
      const token = await findToken(text, "access_token", context.services);
      if (token === undefined) {
        throw new TypeError("Cannot forge revoked: the server does not know a token with these claims");
      }
      await endToken(token, context.services);
      return text;
    },
  },
};

/** All of them. */
export const forgeries: readonly ForgeryName[] = Object.keys(recipes) as ForgeryName[];

/** Faults that an opaque token can have as well. */
const opaqueToo: ReadonlySet<ForgeryName> = new Set<ForgeryName>([
  "expired",
  "wrong-audience",
  "missing-scope",
  "revoked",
]);

const knownTerms = termsOf<Omit<AnyMintTerms, "kind">>({
  ...{ person: true, client: true, scope: true, resource: true, claims: true, nonce: true },
  ...{ expiresIn: true, itself: true },
});

export async function forge(name: ForgeryName, terms: ForgeTerms, context: TenantContext): Promise<Forgery> {
  context.requireOpen();
  if (!Object.hasOwn(recipes, name)) {
    throw new TypeError(`There is no forgery called ${name}: there is ${forgeries.join(", ")}`);
  }
  requireKnownTerms(`forge ${name}`, terms, knownTerms);
  const { verdict, make } = recipes[name];
  if (!opaqueToo.has(name) && context.services.settings.accessTokens === "opaque") {
    throw new TypeError(
      `Cannot forge ${name}: that is a fault of a JWT, and the access tokens here are opaque; ` +
        'configure accessTokens: "jwt"',
    );
  }
  const resource = terms.resource ?? findUsualResource(`forge ${name}`, "resource", context);
  const meant = resource === undefined ? terms : { ...terms, resource };
  return { name, token: await make(meant, context), verdict };
}

/** A token whose claims are changed before the server signs it. */
function changed(change: (claims: Claims, context: TenantContext) => Claims): Recipe["make"] {
  return (terms, context) => {
    const changes: TokenChanges = { claims: (claims) => change(claims, context) };
    return mintChanged(terms, changes, context);
  };
}

interface SignedText {
  readonly text: string;
  readonly header: Members;
  readonly claims: Claims;
}

/** A valid token that is tampered with after it was signed. */
function respelled(
  respell: (token: SignedText, context: TenantContext) => string | Promise<string>,
): Recipe["make"] {
  return async (terms, context) => {
    const text = await mint(terms, context);
    return await respell({ text, header: readPart(text, 0), claims: readPart(text, 1) }, context);
  };
}

function encode(part: Members): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function withOpenid(scope: string | readonly string[]): readonly string[] {
  return [...new Set(["openid", ...[scope].flat()])];
}

async function importForeignKey(alg: SigningAlgorithm): Promise<SigningKey> {
  return await importSigningKey(alg === "ES256" ? foreignEc : alg === "EdDSA" ? foreignOkp : foreignRsa, alg);
}

// Fixed, so that a forgery repeats with its seed. Published here, and so no server's.
const foreignRsa: Jwk = {
  kty: "RSA",
  n: "rMr7Gif4XcaZVwa5xm3q8hUma4w1QACXq1pUWqwl862joEpxfTwlMg-BEKXuyOrXNPapc17J9g8JVocImAhznUqQMRYf" +
    "3AXf8s3eHDNWOaZUMwGZDjDVfk7mn6zZ6zyZY5dA8-tX_H5r7WQpd5xpyY6GpE8lngO4jyCfsgLyS6mEa1NhWz4fctzG" +
    "AUJINQZOz4yzY6bKTro8e_m1K3Fyoi2Ww3hqagkZmrLR8VBiJRHyR02wWHg1C8GJQWxByNxoqm7CKxAwtft4n_SUv1Nj" +
    "CW-dMiocN4fXqEQM83m24a8surSvs6OgCIYr-SYidIP9CIUqfFgu5zLkG-02UaRk6Q",
  e: "AQAB",
  d: "cNcFcClWCnddP_XGcAzr9zdUpbskMy2v3ljY6XWuOxnT1yOGRZB3gd-aG3MhItgpvg6uzgbCwQtEv9rjA9XRGpDM5SFb" +
    "oOW9P-Ss_aGQ14kFR2Htv9SoNxnzhabtkK88REtMQX4ZMWylsptMcS4V72hCCR8eo7guWFmnsCo4bKuuc7wYe_Atw-VH" +
    "j5YanuuQ03RxJfteu1-GuGY8YSuSSe4bKPdhy-BCTW_c4fjA2L8cbBO-iYYa7e2aNTlDcTgoyaT9YGzRV2-fW3IKiFV2" +
    "3HquHv18EGDzXpDnuM-Dpe_fAvsyteKIMoYqdCeejxM5yLQz9rWC0BjSH4BepA5YGQ",
  p: "z7Isa6sihRsFo0s5uew0xfS5YlFUDbjBRW_Gwuki7BzjIf8MgS7nfSzKbaRQfcRKBJKj9FB0SkhHaT20xP4KuttNlJVH" +
    "y_Ck-dquoWPNAxHiSCIum7Mmowc3X0IXC-PrqGF-ZkBG_9fQpGTTykaUTIp-xxIN8uOWyWoAqjw2NX8",
  q: "1Pq-NXah_K4Tn-mYwjjxNu_TQNXDMr3eQC3SX_oSyNwFgX1bZbZW9ztNdG2Z9gC3iDDpXOqeMQLa0pV6r8bEE6cdNk9L" +
    "am2L27G0gKDgHY9Lte4kFjaQrU32sD4mEls8ItHPw6wDEaSIzi8i_WwxpjRR5VqPwVumI9tci6ymqZc",
  dp: "dKZVXINZd_idSgFOAqYvXZ79H8MdujcyFZWZxI68FnCDAO0GUOfPC_bEGqBWtMwx5i-V9fnZ1n6R3QHTLXChBiF1iSXu" +
    "lRQrFElGG066Lic1N9463yfXY2kCKHYuC3ePO5rGKxeeyMKlZC9c5BaP5A1E9vmk6-33Glh21yXKLHE",
  dq: "rCLxIzL8H8buc5wQ7EGrrBRQMSHUf6l3_XVLiGkNT6yNAqi3-1BRn8cdhhGjk3Hm5Ltrkb7LFp_RDszj-Tf0eFHkSWXz" +
    "dVSO6oUJd8EPArUzoxqTriRx8LCHxtCkYse8pgPgIa1gWZ0bOVJdvGf7BPNakb4NXGFfubFtbjKgDYc",
  qi: "Zqv52oLqZC7kY46yUHUne3bkytvnFsGI3m4CD7TBaPxr5L3zJuRY_-q1ftM5HwcrhNRukFFjKRUsA5g_A56miXJmXrU7" +
    "wZ1MX9bLJjA8Zj6TgqffAe2AaHzooQRgl9vqlbr59iS2cVaae5GbYzRfshdIfXqqtDf9OsTm92FAQ8g",
};

const foreignEc: Jwk = {
  kty: "EC",
  crv: "P-256",
  x: "sVXAIAdFk6IVGz6JjjbvpH4Ql7vtOt2ezfuuBznuV0w",
  y: "EQOzL0ovNrE6ChfpNBP8mgZltCbjpn30YkoGcmfWjt0",
  d: "rfu4EMb4W8tq5D7Gs9yA1EfC_Mx5qRYIqzAqXhSGLOo",
};

const foreignOkp: Jwk = {
  kty: "OKP",
  crv: "Ed25519",
  x: "yJg5vPYnfeUpy05XRWLCO3lPUl_h6-VMzdZOJ3Q4QZU",
  d: "aEfk4bY7rF1c6_ZG9qVP7Sjb1he3GFOuyb7RygEyuMM",
};

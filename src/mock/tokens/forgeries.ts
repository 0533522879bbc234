/** Bad tokens, each by name and with one fault, and how a resource server has to answer them. */

import { Buffer } from "node:buffer";
import { createHmac, createPublicKey } from "node:crypto";
import { signWithHeader } from "../../crypto/jwt.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import { endToken } from "../../oauth/tokens/end_token.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { findFuture, moveBack, readPart } from "./expire.ts";
import { importForeignKey } from "./foreign_keys.ts";
import { mint, mintChanged, type TokenChanges } from "./mint.ts";
import type { MintTerms } from "./mint_terms.ts";

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

/** All but the named fault is as these terms say. */
export type ForgeTerms = MintTerms & { readonly kind?: never };

export interface Recipe {
  readonly verdict: ForgeryVerdict;
  make(terms: ForgeTerms, context: TenantContext): Promise<string>;
}

const hour = 3600;

function invalid(spec: string, why: string): ForgeryVerdict {
  return { status: 401, error: "invalid_token", spec, why, seenBy: "verification" };
}

export const recipes: Readonly<Record<ForgeryName, Recipe>> = {
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
export const opaqueToo: ReadonlySet<ForgeryName> = new Set<ForgeryName>([
  "expired",
  "wrong-audience",
  "missing-scope",
  "revoked",
]);

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

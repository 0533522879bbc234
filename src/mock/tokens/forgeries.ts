/** The table of forgeries: how each differs from a valid token, and how a resource server must answer it. */

import { Buffer } from "node:buffer";
import { createHmac, createPublicKey } from "node:crypto";
import { publicJwk, thumbprint } from "../../crypto/jwk.ts";
import { joinJwt, splitJwt } from "../../crypto/jwt_parts.ts";
import { endToken } from "../../oauth/tokens/end_token.ts";
import { findToken } from "../../oauth/tokens/find_token.ts";
import type { TenantContext } from "../client/tenant_context.ts";
import { foreignKeyFor } from "../../misbehaviours/foreign_keys.ts";
import { mint } from "./mint.ts";
import type { TokenChanges } from "./mint_services.ts";
import type { MintTerms } from "./mint_terms.ts";
import { findFuture, moveBack } from "./token_times.ts";

/** The names of the forgeries. A name describes the fault of the token. */
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

/** The response that a resource server must give to a forged token. */
export interface ForgeryVerdict {
  readonly status: 401 | 403;
  readonly error: "invalid_token" | "insufficient_scope";
  readonly spec: string;
  /** The reason for the refusal. */
  readonly why: string;
  /**
   * The check that detects the fault. `verification` checks the issuer, the audience, the signature and the times.
   * `scope` checks the scope. `server` means that the API must ask the server by introspection.
   */
  readonly seenBy: "verification" | "scope" | "server";
}

/** Options of `forge`, which describe the token apart from its fault. */
export type ForgeTerms = MintTerms & { readonly kind?: never };

interface Forging {
  readonly verdict: ForgeryVerdict;
  /** True if an opaque token can have the fault, too. Absent: only a JWT can have it. */
  readonly opaque?: true;
}

/** A forgery that mints a token with changes. */
interface ForgingByChange extends Forging {
  changes(context: TenantContext): TokenChanges;
}

/** A forgery that creates its token in another way. */
interface ForgingByCreation extends Forging {
  create(terms: ForgeTerms, context: TenantContext): Promise<string>;
}

const hour = 3600;

function invalid(spec: string, why: string): ForgeryVerdict {
  return { status: 401, error: "invalid_token", spec, why, seenBy: "verification" };
}

export const forgingByName: Readonly<Record<ForgeryName, ForgingByChange | ForgingByCreation>> = {
  "expired": {
    verdict: invalid(
      "RFC 9068 §4",
      "It expired long ago, by the clock of the mock and by the real time.",
    ),
    changes: (context) => ({ claims: (claims) => moveBack(claims, context) }),
    opaque: true,
  },
  "not-yet-valid": {
    verdict: invalid(
      "RFC 7519 §4.1.5",
      "Its nbf is in the future, by the clock of the mock and by the real time.",
    ),
    changes: (context) => ({
      claims(claims) {
        const nbf = findFuture(context);
        const { exp } = claims;
        return { ...claims, nbf, ...(typeof exp === "number" ? { exp: Math.max(exp, nbf) + hour } : {}) };
      },
    }),
  },
  "no-expiry": {
    verdict: invalid("RFC 9068 §2.2", "It has no exp, which is required, so it would never expire."),
    changes: () => ({ claims: (claims) => ({ ...claims, exp: undefined }) }),
  },
  "wrong-issuer": {
    verdict: invalid("RFC 9068 §4", "Its iss begins with the expected issuer, but is a different issuer."),
    changes: ({ services }) => ({
      claims: (claims) => ({ ...claims, iss: `${services.settings.baseUrl}/another` }),
    }),
  },
  "wrong-audience": {
    verdict: invalid(
      "RFC 9068 §4",
      "Its aud is another API, which may have forwarded the token to this API.",
    ),
    changes: () => ({ claims: (claims) => ({ ...claims, aud: "https://another-api.test" }) }),
    opaque: true,
  },
  "wrong-type": {
    verdict: invalid("RFC 9068 §4", "Its typ is the typ of another kind of token."),
    changes({ services }) {
      const typ = services.settings.accessTokenType === "JWT" ? "logout+jwt" : "JWT";
      return { header: (header) => ({ ...header, typ }) };
    },
  },
  "id-token-as-access-token": {
    verdict: invalid(
      "RFC 8725 §3.12",
      "It is an ID token, which tells a client who signed in and gives no access to an API.",
    ),
    create({ scope, claims, ...terms }, context) {
      // The `aud` of an ID token is the client. With the API in `aud`, an API could not see the fault.
      const { aud: _aud, ...otherClaims } = claims ?? {};
      const withScope = scope === undefined ? {} : { scope: withOpenid(scope) };
      return mint({ ...terms, kind: "id", claims: otherClaims, ...withScope }, context);
    },
  },
  "alg-none": {
    verdict: invalid("RFC 9068 §4", "Its alg is none, so anyone can have written it."),
    changes: () => ({
      signed({ text }) {
        const { header, claims } = splitJwt(text);
        return joinJwt({ header: { ...header, alg: "none" }, claims, signature: "" });
      },
    }),
  },
  "no-signature": {
    verdict: invalid("RFC 7515 §5.2", "Its signature is empty, so anyone can have written it."),
    changes: () => ({ signed: ({ text }) => joinJwt({ ...splitJwt(text), signature: "" }) }),
  },
  "bad-signature": {
    verdict: invalid("RFC 7515 §5.2", "Its signature does not verify, because one byte of it differs."),
    changes: () => ({
      signed({ text }) {
        const { signature, ...parts } = splitJwt(text);
        const bytes = Buffer.from(signature, "base64url");
        const at = bytes.length - 2;
        bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
        return joinJwt({ ...parts, signature: bytes.toString("base64url") });
      },
    }),
  },
  "tampered-claims": {
    verdict: invalid("RFC 7515 §5.2", "A scope was added to it after it was signed."),
    changes: () => ({
      signed({ text }) {
        const { claims, ...parts } = splitJwt(text);
        const scope = `${claims["scope"] ?? ""} admin`.trimStart();
        return joinJwt({ ...parts, claims: { ...claims, scope } });
      },
    }),
  },
  "hs256-with-public-key": {
    verdict: invalid(
      "RFC 8725 §3.1",
      "An API that trusts its alg accepts it, because its HMAC key is the server's public key.",
    ),
    changes: () => ({
      signed({ text, signer }) {
        const { header, claims } = splitJwt(text);
        const unsigned = joinJwt({ header: { ...header, alg: "HS256" }, claims, signature: "" });
        const input = unsigned.slice(0, -1);
        const key = createPublicKey({ key: { ...signer.publicJwk }, format: "jwk" });
        const secret = key.export({ type: "spki", format: "pem" });
        return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
      },
    }),
  },
  "unknown-kid": {
    verdict: invalid(
      "RFC 9068 §4",
      "Its kid names the key that signed it, which the server does not publish.",
    ),
    changes: () => ({
      signed({ text, signer }) {
        const { header, claims } = splitJwt(text);
        const key = foreignKeyFor(signer.publicJwk.alg);
        return signer.sign({ ...header, kid: thumbprint(key) }, claims, key);
      },
    }),
  },
  "other-key-same-kid": {
    verdict: invalid("RFC 7515 §5.2", "Its kid names a key of the server, but another key signed it."),
    changes: () => ({
      signed({ text, signer }) {
        const { header, claims } = splitJwt(text);
        return signer.sign(header, claims, foreignKeyFor(signer.publicJwk.alg));
      },
    }),
  },
  "embedded-key": {
    verdict: invalid(
      "RFC 9068 §4",
      "Its header contains the key that verifies it, but only the server's published keys are trusted.",
    ),
    changes: () => ({
      signed({ text, signer }) {
        const { header: { kid: _kid, ...header }, claims } = splitJwt(text);
        const { alg } = signer.publicJwk;
        const key = foreignKeyFor(alg);
        return signer.sign({ ...header, jwk: publicJwk(key, thumbprint(key), alg) }, claims, key);
      },
    }),
  },
  "crit-unknown": {
    verdict: invalid(
      "RFC 7515 §4.1.11",
      "Its header has an unknown extension and says that a verifier must understand it.",
    ),
    changes() {
      const extension = "https://as.test/unknown-extension";
      return { header: (header) => ({ ...header, crit: [extension], [extension]: true }) };
    },
  },
  "missing-scope": {
    verdict: {
      status: 403,
      error: "insufficient_scope",
      spec: "RFC 6750 §3.1",
      why: "It is valid, but it lacks the scope that the API requires.",
      seenBy: "scope",
    },
    changes: () => ({ claims: (claims) => ({ ...claims, scope: "another-scope" }) }),
    opaque: true,
  },
  "revoked": {
    verdict: {
      status: 401,
      error: "invalid_token",
      spec: "RFC 6750 §3.1",
      why: "It is revoked at the server, which an API sees only by introspection.",
      seenBy: "server",
    },
    async create(terms, context) {
      const text = await mint(terms, context);
      const token = await findToken(text, "access_token", context.services);
      if (token === undefined) {
        throw new TypeError("Cannot forge revoked: the server does not know a token with these claims");
      }
      await endToken(token, context.services);
      return text;
    },
    opaque: true,
  },
};

/** The names that `forge` accepts. */
export const forgeries: readonly ForgeryName[] = Object.keys(forgingByName) as ForgeryName[];

function withOpenid(scope: string | readonly string[]): readonly string[] {
  return [...new Set(["openid", ...[scope].flat()])];
}

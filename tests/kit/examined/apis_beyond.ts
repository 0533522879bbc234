/**
 * Libraries for APIs that are not in JavaScript. Their cards are made by hand: the program in by_hand/ runs, and
 * `deno task examine-api` sends it tokens. `deno task cards:keep NAME CARD` then writes docs/api_cards.
 */

import { type ExaminedApi, ofProfile } from "./apis.ts";
import type { Examination } from "./examine_library.ts";

/** A library in one use, with what has run. */
export interface ApiByHand
  extends Required<Pick<ExaminedApi, "package" | "use" | "notes" | "omits">>, Examination {
  readonly byHand: ByHand;
}

/** How a card was made by hand. */
export interface ByHand {
  /** The language, and what else the result depends on. */
  readonly with: string;
  /** The program of the API, in tests/kit/examined/by_hand. */
  readonly program: string;
  /** The flags of `examine-api`, besides the URL and the audience of the API. */
  readonly flags: string;
}

/** The API sees no revocation, and no certificates. */
const unseen = ["access_token.revoked", "certificate"] as const;

const date = "2026-11-26";

const loadsKeys = "`NimbusJwtDecoder` sets no limit for loading keys (`rateLimited(false)`).";

const chooses = "Nimbus compares `use` and `alg` of a key, but not `key_ops` (`JWKMatcher.forJWSHeader`).";

const springSecurity = {
  package: "spring-security-oauth2-resource-server",
  version: "7.1.2",
  date,
};

export const apisByHand: Readonly<Record<string, ApiByHand>> = {
  authlib: {
    package: "Authlib",
    version: "1.9.10",
    date,
    byHand: {
      with: "Python 3.11.7, joserfc 1.8.0 and Flask 3.1.3",
      program: "authlib_api.py",
      flags: "--scope orders",
    },
    use: "`JWTBearerTokenValidator(issuer, resource_server)` with the `get_jwks` of its documentation, " +
      'and `@require_oauth("orders")` for Flask',
    omits: [...unseen, "proof"],
    notes: [
      "The application loads and keeps the keys: `get_jwks` is its function.",
      "`JWTBearerTokenValidator` is the one for RFC 9068. `JWTAccessTokenClaims.validate()` compares the `typ` only if the token has one (`if typ and …`).",
      "It allows for no difference of clocks: `validate_token` sets no `leeway`.",
      "Without a `kid`, joserfc chooses a key only if the set has no other one (`KeySet.get_by_kid`).",
      "With Python 3.11, `json.loads` throws `RecursionError` for a claim that is nested as deeply, which the library does " +
      "not catch.",
    ],
  },
  go_jwt_middleware: {
    package: "github.com/auth0/go-jwt-middleware/v2",
    version: "2.3.1",
    date,
    byHand: {
      with: "Go 1.26.8 and go-jose 2.6.3",
      program: "go_jwt_middleware.go",
      flags: "",
    },
    use:
      "`jwks.NewCachingProvider(issuer, 5*time.Minute)`, `validator.New` with `RS256`, the issuer and the audience, " +
      "and `CheckJWT`",
    // The application checks the scope, with WithCustomClaims.
    omits: [...unseen, ...ofProfile, "access_token.scope_missing", "proof"],
    notes: [
      "It verifies JWTs of any kind: it accepts any `typ`, and compares `exp` only if the token has one " +
      "(`actualClaims.Expiry != nil && …`). `WithCustomClaims` can demand claims. So there are no rows about the profile of " +
      "RFC 9068.",
      "`jwt.ParseSigned` of go-jose 2 also reads a JWS that is serialized as JSON. Such a token has a right signature: it is " +
      "only no JWT.",
      "`DefaultErrorHandler` sends no `WWW-Authenticate` (RFC 6750 §3). `WithErrorHandler` replaces it.",
      "`WithAllowedClockSkew` is 0 by default. go-jose 2 chooses a key by its `kid` alone (`tryJWKS`): it reads neither " +
      "`use`, `key_ops` nor `alg` of the key, and chooses none for a token without a `kid`.",
    ],
  },
  spring_security: {
    ...springSecurity,
    byHand: {
      with: "Spring Boot 4.1.2, Nimbus JOSE + JWT 10.9.1 and Java 17",
      program: "spring_security",
      flags: "--scope orders --config postern.json",
    },
    use: "the properties `issuer-uri` and `audiences`, `jwt(withDefaults())`, and `hasAuthority`",
    omits: [...unseen, ...ofProfile, "proof"],
    notes: [
      "In this use it accepts the `typ` JWT or none (`JwtTypeValidator.jwt()`), and refuses at+jwt. So the tokens had JWT " +
      '(`"accessTokenType": "JWT"`).',
      "`JwtTimestampValidator` compares `exp` only if the token has one. `setAllowEmptyExpiryClaim(false)` demands it.",
      "`createAtJwtValidator()`, as in the card `spring_security_access_token`, demands the `typ` and the claims of RFC 9068. " +
      "So there are no rows about this profile.",
      loadsKeys,
      chooses,
    ],
  },
  spring_security_access_token: {
    ...springSecurity,
    byHand: {
      with: "Spring Boot 4.1.2, Nimbus JOSE + JWT 10.9.1 and Java 17",
      program: "spring_security",
      flags: "--scope orders --dpop",
    },
    use: "`NimbusJwtDecoder.withIssuerLocation(issuer)` with `JwtValidators.createAtJwtValidator()`, and " +
      "`dPoP(withDefaults())` (the profile `access-token` of the program)",
    // In this use, DPoP is not required.
    omits: [...unseen, "proof.unbound_as_bearer"],
    notes: [
      "`createAtJwtValidator()` requires `iat`, but `MappedJwtClaimSetConverter` has already added one, one second before `exp`.",
      "`DPoPProofJwtDecoderFactory` compares `htm` with `equalsIgnoreCase`, and `htu` with `equals`. RFC 9449 §4.3 says " +
      "that a server should normalize the URLs before it compares them.",
      loadsKeys,
      chooses,
      "An empty header `DPoP` makes `DPoPAuthenticationToken` throw `IllegalArgumentException`. The page for errors is " +
      "protected, too, and so the answer is 401.",
    ],
  },
};

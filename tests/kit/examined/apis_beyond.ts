/** Libraries for APIs in other languages than JavaScript, by the names of their cards. `deno task cards --beyond` examines them. */

import { type ExaminedApi, ofProfile } from "./apis.ts";
import { type CommandLine, inPython, type LanguageName } from "./clients_beyond.ts";

/** A program in beyond_apis/ that serves `/orders`, with the library in one use. */
export interface ApiBeyond
  extends Required<Pick<ExaminedApi, "package" | "dependsOn" | "use" | "notes" | "omits">> {
  readonly language: LanguageName;
  /** The folder of the program. */
  readonly program: string;
  /** Runs once, in a copy of the folder. */
  readonly prepare: readonly CommandLine[];
  /** Starts the API at the PORT of its environment, for tokens of the ISSUER there. */
  readonly command: CommandLine;
  /** The flags of `examine-api`, besides those that name the API and the server. */
  readonly flags: readonly string[];
}

/** The API sees no revocation, and no certificates. */
const unseen = ["access_token.revoked", "certificate"] as const;

const loadsKeys = "`NimbusJwtDecoder` sets no limit for loading keys (`rateLimited(false)`).";

const chooses = "Nimbus compares `use` and `alg` of a key, but not `key_ops` (`JWKMatcher.forJWSHeader`).";

const springSecurity = {
  package: "spring-security-oauth2-resource-server",
  dependsOn: ["spring-boot", "nimbus-jose-jwt"],
  language: "Java",
  program: "spring_security",
  prepare: [["mvn", "--quiet", "--batch-mode", "package"]],
} as const;

const start = ["java", "-jar", "target/api.jar"] as const;

export const apisBeyond: Readonly<Record<string, ApiBeyond>> = {
  authlib: {
    package: "Authlib",
    dependsOn: ["joserfc", "Flask"],
    language: "Python",
    program: "authlib",
    prepare: inPython,
    command: ["venv/bin/python", "api.py"],
    flags: ["--scope", "orders"],
    use: "`JWTBearerTokenValidator(issuer, resource_server)` with the `get_jwks` of its documentation, " +
      'and `@require_oauth("orders")` for Flask',
    omits: [
      ...unseen,
      "proof",
      // The application loads the keys and keeps them.
      "access_token.hs256_alg_unpublished",
      "access_token.key_replaced",
      "access_token.key_withdrawn",
      "access_token.kid_unknown_many",
    ],
    notes: [
      "The application loads and keeps the keys: `get_jwks` is its function. So there are no rows about keys that change.",
      "`JWTBearerTokenValidator` is the one for RFC 9068. `JWTAccessTokenClaims.validate()` compares the `typ` only if the token has one (`if typ and …`).",
      "It allows for no difference of clocks: `validate_token` sets no `leeway`.",
      "Without a `kid`, joserfc chooses a key only if the set has no other one (`KeySet.get_by_kid`).",
      "With Python 3.11, `json.loads` throws `RecursionError` for a claim that is nested as deeply, which the library does " +
      "not catch.",
    ],
  },
  go_jwt_middleware: {
    package: "github.com/auth0/go-jwt-middleware/v2",
    dependsOn: ["gopkg.in/go-jose/go-jose.v2"],
    language: "Go",
    program: "go_jwt_middleware",
    prepare: [["go", "build", "-o", "api", "."]],
    command: ["./api"],
    flags: [],
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
    command: start,
    flags: ["--scope", "orders", "--config", "postern.json"],
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
    command: [...start, "--spring.profiles.active=access-token"],
    flags: ["--scope", "orders", "--dpop"],
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

/**
 * Published flaws of libraries and applications, for docs/real_flaws.md. The rows that catch a flaw name it in `bugs`, so
 * they are not named here.
 */

export interface Flaw {
  /** The CVE or the advisory, as the rows name it in `bugs`: all of them, if one flaw has several. */
  readonly ids: readonly string[];
  /** The address of what has neither a CVE nor an advisory. */
  readonly address?: string;
  readonly library: string;
  /** The versions that have it. */
  readonly versions: string;
  /** One sentence: what the library or the application does. */
  readonly flaw: string;
  readonly tried?: Tried;
  /** Present if no row names it. */
  readonly lacks?: { readonly kind: "ours" | "beyond"; readonly because: string };
}

/** A version with the flaw, which its rows caught, and a version without it, which passed them. */
export interface Tried {
  readonly versions: readonly [flawed: string, mended: string];
  /** The package on npm, whose versions a test compares. Absent: they were examined by hand. */
  readonly npm?: string;
  /** The path below the package that the program loads. */
  readonly entry?: string;
}

const npm = (npm: string, flawed: string, mended: string, more: Pick<Tried, "entry"> = {}) => ({
  tried: { npm, versions: [flawed, mended] as const, ...more },
});

const byHand = (flawed: string, mended: string) => ({ tried: { versions: [flawed, mended] as const } });

const ours = (because: string) => ({ lacks: { kind: "ours", because } as const });

const beyond = (because: string) => ({ lacks: { kind: "beyond", because } as const });

export const flaws: readonly Flaw[] = [
  {
    ids: ["CVE-2024-53861"],
    library: "PyJWT",
    versions: "2.10.0",
    flaw: "It looks whether the expected issuer contains the `iss`, so a part of the issuer passes.",
    ...byHand("2.10.0", "2.10.1"),
  },
  {
    ids: ["CVE-2026-32597"],
    library: "PyJWT",
    versions: "before 2.12.0",
    flaw: "It ignores extensions in `crit` that it does not know.",
    ...byHand("2.11.0", "2.12.0"),
  },
  {
    ids: ["CVE-2025-59420"],
    library: "Authlib",
    versions: "before 1.6.4",
    flaw: "It ignores extensions in `crit` that it does not know.",
    ...byHand("1.6.3", "1.6.4"),
  },
  {
    ids: ["CVE-2025-30144"],
    library: "fast-jwt",
    versions: "before 5.0.6",
    flaw: "It accepts a list as `iss` if one of its items is the issuer.",
    ...npm("fast-jwt", "5.0.5", "5.0.6"),
  },
  {
    ids: ["CVE-2026-35042"],
    library: "fast-jwt",
    versions: "before 6.2.0",
    flaw: "It ignores extensions in `crit` that it does not know.",
    ...npm("fast-jwt", "6.1.0", "6.2.0"),
  },
  {
    ids: ["CVE-2023-48223"],
    library: "fast-jwt",
    versions: "before 3.3.2",
    flaw:
      "It takes a public key in the PEM of PKCS #1 for the secret of HS256. It then refuses each token of " +
      "RS256, so no API can work with such a key, and be examined.",
  },
  {
    ids: ["CVE-2026-34950"],
    library: "fast-jwt",
    versions: "before 6.2.0",
    flaw:
      "It takes a public key in PEM with white space before it for the secret of HS256. It then refuses each " +
      "token of RS256, so no API can work with such a key, and be examined.",
  },
  {
    ids: ["CVE-2024-37568"],
    library: "Authlib",
    versions: "before 1.3.1",
    flaw: "It verifies HS256 with the public key if the application names no algorithm.",
    ...byHand("1.3.0", "1.3.1"),
  },
  {
    ids: ["CVE-2024-54150"],
    library: "cjwt",
    versions: "before 2.3.0",
    flaw: "It verifies HS256 with the public key, because the header chooses the algorithm.",
  },
  {
    ids: ["CVE-2015-9235"],
    library: "jsonwebtoken",
    versions: "before 4.2.2",
    flaw: "It verifies HS256 with the public key, because the header chooses the algorithm.",
    ...npm("jsonwebtoken", "4.1.0", "4.2.2"),
  },
  {
    ids: ["CVE-2016-1000223"],
    library: "jws",
    versions: "before 3.0.0",
    flaw:
      "It verifies HS256 with the public key and accepts `none`, because the header chooses the algorithm.",
    ...npm("jws", "2.0.0", "3.0.0"),
  },
  {
    ids: ["CVE-2023-48238"],
    library: "json-web-token",
    versions: "before 4.0.0",
    flaw: "It verifies HS256 with the public key, because the header chooses the algorithm.",
    ...npm("json-web-token", "3.1.1", "4.0.1"),
  },
  {
    ids: ["CVE-2024-33663"],
    library: "python-jose",
    versions: "before 3.4.0",
    flaw: "It verifies HS256 with an ECDSA key in the form of OpenSSH.",
  },
  {
    ids: ["CVE-2022-29217"],
    library: "PyJWT",
    versions: "1.5.0 to 2.3",
    flaw:
      "It verifies HS256 with a public key in a form that it does not know as one, such as that of OpenSSH.",
  },
  {
    ids: ["CVE-2026-22817", "CVE-2026-22818"],
    library: "Hono",
    versions: "before 4.11.4",
    flaw: "The header chooses the algorithm if the key in the JWKS has no `alg`.",
    ...ours("The row sends HS256 with forms of a key without `alg`, and Hono 4.11.3 refuses all of them."),
  },
  {
    ids: ["CVE-2026-44699"],
    library: "LibJWT",
    versions: "3.0.0 to 3.3.2",
    flaw: "It verifies HS256 with an empty secret if the RSA key in the JWKS has no `alg`.",
  },
  {
    ids: ["CVE-2026-23993"],
    library: "HarbourJwt",
    versions: "before February 2026",
    flaw: "It accepts an empty signature with each `alg` that it does not know.",
  },
  {
    ids: ["CVE-2022-23540"],
    library: "jsonwebtoken",
    versions: "before 9.0.0",
    flaw: "It accepts `none` if the application names no algorithm and finds no key.",
    ...npm("jsonwebtoken", "8.5.1", "9.0.0"),
  },
  {
    ids: ["CVE-2020-15084"],
    library: "express-jwt",
    versions: "before 6.0.0",
    flaw: "It demands no list of algorithms, so `none` passes when `jwks-rsa` finds no key.",
    ...npm("express-jwt", "5.3.3", "6.0.0"),
  },
  {
    ids: ["CVE-2026-29000"],
    library: "pac4j-jwt",
    versions: "before 4.5.9, 5.7.9 and 6.3.3",
    flaw: "It verifies no signature of an unsigned JWT inside of a JWE.",
  },
  {
    ids: ["CVE-2026-27962"],
    library: "Authlib",
    versions: "before 1.6.9",
    flaw: "It takes the key from the `jwk` of the header if the application passes none.",
    ...byHand("1.6.8", "1.6.9"),
  },
  {
    ids: ["CVE-2018-0114"],
    library: "node-jose",
    versions: "before 0.11.0",
    flaw: "It takes the key from the `jwk` of the header.",
    ...npm("node-jose", "0.10.0", "0.11.0"),
  },
  {
    ids: ["CVE-2025-24976"],
    library: "distribution (a registry)",
    versions: "3.0.0-beta.1 to 3.0.0-rc.2",
    flaw:
      "It compares the `kid` of the `jwk` in the header with that of a trusted key, and not the key itself.",
  },
  {
    ids: ["CVE-2022-21449"],
    library: "Java",
    versions: "15 to 18",
    flaw: "It accepts a signature of ECDSA that consists of zeros.",
  },
  {
    ids: ["CVE-2022-25898"],
    library: "jsrsasign",
    versions: "4.8.0 to 10.5.24",
    flaw: "It skips characters of a signature that base64url does not have.",
    ...npm("jsrsasign", "10.5.24", "10.5.25"),
  },
  {
    ids: ["CVE-2026-28498"],
    library: "Authlib",
    versions: "before 1.6.9",
    flaw: "It accepts each `at_hash` of an ID token whose `alg` it does not know.",
  },
  {
    ids: ["CVE-2025-61920"],
    library: "Authlib",
    versions: "before 1.6.5",
    flaw: "It decodes tokens of any size.",
  },
  {
    ids: ["CVE-2025-62706"],
    library: "Authlib",
    versions: "before 1.6.5",
    flaw: "It decompresses a JWE without a limit.",
  },
  {
    ids: ["CVE-2024-33664"],
    library: "python-jose",
    versions: "before 3.4.0",
    flaw: "It decompresses a JWE without a limit.",
  },
  {
    ids: ["CVE-2025-30204"],
    library: "golang-jwt",
    versions: "before 4.5.2 and 5.2.2",
    flaw:
      "It splits a token at each of its dots, however many there are. The row sends such a token and judges the " +
      "answer, not the memory.",
  },
  {
    ids: ["CVE-2025-22868"],
    library: "golang.org/x/oauth2/jws",
    versions: "before 0.27.0",
    flaw:
      "It splits a token at each of its dots, however many there are. The row sends such a token and judges the " +
      "answer, not the memory.",
  },
  {
    ids: ["CVE-2025-27144"],
    library: "go-jose",
    versions: "before 3.0.4 and 4.0.5",
    flaw:
      "It splits a token at each of its dots, however many there are. The row sends such a token and judges the " +
      "answer, not the memory.",
  },
  {
    ids: ["CVE-2025-62610"],
    library: "Hono",
    versions: "1.1.0 to 4.10.1",
    flaw: "Its middleware compares no `aud`.",
    ...npm("hono", "4.10.1", "4.10.2", { entry: "/jwk" }),
  },
  {
    ids: ["CVE-2026-44459"],
    library: "Hono",
    versions: "before 4.12.18",
    flaw: "It accepts an `exp` that is no number, and never compares it with the time.",
    ...npm("hono", "4.12.17", "4.12.18", { entry: "/jwk" }),
  },
  {
    ids: ["CVE-2020-26160"],
    library: "jwt-go",
    versions: "before 4.0.0-preview1",
    flaw: "It accepts an empty list as `aud`.",
  },
  {
    ids: ["GHSA-p2fr-6hmx-4528"],
    library: "@better-auth/oauth-provider",
    versions: "1.4.8 to 1.7.0-beta.3",
    flaw: "The server lets a client name audiences that it is not allowed to have.",
  },
  {
    ids: ["CVE-2025-68129"],
    library: "Auth0-PHP",
    versions: "8.0.0 to 8.17",
    flaw: "It accepts an ID token in place of an access token.",
  },
  {
    ids: ["CVE-2026-22748"],
    library: "Spring Security",
    versions: "from 6.3.0",
    flaw: "`NimbusJwtDecoder.withIssuerLocation` compares no issuer if the application adds no validator.",
  },
  {
    ids: ["CVE-2025-59936"],
    library: "get-jwks",
    versions: "before 11.0.2",
    flaw: "It keeps the key of another issuer under the `kid` of the right one.",
    ...npm("get-jwks", "11.0.1", "11.0.3"),
  },
  {
    ids: ["CVE-2025-22149", "GHSA-675f-rq2r-jw82"],
    library: "jwkset for Go",
    versions: "0.5",
    flaw: "It keeps keys that the server no longer publishes.",
  },
  {
    ids: ["CVE-2026-35039"],
    library: "fast-jwt",
    versions: "before 6.2.0",
    flaw: "It returns the claims of another token if the application names the entries of its cache badly.",
  },
  {
    ids: ["CVE-2026-35030"],
    library: "LiteLLM",
    versions: "before 1.83.0",
    flaw: "Its cache knows a token by its first twenty characters, which all tokens of one algorithm have.",
  },
  {
    ids: ["CVE-2026-45363"],
    library: "ruby-jwt",
    versions: "before 2.10.3 and 3.2.0",
    flaw: "It verifies HS256 with an empty secret, which a look-up finds for an unknown `kid`.",
  },
  {
    ids: ["CVE-2025-65945"],
    library: "jws",
    versions: "before 3.2.3, and 4.0.0",
    flaw: "It verifies HS256 with what the application finds for the header, even if that is nothing.",
  },
  {
    ids: ["CVE-2025-68158", "CVE-2026-41425"],
    library: "Authlib",
    versions: "before 1.6.6 and 1.6.11",
    flaw: "It keeps the state in a cache, and does not bind it to the browser.",
  },
  {
    ids: ["CVE-2025-14546"],
    library: "fastapi-sso",
    versions: "before 0.19.0",
    flaw: "It makes a state, and never compares it.",
  },
  {
    ids: ["CVE-2025-68481"],
    library: "fastapi-users",
    versions: "before 15.0.2",
    flaw: "It signs the state, and does not bind it to the browser.",
  },
  {
    ids: ["CVE-2025-65107"],
    library: "Langfuse",
    versions: "before 2.95.12 and 3.131",
    flaw: "It accepts the authorization response of a login that another browser began.",
  },
  {
    ids: ["CVE-2023-31999"],
    library: "@fastify/oauth2",
    versions: "before 7.2.0",
    flaw: "It makes one state when the program starts, and sends it in each login.",
    ...npm("@fastify/oauth2", "7.1.0", "7.2.1"),
  },
  {
    ids: ["CVE-2024-10318"],
    library: "NGINX OpenID Connect reference implementation",
    versions: "before 2024-10-24",
    flaw: "It does not compare the nonce of the ID token with that of the login.",
  },
  {
    ids: ["CVE-2026-42206"],
    library: "roadiz/openid",
    versions: "before 2.3.43, 2.5.45, 2.6.31 and 2.7.18",
    flaw: "It sends a nonce, and never compares it.",
  },
  {
    ids: ["CVE-2021-41580"],
    library: "passport-oauth2",
    versions: "before 1.6.1",
    flaw:
      "It goes on without an access token if the token response has the status 200 and an error. Its maintainer " +
      "[does not call this a vulnerability](https://medium.com/passportjs/no-access-token-no-service-7fb017c9e262).",
    ...npm("passport-oauth2", "1.6.0", "1.6.1"),
  },
  {
    ids: ["CVE-2018-18074"],
    library: "Requests",
    versions: "before 2.20.0",
    flaw: "It sends the header `Authorization` along with a redirect to the same host without TLS.",
  },
  {
    ids: ["CVE-2022-0235"],
    library: "node-fetch",
    versions: "before 2.6.7 and 3.1.1",
    flaw: "It sends the header `Authorization` to the foreign host of a redirect.",
    ...npm("node-fetch", "2.6.6", "2.6.7"),
  },
  {
    ids: ["CVE-2026-22036"],
    library: "undici",
    versions: "before 6.23.0 and 7.18.2",
    flaw: "It decompresses a response as often as its header says.",
    ...npm("undici", "7.17.0", "7.18.2"),
  },
  {
    ids: ["CVE-2025-6514"],
    library: "mcp-remote",
    versions: "0.0.5 to 0.1.15",
    flaw: "It hands the authorization endpoint of the metadata to a shell.",
  },
  {
    ids: ["CVE-2025-58444"],
    library: "MCP Inspector",
    versions: "before 0.16.6",
    flaw: "It opens a `javascript:` URL that is the authorization endpoint of the metadata.",
  },
  {
    ids: ["typescript-sdk#2344"],
    address: "https://github.com/modelcontextprotocol/typescript-sdk/pull/2344",
    library: "MCP SDK for TypeScript",
    versions: "1",
    flaw:
      "It does not compare the issuer of the metadata, so a foreign server can name its token endpoint beside the " +
      "authorization endpoint of the right one.",
  },
  {
    ids: ["executor#1032"],
    address: "https://github.com/UsefulSoftwareCo/executor/pull/1032",
    library: "executor (an MCP client)",
    versions: "June 2026",
    flaw:
      "It loads the metadata of each authorization server that an API names, even at an internal address.",
  },
  {
    ids: ["CVE-2025-27370", "CVE-2025-27371"],
    library: "OpenID Connect and RFC 7523 (the standards)",
    versions: "all",
    flaw: "The audience of a client's assertion may be a token endpoint, which a foreign server chooses.",
  },
  {
    ids: ["CVE-2025-67490", "CVE-2026-40155"],
    library: "nextjs-auth0",
    versions: "4.11.0 to 4.17",
    flaw: "Token requests of two people at the same time get each other's tokens.",
  },
  {
    ids: ["CVE-2025-67716"],
    library: "nextjs-auth0",
    versions: "4.9.0 to 4.12",
    flaw: "A page of the application puts parameters of its own URL into the authorization request.",
    ...ours("No row opens the login page of the application with parameters."),
  },
  {
    ids: ["CVE-2024-56734", "CVE-2025-27143"],
    library: "better-auth",
    versions: "before 1.1.6 and 1.1.21",
    flaw: "After the login, it redirects to any URL that the request named.",
  },
  {
    ids: ["CVE-2026-49757"],
    library: "ash_authentication",
    versions: "before 4.14.0",
    flaw: "It finds the account by the e-mail address, and not by `iss` and `sub`.",
  },
  {
    ids: ["CVE-2026-41574"],
    library: "Nhost",
    versions: "before 2026-04-17",
    flaw: "It takes an unverified e-mail address for a verified one.",
  },
  {
    ids: ["CVE-2024-21632"],
    library: "omniauth-microsoft_graph",
    versions: "before 2.0.0",
    flaw: "It finds the account by an e-mail address that another tenant can choose.",
  },
  {
    ids: ["CVE-2025-48947", "CVE-2025-64762"],
    library: "nextjs-auth0, authkit-nextjs",
    versions: "4.0.1 to 4.6.0, before 2.11.1",
    flaw: "A CDN may store answers of the application that set a session cookie.",
    ...beyond("The fault is in an answer of the application to a browser, and needs no wrong server."),
  },
  {
    ids: ["CVE-2025-54576", "CVE-2026-40575"],
    library: "oauth2-proxy",
    versions: "before 7.11.0 and 7.15.2",
    flaw: "A request chooses by its query or a forwarded header that no login is needed.",
    ...beyond("The request never gets to a login, so the server is not asked."),
  },
];

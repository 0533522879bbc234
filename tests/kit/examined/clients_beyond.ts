/** Clients in other languages than JavaScript, by the names of their cards. `deno task cards --beyond` examines them. */

import {
  chosenPkce,
  type Examined,
  grantedScopes,
  issuerOfResponse,
  type Leaves,
  notUsed,
  ofApplication,
  thrownErrors,
} from "./examined.ts";

/** A program in beyond/NAME that logs in, with the library in one use. */
export interface ClientBeyond extends Required<Pick<Examined, "package" | "use" | "notes" | "leaves">> {
  readonly language: LanguageName;
  /** The packages that do a part of its work. The card has their versions. */
  readonly dependsOn: readonly string[];
  /** Runs once, in a copy of the folder. */
  readonly prepare: readonly CommandLine[];
  /** Logs in. */
  readonly command: CommandLine;
  /** It uses a fixed port, so only one runs at a time. */
  readonly runsAlone?: true;
  /** An application that runs all the time, and the page that answers when it has started. */
  readonly serve?: { readonly command: CommandLine; readonly url: string };
}

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: readonly string[]];

export type LanguageName = "Go" | "Python" | "Java";

interface Language {
  /** Prints its version. */
  readonly version: CommandLine;
  /** Prints the version of each package, a line for each, after `prepare`. */
  readonly versionsOf: (packages: readonly string[]) => CommandLine;
}

export const languages: Readonly<Record<LanguageName, Language>> = {
  Go: {
    version: ["go", "env", "GOVERSION"],
    versionsOf: (packages) => ["go", "list", "-m", "-f", "{{.Version}}", ...packages],
  },
  Python: {
    version: ["python3", "--version"],
    versionsOf: (packages) => [
      "venv/bin/python",
      "-c",
      "import sys; from importlib.metadata import version; [print(version(each)) for each in sys.argv[1:]]",
      ...packages,
    ],
  },
  Java: {
    version: ["java", "--version"],
    versionsOf: (packages) => [
      "sh",
      "-c",
      'for each; do jar tf target/*.jar | sed -n "s|^BOOT-INF/lib/$each-\\([0-9.]*\\)\\.jar|\\1|p"; done',
      "sh",
      ...packages,
    ],
  },
};

export const inPython: readonly CommandLine[] = [
  ["python3", "-m", "venv", "venv"],
  ["venv/bin/pip", "install", "--quiet", "--requirement", "requirements.txt"],
];

const comparedUserinfo: Leaves = {
  "The application asks for userinfo, and compares its `sub`.": [
    "userinfo.sub_missing",
    "userinfo.sub_other",
    "userinfo.sub_similar",
  ],
};

const unused = notUsed("resource", "pushed_request", "dpop");

const ofBrowser: Leaves = {
  "The browser of the driver runs no script.": ["metadata.authorization_endpoint_script"],
};

const refreshedIdToken: Leaves = {
  "The application does not read the ID token of a refresh.": [
    "refresh.id_token_alg_none",
    "refresh.id_token_auth_time",
    "refresh.id_token_azp",
    "refresh.id_token_exp_past",
    "refresh.id_token_nonce",
    "refresh.id_token_other_audience",
    "refresh.id_token_other_issuer",
    "refresh.id_token_other_subject",
  ],
};

const readsUtf8 = "`encoding/json` of Go replaces bytes that are no UTF-8.";

const choosesByKid =
  "go-oidc chooses a key by its `kid`, and compares neither its `alg` nor its `use` (`RemoteKeySet.verify` in " +
  "`oidc/jwks.go`). It only leaves out keys whose `alg` it does not know.";

const refusesSet = "One key that it cannot read makes it refuse the whole set of keys";

export const clientsBeyond: Readonly<Record<string, ClientBeyond>> = {
  go_oidc: {
    package: "github.com/coreos/go-oidc/v3",
    dependsOn: ["golang.org/x/oauth2", "github.com/go-jose/go-jose/v4"],
    language: "Go",
    prepare: [["go", "build", "-o", "login", "."]],
    command: ["./login"],
    use:
      "`oidc.NewProvider`, `oauth2.Config` with `AuthStyleInParams` and PKCE, `Verifier`, `VerifyAccessToken` if the " +
      "ID token has an `at_hash`, `UserInfo`; the application reads the authorization response, compares the nonce, and " +
      "the `sub` of userinfo",
    leaves: {
      "The application creates the values of a login, and compares them.": [
        "authorization_response",
        "login.nonce_repeated",
        "login.nonce_short",
        "login.state_repeated",
        "login.state_short",
        "id_token.nonce_missing",
        "id_token.nonce_of_another_login",
        "id_token.nonce_wrong",
      ],
      ...chosenPkce,
      ...unused,
      ...ofBrowser,
      ...comparedUserinfo,
      ...refreshedIdToken,
      ...ofApplication,
      ...grantedScopes,
    },
    notes: [
      readsUtf8,
      "`Verify` wants the own client id in `aud`, and lets further audiences pass (`slices.Contains(t.Audience, …)` in " +
      "`oidc/verify.go`). It does not read the `azp`. An application may read both.",
      "Its requests and those of x/oauth2 have no time limit, unless the application gives them an `http.Client` with a " +
      "`Timeout`.",
      "x/oauth2 uses any `token_type` of the response as the scheme of the access token (`Token.SetAuthHeader`).",
      choosesByKid,
      refusesSet + " (`rawJSONWebKey.rsaPublicKey` and `ecPublicKey` of go-jose).",
      "The application does not read the ID token of a refresh, so there are no rows about it.",
    ],
  },
  authlib: {
    package: "Authlib",
    dependsOn: ["joserfc", "requests", "Flask"],
    language: "Python",
    prepare: inPython,
    command: ["venv/bin/python", "login.py"],
    use:
      "`OAuth(app).register` of `authlib.integrations.flask_client` with `server_metadata_url` and PKCE, " +
      "`authorize_redirect`, `authorize_access_token`, `userinfo`, and `get`, which refreshes; the application compares " +
      "the `sub` of userinfo",
    leaves: {
      ...unused,
      ...ofBrowser,
      ...issuerOfResponse,
      ...comparedUserinfo,
      ...refreshedIdToken,
      ...ofApplication,
      ...thrownErrors,
      ...grantedScopes,
    },
    notes: [
      "It does not compare the issuer of the metadata with the URL from which it loaded them (`load_server_metadata` in " +
      "`base_client/sync_app.py`). The issuer of ID tokens is then the one of the metadata.",
      "By default it demands no `aud`: `parse_id_token` in `base_client/sync_openid.py` sets the option `iss` only. " +
      "`validate_azp` demands an `azp` for another audience, and then accepts a token for another client whose `azp` is " +
      "this one. The argument `claims_options` of `authorize_access_token` can demand the audience.",
      "It accepts each algorithm that the metadata lists, so also `none` (`parse_id_token`, and `NoneAlgorithm` of joserfc).",
      "joserfc refuses each header of more than 512 octets (`max_header_length`), also that of an embedded RSA key. So the " +
      "row about that key shows no more than this limit.",
      "It does not support the parameter `iss` of RFC 9207, so there are no rows about it.",
      refusesSet + " (`KeySet.import_key_set` of joserfc skips only an unknown `kty`).",
      "Its requests have no time limit, unless the application sets `default_timeout` (`OAuth2Session` in " +
      "`requests_client/oauth2_session.py`).",
      "Its `get` does not read the ID token of a refresh, so there are no rows about it.",
    ],
  },
  oauth2_proxy: {
    package: "github.com/oauth2-proxy/oauth2-proxy/v7",
    dependsOn: ["github.com/coreos/go-oidc/v3", "golang.org/x/oauth2", "github.com/go-jose/go-jose/v4"],
    language: "Go",
    prepare: [["go", "build", "-o", "oauth2-proxy", "github.com/oauth2-proxy/oauth2-proxy/v7"]],
    command: ["sh", "login.sh"],
    runsAlone: true,
    use:
      "a whole program, with the provider `oidc`, `code_challenge_method: S256`, `insecureSkipNonce: false`, an API as " +
      "upstream that gets the access token, and `--cookie-refresh`",
    leaves: {
      ...unused,
      ...ofBrowser,
      ...issuerOfResponse,
      "It refuses a wrong nonce, but asks for userinfo before.": [
        "id_token.nonce_missing",
        "id_token.nonce_wrong",
      ],
      "The browser of the driver sends at most 8 kB of cookies.": ["id_token.large"],
    },
    notes: [
      readsUtf8,
      "It does not tell x/oauth2 how it authenticates (`Redeem` in `providers/oidc.go` sets no `AuthStyle`). So " +
      "`RetrieveToken` takes each error of the token endpoint as a hint, and sends the code once more, with the secret in " +
      "the body. If the code was redeemed, what it says last is the refusal of that second request, which hides the reason " +
      "of the first one.",
      "It asks userinfo for the claims that the ID token does not have, here `email` and `groups`, and compares no `sub` " +
      "(`loadProfileClaims` in `pkg/providers/util/claim_extractor.go`).",
      "It accepts further audiences (`isValidAudience` in `pkg/providers/oidc/verifier.go`), and does not read the `azp`.",
      "It compares the nonce that begins the `state`, and not the page after it (`decodeState` in `oauthproxy.go`). It " +
      "goes to this page only if its own configuration allows it.",
      "It does not read the `token_type`: `makeOIDCHeader` in `providers/util.go` sends each access token as a bearer token.",
      "It asks for userinfo before it compares the nonce. With a wrong nonce, it refuses the login. So there are no rows " +
      "about the nonce.",
      "Its HTTP client has no time limit (`DefaultHTTPClient` in `pkg/requests/http.go`).",
      "It keeps a session whose refresh has failed (`refreshSessionIfNeeded` in `pkg/middleware/stored_session.go`). After " +
      "a refresh with a wrong ID token, the next page sends the replaced refresh token, and what it says last is the " +
      "refusal of that token. Its log has the reason.",
      choosesByKid,
      refusesSet + " (go-jose).",
    ],
  },
  spring_security: {
    package: "spring-security-oauth2-client",
    dependsOn: ["spring-security-oauth2-jose", "nimbus-jose-jwt"],
    language: "Java",
    prepare: [["mvn", "--quiet", "--batch-mode", "package"]],
    command: ["sh", "login.sh"],
    serve: { command: ["java", "-jar", "target/login.jar"], url: "http://127.0.0.1:4181/" },
    use:
      "`oauth2Login` for a public client, with a registration from `ClientRegistrations.fromIssuerLocation` for each " +
      "server, and the default `OAuth2AuthorizedClientManager` for refreshes; one application runs for the whole card",
    leaves: {
      ...unused,
      ...ofBrowser,
      ...issuerOfResponse,
      ...ofApplication,
      ...grantedScopes,
    },
    notes: [
      "Nimbus reads an ID token with `new String(bytes, UTF_8)`, which replaces bytes that are no UTF-8. Its login here " +
      "ends because the `sub` of userinfo differs.",
      "It does not compare `at_hash` (`OidcIdTokenValidator`).",
      "Requests for tokens and userinfo have no time limit, unless the application sets one.",
      refusesSet + " (`JWKSet.parse` of Nimbus skips only an unknown `kty`).",
      "It does not support the parameter `iss` of RFC 9207, so there are no rows about it.",
    ],
  },
};

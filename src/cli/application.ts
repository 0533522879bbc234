/** The block to paste into an application, in the words of the library it uses. */

import type { Configuration } from "../configuration.ts";
import { type Client, methodOf, publicClientMethod, showsSecret } from "../oauth/client.ts";
import type { Settings } from "../oauth/settings.ts";

export const applicationForms = ["env", "openid-client", "authjs", "spring"] as const;
export type ApplicationForm = (typeof applicationForms)[number];

/** What an application has to know of the server and of itself. */
interface Application {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: readonly string[];
  /** How it authenticates. */
  readonly method: string;
  /** Empty: people cannot sign in with this client. */
  readonly redirectUris: readonly string[];
  /** Its first use makes it a client: any redirect URI on this machine is accepted. */
  readonly isNew: boolean;
  /** It may use the client credentials grant. */
  readonly actsForItself: boolean;
}

export function describeApplication(
  { form, settings, configuration, acceptsFirstUse }: {
    readonly form: ApplicationForm;
    readonly settings: Settings;
    readonly configuration: Configuration;
    readonly acceptsFirstUse: boolean;
  },
): readonly string[] {
  const all = [...settings.clients.values()];
  const known = all.find(signsPeopleIn) ?? all[0];
  const { clients = [] } = configuration;
  const application = clients.length === 0 && acceptsFirstUse
    ? createNewcomer(settings)
    : known && readApplication(known, settings);
  if (application !== undefined) return descriptions[form](application, settings);
  const mark = form === "env" || form === "spring" ? "#" : "//";
  return [`${mark} No client is configured, and first use is off: there is nothing to paste yet.`];
}

function signsPeopleIn({ grantTypes, redirectUris }: Client): boolean {
  return grantTypes.includes("authorization_code") && redirectUris.length > 0;
}

/** Who signed in, with a name and an address. */
const wantedScope: readonly string[] = ["openid", "profile", "email"];

/** What its first use will make a client. */
function createNewcomer({ issuer }: Settings): Application {
  return {
    issuer,
    clientId: "my-app",
    scope: wantedScope,
    method: publicClientMethod,
    redirectUris: ["http://localhost:3000/callback"],
    isNew: true,
    actsForItself: false,
  };
}

function readApplication(client: Client, { issuer }: Settings): Application {
  const { id, grantTypes } = client;
  const method = methodOf(client);
  return {
    issuer,
    clientId: id,
    scope: scopeOf(client),
    method,
    redirectUris: signsPeopleIn(client) ? client.redirectUris : [],
    isNew: false,
    actsForItself: method !== publicClientMethod && grantTypes.includes("client_credentials"),
  };
}

/** What is wanted, as far as the client may ask for it; without openid all that it may ask for. */
function scopeOf({ scope }: Client): readonly string[] {
  if (scope === undefined) return wantedScope;
  return scope.includes("openid") ? wantedScope.filter((name) => scope.includes(name)) : scope;
}

const secretName = "OAUTH_CLIENT_SECRET";

const openidClientMethods: Readonly<Record<string, string>> = {
  none: "client.None()",
  client_secret_basic: `client.ClientSecretBasic(process.env.${secretName})`,
  client_secret_post: `client.ClientSecretPost(process.env.${secretName})`,
  private_key_jwt: "client.PrivateKeyJwt(privateKey)",
};

type Describe = (application: Application, settings: Settings) => readonly string[];

const descriptions: Readonly<Record<ApplicationForm, Describe>> = {
  env: (application) => {
    const { issuer, clientId, method, scope, redirectUris: [redirectUri] } = application;
    return [
      "# .env",
      `OAUTH_ISSUER=${quoteForEnv(issuer)}`,
      `OAUTH_CLIENT_ID=${quoteForEnv(clientId)}`,
      ...(showsSecret(method) ? [`# ${secretName}: ${whereSecretIs(application)}`] : []),
      ...(redirectUri === undefined ? [] : [
        `OAUTH_REDIRECT_URI=${quoteForEnv(redirectUri)}`,
        `OAUTH_SCOPE=${quoteForEnv(scope.join(" "))}`,
      ]),
    ];
  },

  "openid-client": (application) => {
    const { issuer, clientId, method } = application;
    return [
      "// openid-client 6",
      'import * as client from "openid-client";',
      "",
      ...(showsSecret(method) ? [`// ${secretName}: ${whereSecretIs(application)}`] : []),
      ...(method === "private_key_jwt"
        ? ["// privateKey: the CryptoKey that belongs to the client's jwks"]
        : []),
      `const authentication = ${openidClientMethods[method]};`,
      `const server = new URL(${quote(issuer)});`,
      `const config = await client.discovery(server, ${quote(clientId)}, undefined, authentication${
        issuer.startsWith("http:") ? ", {" : ");"
      }`,
      ...(issuer.startsWith("http:")
        ? ["  execute: [client.allowInsecureRequests], // http, on this machine", "});"]
        : []),
      ...openidClientGrant(application),
    ];
  },

  authjs: (application) => {
    const { issuer, clientId, scope, method } = application;
    const { id, redirectUri, notes } = findAddress(application, authjsAddress);
    return [
      "// Auth.js 5",
      ...(redirectUri === undefined ? [] : [`// redirect URI: ${redirectUri}`]),
      ...[...notes, ...lacksSignIn(application)].map((line) => `// ${line}`),
      ...(method === "private_key_jwt" ? [`// ${authjsAssertion}`] : []),
      ...(showsSecret(method) ? [`// ${secretName}: ${whereSecretIs(application)}`] : []),
      "const postern = {",
      `  id: ${quote(id)},`,
      '  name: "Postern",',
      '  type: "oidc",',
      `  issuer: ${quote(issuer)},`,
      `  clientId: ${quote(clientId)},`,
      ...(showsSecret(method) ? [`  clientSecret: process.env.${secretName},`] : []),
      `  client: { token_endpoint_auth_method: ${quote(method)} },`,
      `  authorization: { params: { scope: ${quote(scope.join(" "))} } },`,
      '  checks: ["pkce", "state"],',
      "  idToken: false, // name and email come from the userinfo endpoint",
      "};",
    ];
  },

  spring: (application, settings) => [
    ...springClient(application),
    "",
    ...springResourceServer(settings),
  ],
};

/** Where a library takes the answer: it decides that, and not the application. */
interface LibraryAddress {
  readonly library: string;
  /** Its one group is the name that the application gave this server. */
  readonly pattern: RegExp;
  readonly path: (id: string) => string;
  /** Where an application runs that nobody configured yet. */
  readonly origin: string;
}

const authjsAddress: LibraryAddress = {
  library: "Auth.js",
  pattern: /\/auth\/callback\/([\w-]+)$/,
  path: (id) => `/api/auth/callback/${id}`,
  origin: "http://localhost:3000",
};

const springAddress: LibraryAddress = {
  library: "Spring Boot",
  pattern: /\/login\/oauth2\/code\/([\w-]+)$/,
  path: (id) => `/login/oauth2/code/${id}`,
  origin: "http://localhost:8080",
};

/** The library's name for this server, its redirect URI if there is a good one, and what to know about that. */
function findAddress(
  { redirectUris, isNew }: Application,
  { library, pattern, path, origin }: LibraryAddress,
): { readonly id: string; readonly redirectUri?: string; readonly notes: readonly string[] } {
  for (const redirectUri of redirectUris) {
    const [, id] = pattern.exec(redirectUri) ?? [];
    if (id !== undefined) return { id, redirectUri, notes: [] };
  }
  const id = "postern";
  const [first] = redirectUris;
  if (first === undefined) return { id, notes: [] };
  if (isNew) return { id, notes: [`redirect URI: ${origin}${path(id)}`] };
  const example = (/^https?:/.test(first) ? new URL(first).origin : origin) + path(id);
  return {
    id,
    notes: [`${library} takes the answer at ${path(id)}: add ${example} to redirect_uris, beside ${first}`],
  };
}

const authjsAssertion =
  "Auth.js names two audiences in its assertions, and RFC 10070 §4 allows one: give this client a secret instead";

function whereSecretIs({ clientId }: Application): string {
  return `the client_secret of ${quote(clientId)} in the configuration`;
}

function lacksSignIn({ redirectUris, scope }: Application): readonly string[] {
  if (redirectUris.length === 0) {
    return [
      "people cannot sign in with this client: it needs authorization_code among its grant_types, and redirect_uris",
    ];
  }
  return scope.includes("openid") ? [] : ["people cannot sign in with this client: its scope lacks openid"];
}

function openidClientGrant(application: Application): readonly string[] {
  const { scope, redirectUris: [redirectUri], actsForItself } = application;
  if (redirectUri === undefined) {
    return actsForItself
      // Without scope the server grants what the client may have.
      ? ["const tokens = await client.clientCredentialsGrant(config);"]
      : lacksSignIn(application).map((line) => `// ${line}`);
  }
  return [
    "const pkceCodeVerifier = client.randomPKCECodeVerifier();",
    "const expectedState = client.randomState();",
    "const url = client.buildAuthorizationUrl(config, {",
    `  redirect_uri: ${quote(redirectUri)},`,
    `  scope: ${quote(scope.join(" "))},`,
    "  state: expectedState,",
    "  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),",
    '  code_challenge_method: "S256",',
    "});",
    "// send the browser to url.href; at the redirect URI, with its whole address as currentUrl:",
    "const tokens = await client.authorizationCodeGrant(config, currentUrl, {",
    "  pkceCodeVerifier,",
    "  expectedState,",
    "});",
    ...(scope.includes("openid")
      ? [
        "const { sub } = tokens.claims();",
        "const person = await client.fetchUserInfo(config, tokens.access_token, sub);",
      ]
      : []),
  ];
}

function springClient(application: Application): readonly string[] {
  const { issuer, clientId, scope, method, redirectUris, actsForItself } = application;
  const { id, redirectUri, notes } = findAddress(application, springAddress);
  const isForPeople = redirectUris.length > 0 || !actsForItself;
  return [
    "# application.yml of an application that signs people in: Spring Boot 4,",
    "# spring-boot-starter-security-oauth2-client (Spring Boot 3: spring-boot-starter-oauth2-client)",
    ...(isForPeople ? [...notes, ...lacksSignIn(application)] : []).map((line) => `# ${line}`),
    ...(showsSecret(method) ? [`# ${secretName}: ${whereSecretIs(application)}`] : []),
    "spring:",
    "  security:",
    "    oauth2:",
    "      client:",
    "        registration:",
    `          ${id}:`,
    `            client-id: ${quote(clientId)}`,
    ...(showsSecret(method) ? [`            client-secret: \${${secretName}}`] : []),
    `            client-authentication-method: ${method}`,
    ...(!isForPeople
      // Without scope the server grants what the client may have.
      ? ["            authorization-grant-type: client_credentials"]
      : [
        "            authorization-grant-type: authorization_code",
        `            redirect-uri: ${quote(redirectUri ?? "{baseUrl}/login/oauth2/code/{registrationId}")}`,
        `            scope: [${scope.map(quote).join(", ")}]`,
      ]),
    "        provider:",
    `          ${id}:`,
    `            issuer-uri: ${quote(issuer)}`,
  ];
}

function springResourceServer(
  { issuer, resources, accessTokens, accessTokenType }: Settings,
): readonly string[] {
  if (accessTokens === "opaque") {
    return [
      "# An API asks the server about opaque tokens: spring.security.oauth2.resourceserver.opaquetoken",
    ];
  }
  const audiences = resources.size === 0 ? [issuer] : [...resources];
  return [
    "# application.yml of an API: Spring Boot 4, spring-boot-starter-security-oauth2-resource-server",
    "# (Spring Boot 3: spring-boot-starter-oauth2-resource-server)",
    "spring:",
    "  security:",
    "    oauth2:",
    "      resourceserver:",
    "        jwt:",
    `          issuer-uri: ${quote(issuer)}`,
    `          audiences: [${audiences.map(quote).join(", ")}]`,
    ...(accessTokenType === "JWT" ? [] : springTypeBeans),
  ];
}

/** Spring Security expects `JWT` where RFC 9068 §2.1 says `at+jwt`. */
const springTypeBeans: readonly string[] = [
  "",
  "// In a @Configuration class of the API: access tokens have typ at+jwt (RFC 9068), and Spring expects JWT.",
  "// Spring Boot 4; import org.springframework.security.oauth2.jwt.JwtTypeValidator",
  "@Bean",
  "JwtTypeValidator accessTokenType() {",
  '  return new JwtTypeValidator("at+jwt");',
  "}",
  "",
  "// Spring Boot 3, instead; import com.nimbusds.jose.JOSEObjectType,",
  "// com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier and, of org.springframework.boot.autoconfigure,",
  "// security.oauth2.resource.servlet.JwkSetUriJwtDecoderBuilderCustomizer",
  "@Bean",
  "JwkSetUriJwtDecoderBuilderCustomizer accessTokenType() {",
  "  return (builder) -> builder.jwtProcessorCustomizer((processor) -> processor.setJWSTypeVerifier(",
  '      new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt"))));',
  "}",
];

/** JSON's strings are strings in JavaScript and in YAML too. */
function quote(text: string): string {
  return JSON.stringify(text);
}

/** As readers of .env files take it: between marks it may hold spaces, and in single ones nothing is replaced. */
function quoteForEnv(text: string): string {
  if (/^[\w.:/@+%-]+$/.test(text)) return text;
  const mark = [`'`, "`", '"'].find((each) => !text.includes(each)) ?? `'`;
  return mark + text + mark;
}

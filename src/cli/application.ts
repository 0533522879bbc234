/** The block to paste into an application, in the words of the library it uses. */

import type { Configuration } from "../configuration.ts";
import { type Client, methodOf, publicClientMethod, showsSecret } from "../oauth/client.ts";
import { paths } from "../oauth/paths.ts";
import type { Settings } from "../oauth/settings.ts";

export const applicationForms = ["env", "openid-client", "authjs", "spring"] as const;
export type ApplicationForm = (typeof applicationForms)[number];

/** What an application has to know of the server and of itself. */
interface Application {
  readonly issuer: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly scope: string;
  /** How it authenticates. */
  readonly method: string;
  /** The one to use. Absent: it has none, so that nobody can sign in with it. */
  readonly redirectUri?: string;
  /** Its first use makes it: any redirect URI on this machine will do. */
  readonly isNew: boolean;
  /** It gets tokens with nobody signed in. */
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
  if (clients.length === 0 && acceptsFirstUse) return descriptions[form](createNewcomer(settings));
  if (known !== undefined) return descriptions[form](readApplication(known, settings));
  const mark = form === "env" || form === "spring" ? "#" : "//";
  return [`${mark} No client is configured, and first use is off: there is nothing to paste yet.`];
}

function signsPeopleIn({ grantTypes, redirectUris }: Client): boolean {
  return grantTypes.includes("authorization_code") && redirectUris.length > 0;
}

/** What its first use will make a client. */
function createNewcomer({ issuer, baseUrl, defaultScope }: Settings): Application {
  return {
    issuer,
    baseUrl,
    clientId: "my-app",
    scope: defaultScope.join(" "),
    method: publicClientMethod,
    redirectUri: "http://localhost:3000/callback",
    isNew: true,
    actsForItself: false,
  };
}

function readApplication(client: Client, { issuer, baseUrl, defaultScope }: Settings): Application {
  const { id, scope = defaultScope, grantTypes } = client;
  const [redirectUri] = signsPeopleIn(client) ? client.redirectUris : [];
  const method = methodOf(client);
  return {
    issuer,
    baseUrl,
    clientId: id,
    scope: scope.join(" "),
    method,
    ...(redirectUri === undefined ? {} : { redirectUri }),
    isNew: false,
    actsForItself: method !== publicClientMethod && grantTypes.includes("client_credentials"),
  };
}

const secretName = "OAUTH_CLIENT_SECRET";

const openidClientMethods: Readonly<Record<string, string>> = {
  none: "client.None()",
  client_secret_basic: `client.ClientSecretBasic(process.env.${secretName})`,
  client_secret_post: `client.ClientSecretPost(process.env.${secretName})`,
  private_key_jwt: "client.PrivateKeyJwt(privateKey)",
};

const descriptions: Readonly<Record<ApplicationForm, (application: Application) => readonly string[]>> = {
  env: ({ issuer, clientId, method, redirectUri }) => [
    "# .env",
    `OAUTH_ISSUER=${issuer}`,
    `OAUTH_CLIENT_ID=${clientId}`,
    // A secret that was configured is known where it is needed; here it would stay on the screen.
    ...(showsSecret(method) ? ["# the client_secret of the configuration:", `${secretName}=`] : []),
    ...(redirectUri === undefined ? [] : [`OAUTH_REDIRECT_URI=${redirectUri}`]),
  ],

  "openid-client": (application) => {
    const { issuer, clientId, method } = application;
    return [
      "// openid-client 6",
      'import * as client from "openid-client";',
      "",
      `const authentication = ${openidClientMethods[method]};`,
      "const config = await client.discovery(",
      `  new URL(${quote(issuer)}), ${quote(clientId)}, undefined, authentication, {`,
      '    algorithm: "oauth2",',
      ...(issuer.startsWith("http:")
        ? ["    execute: [client.allowInsecureRequests], // http, on this machine"]
        : []),
      "  });",
      ...openidClientGrant(application),
    ];
  },

  authjs: ({ issuer, baseUrl, clientId, scope, method, redirectUri, isNew }) => [
    ...(isNew
      ? ["// Auth.js 5; its redirect URI in Next.js: http://localhost:3000/api/auth/callback/postern"]
      : [
        "// Auth.js 5; its redirect URI in Next.js ends in /api/auth/callback/postern;",
        redirectUri === undefined ? `// ${lacksSignIn}` : `// configured is ${redirectUri}`,
      ]),
    'import { decodeJwt } from "jose";',
    "",
    "const postern = {",
    '  id: "postern",',
    '  name: "Postern",',
    '  type: "oauth",',
    '  checks: ["pkce", "state"],',
    `  issuer: ${quote(issuer)},`,
    `  clientId: ${quote(clientId)},`,
    ...(showsSecret(method) ? [`  clientSecret: process.env.${secretName},`] : []),
    `  client: { token_endpoint_auth_method: ${quote(method)} },`,
    `  authorization: { url: ${quote(baseUrl + paths.authorize)}, params: { scope: ${quote(scope)} } },`,
    `  token: ${quote(baseUrl + paths.token)},`,
    "  // who signed in is read from the access token",
    "  userinfo: { request: ({ tokens }) => decodeJwt(tokens.access_token) },",
    "  profile: ({ sub }) => ({ id: sub, name: sub }),",
    "};",
  ],

  spring: ({ issuer, clientId, scope, method, redirectUri, isNew, actsForItself }) => [
    "# application.yml, Spring Boot 4, spring-boot-starter-oauth2-client",
    ...(redirectUri === undefined && !actsForItself ? [`# ${lacksSignIn}`] : []),
    "spring:",
    "  security:",
    "    oauth2:",
    "      client:",
    "        registration:",
    "          postern:",
    `            client-id: ${quote(clientId)}`,
    ...(showsSecret(method) ? [`            client-secret: \${${secretName}}`] : []),
    `            client-authentication-method: ${method}`,
    ...(redirectUri === undefined && actsForItself
      // Left out, the scope is what the server gives a client that acts for itself.
      ? ["            authorization-grant-type: client_credentials"]
      : [
        "            authorization-grant-type: authorization_code",
        `            redirect-uri: ${
          quote(isNew || redirectUri === undefined ? springRedirectUri : redirectUri)
        }`,
        `            scope: [${scope.split(" ").map(quote).join(", ")}]`,
      ]),
    "        provider:",
    "          postern:",
    `            issuer-uri: ${quote(issuer)}`,
  ],
};

// Spring fills it in.
const springRedirectUri = "{baseUrl}/authorized/{registrationId}";

const lacksSignIn =
  "nobody can sign in with this client: it needs authorization_code among its grant_types, and redirect_uris";

function openidClientGrant(
  { scope, redirectUri, actsForItself }: Application,
): readonly string[] {
  if (redirectUri === undefined) {
    return actsForItself
      // Left out, the scope is what the server gives a client that acts for itself.
      ? ["const tokens = await client.clientCredentialsGrant(config);"]
      : [`// ${lacksSignIn}`];
  }
  return [
    "const pkceCodeVerifier = client.randomPKCECodeVerifier();",
    "const expectedState = client.randomState();",
    "const url = client.buildAuthorizationUrl(config, {",
    `  redirect_uri: ${quote(redirectUri)},`,
    `  scope: ${quote(scope)},`,
    "  state: expectedState,",
    "  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),",
    '  code_challenge_method: "S256",',
    "});",
    "// send the browser to url.href; at the redirect URI:",
    "const tokens = await client.authorizationCodeGrant(config, currentUrl, {",
    "  pkceCodeVerifier,",
    "  expectedState,",
    "});",
  ];
}

/** JSON's strings are strings in JavaScript and in YAML too. */
function quote(text: string): string {
  return JSON.stringify(text);
}

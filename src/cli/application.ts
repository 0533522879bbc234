/** The block to paste into an application, in the words of the library it uses. */

import type { Configuration } from "../configuration.ts";
import { publicClientMethod } from "../oauth/client.ts";
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
  /** As registered. Absent: any on this machine will do. */
  readonly redirectUri?: string;
}

export function describeApplication(
  { form, settings, configuration }: {
    readonly form: ApplicationForm;
    readonly settings: Settings;
    readonly configuration: Configuration;
  },
): readonly string[] {
  return descriptions[form](readApplication(settings, configuration));
}

/** The first client configured; without any, one that its first use will make. */
function readApplication(
  { issuer, baseUrl, defaultScope }: Settings,
  { clients = [] }: Configuration,
): Application {
  const [first] = clients;
  const [redirectUri] = first?.redirect_uris ?? [];
  return {
    issuer,
    baseUrl,
    clientId: first?.client_id ?? "my-app",
    scope: first?.scope ?? defaultScope.join(" "),
    method: first?.token_endpoint_auth_method ??
      (first?.client_secret === undefined ? publicClientMethod : "client_secret_basic"),
    ...(redirectUri === undefined ? {} : { redirectUri }),
  };
}

const secretName = "OAUTH_CLIENT_SECRET";

const openidClientMethods: Readonly<Record<string, string>> = {
  none: "client.None()",
  client_secret_basic: `client.ClientSecretBasic(process.env.${secretName})`,
  client_secret_post: `client.ClientSecretPost(process.env.${secretName})`,
};

const descriptions: Readonly<Record<ApplicationForm, (application: Application) => readonly string[]>> = {
  env: ({ issuer, clientId, method, redirectUri = "http://localhost:3000/callback" }) => [
    "# .env",
    `OAUTH_ISSUER=${issuer}`,
    `OAUTH_CLIENT_ID=${clientId}`,
    // A secret that was configured is known where it is needed; here it would stay on the screen.
    ...(method === publicClientMethod ? [] : ["# the client_secret of the configuration:", `${secretName}=`]),
    `OAUTH_REDIRECT_URI=${redirectUri}`,
  ],

  "openid-client": (application) => {
    const { issuer, clientId, scope, method, redirectUri = "http://localhost:3000/callback" } = application;
    return [
      "// openid-client 6",
      'import * as client from "openid-client";',
      "",
      `const authentication = ${openidClientMethods[method] ?? openidClientMethods[publicClientMethod]};`,
      "const config = await client.discovery(",
      `  new URL(${quote(issuer)}), ${quote(clientId)}, undefined, authentication, {`,
      '    algorithm: "oauth2",',
      ...(issuer.startsWith("http:")
        ? ["    execute: [client.allowInsecureRequests], // http, on this machine"]
        : []),
      "  });",
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
  },

  authjs: ({ issuer, baseUrl, clientId, scope, method }) => [
    "// Auth.js 5; its redirect URI in Next.js: http://localhost:3000/api/auth/callback/postern",
    'import { decodeJwt } from "jose";',
    "",
    "const postern = {",
    '  id: "postern",',
    '  name: "Postern",',
    '  type: "oauth",',
    '  checks: ["pkce", "state"],',
    `  issuer: ${quote(issuer)},`,
    `  clientId: ${quote(clientId)},`,
    ...(method === publicClientMethod ? [] : [`  clientSecret: process.env.${secretName},`]),
    `  client: { token_endpoint_auth_method: ${quote(method)} },`,
    `  authorization: { url: ${quote(baseUrl + paths.authorize)}, params: { scope: ${quote(scope)} } },`,
    `  token: ${quote(baseUrl + paths.token)},`,
    "  // who signed in is read from the access token",
    "  userinfo: { request: ({ tokens }) => decodeJwt(tokens.access_token) },",
    "  profile: ({ sub }) => ({ id: sub, name: sub }),",
    "};",
  ],

  spring: ({ issuer, clientId, scope, method, redirectUri = "{baseUrl}/authorized/{registrationId}" }) => [
    "# application.yml, Spring Boot 4, spring-boot-starter-oauth2-client",
    "spring:",
    "  security:",
    "    oauth2:",
    "      client:",
    "        registration:",
    "          postern:",
    `            client-id: ${quote(clientId)}`,
    ...(method === publicClientMethod ? [] : [`            client-secret: \${${secretName}}`]),
    `            client-authentication-method: ${method}`,
    "            authorization-grant-type: authorization_code",
    `            redirect-uri: ${quote(redirectUri)}`,
    `            scope: [${scope.split(" ").map(quote).join(", ")}]`,
    "        provider:",
    "          postern:",
    `            issuer-uri: ${quote(issuer)}`,
  ],
};

/** JSON's strings are strings in JavaScript and in YAML too. */
function quote(text: string): string {
  return JSON.stringify(text);
}

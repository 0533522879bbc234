/** Prints a program for oidc-client-ts 3: a page that signs people in, also for React. */

import { publicClientMethod } from "../../server/oauth/clients/client.ts";
import {
  type Application,
  describePlainFlow,
  lacksSignIn,
  type LoginApplication,
  noteSecret,
  quote,
  secretName,
} from "./application_terms.ts";

export function describeOidcClientTs(application: Application): readonly string[] {
  const { method } = application;
  return [
    "// oidc-client-ts 3, in a page. React: give these settings to <AuthProvider> of react-oidc-context",
    ...(method === publicClientMethod ? [] : [
      `// a page cannot keep a secret: register this client with token_endpoint_auth_method "none"`,
    ]),
    ...describePlainFlow(application, {
      mark: "//",
      limit: "oidc-client-ts cannot sign an assertion",
      logIn,
      getToken: () => lacksSignIn(application).map((line) => `// ${line}`),
    }),
  ];
}

function logIn(application: LoginApplication): readonly string[] {
  const { issuer, clientId, scope, method, redirectUri } = application;
  return [
    ...noteSecret(application, "//"),
    'import { UserManager } from "oidc-client-ts";',
    "",
    "const manager = new UserManager({",
    `  authority: ${quote(issuer)},`,
    `  client_id: ${quote(clientId)},`,
    ...(method === publicClientMethod
      ? []
      : [`  client_secret: ${secretName},`, `  client_authentication: ${quote(method)},`]),
    `  redirect_uri: ${quote(redirectUri)},`,
    `  scope: ${quote(scope.join(" "))},`,
    ...(scope.includes("openid")
      ? ["  loadUserInfo: true, // name and email come from the userinfo endpoint"]
      : []),
    "});",
    "// the page of the redirect URI ends the login, and every other page begins it:",
    "if (location.href.startsWith(manager.settings.redirect_uri)) {",
    "  const user = await manager.signinCallback();",
    "  console.log(user.profile.name, user.access_token);",
    "} else {",
    "  await manager.signinRedirect();",
    "}",
  ];
}

/** Prints settings for Auth.js 5: one provider. */

import { signsAssertion, usesSecret } from "../../server/oauth/clients/client.ts";
import { type Application, lacksSignIn, noteSecret, quote, secretName } from "./application_terms.ts";
import { findAddress, type LibraryAddress } from "./library_address.ts";

export function describeAuthjs(application: Application): readonly string[] {
  const { issuer, clientId, scope, method, redirectUris } = application;
  const { id, redirectUri, notes } = findAddress(application, authjsAddress);
  return [
    "// Auth.js 5",
    ...(redirectUri === undefined ? [] : [`// redirect URI: ${redirectUri}`]),
    ...[...notes, ...lacksSignIn(application)].map((line) => `// ${line}`),
    ...(redirectUris.length === 0
      ? []
      : [`// outside Next.js, as in SvelteKit and Express, the path is /auth/callback/${id}, without /api`]),
    ...(signsAssertion(method) ? [`// ${authjsAssertion}`] : []),
    ...noteSecret(application, "//"),
    "const postern = {",
    `  id: ${quote(id)},`,
    '  name: "Postern",',
    '  type: "oidc",',
    `  issuer: ${quote(issuer)},`,
    `  clientId: ${quote(clientId)},`,
    ...(usesSecret(method) ? [`  clientSecret: process.env.${secretName},`] : []),
    `  client: { token_endpoint_auth_method: ${quote(method)} },`,
    `  authorization: { params: { scope: ${quote(scope.join(" "))} } },`,
    '  checks: ["pkce", "state"],',
    "  idToken: false, // name and email come from the userinfo endpoint",
    "};",
  ];
}

export const authjsAddress: LibraryAddress = {
  library: "Auth.js",
  pattern: /\/auth\/callback\/([\w-]+)$/,
  path: (id) => `/api/auth/callback/${id}`,
  origin: "http://localhost:3000",
};

const authjsAssertion =
  "Auth.js names two audiences in its assertions, and RFC 10070 §4 allows one: use client_secret_basic instead";

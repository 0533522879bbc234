/** Prints a route for next-auth 4 with one provider. */

import { usesSecret } from "../../server/oauth/clients/client.ts";
import { metadataPaths } from "../../server/oauth/metadata_addresses.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { type Application, lacksSignIn, noteSecret, quote, secretName } from "./application_terms.ts";
import { authjsAddress } from "./authjs_application.ts";
import { findAddress } from "./library_address.ts";

export function describeNextAuth(application: Application, settings: Settings): readonly string[] {
  const { issuer, clientId, scope, method } = application;
  const { id, redirectUri, origin, notes } = findAddress(application, {
    ...authjsAddress,
    library: "next-auth",
  });
  return [
    "// next-auth 4: app/api/auth/[...nextauth]/route.js",
    ...(origin === undefined
      ? []
      : [`// .env.local: NEXTAUTH_URL=${origin}, and NEXTAUTH_SECRET=any long random text`]),
    ...(redirectUri === undefined ? [] : [`// redirect URI: ${redirectUri}`]),
    ...[...notes, ...lacksSignIn(application)].map((line) => `// ${line}`),
    ...(method === "private_key_jwt"
      ? ["// privateKey: the private key that belongs to the client's jwks, as a JWK"]
      : []),
    ...noteSecret(application, "//"),
    'import NextAuth from "next-auth";',
    "",
    "const handler = NextAuth({",
    "  providers: [{",
    `    id: ${quote(id)},`,
    '    name: "Postern",',
    '    type: "oauth",',
    `    wellKnown: ${quote(settings.baseUrl + metadataPaths.openidConfiguration)},`,
    `    issuer: ${quote(issuer)},`,
    `    clientId: ${quote(clientId)},`,
    ...(usesSecret(method) ? [`    clientSecret: process.env.${secretName},`] : []),
    ...(method === "private_key_jwt" ? ["    jwks: { keys: [privateKey] },"] : []),
    `    client: { ${
      [
        `token_endpoint_auth_method: ${quote(method)}`,
        ...(settings.alg === "RS256" ? [] : [`id_token_signed_response_alg: ${quote(settings.alg)}`]),
      ].join(", ")
    } },`,
    `    authorization: { params: { scope: ${quote(scope.join(" "))} } },`,
    '    checks: ["pkce", "state"],',
    "    // name and email come from the userinfo endpoint",
    "    userinfo: { request: ({ client, tokens }) => client.userinfo(tokens) },",
    "    profile: ({ sub, name, email }) => ({ id: sub, name, email }),",
    "  }],",
    "});",
    "export { handler as GET, handler as POST };",
  ];
}

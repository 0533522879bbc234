/** Prints a shell script for curl: a login with PKCE and a call of userinfo, or the client credentials grant. */

import { quoteShellWord } from "../../server/client/shell.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { type Application, describePlainFlow, type LoginApplication, urlOf } from "./application_terms.ts";
import { exchangeToken } from "./curl_exchange.ts";
import { call, noteCurlSecret, parameter, requestTokens } from "./curl_lines.ts";

export function describeCurl(application: Application, settings: Settings): readonly string[] {
  return [
    "# curl and openssl, in a POSIX shell",
    ...noteCurlSecret(application),
    ...describePlainFlow(application, {
      mark: "#",
      limit: "curl cannot sign an assertion",
      logIn: (terms) => logIn(terms, settings),
      getToken: () => requestTokens(application, ["--data grant_type=client_credentials"], settings),
    }),
  ];
}

function logIn(application: LoginApplication, settings: Settings): readonly string[] {
  const { clientId, redirectUri, scope } = application;
  const authorize = quoteShellWord(urlOf("authorize", settings));
  return [
    settings.automaticPerson === undefined
      ? "# curl cannot answer the pages of this server: start it with --login auto"
      : "# login_hint=NAME in the first request signs in another person",
    "state=$(openssl rand -hex 16)",
    "code_verifier=$(openssl rand -hex 32)",
    'code_challenge=$(printf %s "$code_verifier" | openssl dgst -sha256 -binary |',
    "  openssl base64 -A | tr '+/' '-_' | tr -d =)",
    ...call(`callback=$(curl -sS -o /dev/null -w '%{redirect_url}' --get ${authorize}`, [
      "--data response_type=code",
      parameter("client_id", clientId),
      parameter("redirect_uri", redirectUri),
      parameter("scope", scope.join(" ")),
      '--data "state=$state"',
      '--data "code_challenge=$code_challenge"',
      "--data code_challenge_method=S256)",
    ]),
    `code=$(printf %s "$callback" | grep -F "state=$state" | sed -n 's/.*[?&]code=\\([^&]*\\).*/\\1/p')`,
    ': "${code:?the server redirects to ${callback:-no address, because it shows a page; start it with --login auto}}"',
    ...requestTokens(application, [
      "--data grant_type=authorization_code",
      '--data "code=$code"',
      parameter("redirect_uri", redirectUri),
      '--data "code_verifier=$code_verifier"',
    ], settings),
    ...(scope.includes("openid")
      ? [`curl -sS -H "Authorization: Bearer $access_token" ${quoteShellWord(urlOf("userinfo", settings))}`]
      : []),
    ...exchangeToken(application, settings),
  ];
}

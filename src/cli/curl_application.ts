/** Prints a shell script for curl: a login with PKCE and a call of userinfo, or the client credentials grant. */

import { quoteShellWord } from "../client/shell.ts";
import { publicClientMethod, sendsSecret } from "../oauth/clients/client.ts";
import type { Settings } from "../oauth/settings.ts";
import {
  type Application,
  describePlainFlow,
  type LoginApplication,
  secretName,
  urlOf,
  whereSecretIs,
} from "./application_terms.ts";

export function describeCurl(application: Application, settings: Settings): readonly string[] {
  const { method } = application;
  return [
    "# curl and openssl, in a POSIX shell",
    ...(sendsSecret(method) ? [`# $${secretName}: ${whereSecretIs(application)}`] : []),
    ...describePlainFlow(application, {
      mark: "#",
      limit: "curl cannot sign an assertion",
      logIn: (terms) => logIn(terms, settings),
      getToken: () => exchange(application, ["--data grant_type=client_credentials"], settings),
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
    ...exchange(application, [
      "--data grant_type=authorization_code",
      '--data "code=$code"',
      parameter("redirect_uri", redirectUri),
      '--data "code_verifier=$code_verifier"',
    ], settings),
    ...(scope.includes("openid")
      ? [`curl -sS -H "Authorization: Bearer $access_token" ${quoteShellWord(urlOf("userinfo", settings))}`]
      : []),
  ];
}

/** Returns the token request, which leaves the access token in a variable. */
function exchange(
  application: Application,
  parameters: readonly string[],
  settings: Settings,
): readonly string[] {
  return [
    ...call(`tokens=$(curl -sS ${quoteShellWord(urlOf("token", settings))}`, [
      ...parameters,
      ...credentialsOf(application).map((each, at, all) => at === all.length - 1 ? `${each})` : each),
    ]),
    `access_token=$(printf %s "$tokens" | sed -n 's/.*"access_token":"\\([^"]*\\)".*/\\1/p')`,
    ': "${access_token:?the server answers $tokens}"',
  ];
}

function credentialsOf({ clientId, method }: Application): readonly string[] {
  if (method === publicClientMethod) return [parameter("client_id", clientId)];
  // RFC 6749 §2.3.1: the id is form-encoded. curl cannot encode the secret here.
  if (method === "client_secret_basic") {
    return [`--user ${quoteShellWord(encodeURIComponent(clientId))}:"$${secretName}"`];
  }
  return [parameter("client_id", clientId), `--data-urlencode "client_secret=$${secretName}"`];
}

function parameter(name: string, value: string): string {
  return `--data-urlencode ${quoteShellWord(`${name}=${value}`)}`;
}

/** Breaks a command into lines. */
function call(command: string, options: readonly string[]): readonly string[] {
  const last = options.length - 1;
  return [`${command} \\`, ...options.map((option, at) => `  ${option}${at === last ? "" : " \\"}`)];
}

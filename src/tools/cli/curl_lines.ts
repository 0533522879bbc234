/** Writes the lines of shell scripts for curl. */

import { quoteShellWord } from "../../server/client/shell.ts";
import { publicClientMethod, sendsSecret } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";
import { type Application, secretName, urlOf, whereSecretIs } from "./application_terms.ts";

/** Says where the secret is that the script reads from the environment. */
export function noteCurlSecret(application: Application): readonly string[] {
  return sendsSecret(application.method) ? [`# $${secretName}: ${whereSecretIs(application)}`] : [];
}

/** Returns the token request, which leaves the access token in a variable. */
export function requestTokens(
  application: Application,
  parameters: readonly string[],
  settings: Settings,
): readonly string[] {
  return [
    ...send("tokens", urlOf("token", settings), parameters, application),
    readText("access_token", "tokens"),
    ': "${access_token:?the server answers $tokens}"',
  ];
}

/** Returns the command that sends a form as the client, and leaves the answer in a variable. */
export function send(
  variable: string,
  url: string,
  parameters: readonly string[],
  application: Application,
  /** The variable of the environment that has the secret of the client. */
  secret: string = secretName,
): readonly string[] {
  return call(`${variable}=$(curl -sS ${quoteShellWord(url)}`, [
    ...parameters,
    ...credentialsOf(application, secret).map((each, at, all) => at === all.length - 1 ? `${each})` : each),
  ]);
}

/** Returns the line that reads a text of a JSON answer into a variable of the same name. */
export function readText(name: string, answer: string): string {
  return `${name}=$(printf %s "$${answer}" | sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p')`;
}

function credentialsOf({ clientId, method }: Application, secret: string): readonly string[] {
  if (method === publicClientMethod) return [parameter("client_id", clientId)];
  // RFC 6749 §2.3.1: the id is form-encoded. curl cannot encode the secret here.
  if (method === "client_secret_basic") {
    return [`--user ${quoteShellWord(encodeURIComponent(clientId))}:"$${secret}"`];
  }
  return [parameter("client_id", clientId), `--data-urlencode "client_secret=$${secret}"`];
}

export function parameter(name: string, value: string): string {
  return `--data-urlencode ${quoteShellWord(`${name}=${value}`)}`;
}

/** Breaks a command into lines. */
export function call(command: string, options: readonly string[]): readonly string[] {
  const last = options.length - 1;
  return [`${command} \\`, ...options.map((option, at) => `  ${option}${at === last ? "" : " \\"}`)];
}

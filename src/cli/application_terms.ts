/** What an application must know about the server, and the texts that all printed forms share. */

import type { Settings } from "../oauth/settings.ts";

/** The values that the settings of an application consist of. */
export interface Application {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: readonly string[];
  /** The client's authentication method, such as `client_secret_basic`. */
  readonly method: string;
  /** Without redirect URIs, people cannot sign in with this client. */
  readonly redirectUris: readonly string[];
  /** The application is not configured. First use makes it a client, with any redirect URI on this machine. */
  readonly isNew: boolean;
  /** The client may use the client credentials grant. */
  readonly actsForItself: boolean;
}

/** An application that people sign in to, with the redirect URI to use. */
export interface LoginApplication extends Application {
  readonly redirectUri: string;
}

export const secretName = "OAUTH_CLIENT_SECRET";

export function whereSecretIs({ clientId }: Application): string {
  return `the client_secret of ${quote(clientId)} in the configuration`;
}

export function lacksSignIn({ redirectUris, scope }: Application): readonly string[] {
  if (redirectUris.length === 0) {
    return [
      "people cannot sign in with this client: it needs authorization_code among its grant_types, and redirect_uris",
    ];
  }
  return scope.includes("openid") ? [] : ["people cannot sign in with this client: its scope lacks openid"];
}

/** Quotes text as JSON, which JavaScript and YAML read as the same string. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** The URL of an endpoint. */
export function urlOf(endpoint: keyof Settings["paths"], { baseUrl, paths }: Settings): string {
  return baseUrl + paths[endpoint];
}

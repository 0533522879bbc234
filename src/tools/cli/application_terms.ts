/** What an application must know about the server, and the texts that all printed forms share. */

import { publicClientMethod, sendsSecret, usesSecret } from "../../server/oauth/clients/client.ts";
import type { Settings } from "../../server/oauth/settings.ts";

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
  /** The client must sign its authorization requests (RFC 9101). */
  readonly signsRequests: boolean;
  /** The client must have signed authorization responses (JARM). */
  readonly needsSignedResponses: boolean;
}

/** An application that people sign in to, with the redirect URI to use. */
export interface LoginApplication extends Application {
  readonly redirectUri: string;
}

/** The methods of authentication that the printed forms know. */
export const writtenMethods: readonly string[] = [
  publicClientMethod,
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
];

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

/** The flows of a program that cannot sign an assertion, because it or its library only sends secrets. */
export interface PlainFlows {
  /** Begins a comment. */
  readonly mark: "#" | "//";
  /** The end of the comment for a client that signs assertions: "curl cannot sign an assertion". */
  readonly limit: string;
  readonly logIn: (application: LoginApplication) => readonly string[];
  /** Gets a token for the client itself. */
  readonly getToken: () => readonly string[];
}

/** Describes the flow that such a program can run for the application, or says in a comment why there is none. */
export function describePlainFlow(
  application: Application,
  { mark, limit, logIn, getToken }: PlainFlows,
): readonly string[] {
  const { method, redirectUris: [redirectUri], actsForItself } = application;
  if (method !== publicClientMethod && !sendsSecret(method)) {
    return [`${mark} this client authenticates with ${method}, and ${limit}`];
  }
  if (redirectUri !== undefined) return logIn({ ...application, redirectUri });
  return actsForItself ? getToken() : lacksSignIn(application).map((line) => `${mark} ${line}`);
}

/** Says in a comment where the secret is. `mark` begins the comment. */
export function noteSecret(application: Application, mark: "#" | "//"): readonly string[] {
  return usesSecret(application.method) ? [`${mark} ${secretName}: ${whereSecretIs(application)}`] : [];
}

/** Quotes text as JSON, which JavaScript and YAML read as the same string. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** The URL of an endpoint. */
export function urlOf(
  endpoint: keyof Settings["paths"],
  { baseUrl, paths }: Pick<Settings, "baseUrl" | "paths">,
): string {
  return baseUrl + paths[endpoint];
}

/** The URL of the MCP server: the first resource. */
export function mcpUrlOf({ resources }: Settings): string {
  return resources.values().next().value ?? "http://localhost:3001/mcp";
}

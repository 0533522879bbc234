/** What an application must know, and the texts that the printed forms share. */

/** What an application must know about the server and about itself. */
export interface Application {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: readonly string[];
  /** How it authenticates. */
  readonly method: string;
  /** Empty: people cannot sign in with this client. */
  readonly redirectUris: readonly string[];
  /** Its first use makes it a client: any redirect URI on this machine is accepted. */
  readonly isNew: boolean;
  /** It may use the client credentials grant. */
  readonly actsForItself: boolean;
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

/** JSON's strings are strings in JavaScript and in YAML too. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** A provider for the MCP SDK whose client sends a JWT of another issuer, because version 1 of the SDK has none. */

import type { ClientInformation, SavedTokens } from "./mcp_client.ts";

export interface JwtBearerTerms {
  readonly client: ClientInformation;
  /** The method by which the client authenticates. */
  readonly method: string;
  /** Gets the assertion for the server and the API that the SDK has found. */
  readonly assertion: (issuer: string, resource: string) => Promise<string>;
}

/** What the SDK has found out about the authorization server. */
interface Discovery {
  readonly authorizationServerMetadata?: { readonly issuer: string };
  readonly resourceMetadata?: { readonly resource: string };
}

/** The SDK adds `resource` and the credentials of the client to the request. */
export function createJwtBearerProvider({ client, method, assertion }: JwtBearerTerms): object {
  let [issuer, resource] = ["", ""];
  let tokens: SavedTokens | undefined;
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], token_endpoint_auth_method: method },
    clientInformation: () => client,
    tokens: () => tokens,
    saveTokens: (saved: SavedTokens) => void (tokens = saved),
    saveDiscoveryState({ authorizationServerMetadata, resourceMetadata }: Discovery) {
      issuer = authorizationServerMetadata?.issuer ?? "";
      resource = resourceMetadata?.resource ?? "";
    },
    async prepareTokenRequest(scope?: string) {
      return new URLSearchParams({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: await assertion(issuer, resource),
        ...(scope === undefined ? {} : { scope }),
      });
    },
  };
}

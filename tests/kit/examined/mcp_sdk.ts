/** The client of `@modelcontextprotocol/sdk` with the provider that its example shows. */

import { callGreet, greeter, type Saved } from "../../portable/kit/clients/mcp_client.ts";
import type { FetchInit } from "../../../src/kit/mod.ts";
import { countRefreshes, type Examined, grantedScopes, notUsed, refreshForCallers } from "./examined.ts";

export const mcpSdk: Examined = {
  package: "@modelcontextprotocol/sdk",
  use:
    "`StreamableHTTPClientTransport` with an `OAuthClientProvider`; the application reads the authorization response",
  notes: [
    "`discoveryState()` of its provider is optional, and its examples have none. So it loads the metadata at each refresh, " +
    "and guesses the addresses if there is none.",
    "The application keeps the issuer of a client that was registered by hand, as the library does for one that it " +
    "registers.",
    "It reads a challenge only if `Bearer` comes first in the header, and the names of its parameters only in small letters.",
    "Its source says that this version does not compare the issuer of the metadata with the address of the metadata.",
    "It loads the metadata of the authorization server before it compares the `resource` of the API, which it then " +
    "refuses. It accepts a `resource` that is the origin of the API.",
    "It cuts the slash at the end of the path of an API, as it does with the path of an issuer.",
    "It answers `insufficient_scope` with a refresh, and gives up if that does not help. Without a refresh token, it asks " +
    "for the new scope alone.",
    "It gives the scope of a token to `saveTokens` of the application. So there are no rows about additional scopes.",
  ],
  leaves: {
    "The application reads the authorization response.": ["authorization_response"],
    ...notUsed("pushed_request", "dpop"),
    "MCP demands the member.": ["resource.authorization_servers_missing"],
    "The library refreshes and registers itself, but the application may try again.": [
      "refresh.unavailable",
      "registration.client_forgotten",
    ],
    ...grantedScopes,
  },
  does: ["two_refreshes"],
  async client(as, scenario) {
    const { issuer, clientId, redirectUri, api, phase, browse } = scenario;
    const saved: Saved = {
      verifier: "",
      ...(phase === "register" ? {} : { client: { client_id: clientId, issuer } }),
    };
    /** The API checks the token, and an MCP server answers. */
    const send = async (input: string | URL | Request, init?: FetchInit): Promise<Response> => {
      const request = new Request(input, init as RequestInit);
      const copy = request.clone();
      const response = await as.fetch(request);
      if (request.url !== new URL(api).href || request.method !== "POST" || !response.ok) return response;
      return await greeter(copy, await response.json());
    };
    const greet = () =>
      callGreet({
        as: { fetch: send as typeof as.fetch, authorize: browse },
        url: api,
        saved,
        application: {
          redirectUri,
          metadata: { token_endpoint_auth_method: "none", scope: "orders" },
          // Only an API gives reasons for more than one login.
          ...(phase === "call_api" ? {} : { mostSignIns: 1 }),
        },
      });
    await greet();
    if (phase !== "refresh") return;
    for (let count = countRefreshes(scenario); count > 0; count--) {
      // The API refuses this token, and the SDK refreshes.
      saved.tokens = { ...saved.tokens!, access_token: "expired" };
      await refreshForCallers(scenario, greet);
    }
  },
};

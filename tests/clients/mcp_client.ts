/** An MCP server and an MCP client, both from the SDK of the Model Context Protocol. */

import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { FetchInit, Mock, ResourceHandler } from "../../src/mock/mod.ts";

export const redirectUri = "https://app.test/callback";

/** The MCP server. Its only tool greets the person. */
export const greeter: ResourceHandler = async (request, { sub }) => {
  // The client would hold a stream for events open.
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const server = new McpServer({ name: "greeter", version: "1.0.0" });
  server.registerTool("greet", {}, () => ({ content: [{ type: "text", text: `Hello ${sub}` }] }));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return await transport.handleRequest(request);
};

/** The credentials of a client, which belong to one issuer. Deno does not find the types of the SDK. */
export interface ClientInformation {
  readonly client_id: string;
  readonly issuer?: string;
}

export interface SavedTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly scope?: string;
}

/** What the application of the MCP client keeps. */
export interface Saved {
  client?: ClientInformation;
  tokens?: SavedTokens;
  verifier: string;
  /** The address of the authorization request. */
  address?: URL;
}

export interface McpTerms {
  readonly as: Mock;
  readonly url: string;
  readonly person?: string;
  readonly saved: Saved;
}

// An application must not ask the person again and again.
const mostSignIns = 3;

/** Connects as the application does: a person signs in if the SDK asks for it. Then calls the tool. */
export async function callGreet({ as, url, person = "bob", saved }: McpTerms): Promise<string> {
  const provider = createProvider(saved);
  let signIns = 0;
  const attempt = async (): Promise<string> => {
    const client = new Client({ name: "mcp-client", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider: provider,
      fetch: (input: string | URL, init?: FetchInit) => as.fetch(input, init),
    });
    try {
      await client.connect(transport);
      const { content } = await client.callTool({ name: "greet" });
      return (content as readonly { readonly text: string }[])[0]!.text;
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || saved.address === undefined) throw error;
      if (++signIns > mostSignIns) throw new Error(`The person has signed in ${mostSignIns} times`);
      const callback = await as.authorize(saved.address, { as: person });
      delete saved.address;
      await transport.finishAuth(callback.searchParams.get("code")!);
      return await attempt();
    } finally {
      await client.close();
    }
  };
  return await attempt();
}

function createProvider(saved: Saved): object {
  return {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri] },
    clientInformation: () => saved.client,
    saveClientInformation: (client: ClientInformation) => void (saved.client = client),
    tokens: () => saved.tokens,
    saveTokens: (tokens: SavedTokens) => void (saved.tokens = tokens),
    codeVerifier: () => saved.verifier,
    saveCodeVerifier: (verifier: string) => void (saved.verifier = verifier),
    redirectToAuthorization: (address: URL) => void (saved.address = address),
  };
}

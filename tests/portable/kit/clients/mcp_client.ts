/** An MCP server and an MCP client, both from the SDK of the Model Context Protocol. */

import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { FetchInit, Mock, ResourceHandler } from "../../../../src/kit/mod.ts";
import { SeenByDriver } from "../../../kit/examined/examined.ts";

/** The redirect URI, unless the application has another one. */
export const redirectUri: string = "https://app.test/callback";

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
  readonly client_secret?: string;
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
  discovery?: Discovery;
}

/** What the SDK has found out about the authorization server. */
interface Discovery {
  readonly authorizationServerUrl: string;
  readonly authorizationServerMetadata?: {
    readonly issuer: string;
    readonly authorization_response_iss_parameter_supported?: boolean;
  };
}

/** Of the tool `greet`. */
interface ToolResult {
  readonly content: readonly [{ readonly text: string }];
}

/** What the application tells the SDK, and which checks it adds. */
export interface ApplicationOptions {
  /** Default: `https://app.test/callback`. */
  readonly redirectUri?: string;
  /** The metadata with which the SDK registers the client. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The URL of the client's document. */
  readonly documentUrl?: string;
  /** Compares the issuers in the metadata (RFC 8414 §3.3) and in the callback (RFC 9207 §2.4), as version 1 does not. */
  readonly comparesIssuers?: boolean;
  /** Adds the scopes of the token to each further request, as version 1 does not (MCP 2026-07-28). */
  readonly keepsScopes?: boolean;
  /** A provider of the SDK that signs the client itself in. The other terms are for a provider that signs a person in. */
  readonly provider?: object;
  /** How often a person signs in for one call. Default: three times, because an application must not ask again and again. */
  readonly mostSignIns?: number;
  /** Asks for `offline_access`. */
  readonly addsOfflineAccess?: boolean;
}

export interface McpOptions {
  readonly as: Pick<Mock, "fetch" | "authorize">;
  readonly url: string;
  readonly person?: string;
  readonly saved: Saved;
  readonly application?: ApplicationOptions;
}

/** Connects as the application does: a person signs in if the SDK asks for it. Then lists the tools and calls one. */
export async function callGreet(
  { as, url, person = "bob", saved, application = {} }: McpOptions,
): Promise<string> {
  const { mostSignIns = 3 } = application;
  const provider = application.provider ?? createProvider(saved, application);
  const answers: Promise<Response>[] = [];
  const open = () =>
    new StreamableHTTPClientTransport(new URL(url), {
      authProvider: provider,
      fetch(input: string | URL, init?: FetchInit) {
        const answer = as.fetch(input, init);
        answers.push(answer);
        return answer;
      },
    });
  let client = new Client({ name: "mcp-client", version: "1.0.0" });
  let transport = open();
  let signIns = 0;

  /** Does the work, again after each sign-in that it needs. */
  async function withSignIn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || saved.address === undefined) throw error;
      if (++signIns > mostSignIns) {
        throw new SeenByDriver("the API still refuses, and the person has signed in already");
      }
      const callback = await as.authorize(saved.address, { as: person });
      delete saved.address;
      await transport.finishAuth(readCode(callback, saved, application));
      return await withSignIn(work);
    }
  }

  try {
    await withSignIn(async () => {
      // A failed connection has closed the transport.
      [client, transport] = [new Client({ name: "mcp-client", version: "1.0.0" }), open()];
      await client.connect(transport);
    });
    await withSignIn(() => client.listTools());
    const { content } = await withSignIn<ToolResult>(() => client.callTool({ name: "greet" }));
    return content[0].text;
  } finally {
    // The SDK does not wait for the answer when it asks for a stream of events, so the API could still be checking a token
    // when the test ends.
    await Promise.allSettled(answers);
    await client.close();
  }
}

function createProvider(saved: Saved, application: ApplicationOptions): object {
  const { redirectUri: redirectUrl = redirectUri, metadata, documentUrl, comparesIssuers } = application;
  return {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], ...metadata },
    clientMetadataUrl: documentUrl,
    clientInformation: () => saved.client,
    saveClientInformation: (client: ClientInformation) => void (saved.client = client),
    tokens: () => saved.tokens,
    saveTokens: (tokens: SavedTokens) => void (saved.tokens = tokens),
    codeVerifier: () => saved.verifier,
    saveCodeVerifier: (verifier: string) => void (saved.verifier = verifier),
    redirectToAuthorization(address: URL) {
      saved.address = address;
      addScopes(address, saved, application);
    },
    saveDiscoveryState(discovery: Discovery) {
      saved.discovery = discovery;
      const issuer = discovery.authorizationServerMetadata?.issuer;
      if (!comparesIssuers || issuer === discovery.authorizationServerUrl) return;
      throw new SeenByDriver(`the metadata is from ${issuer}`); // RFC 8414 §3.3
    },
  };
}

function addScopes(
  address: URL,
  { tokens }: Saved,
  { keepsScopes, addsOfflineAccess }: ApplicationOptions,
): void {
  const scopes = [
    address.searchParams.get("scope"),
    keepsScopes ? tokens?.scope : undefined,
    addsOfflineAccess ? "offline_access" : undefined,
  ].flatMap((scope) => scope?.split(" ") ?? []);
  if (scopes.length > 0) address.searchParams.set("scope", [...new Set(scopes)].join(" "));
}

function readCode(
  { searchParams }: URL,
  { discovery }: Saved,
  { comparesIssuers }: ApplicationOptions,
): string {
  const error = searchParams.get("error");
  if (error !== null) throw new SeenByDriver(`the server answers ${error}`);
  const metadata = discovery?.authorizationServerMetadata;
  const iss = searchParams.get("iss");
  const mayBeAbsent = metadata?.authorization_response_iss_parameter_supported !== true;
  // RFC 9207 §2.4: compared as text. A server that announces `iss` sends it.
  const isRight = iss === null ? mayBeAbsent : iss === metadata?.issuer;
  if (comparesIssuers && !isRight) throw new SeenByDriver(`the answer is from ${iss ?? "an unknown server"}`);
  return searchParams.get("code")!;
}

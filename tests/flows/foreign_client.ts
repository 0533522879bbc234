/** A foreign client: `oauth4webapi` with its default settings, against a world instead of a network. */

import * as oauth from "oauth4webapi";
import { createBrowser, type Params, redirectUri, type World } from "../world.ts";

export type CustomFetch = (url: string, options: { readonly method: string }) => Promise<Response>;

export interface Flow {
  readonly clientId?: string;
  /** The client's authentication method. Default: none, as a public client. */
  readonly authenticate?: oauth.ClientAuth;
  readonly redirectUri?: string;
  readonly scope?: string;
  /** More parameters of the authorization request. */
  readonly more?: Params;
  /** What the person submits on each page. Default: sign-in is automatic. */
  readonly answers?: readonly Params[];
}

export interface FlowResult {
  readonly server: oauth.AuthorizationServer;
  readonly tokens: oauth.TokenEndpointResponse;
}

/** The world's `fetch` with the signature that the library expects. */
export function fetchFrom(world: World): CustomFetch {
  return (url, options) => world.fetch(new Request(url, options as RequestInit));
}

async function discover(world: World): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(world.issuer);
  const options = { algorithm: "oauth2", [oauth.customFetch]: fetchFrom(world), ...insecure(world) } as const;
  return await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
}

/** The library accepts plain http only with this option. */
function insecure(world: World): { readonly [oauth.allowInsecureRequests]?: true } {
  return world.issuer.startsWith("http:") ? { [oauth.allowInsecureRequests]: true } : {};
}

/** Returns the address of an authorization request with PKCE. */
export async function addressOf(
  server: oauth.AuthorizationServer,
  verifier: string,
  more: Params,
): Promise<URL> {
  const url = new URL(server.authorization_endpoint!);
  const params: Params = {
    response_type: "code",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  };
  for (const [name, value] of Object.entries(params)) {
    for (const each of [value ?? []].flat()) url.searchParams.append(name, each);
  }
  return url;
}

/** Runs discovery, authorization and the token request. Throws the library's errors. */
export async function runFlow(world: World, flow: Flow = {}): Promise<FlowResult> {
  const { clientId = "public", authenticate = oauth.None(), redirectUri: uri = redirectUri } = flow;
  const server = await discover(world);
  const client: oauth.Client = { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = await addressOf(server, verifier, {
    client_id: clientId,
    redirect_uri: uri,
    scope: flow.scope ?? "read",
    state,
    ...flow.more,
  });
  const checked = oauth.validateAuthResponse(server, client, await authorize(world, url, flow), state);
  const options = { [oauth.customFetch]: fetchFrom(world), ...insecure(world) };
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate,
    checked,
    uri,
    verifier,
    options,
  );
  return { server, tokens: await oauth.processAuthorizationCodeResponse(server, client, response) };
}

/** Sends a browser to the server; resolves to the parameters for the client. */
async function authorize(world: World, url: URL, { answers = [] }: Flow): Promise<URLSearchParams> {
  const browser = createBrowser(world);
  let page = await browser.open(url.href);
  for (const answer of answers) page = await browser.submit(page, answer);
  return new URL(page.leftFor!).searchParams;
}

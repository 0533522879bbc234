/** The client and the server of the MCP SDK, with `postern start` between them, which has no configuration. */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { FetchInit } from "../../src/kit/mod.ts";
import { createProgram, withServer } from "../tools/cli/command.ts";
import { findFreePort } from "../free_port.ts";
import { test } from "../runner.ts";
import { withMcpServer } from "../portable/kit/clients/mcp_application.ts";
import { type ApplicationOptions, callGreet, type Saved } from "../portable/kit/clients/mcp_client.ts";
import { createVisitor } from "../portable/server/clients/visitor.ts";

interface Scene {
  /** The identifier of the MCP server. */
  readonly url: string;
  /** The statuses that the MCP server has answered. */
  readonly statuses: readonly number[];
  readonly greet: (saved: Saved, application: ApplicationOptions) => Promise<string>;
  /** The requests that the client has sent to the started server. */
  readonly authorizations: readonly URLSearchParams[];
  readonly tokenRequests: readonly URLSearchParams[];
}

const redirectUri = "http://localhost:3000/callback";
const tls = "tests/certificates";
/** The started server trusts the host of the client's document. */
const trust = { NODE_EXTRA_CA_CERTS: `${tls}/authority.crt` };

/** Starts a server without configuration, which signs bob in without a page. */
async function withStarted(work: (issuer: string) => Promise<void>): Promise<void> {
  const program = createProgram(["start"], trust);
  await withServer(["--login", "auto:bob"], ({ issuer }) => work(issuer), program);
}

/** A new MCP server, whose tool needs these scopes, and a client that meets it for the first time. */
async function inScene(
  issuer: string,
  toolScopes: readonly string[],
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withMcpServer({ issuer, toolScopes }, async ({ url, statuses }) => {
    const authorizations: URLSearchParams[] = [];
    const tokenRequests: URLSearchParams[] = [];
    const visitor = createVisitor({ send: fetch, serves: ({ origin }) => origin === issuer });
    const as = {
      fetch: (input: string | URL | Request, init?: FetchInit) => {
        if (init?.body instanceof URLSearchParams) tokenRequests.push(init.body);
        return fetch(input, init as RequestInit);
      },
      authorize: async (address: string | URL) => {
        authorizations.push(new URL(address).searchParams);
        const { leftFor, status, html } = await visitor.open(address);
        if (leftFor === undefined) throw new Error(`${status}: ${html}`);
        return leftFor;
      },
    };
    const greet: Scene["greet"] = (saved, application) =>
      callGreet({ as, url, saved, application: { redirectUri, comparesIssuers: true, ...application } });
    await work({ url, statuses, greet, authorizations, tokenRequests });
  });
}

/** An https server on this machine has the document of the client. */
async function withDocument(work: (documentUrl: string) => Promise<void>): Promise<void> {
  const port = await findFreePort();
  const documentUrl = `https://localhost:${port}/client.json`;
  const certificate = {
    cert: readFileSync(`${tls}/localhost.crt`),
    key: readFileSync(`${tls}/localhost.key`),
  };
  // With a refresh token, the SDK would refresh to step up, which cannot add a scope.
  const document = {
    client_id: documentUrl,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code"],
  };
  const host = createServer(certificate, (_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => host.listen(port, "localhost", resolve));
  try {
    await work(documentUrl);
  } finally {
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
  }
}

test("mcp client: at a started server without configuration, it registers and refreshes, and steps up with a document", () =>
  withStarted(async (issuer) => {
    await inScene(issuer, [], registerAndRefresh);
    await withDocument((documentUrl) => inScene(issuer, ["greet"], (scene) => stepUp(scene, documentUrl)));
  }));

async function registerAndRefresh(
  { greet, url, statuses, authorizations, tokenRequests }: Scene,
): Promise<void> {
  const saved: Saved = { verifier: "" };
  const application = { metadata: { grant_types: ["authorization_code", "refresh_token"] } };
  assertEquals(await greet(saved, application), "Hello bob");
  const { client_id: id } = saved.client!;
  assertMatch(id, /^reg-/);
  const [first] = authorizations;
  assertEquals([first?.get("client_id"), first?.get("scope"), first?.get("resource")], [id, "read", url]);
  assertEquals(statuses.slice(0, 2), [401, 200]);

  saved.tokens = { ...saved.tokens!, access_token: "expired" };
  assertEquals(await greet(saved, application), "Hello bob");
  const last = tokenRequests.at(-1);
  assertEquals([last?.get("grant_type"), last?.get("resource")], ["refresh_token", url]);
  assertEquals(decodeJwt(saved.tokens.access_token).aud, url);
  assertEquals(authorizations.length, 1);
}

async function stepUp({ greet, authorizations, statuses }: Scene, documentUrl: string): Promise<void> {
  const saved: Saved = { verifier: "" };
  assertEquals(await greet(saved, { documentUrl }), "Hello bob");
  assertEquals(authorizations.map((each) => [each.get("client_id"), each.get("scope")]), [
    [documentUrl, "read"],
    [documentUrl, "read greet"],
  ]);
  assertEquals(statuses.filter((status) => status !== 200 && status !== 202), [401, 403]);
  assertEquals(decodeJwt(saved.tokens!.access_token)["scope"], "read greet");
}

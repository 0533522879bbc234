/** The client and the server of the MCP SDK, with `postern start` between them, which has no configuration. */

import { assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { FetchInit } from "../../../src/mock/mod.ts";
import { createProgram, withServer } from "../../cli/command.ts";
import { findFreePort } from "../../free_port.ts";
import { runtime, test } from "../../runner.ts";
import { withMcpServer } from "./mcp_application.ts";
import { type ApplicationTerms, callGreet, type Saved } from "./mcp_client.ts";
import { createVisitor } from "./visitor.ts";

interface Scene {
  /** The identifier of the MCP server. */
  readonly url: string;
  /** The statuses that the MCP server has answered. */
  readonly statuses: readonly number[];
  readonly greet: (saved: Saved, application: ApplicationTerms) => Promise<string>;
  /** The requests that the client has sent to the started server. */
  readonly authorizations: readonly URLSearchParams[];
  readonly tokenRequests: readonly URLSearchParams[];
}

const redirectUri = "http://localhost:3000/callback";
const tls = "tests/certificates";
/** The started server trusts the host of the client's document. */
const trust = { NODE_EXTRA_CA_CERTS: `${tls}/authority.crt` };

/** The server signs bob in without a page. */
async function inScene(
  work: (scene: Scene) => Promise<void>,
  toolScopes: readonly string[] | undefined,
): Promise<void> {
  await withServer(
    ["--login", "auto:bob"],
    ({ issuer }) =>
      withMcpServer({ issuer, toolScopes }, async ({ url, statuses }) => {
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
      }),
    createProgram(["start"], trust),
  );
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

const registrations = [
  ["a public client", { token_endpoint_auth_method: "none" }, "undefined"],
  ["a client with a secret", {}, "string"],
] as const;

for (const [name, method, typeOfSecret] of registrations) {
  testOnce(`finds the server, registers as ${name}, and refreshes with the resource`, async (scene) => {
    const { greet, url, statuses, authorizations, tokenRequests } = scene;
    const saved: Saved = { verifier: "" };
    const application = { metadata: { ...method, grant_types: ["authorization_code", "refresh_token"] } };
    assertEquals(await greet(saved, application), "Hello bob");
    const { client_id: id, client_secret: secret } = saved.client!;
    assertMatch(id, /^reg-/);
    assertEquals(typeof secret, typeOfSecret);
    const [first] = authorizations;
    assertEquals([first?.get("client_id"), first?.get("scope"), first?.get("resource")], [id, "read", url]);
    assertEquals(statuses.slice(0, 2), [401, 200]);

    saved.tokens = { ...saved.tokens!, access_token: "expired" };
    assertEquals(await greet(saved, application), "Hello bob");
    const last = tokenRequests.at(-1);
    assertEquals([last?.get("grant_type"), last?.get("resource")], ["refresh_token", url]);
    assertEquals(decodeJwt(saved.tokens.access_token).aud, url);
    assertEquals(authorizations.length, 1);
  });
}

testOnce(
  "has a document, and steps up",
  ({ greet, authorizations, statuses }) =>
    withDocument(async (documentUrl) => {
      const saved: Saved = { verifier: "" };
      assertEquals(await greet(saved, { documentUrl }), "Hello bob");
      assertEquals(authorizations.map((each) => [each.get("client_id"), each.get("scope")]), [
        [documentUrl, "read"],
        [documentUrl, "read greet"],
      ]);
      assertEquals(statuses.filter((status) => status !== 200 && status !== 202), [401, 403]);
      assertEquals(decodeJwt(saved.tokens!.access_token)["scope"], "read greet");
    }),
  ["greet"],
);

testOnce(
  "registers with the scope of the first challenge, and steps up",
  async ({ greet, authorizations, statuses }) => {
    const saved: Saved = { verifier: "" };
    assertEquals(await greet(saved, {}), "Hello bob");
    const { client_id: id } = saved.client!;
    assertMatch(id, /^reg-/);
    assertEquals(authorizations.map((each) => [each.get("client_id"), each.get("scope")]), [
      [id, "read"],
      [id, "read greet"],
    ]);
    assertEquals(statuses.filter((status) => status !== 200 && status !== 202), [401, 403]);
    assertEquals(decodeJwt(saved.tokens!.access_token)["scope"], "read greet");
  },
  ["greet"],
);

/** The tool of the MCP server needs `toolScopes`. */
function testOnce(name: string, body: (scene: Scene) => Promise<void>, toolScopes?: readonly string[]): void {
  const title = `mcp client: at a started server without configuration, it ${name}`;
  if (runtime !== "deno") test.skip(title, "it does not depend on the runtime");
  else test(title, () => inScene(body, toolScopes));
}

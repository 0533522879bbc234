/**
 * What a web page in the developer's other tab can try with client documents, jwks_uri and the guarded fetch of a server
 * on loopback, and what happens.
 */

import { assertEquals } from "@std/assert";
import {
  createHost,
  type DocumentHost,
  type DocumentMembers,
  documentOf,
  outcomeOf,
  withDocuments,
} from "../server/features/client_documents.ts";
import { test } from "../runner.ts";
import type { Params, World, WorldOptions } from "../world.ts";

const issuer = "http://localhost:9000";

/** The headers of a browser, by how a page of another site makes the request. */
const from = {
  link: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" },
  prefetch: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document", "sec-purpose": "prefetch" },
  iframe: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" },
  image: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" },
  script: { "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty", "origin": "https://evil.example" },
} as const;

interface Attempt {
  readonly client_id: string;
  readonly from: keyof typeof from;
  readonly outcome: string;
  /** Whether the server calls the host of the document. */
  readonly fetches?: true;
  readonly document?: DocumentMembers;
  readonly params?: Params;
  readonly options?: WorldOptions;
}

const evil = "https://evil.example/client.json";

const byLink = (outcome: string, members: Partial<Attempt> = {}): Attempt => ({
  client_id: evil,
  from: "link",
  outcome,
  ...members,
});

/** A link whose client document the server does not call. */
const uncalled = (client_id: string, outcome = "400 client_document_url"): Attempt =>
  byLink(outcome, { client_id, options: { login: "picker" } });

/** A request that the person does not see. */
const hidden = (by: keyof typeof from): Attempt => ({
  client_id: evil,
  from: by,
  outcome: "403 client_document_unavailable",
  options: { login: "picker" },
});

/** A link whose client document has this redirect URI. */
const withRedirect = (outcome: string, redirect_uri: string, params: Params = {}): Attempt =>
  byLink(outcome, {
    fetches: true,
    document: { redirect_uris: [redirect_uri] },
    params: { redirect_uri, ...params },
  });

const home = "https://evil.example/cb";

const attempts: Readonly<Record<string, Attempt>> = {
  "calls a program on this machine by a link": uncalled("http://localhost:6379/flushall"),
  "calls a program on this machine over https": uncalled("https://127.0.0.1:8443/admin"),
  "calls a program on this machine by a name below .localhost": uncalled("http://admin.localhost/x"),
  "calls a host of the local network": uncalled("https://192.168.1.1/reboot"),
  "calls the metadata service of a cloud": uncalled("https://169.254.169.254/latest/meta-data"),
  "names a file": uncalled("file:///etc/passwd", "400 client_unknown"),
  "makes the server call its own host by an image": hidden("image"),
  "makes the server call its own host by an iframe": hidden("iframe"),
  "makes the server call its own host by a prefetch": hidden("prefetch"),
  "makes the server call its own host by a script": hidden("script"),
  "gets a code for itself without a question, under automatic sign-in": withRedirect("consent page", home),
  "gets a code at a program on this machine without a question": withRedirect(
    "consent page",
    "http://127.0.0.1/cb",
    { redirect_uri: "http://127.0.0.1:3000/cb" },
  ),
  "gets a code silently with prompt=none": withRedirect("400 would_have_to_ask", home, {
    prompt: "none",
    scope: "openid",
  }),
  "uses the server as an open redirect": withRedirect("400 response_type_unsupported", home, {
    response_type: "token",
  }),
  "runs a script on a page of the server": withRedirect(
    "400 client_document_invalid",
    "javascript:alert(1)",
  ),
  "pretends to be another site's client": byLink("400 client_document_invalid", {
    fetches: true,
    document: { client_id: "https://bank.example/client.json" },
  }),
};

for (const [name, attempt] of Object.entries(attempts)) {
  test(`other tab: a page ${name} → ${attempt.outcome} (CIMD §8.6)`, async () => {
    const { client_id, document, params = {}, options } = attempt;
    const host = createHost(documentOf({ client_id, ...document }));
    await withDocuments(
      async ({ world }) => {
        assertEquals(await outcomeOf(world, { client_id, ...params }, from[attempt.from]), attempt.outcome);
        assertEquals(host.urls, attempt.fetches ? [client_id] : []);
        const refused = attempt.outcome.startsWith("40") && !attempt.fetches;
        if (refused) assertEquals(world.journal.at(-1)!.facts.clientIsUnknown, true);
      },
      { issuer, ...options },
      host,
    );
  });
}

// Each row: the id of a client that a person has approved, how a page calls the server, and the outcome.
const approved:
  readonly (readonly [client_id: string, by: keyof typeof from, params: Params, outcome: string])[] = [
    ["https://client.example/app.json", "iframe", { prompt: "none" }, "login_required"],
    ["https://client.example/app.json", "image", {}, "403 cross_site_request"],
    ["http://localhost:7777/app.json", "link", {}, "consent page"],
    ["http://localhost:7777/app.json", "link", { response_type: "token" }, "unsupported_response_type"],
  ];

for (const [client_id, by, params, outcome] of approved) {
  test(`other tab: by ${by}, a page makes the server fetch no new document of an approved client ${client_id} (CIMD §8.6)`, () => {
    const request = { client_id, redirect_uri: "http://localhost:3000/cb" };
    const host = createHost(documentOf({ client_id, redirect_uris: [request.redirect_uri] }));
    return withDocuments(
      async ({ world }) => {
        assertEquals(await outcomeOf(world, request), "code");
        world.clock.advance(86_400);
        assertEquals(await outcomeOf(world, { ...request, ...params }, from[by]), outcome);
        assertEquals(host.urls, [client_id]);
      },
      { issuer },
      host,
    );
  });
}

test("client documents: a server that other machines reach fetches for a page of another site, too", () =>
  withDocuments(async ({ world, host }) => {
    await outcomeOf(world, { prompt: "none" }, from.iframe);
    assertEquals(host.urls.length, 1);
  }, { issuer: "https://as.test", clientDocuments: true }));

test("other tab: a page cannot make the server fetch by a POST to its endpoints", async () => {
  const host = createHost();
  await withDocuments(
    async ({ world }) => {
      for (const client_id of ["http://localhost:6379/x", evil]) {
        const form = { client_id, redirect_uri: "https://evil.example/cb", code: "x", code_verifier: "x" };
        for (const path of ["/oauth2/token", "/oauth2/par", "/oauth2/revoke", "/oauth2/introspect"]) {
          const response = await world.post(
            path,
            { grant_type: "authorization_code", token: "x", ...form },
            from.script,
          );
          assertEquals([response.status >= 400, host.urls], [true, []], `${path} ${client_id}`);
        }
      }
    },
    { issuer },
    host,
  );
});

test("other tab: the developer's own page opens a document on this machine (CIMD §8.6)", async () => {
  const client_id = "http://localhost:3000/client.json";
  const redirect_uri = "http://localhost:3000/cb";
  const open = (world: World, headers: Readonly<Record<string, string>>) =>
    outcomeOf(world, { client_id, redirect_uri }, headers);
  const createLocal = (): DocumentHost =>
    createHost(documentOf({ client_id, redirect_uris: [redirect_uri] }));
  const own = [{}, { "sec-fetch-site": "same-site", "sec-fetch-dest": "document" }, {
    "sec-fetch-site": "none",
  }];
  for (const headers of own) {
    const host = createLocal();
    await withDocuments(
      async ({ world }) => {
        assertEquals([await open(world, headers), host.urls], ["code", [client_id]]);
        // Now the server has the document. A page of another site still gets no answer without a question.
        assertEquals([await open(world, from.link), host.urls.length], ["consent page", 1]);
      },
      { issuer },
      host,
    );
  }
  for (const elsewhere of ["https://as.test", "https://as.example.com"]) {
    const host = createLocal();
    await withDocuments(
      async ({ world }) => {
        assertEquals([await open(world, {}), host.urls], ["400 client_document_url", []]);
      },
      { issuer: elsewhere, clientDocuments: true },
      host,
    );
  }
});

test("client documents: only a program on this machine makes the server call this machine", async () => {
  const id = "http://localhost:8123/client.json";
  const host = createHost(documentOf({ client_id: id, redirect_uris: ["http://localhost:8123/cb"] }));
  const outcome = async (peer: string | undefined, headers: Readonly<Record<string, string>> = {}) => {
    host.urls.length = 0;
    let reason: string | undefined;
    await withDocuments(
      async ({ world }) => {
        const url = world.authorizeUrl({ client_id: id, redirect_uri: "http://localhost:8123/cb" });
        await world.fetch(new Request(url, { headers }), peer === undefined ? {} : { peer });
        reason = world.lastRefusal()?.reason;
      },
      { issuer },
      host,
    );
    return [reason, host.urls.length];
  };
  for (const peer of [undefined, "127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]) {
    assertEquals(await outcome(peer), [undefined, 1], peer ?? "no peer");
  }
  for (const peer of ["192.168.0.7", "203.0.113.9", "2001:db8::1", "::ffff:10.0.0.1", "0.0.0.0", "unknown"]) {
    assertEquals(await outcome(peer), ["client_document_url", 0], peer);
  }
  for (const name of ["forwarded", "via", "x-forwarded-for", "x-forwarded-proto", "x-real-ip"]) {
    for (const peer of [undefined, "127.0.0.1"]) {
      assertEquals(await outcome(peer, { [name]: "for=127.0.0.1" }), ["client_document_url", 0], name);
    }
  }
});

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
} from "../features/client_documents.ts";
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
const picker: WorldOptions = { login: "picker" };

const attempts: Readonly<Record<string, Attempt>> = {
  "calls a program on this machine by a link": {
    client_id: "http://localhost:6379/flushall",
    from: "link",
    outcome: "400 client_document_url",
    options: picker,
  },
  "calls a program on this machine over https": {
    client_id: "https://127.0.0.1:8443/admin",
    from: "link",
    outcome: "400 client_document_url",
    options: picker,
  },
  "calls a program on this machine by a name below .localhost": {
    client_id: "http://admin.localhost/x",
    from: "link",
    outcome: "400 client_document_url",
    options: picker,
  },
  "calls a host of the local network": {
    client_id: "https://192.168.1.1/reboot",
    from: "link",
    outcome: "400 client_document_url",
    options: picker,
  },
  "calls the metadata service of a cloud": {
    client_id: "https://169.254.169.254/latest/meta-data",
    from: "link",
    outcome: "400 client_document_url",
    options: picker,
  },
  "makes the server call its own host by an image": {
    client_id: evil,
    from: "image",
    outcome: "403 client_document_unavailable",
    options: picker,
  },
  "makes the server call its own host by an iframe": {
    client_id: evil,
    from: "iframe",
    outcome: "403 client_document_unavailable",
    options: picker,
  },
  "makes the server call its own host by a prefetch": {
    client_id: evil,
    from: "prefetch",
    outcome: "403 client_document_unavailable",
    options: picker,
  },
  "makes the server call its own host by a script": {
    client_id: evil,
    from: "script",
    outcome: "403 client_document_unavailable",
    options: picker,
  },
  "gets a code for itself without a question, under automatic sign-in": {
    client_id: evil,
    from: "link",
    outcome: "consent page",
    fetches: true,
    document: { redirect_uris: ["https://evil.example/cb"] },
    params: { redirect_uri: "https://evil.example/cb" },
  },
  "gets a code at a program on this machine without a question": {
    client_id: evil,
    from: "link",
    outcome: "consent page",
    fetches: true,
    document: { redirect_uris: ["http://127.0.0.1/cb"] },
    params: { redirect_uri: "http://127.0.0.1:3000/cb" },
  },
  "gets a code silently with prompt=none": {
    client_id: evil,
    from: "link",
    outcome: "400 would_have_to_ask",
    fetches: true,
    document: { redirect_uris: ["https://evil.example/cb"] },
    params: { redirect_uri: "https://evil.example/cb", prompt: "none", scope: "openid" },
  },
  "uses the server as an open redirect": {
    client_id: evil,
    from: "link",
    outcome: "400 response_type_unsupported",
    fetches: true,
    document: { redirect_uris: ["https://evil.example/cb"] },
    params: { redirect_uri: "https://evil.example/cb", response_type: "token" },
  },
  "runs a script on a page of the server": {
    client_id: evil,
    from: "link",
    outcome: "400 client_document_invalid",
    fetches: true,
    document: { redirect_uris: ["javascript:alert(1)"] },
    params: { redirect_uri: "javascript:alert(1)" },
  },
  "pretends to be another site's client": {
    client_id: evil,
    from: "link",
    outcome: "400 client_document_invalid",
    fetches: true,
    document: { client_id: "https://bank.example/client.json" },
  },
  "names a file": {
    client_id: "file:///etc/passwd",
    from: "link",
    outcome: "400 client_unknown",
    options: picker,
  },
};

for (const [name, attempt] of Object.entries(attempts)) {
  test(`other tab: a page ${name} → ${attempt.outcome} (CIMD §8.6)`, async () => {
    const { client_id, document, params = {}, options } = attempt;
    const host = createHost(documentOf({ client_id, ...document }));
    await withDocuments(
      async (world) => {
        assertEquals(await outcomeOf(world, { client_id, ...params }, from[attempt.from]), attempt.outcome);
        assertEquals(host.urls, attempt.fetches ? [client_id] : []);
      },
      { issuer, ...options },
      host,
    );
  });
}

test("other tab: a page cannot make the server fetch by a POST to its endpoints", async () => {
  const host = createHost();
  await withDocuments(
    async (world) => {
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
      async (world) => {
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
      async (world) => {
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
      async (world) => {
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

test("other tab: the addresses inside a document are checked like the document's own (CIMD §8.6)", async () => {
  const uris = ["http://localhost:6379/x", "https://127.0.0.1/x", "https://169.254.169.254/x"];
  for (const jwks_uri of uris) {
    const host = createHost(documentOf({ token_endpoint_auth_method: "private_key_jwt", jwks_uri }));
    await withDocuments(
      async (world) => {
        const client_assertion = createUnsignedAssertion(world);
        const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        const form = { grant_type: "authorization_code", client_assertion, client_assertion_type: type };
        const response = await world.post("/oauth2/token", form, { "sec-fetch-site": "none" });
        assertEquals(
          [response.status, world.lastRefusal()?.reason],
          [401, "client_keys_unavailable"],
          jwks_uri,
        );
        assertEquals(host.urls.includes(jwks_uri), false);
      },
      { issuer: "https://as.test" },
      host,
    );
  }
});

/** Only its subject matters: the server looks for the client's keys. */
function createUnsignedAssertion(world: World): string {
  const encode = (value: unknown) =>
    btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
  const claims = { sub: documentOf()["client_id"], aud: world.issuer };
  return `${encode({ alg: "ES256" })}.${encode(claims)}.c2ln`;
}

/** A mock on a real port: the issuer that moves there, https with a new certificate, and refusals. */

import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createMock } from "../../../../src/kit/mod.ts";
import { originOf } from "../../../../src/kit/mock/network/listening.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";
import { sampleKey } from "../../../world.ts";

const it = testUsing(() => createMock({ alg: "ES256" }));

it("listen: takes a free port, and the issuer moves there", async (as) => {
  const acme = as.tenant("acme");
  const { origin, port } = await as.listen();
  assertEquals([origin, as.issuer, acme.issuer], [`http://localhost:${port}`, origin, `${origin}/acme`]);
  await assertRejects(() => as.fetch("https://as.test/oauth2/jwks"), TypeError, `answers for ${origin}`);
  for (const tenant of [as, acme]) {
    const response = await fetch(`${tenant.issuer}/.well-known/openid-configuration`);
    assertEquals((await response.json()).issuer, tenant.issuer);
    assertEquals(decodeJwt((await tenant.login("alice")).access_token).iss, tenant.issuer);
  }
  assertEquals(as.requests.metadata.length, 1);
});

test("listen: the origin leaves out the default port of the scheme", () => {
  const origins = [
    originOf({ host: "localhost", port: 80, tls: false }),
    originOf({ host: "localhost", port: 443, tls: true }),
    originOf({ host: "::1", port: 443, tls: false }),
    originOf({ host: "127.0.0.1", port: 9000, tls: true }),
  ];
  const expected = ["http://localhost", "https://localhost", "http://[::1]:443", "https://127.0.0.1:9000"];
  assertEquals(origins, expected);
});

test("listen: a configured issuer stays", async () => {
  await using as = await createMock({ issuer: "https://id.shop.test", alg: "ES256" });
  const { origin } = await as.listen();
  const response = await fetch(`${origin}/.well-known/openid-configuration`);
  assertEquals((await response.json()).issuer, "https://id.shop.test");
});

test("listen: the port closes when it is disposed of, and with the mock", async () => {
  const closed = async (url: string) => await fetch(url).then(() => "open", () => "closed");
  const as = await createMock({ alg: "ES256" });
  const first = await as.listen();
  await first.close();
  assertEquals(await closed(first.origin), "closed");
  const second = await as.listen();
  await as[Symbol.asyncDispose]();
  assertEquals(await closed(second.origin), "closed");
});

it("listen: with tls, a client that trusts the authority connects, and its file is removed afterwards", async (as) => {
  const { origin, port, tls, close } = await as.listen({ tls: true });
  assertEquals([origin, as.issuer], [`https://localhost:${port}`, origin]);
  assertEquals(await readFile(tls!.env.NODE_EXTRA_CA_CERTS, "utf8"), tls!.ca);
  const path = "/.well-known/openid-configuration";
  const read = (headers: Readonly<Record<string, string>>) =>
    new Promise<string>((resolve, reject) => {
      get(
        { host: "localhost", servername: "localhost", port, path, headers, ca: tls!.ca, agent: false },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part) => text += part).on("end", () => resolve(text));
        },
      ).on("error", reject);
    });
  assertEquals(JSON.parse(await read({})).issuer, origin);
  // The hosts of a provider are for clients in the process, and the Host header chooses none.
  as.lookLike("google");
  assertEquals(JSON.parse(await read({ host: "accounts.google.com" })).error, "invalid_request");
  await close();
  assertEquals(existsSync(tls!.caFile), false);
});

it("listen: a port that is taken leaves no file of its authority", async (as) => {
  const { port } = await as.listen();
  const folder = await mkdtemp(join(tmpdir(), "postern-test-"));
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  try {
    await using other = await createMock({ alg: "ES256" });
    await assertRejects(() => other.listen({ port, tls: true }));
    assertEquals(await readdir(folder), []);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    await rm(folder, { recursive: true });
  }
});

it("listen: a dropped answer cuts the connection, and the server has done its work", async (as) => {
  const { origin } = await as.listen();
  const tokens = await as.login("alice");
  using _drop = as.drop("token", { count: 1 });
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token!,
    client_id: "app",
  });
  await assertRejects(() => fetch(`${origin}/oauth2/token`, { method: "POST", body }));
  assertEquals(as.requests.token.last?.status, 200);
});

test("listen: with the published test keys, a host beyond loopback is refused", async () => {
  await using as = await createMock();
  const { message } = await assertRejects(() => as.listen({ host: "0.0.0.0" }), TypeError);
  assertMatch(
    message,
    /Cannot listen on 0\.0\.0\.0: the private keys of the default test signing keys are public/,
  );
});

test("listen: the mock closes while a request waits at a gate", async () => {
  const as = await createMock({ alg: "ES256" });
  const { origin } = await as.listen();
  const gate = as.hold("jwks");
  as.delay("metadata", "1h");
  const held = [`${origin}/oauth2/jwks`, `${origin}/.well-known/openid-configuration`].map((url) =>
    fetch(url).then((response) => response.body?.cancel(), () => {})
  );
  await gate.arrived();
  // It would throw if a request did not end.
  await as.close();
  await Promise.all(held);
});

it("listen: the issuer moves once, and not while it is intercepted", async (as) => {
  const interception = as.intercept();
  await assertRejects(() => as.listen(), Error, "listen() would change the issuer https://as.test");
  interception[Symbol.dispose]();
  const opening = as.listen();
  assertThrows(() => as.intercept(), Error, "Cannot intercept while listen() moves the issuer");
  const first = await opening;
  await assertRejects(
    () => as.listen(),
    Error,
    `This mock listens at ${first.origin} already. Close that port first`,
  );
  await first.close();
  const both = await Promise.allSettled([as.listen(), as.listen()]);
  assertEquals(both.map(({ status }) => status), ["fulfilled", "rejected"]);
  await assertRejects(() => as.listen({ prot: 1 } as unknown as { port: number }), TypeError, "prot");
});

test("listen: a port that opens while the mock closes is closed", async () => {
  const as = await createMock({ alg: "ES256" });
  const opening = as.listen();
  await as.close();
  await assertRejects(() => opening, Error, "is disposed of");
});

it("env: with an issuer on loopback, the redirect URI is one on loopback", async (as) => {
  const { origin } = await as.listen();
  assertEquals([as.env().OAUTH_ISSUER, as.env()["OAUTH_REDIRECT_URI"]], [
    origin,
    "http://127.0.0.1/callback",
  ]);
});

it("listen: a closed tenant does not prevent it", async (as) => {
  await as.tenant("acme").close();
  const { origin } = await as.listen();
  assertEquals(as.issuer, origin);
});

test("listen: if the origin cannot be the issuer, the port is closed and the issuer stays", async () => {
  const signingKeys = [sampleKey];
  await using as = await createMock({ alg: "ES256", signingKeys });
  const { message } = await assertRejects(() => as.listen({ host: "0.0.0.0" }), TypeError);
  const [, origin = ""] =
    /^Cannot listen at (\S+), because the options are invalid with this issuer: give createMock/.exec(
      message,
    ) ?? [];
  assertEquals(as.issuer, "https://as.test");
  assertEquals((await as.fetch("https://as.test/oauth2/jwks")).status, 200);
  await assertRejects(() => fetch(origin.replace("0.0.0.0", "127.0.0.1")));
  as.reset();
  await as.login("alice");
  assertEquals(as.requests.length, 2);
});

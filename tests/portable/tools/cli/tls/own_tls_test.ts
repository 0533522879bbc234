/** `postern start --tls`: https at the first start, one authority for many starts, a renewed certificate, and refusals. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { X509Certificate } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { openOwnTls, type OwnTls } from "../../../../../src/tools/cli/tls/own_tls.ts";
import { runtime } from "../../../../runner.ts";
import { testIn } from "../../../../test_in.ts";
import { createProgram, program, runWith, withServer } from "../../../../tools/cli/command.ts";
import { challenge, encodeForm } from "../../../../world.ts";
import { askHttps, type Home, verify, withHome, withServedTls } from "./world.ts";

function withTls(
  { env }: Home,
  args: readonly string[],
  work: Parameters<typeof withServer>[1],
): ReturnType<typeof withServer> {
  const all = ["--tls", ...args];
  return withServer(all, work, createProgram(["start", ...all], env));
}

const it = testIn(withHome);

it("start --tls: the first start makes an authority, whose file clients trust, and the next one has it", async (home) => {
  const { certFile } = home.find();
  const trust = `Clients must trust it: "${program} trust" says how.`;
  await withTls(home, [], async ({ issuer, port, printed, stdout }) => {
    await printed(/OAUTH_REDIRECT_URI/);
    assertEquals(issuer, `https://localhost:${port}`);
    assertStringIncludes(stdout(), `  Trust     ${certFile}\n            This authority is new. ${trust}\n`);
    // As a client reads the metadata that trusts only this authority.
    const ca = await readFile(certFile, "utf8");
    const metadata = await askHttps(`https://localhost:${port}/.well-known/openid-configuration`, { ca });
    assertEquals(JSON.parse(metadata.text).issuer, issuer);
  });
  const ca = await readFile(certFile, "utf8");
  await withTls(home, [], async ({ port, printed, stdout }) => {
    await printed(/OAUTH_REDIRECT_URI/);
    assertStringIncludes(stdout(), `  Trust     ${certFile}\n            ${trust}\n`);
    await verify(port, ca);
  });
  assertEquals(await readFile(certFile, "utf8"), ca);
});

it("start --tls: the commands that call the server trust its authority, and no other", async (home) => {
  const run = (...args: readonly string[]) => runWith({ NODE_EXTRA_CA_CERTS: "", ...home.env }, ...args);
  await withTls(home, ["--login", "picker"], async ({ issuer }) => {
    const params = {
      response_type: "code",
      client_id: "demo",
      redirect_uri: `${issuer}/authorized`,
      scope: "openid",
    };
    const request = encodeForm({ ...params, code_challenge: challenge, code_challenge_method: "S256" });
    const visited = await run("visit", `${issuer}/oauth2/authorize?${request}`);
    assertEquals([visited.code, visited.stderr], [0, ""]);
    assertStringIncludes(visited.stdout, `${issuer}/authorized?code=`);
    const token = await run("token", "alice", "--issuer", issuer);
    assertEquals([token.code, token.stdout.split(".").length], [0, 3]);

    // An authority of the same name has another key.
    await rm(home.find().folder, { recursive: true });
    await openOwnTls({ issuer, name: undefined, system: home.system });
    const other = await run("health", "--issuer", issuer);
    assertEquals(other.code, 1);
    assertStringIncludes(other.stderr, `the certificate of ${issuer} is not trusted`);
  });
});

const day = 24 * 60 * 60;

it("start --tls: the certificate is renewed 30 days before its end, by a check each hour, and new connections get it", async ({ system, find }) => {
  const today = Math.floor(Date.now() / 1000 / day) * day;
  const inDays = (days: number) => new Date((today + days * day) * 1000).toISOString().slice(0, 10);
  // The client has the real clock, and both certificates are valid today.
  let now = today - 367 * day;
  const { tls, keepRenewed, checks } = await openTurned(system, () => now);
  const ca = await readFile(find().certFile, "utf8");
  await withServedTls(tls, async ({ port, replaceCertificate }) => {
    let failures = 0;
    // What has failed is tried again by the next check.
    keepRenewed((renewed) => {
      if (now === today && failures++ === 0) throw new Error("the server is busy");
      return replaceCertificate(renewed);
    }, () => {});
    const [{ check, seconds }] = checks as [Check];
    assertEquals([checks.length, seconds], [1, 3600]);
    now = today - 1;
    await check();
    assertEquals(await verify(port, ca), inDays(30));
    now = today;
    // A person who has deleted the authority gets a new one from the next start.
    await rm(find().folder, { recursive: true });
    await check();
    assertEquals([failures, await verify(port, ca)], [1, inDays(30)]);
    await check();
    const shown = runtime === "bun" ? inDays(30) : inDays(397);
    assertEquals(await verify(port, ca), shown);
    now = today + day;
    await check();
    assertEquals(await verify(port, ca), shown);
  });
});

it("start --tls: the last certificate ends with the authority, and is not renewed", async ({ system }) => {
  const begin = Date.UTC(2026, 0, 1) / 1000;
  let now = begin;
  await openTurned(system, () => now);
  now = begin + 3600 * day;
  const { tls, keepRenewed, checks } = await openTurned(system, () => now);
  assertEquals(Date.parse(new X509Certificate(tls.cert).validTo) / 1000, begin + 3650 * day);
  const replaced: unknown[] = [];
  keepRenewed((renewed) => void replaced.push(renewed), fail);
  now = begin + 3649 * day;
  await checks[0]?.check();
  assertEquals([checks.length, replaced], [1, []]);
});

function fail(error: Error): never {
  throw error;
}

interface Check {
  readonly check: () => Promise<void>;
  readonly seconds: number;
}

/** Opens the certificate of `--tls` with a clock of the test, which also runs the checks. */
async function openTurned(
  system: Home["system"],
  now: () => number,
): Promise<OwnTls & { readonly checks: readonly Check[] }> {
  const checks: Check[] = [];
  const repeat = (check: Check["check"], seconds: number) => void checks.push({ check, seconds });
  const issuer = "https://localhost:9000";
  return { ...await openOwnTls({ issuer, name: undefined, system, now, repeat }), checks };
}

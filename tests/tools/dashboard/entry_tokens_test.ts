/** The tokens of a request: their signatures, what the server knows about opaque ones, and which are compared. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { unescapeHtml } from "../../../src/kit/mock/client/html.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { test } from "../../runner.ts";
import { openControlled } from "./open_dashboard.ts";

type Opened = Awaited<ReturnType<typeof openControlled>>;

async function readLatest(from: Opened, grantType: string): Promise<string> {
  const id = from.as.requests.filter((each) => each.grantType === grantType).at(-1)!.id;
  return await (await from.send(`/inspector/${id}`)).text();
}

/** Returns the section of a token, and its facts. */
function sectionOf(html: string, name: string, carriedBy = "in the response") {
  const section = html.split("<section>").find((each) =>
    each.startsWith(`<h3>${name} <span class="aside">${carriedBy}</span>`)
  );
  assert(section !== undefined, `no ${name} ${carriedBy}`);
  const facts = [...section.matchAll(/<code>(\w+):<\/code> <code class="value[^"]*">(.*?)<\/code>/g)];
  const ended = /<p class="notice"><strong>Not valid any more:<\/strong> ([^<]*)<\/p>/.exec(section)?.[1];
  return {
    section,
    ended,
    facts: Object.fromEntries(facts.map(([, name, text]) => [name, unescapeHtml(text!)])),
  };
}

function signatureOf(html: string, token: string): string | undefined {
  return /data-check="signature" data-result="(\w+)"/.exec(sectionOf(html, token).section)?.[1];
}

test("entry tokens: the signature is verified, also with a key that signs no more", async () => {
  const from = await openControlled();
  await from.as.login("alice", { scope: "openid" });
  for (const rotated of [false, true]) {
    if (rotated) await from.as.rotateKeys();
    const html = await readLatest(from, "authorization_code");
    for (const token of ["access_token", "id_token"]) assertEquals(signatureOf(html, token), "passed");
    assertMatch(html, /data-check="signature"[^<]*<code>kid .{1,400}<i>RFC 9068 §4<\/i>/);
  }
});

for (const fault of ["signature_bad", "iss_wrong"] as const) {
  test(`entry tokens: a misbehaviour is told by its own check: id_token.${fault}`, async () => {
    const from = await openControlled();
    from.as.misbehave(`id_token.${fault}`);
    await from.as.login("alice", { scope: "openid" }).catch(() => {});
    const html = await readLatest(from, "authorization_code");
    assertEquals(signatureOf(html, "id_token"), fault === "signature_bad" ? "failed" : "passed");
    assertEquals(signatureOf(html, "access_token"), "passed");
  });
}

test("entry tokens: codes and refresh tokens have their owner, their life and their state", async () => {
  const from = await openControlled();
  const tokens = await from.as.login("alice", { scope: "openid profile offline_access" });
  const { client_id: _, exp, ...known } = sectionOf(
    await readLatest(from, "authorization_code"),
    "refresh_token",
  ).facts;
  assertEquals(known, { username: "alice", scope: "openid profile offline_access", active: "yes" });
  assert(Number(exp) > from.as.clock.now);
  await from.as.refresh(tokens);
  const html = await readLatest(from, "authorization_code");
  const { facts: { active }, ended = "" } = sectionOf(html, "refresh_token");
  assertEquals(active, undefined, "the notice says it");
  assertMatch(ended, /^a newer refresh token/);
  assertEquals(sectionOf(html, "code", "in the request").ended, "used already");
  const sent = sectionOf(await readLatest(from, "refresh_token"), "refresh_token", "in the request");
  assertMatch(sent.ended!, /^a newer/);
});

test("entry tokens: what ended after the response stands before the token, and nothing for one that works", async () => {
  const { as, ...from } = await openControlled();
  const tokens = await as.login("alice", { scope: "openid offline_access" });
  const read = async () => sectionOf(await readLatest({ as, ...from }, "authorization_code"), "access_token");
  // A JWT says the other facts itself.
  const { ended, facts } = await read();
  assertEquals([ended, facts], [undefined, { active: "yes" }]);
  await as.revoke(tokens);
  assertMatch((await read()).ended!, /grant/);
  await as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: "Bearer unknown" } });
  const refused = await (await from.send(`/inspector/${as.requests.at(-1)!.id}`)).text();
  assert(!refused.includes("this server does not know it"));
});

test("entry tokens: how far away a time is follows the clock of the server, also when it is turned", async () => {
  const from = await openControlled();
  await from.as.login("alice", { scope: "openid" });
  const readLife = async () => {
    const { section } = sectionOf(await readLatest(from, "authorization_code"), "access_token");
    return /"exp".*?<b>[\d-]+ [\d:]+ UTC, (.*?)\. ?<\/b>/.exec(section)?.[1];
  };
  assertMatch((await readLife())!, /^in (1 h|59 min)/);
  from.as.clock.advance("3h");
  assertMatch((await readLife())!, /^2 h( \d+ s)? ago$/);
});

test("entry tokens: a parameter that was sent twice has no facts, because each value has its own", async () => {
  const from = await openControlled();
  const { refresh_token: text } = await from.as.login("alice", { scope: "openid offline_access" });
  const send = async (tokens: readonly (readonly [string, string])[]) => {
    const body = new URLSearchParams([
      ["grant_type", "refresh_token"],
      ["client_id", "app"],
      ...tokens.map((each) => [...each]),
    ]);
    await from.as.fetch(new Request(`${from.as.issuer}/oauth2/token`, { method: "POST", body }));
    return await (await from.send(`/inspector/${from.as.requests.at(-1)!.id}`)).text();
  };
  const once = await send([["refresh_token", "unknown"]]);
  assertMatch(sectionOf(once, "refresh_token", "in the request").ended!, /^this server does not know it/);
  const twice = await send([["refresh_token", text!], ["refresh_token", "unknown"]]);
  assertStringIncludes(twice, "refresh_token");
  assert(!twice.includes("this server does not know it"));
});

test("entry tokens: while the store is away, the page shows what the journal has", async () => {
  const store = memoryStore();
  let isAway = false;
  const from = await openControlled({}, {}, {
    store: {
      ...store,
      get: (...args) => isAway ? Promise.reject(new Error("the store is away")) : store.get(...args),
    },
  });
  await from.as.login("alice", { scope: "openid offline_access" });
  isAway = true;
  const html = await readLatest(from, "authorization_code");
  assertEquals(sectionOf(html, "access_token").facts, {});
  assertStringIncludes(html, '"scope": "openid offline_access"');
  assert(!html.includes("the store is away"));
});

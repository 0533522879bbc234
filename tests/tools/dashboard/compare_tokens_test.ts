/** The inspector compares the tokens of two requests. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { compareLines } from "../../../src/tools/dashboard/parts/compare_lines.ts";
import { unescapeHtml } from "../../../src/kit/mock/client/html.ts";
import { test } from "../../runner.ts";
import { formTokenOf, key, openControlled } from "./open_dashboard.ts";

/** Logs in, turns the clock, and refreshes: two ID tokens and two access tokens. */
async function open() {
  const from = await openControlled();
  const tokens = await from.as.login("alice", { scope: "openid profile offline_access" });
  from.as.clock.advance("1h");
  const refreshed = await from.as.refresh(tokens);
  const ids = from.as.requests.filter(({ grantType }) => grantType !== undefined).map(({ id }) => id);
  return { from, tokens, refreshed, ids };
}

/** The places of the tokens that are compared, the left one first. */
function placesOf(html: string): readonly string[] {
  return [...html.matchAll(/<option value="([^"]*)" selected/g)].map(([, place = ""]) => place);
}

/** The lines that differ, by what happened to them. */
function differencesOf(html: string): readonly (readonly [kind: string, text: string])[] {
  return [...html.matchAll(/<tr data-difference="(\w+)">(.*?)<\/tr>/g)].map(([, kind = "", row = ""]) =>
    [kind, unescapeHtml(row.replace(/<[^>]*>/g, ""))] as const
  );
}

test("compare: the tokens before and after a refresh differ in their times", async () => {
  const { from, ids } = await open();
  const html = await (await from.send(`/inspector/compare?left=${ids[0]}&right=${ids[1]}&token=id_token`))
    .text();
  const found = differencesOf(html);
  assertEquals(found.map(([kind, text]) => [kind, /"(\w+)":/.exec(text)?.[1]]), [
    ["changed", "exp"],
    ["changed", "iat"],
    ["changed", "at_hash"],
    ["changed", "jti"],
  ]);
  assertMatch(found[0]![1], /Changed \+1 h: [\d -]*[\d:]* UTC → [\d -]*[\d:]* UTC/);
  assertMatch(html, /<del><code>\s+"exp": \d+,<\/code><\/del>/);
  assertMatch(html, /<ins><code>\s+"exp": \d+,<\/code><\/ins>/);
  assertMatch(html, /<th scope="col">app · [\d:. -]+ · id_token · Code exchange · alice<\/th>/);
  assertMatch(html, /<th scope="col">app · [\d:. -]+ · id_token · Refresh · alice<\/th>/);
  assertStringIncludes(html, "<summary>8 equal lines</summary>");
});

test("compare: the first token of a login is compared with the next one, and a single one with none", async () => {
  const { from, refreshed, ids } = await open();
  await from.as.refresh(refreshed);
  const first = await (await from.send(`/inspector/compare?right=${ids[0]}&token=access_token`)).text();
  assertEquals(placesOf(first), ids.map((id) => `${id}.response.access_token`));
  assertMatch(differencesOf(first)[0]![1], /Changed \+1 h/);
  assertStringIncludes(first, `href="/inspector/${ids[0]}">←`);
  const single = await openControlled();
  await single.as.login("alice", { scope: "openid" });
  const alone = await (await single.send("/inspector/compare?token=access_token")).text();
  const [left, right] = placesOf(alone);
  assertMatch(`${left} ${right}`, /\.id_token .*\.access_token$/);
  assertStringIncludes(alone, 'id="nothing"');
});

/** Who gets tokens one after the other, at which client, and with which token the last one is compared. */
const sequences: readonly (readonly [what: string, other: number, ...logins: readonly string[]])[] = [
  ["the login", 0, "alice app", "alice app", "bob app", "refresh 0"],
  ["the person at the client", 0, "alice app", "alice other", "bob app", "alice app"],
  ["the person", 0, "alice other", "bob app", "alice app"],
  ["anyone, if there is no other of the person", 1, "bob other", "carol other", "alice app"],
  ["the client, if no person signed in", 0, "- app", "- other", "- app"],
];

for (const [what, other, ...steps] of sequences) {
  test(`compare: a token is compared with the one before of ${what}`, async () => {
    const { as, send } = await openControlled({
      people: ["alice", "bob", "carol"].map((username) => ({ username })),
      clients: ["app", "other"].map((client_id) => ({
        client_id,
        client_secret: "s3cret",
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: ["http://localhost/"],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      })),
    });
    const logins: Awaited<ReturnType<typeof as.login>>[] = [];
    for (const [who = "", client = ""] of steps.map((each) => each.split(" "))) {
      if (who === "refresh") await as.refresh(logins[Number(client)]!);
      else if (who !== "-") logins.push(await as.login(who, { client, scope: "openid offline_access" }));
      else {
        const form = { grant_type: "client_credentials", client_id: client, client_secret: "s3cret" };
        await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) });
      }
    }
    const ids = as.requests.filter(({ grantType }) => grantType !== undefined).map(({ id }) => id);
    const html = await (await send("/inspector/compare?token=access_token")).text();
    assertEquals(placesOf(html), [ids[other], ids.at(-1)].map((id) => `${id}.response.access_token`));
  });
}

test("compare: a token that an API was sent is compared with those that APIs were sent, and one that is gone with none", async () => {
  const { as, send } = await openControlled();
  const tokens = [await as.login("alice"), await as.login("bob")];
  for (const { access_token } of tokens) {
    const headers = { authorization: `Bearer ${access_token}` };
    await as.fetch(`${as.issuer}/userinfo`, { headers });
  }
  const places = as.requests.filter(({ endpoint }) => endpoint === "userinfo")
    .map(({ id }) => `${id}.request.authorization`);
  const sent = await (await send(`/inspector/compare?right=${places[1]}`)).text();
  assertEquals(placesOf(sent), places);
  assertStringIncludes(
    await (await send("/inspector/compare?right=gone.response.id_token")).text(),
    'id="nothing"',
  );
});

test("compare: the list leads to the latest tokens that its filter selects, of each kind", async () => {
  const { as, send } = await openControlled();
  for (const username of ["alice", "bob", "alice", "bob"]) await as.login(username, { scope: "openid" });
  const ids = as.requests.filter(({ grantType }) => grantType !== undefined).map(({ id }) => id);
  const list = await (await send("/inspector?q=person:alice")).text();
  const link = /href="([^"]*\/inspector\/compare[^"]*)"/.exec(list)?.[1];
  assertEquals(link, "/inspector/compare?q=person:alice");
  const html = await (await send(link!)).text();
  assertEquals(placesOf(html), [ids[0], ids[2]].map((id) => `${id}.response.id_token`));
  const offered = new Set([...html.matchAll(/<option value="([^"]*)"/g)].map(([, place = ""]) => place));
  const kinds = ["access_token", "id_token"];
  assertEquals(
    [...offered].toSorted(),
    [ids[0], ids[2]].flatMap((id) => kinds.map((kind) => `${id}.response.${kind}`)).toSorted(),
  );
  assertStringIncludes(html, '<input type="hidden" name="q" value="person:alice"');
});

test("compare: the tokens of an entry have the client's checks, and lead to the comparison", async () => {
  const { from, ids } = await open();
  const html = await (await from.send(`/inspector/${ids[1]}`)).text();
  assertMatch(html, /data-check="aud" data-result="passed"/);
  assertMatch(html, /data-check="exp" data-result="(passed|failed)"[^/]*<code>[\d-]* [\d:]* UTC<\/code>/);
  const href = unescapeHtml(/href="([^"]*compare[^"]*id_token)"/.exec(html)![1]!);
  assertEquals(href, `/inspector/compare?right=${ids[1]}.response.id_token`);
  assertEquals(differencesOf(await (await from.send(href)).text()).length, 4);
});

test("compare: only a token that the server issued before leads to the comparison with it", async () => {
  const { as, send } = await openControlled();
  const tokens = await as.login("alice", { scope: "openid offline_access" });
  const hasBefore = async () => {
    const latest = as.requests.filter(({ grantType }) => grantType === "refresh_token").at(-1)!;
    return (await (await send(`/inspector/${latest.id}`)).text()).includes("with the one before");
  };
  as.requests.clear();
  const body = new URLSearchParams({ access_token: tokens.access_token });
  assertEquals((await as.fetch(`${as.issuer}/userinfo`, { method: "POST", body })).status, 200);
  const refreshed = await as.refresh(tokens);
  assertEquals(await hasBefore(), false);
  await as.refresh(refreshed);
  assertEquals(await hasBefore(), true);
});

test("compare: without the key, no token and no secret claim is shown", async () => {
  const { from, ids, tokens, refreshed } = await open();
  const path = `/inspector/compare?left=${ids[0]}&right=${ids[1]}&token=id_token`;
  const read = async () => await (await from.send(path)).text();
  const sid = tokens.claims?.["sid"] as string;
  const html = await read();
  for (const secret of [tokens.id_token!, refreshed.id_token!, sid]) assert(!html.includes(secret), secret);
  await from.enter(key);
  assertStringIncludes(await read(), sid);
});

test("compare: two pasted tokens are compared, and a text that is no JWT is not", async () => {
  const { from, tokens, refreshed } = await open();
  const path = "/playground/read";
  const send = async (other: string) => {
    const token = formTokenOf(await (await from.send(path)).text(), path);
    const response = await from.post(path, { form_token: token, pasted: tokens.id_token!, other });
    assertEquals(response.status, 200);
    return await response.text();
  };
  const html = await send(refreshed.id_token!);
  assertEquals(differencesOf(html).map(([kind]) => kind), Array(4).fill("changed"));
  assertMatch(html, /<th scope="col">app · [\d-]+ [\d:]+ UTC · ID token<\/th>/);
  assertStringIncludes(await send("not a token"), "Both texts must be JWTs");
});

test("compare: lines with hidden values are the same if length and fingerprint of these are", () => {
  const line = (value: object, text = '"jwk": …') => ({ depth: 1, text, path: "jwk", value }) as const;
  const known = { length: 9, fingerprint: "a" };
  const kinds = [
    known,
    { ...known, fingerprint: "b" },
    { ...known, length: 8 },
    { ...known, text: "x" },
  ].map((value) => compareLines([line(known)], [line(value, '"jwk": …,')]).map(({ kind }) => kind));
  assertEquals(kinds, [["same"], ["changed"], ["changed"], ["changed"]]);
});

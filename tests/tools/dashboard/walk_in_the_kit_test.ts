/** The buttons of `/authorized` in the test kit: its requests to itself are requests like any other. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { attribute, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { openControlled, type OpenedDashboard, openPlain, origin } from "./open_dashboard.ts";

/** Opens a page, and follows redirects. */
async function open(send: OpenedDashboard["send"], path: string): Promise<string> {
  const response = await send(path);
  const next = response.headers.get("location");
  return next === null ? await response.text() : await open(send, next.replace(origin, ""));
}

test("walk in the test kit: the journal, failures and misbehaviours see the request that the server sends to itself", async () => {
  const { as, send, post } = await openControlled({
    login: "auto",
    clients: [{ client_id: "demo", redirect_uris: [`${origin}/authorized`] }],
  });
  const press = async (html: string) => {
    const walk = /name="walk" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const response = await post("/authorized/walk", { walk, step: "exchange" });
    return await open(send, response.headers.get("location") ?? "");
  };

  const page = await open(send, "/start?client_id=demo");
  const failing = as.fail("token", { count: 1 });
  assert((await press(page)).includes("The server refused the code"));
  failing[Symbol.dispose]();
  as.misbehave("id_token.aud_wrong");
  const exchanged = await press(await open(send, "/start?client_id=demo"));
  assert(exchanged.includes('id="decoded-id_token"'));
  // The row of a token says first that its check failed.
  const rows = findAll(findById(readHtml(exchanged), "tokens")!, "tr").filter((row) =>
    attribute(row, "data-kind") !== undefined
  );
  const marked = rows.map((row) => [
    attribute(row, "data-kind"),
    ...findAll(row, "a").filter((link) => attribute(link, "data-result") === "failed").map(textOf),
  ]);
  assertEquals(marked, [["access_token"], ["refresh_token"], ["id_token", "1 check failed"]]);
  assertEquals(as.requests.token.map(({ status }) => status), [503, 200]);
  assertEquals(as.requests.token.last?.altered?.map(({ by }) => by), ["id_token.aud_wrong"]);
  await as.close();
});

test("authorized: a failure leads to the request that was refused, where other machines cannot reach the server", async () => {
  for (const isReached of [false, true]) {
    const { send } = openPlain({ login: "auto" }, { isReached });
    const link = findById(readHtml(await open(send, "/start?client_id=demo&scope=a%22b")), "entry");
    assertEquals(link === undefined, isReached);
    if (link !== undefined) {
      assertStringIncludes(await open(send, attribute(link, "href")!), "scope_malformed");
    }
  }
});

test("authorized: a failure says what the server refused, as the inspector does, but a link with the same words does not", async () => {
  const { send } = openPlain({ login: "auto" });
  const asked = { client_id: "demo", response_type: "code", redirect_uri: `${origin}/authorized` };
  const challenge = { code_challenge: "short", code_challenge_method: "S256" };
  const request = new URLSearchParams({ ...asked, ...challenge });
  const refused = readHtml(await open(send, `/oauth2/authorize?${request}`));
  const find = (id: string) => findById(refused, id);
  const [heading] = findAll(refused, "h1").map(textOf);
  const entry = textOf(readHtml(await open(send, attribute(find("entry")!, "href")!)));
  for (const id of ["received", "expected", "change", "spec"]) {
    assertStringIncludes(entry, textOf(find(id)!));
  }
  assertStringIncludes(heading!, "code_challenge");
  assertEquals(["entry", "start"].map((id) => attribute(find(id)!, "class")), ["button primary", "button"]);
  assertEquals([find("meaning"), find("error-description")], [undefined, undefined]);
  const forged = new URLSearchParams({
    error: "invalid_request",
    error_description: heading!,
    state: "another",
  });
  const other = readHtml(await open(send, `/authorized?${forged}`));
  assertEquals(findAll(other, "h1").map(textOf), ["Authorization Failed"]);
  assert(findById(other, "meaning") !== undefined);
});

test("walk: a step leads to its entry in the inspector, where other machines cannot reach the server", async () => {
  for (const isReached of [false, true]) {
    const { send, post } = openPlain({ login: "auto" }, { isReached });
    const page = await open(send, "/start?client_id=demo");
    const ticket = /name="walk" value="([^"]+)"/.exec(page)![1]!;
    const pressed = await post("/authorized/walk", { walk: ticket, step: "exchange" });
    const exchanged = readHtml(await open(send, pressed.headers.get("location")!));
    const link = findById(exchanged, "entry");
    assertEquals(link === undefined, isReached);
    if (link === undefined) continue;
    const entry = await open(send, attribute(link, "href")!);
    assertStringIncludes(entry, "/oauth2/token");
    assertStringIncludes(entry, "authorization_code");
  }
});

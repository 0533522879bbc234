/** Nothing in the configuration or in a request is hidden on a page of the dashboard, or in a timeline. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { findHidden, hostileLines } from "../../security/terminal_text.ts";
import { type Element, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { key, openControlled, type OpenedDashboard, submit } from "./open_dashboard.ts";
import { authorizePath, getCode, redeem, requestTokens, spa, spaOptions } from "./spa.ts";

const hostile = hostileLines.join(" ");
const username = "mallory \u202e\x1b[2J";

/** What clients of this kind send. Each refusal of it is explained without hidden characters. */
async function sendHostile(dashboard: Awaited<ReturnType<typeof openControlled>>): Promise<void> {
  const explained = new Set<string>();
  const send: OpenedDashboard["send"] = async (...request) => {
    const response = await dashboard.send(...request);
    const text = dashboard.as.explain() ?? "";
    assertEquals(findHidden(text), [], text);
    explained.add(text);
    return response;
  };
  await redeem(dashboard, await getCode(dashboard, { login_hint: hostile }));
  for (const name of ["client_id", "redirect_uri", "scope", "state", "prompt", "resource", "response_mode"]) {
    await send(authorizePath({ [name]: hostile }));
  }
  await send(authorizePath({ [hostile]: hostile }));
  for (const name of ["client_id", "code", "grant_type", "scope", hostile]) {
    await requestTokens({ send }, { [name]: hostile });
  }
  await send(`/${encodeURIComponent(hostile)}?${encodeURIComponent(hostile)}=1`);
  const encoded = btoa(
    JSON.stringify({ alg: hostile, iss: hostile, [hostile]: hostile, sub: "\u202e" }).replace(
      /[^\x20-\x7e]/gu,
      (each) =>
        each.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ),
  );
  await send("/userinfo", { headers: { authorization: `Bearer ${encoded}.${encoded}.AAAA` } });
  const body = JSON.stringify({
    client_name: hostile,
    redirect_uris: [hostile],
    scope: hostile,
    [hostile]: hostile,
  });
  await send("/connect/register", { method: "POST", headers: { "content-type": "application/json" }, body });
  assert(explained.size > 10, `${explained.size} refusals`);
}

// The values of fields and of data are sent as they are.
const shownAttributes = ["title", "aria-label", "alt", "placeholder", "label"];

/** The texts that a page shows, and does not let a person edit. */
function listShown({ name, attributes, children }: Element): readonly string[] {
  return [
    ...shownAttributes.flatMap((each) => attributes.get(each) ?? []),
    ...(name === "textarea"
      ? []
      : children.flatMap((each) => typeof each === "string" ? [each.replaceAll("\t", "")] : listShown(each))),
  ];
}

test("hidden characters: the pages and the timelines show each of them as an escape", async () => {
  const dashboard = await openControlled({
    ...spaOptions,
    registration: true,
    clients: [spa],
    people: [{ username: "alice" }, {
      username,
      sub: "mallory",
      claims: { email: username, [`a${username}`]: hostile },
    }],
    scopes: { orders: hostile },
  });
  await using as = dashboard.as;
  await sendHostile(dashboard);
  await redeem(dashboard, await getCode(dashboard, { login_hint: username }));
  // the remark about the failed comparison has the nonce twice
  as.misbehave("id_token.nonce_wrong", { variant: "suffix" });
  await redeem(dashboard, await getCode(dashboard, { nonce: hostile }));
  as.misbehave("id_token.alg_none", { person: username });
  const ids = [...as.requests].map(({ id }) => id);
  assert(ids.length > 15);
  const person = encodeURIComponent(username);
  const paths = [
    ...["/", "/people", `/people/person?username=${person}`, `/people?q=${person}`],
    ...["/clients", "/clients/client?id=spa", "/inspector"],
    ...[
      "/inspector/diagram",
      `/inspector?q=${encodeURIComponent(hostile)}`,
      "/playground",
      `/playground?kind=register&metadata=${encodeURIComponent(hostile)}`,
      "/misbehaviours/gates",
    ],
    ...[`/search?q=${encodeURIComponent(hostile)}`, "/misbehaviours", "/misbehaviours/id_token.alg_none"],
    ...ids.map((id) => `/inspector/${id}`),
  ];
  const requireVisible = async () => {
    for (const path of paths) {
      const response = await dashboard.send(path);
      const html = await response.text();
      assert(html.startsWith("<!doctype html>"), path);
      assertEquals([path, ...listShown(readHtml(html)).filter((each) => findHidden(each).length > 0)], [
        path,
      ]);
    }
  };
  await requireVisible();
  // the pages then have the values of codes, tokens and nonces, too
  await dashboard.enter(key);
  await requireVisible();
  const refused = await submit(dashboard, "/people/add", { username, claims: "{}" });
  const problem = textOf(findById(readHtml(await refused.text()), "problem")!);
  assertMatch(problem, /two people are called mallory/);
  assertEquals(findHidden(problem), []);
  const forms = ["text", "jsonl", "har", "mermaid"] as const;
  const texts = [...forms.map((form) => [form, as.timeline(form)]), ["html", await as.timeline("html")]];
  for (const [form, text] of [...texts, ["explain", as.explain()]]) {
    assertEquals([form, findHidden(text ?? "")], [form, []]);
  }
});

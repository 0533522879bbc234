/** The page of the control plane beside a dashboard: it has the frame, and one session opens both. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createControl } from "../../../src/tools/control/control.ts";
import { createDashboard } from "../../../src/tools/dashboard/dashboard.ts";
import type { DashboardOptions } from "../../../src/tools/dashboard/dashboard_options.ts";
import { linkControl, watchMock } from "../../../src/tools/dashboard/watched_server.ts";
import { fromRequest, toResponse } from "../../../src/server/http/message.ts";
import { createStartedMock } from "../../../src/kit/mock/mock.ts";
import { byId, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { key, origin } from "./open_dashboard.ts";

const token = "correct-horse-battery";

interface Opened {
  send(path: string, init?: RequestInit): Promise<Response>;
}

async function withServer(
  terms: { readonly token?: string; readonly issuer?: string },
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const { issuer = origin, ...control } = terms;
  const all: DashboardOptions = { key, isReached: false, control: { open: false, ...control } };
  const dashboard = createDashboard(all);
  const started = await createStartedMock({ issuer });
  await using mock = started.mock;
  watchMock(started, { dashboard, terms: all });
  const plane = createControl(started, { ...control, dashboard: linkControl(started, dashboard, all) });
  await work({
    async send(path, init = {}) {
      const headers = new Headers({ accept: "text/html", "sec-fetch-site": "same-origin", ...init.headers });
      const request = fromRequest(new Request(origin + path, { ...init, headers }), "127.0.0.1");
      return toResponse(await (plane.answer(request) ?? mock.answer(request)));
    },
  });
}

test("control page: beside a dashboard it has the frame, and leads to the pages that do the same by hand", async () => {
  await withServer({}, async ({ send }) => {
    const page = readHtml(await (await send("/_postern")).text());
    assertEquals(
      findAll(byId(page, "by-hand"), "a").map((link) => [textOf(link), link.attributes.get("href")]),
      [
        ["Turn the clock", "/misbehaviours/clock"],
        ["Switch a misbehaviour on", "/misbehaviours"],
        ["Close a gate", "/misbehaviours/gates"],
        ["Change people", "/people"],
        ["See clients", "/clients"],
        ["Read the requests", "/inspector"],
        ["Examine an application", "/misbehaviours/examine"],
      ],
    );
    assertStringIncludes(textOf(page), "Misbehaviours");
    const link = findAll(page, "a").find((each) => each.attributes.get("aria-current") === "page")!;
    assertEquals(textOf(link), textOf(findAll(page, "h1")[0]!));
    assertMatch(await (await send("/_postern?calls=clock")).text(), /href="\/_postern" aria-current="page"/);
  });
});

test("control page: it is in English for every browser", async () => {
  await withServer({}, async ({ send }) => {
    const page = readHtml(
      await (await send("/_postern?calls=clock", { headers: { "accept-language": "de" } })).text(),
    );
    assertEquals(findAll(page, "html")[0]?.attributes.get("lang"), "en");
    assertEquals(textOf(findAll(page, "h1")[0]!), "Clock");
  });
});

for (const issuer of [origin, `${origin}/realm`]) {
  test(`control page: the token is typed once, and opens this page but no call, at ${issuer}`, async () => {
    await withServer({ token, issuer }, async ({ send }) => {
      const locked = await send("/_postern");
      const html = await locked.text();
      assertEquals(locked.status, 401);
      assertFalse(html.includes(token) || html.includes('class="frame"'));
      const tokenUrl = byId(readHtml(html), "give-token").attributes.get("href")!;
      assertEquals((await send(tokenUrl)).status, 401);
      const { pathname, searchParams } = new URL(tokenUrl, origin);
      const body = new URLSearchParams({ ...Object.fromEntries(searchParams), key: token });
      const opened = await send(pathname, { method: "POST", body, headers: { origin } });
      assertEquals(byId(readHtml(await opened.text()), "go-on").attributes.get("href"), "/_postern");
      const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
      const page = await send("/_postern", { headers: { cookie } });
      assertEquals(page.status, 200);
      assert(findById(readHtml(await page.text()), "rule") !== undefined);
      for (const [method, path] of [["GET", "/_postern/clock"], ["POST", "/_postern/reset"]] as const) {
        assertEquals((await send(path, { method, headers: { cookie } })).status, 401, path);
      }
      const foreign = { cookie, "sec-fetch-site": "same-site" };
      assertEquals((await send("/_postern", { headers: foreign })).status, 403);
    });
  });
}

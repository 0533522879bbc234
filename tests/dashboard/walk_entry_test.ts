/** The step of a walk in the inspector. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { attribute, findById, readHtml } from "../pages/read_html.ts";
import { test } from "../runner.ts";
import { openPlain, origin } from "./open_dashboard.ts";

test("walk: a step leads to its entry in the inspector, where other machines cannot reach the server", async () => {
  for (const isReached of [false, true]) {
    const { send, post } = openPlain({ login: "auto" }, { isReached });
    const open = async (path: string): Promise<string> => {
      const response = await send(path);
      const next = response.headers.get("location");
      return next === null ? await response.text() : await open(next.replace(origin, ""));
    };
    const page = await open("/start?client_id=demo");
    const ticket = /name="walk" value="([^"]+)"/.exec(page)![1]!;
    const pressed = await post("/authorized/walk", { walk: ticket, step: "exchange" });
    const exchanged = readHtml(await open(pressed.headers.get("location")!));
    const link = findById(exchanged, "entry");
    assertEquals(link === undefined, isReached);
    if (link === undefined) continue;
    const entry = await open(attribute(link, "href")!);
    assertStringIncludes(entry, "/oauth2/token");
    assertStringIncludes(entry, "authorization_code");
  }
});

/** The strip of the pages: what is unusual about the server stands once at the top of each. */

import { assertEquals } from "@std/assert";
import { present } from "../../../src/ground/values/present.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { byId, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { key, load, openControlled } from "./open_dashboard.ts";

/** Makes everything of the mock unusual. */
function turnAll(as: Mock): void {
  as.clock.advance(1200);
  as.clock.freeze();
  as.hold("jwks");
  as.misbehave("id_token.nonce_wrong");
  as.lookLike("github");
}

const expected = [
  "A gate is closed: jwks. Open it… (gates)",
  "1 misbehaviour is on: id_token.nonce_wrong. Switch off… (misbehaviours)",
  "This server looks like GitHub, OAuth apps. Switch off… (look-alikes)",
];

function readStrip(html: string): readonly string[] {
  return findAll(readHtml(html), "li")
    .filter((each) => each.attributes.get("class") === "condition").map(textOf);
}

test("conditions: other machines see without the key only what every page of the server says", async () => {
  const { as, send, enter } = await openControlled({}, { isReached: true });
  turnAll(as);
  const peer = "192.0.2.7";
  assertEquals(readStrip(await (await send("/", { peer })).text()), expected.slice(1));
  await enter(key, { next: "/search", peer });
  const html = await (await send("/search", { peer })).text();
  assertEquals([readStrip(html).length, html.split('aria-label="State of this server"').length], [4, 2]);
});

test("conditions: the page of a sign-in has a notice and no link", async () => {
  const { as, send } = await openControlled({
    login: "picker",
    clients: [{ client_id: "spa", redirect_uris: ["https://app.example/cb"] }],
  });
  turnAll(as);
  const started = await send("/start?client_id=spa");
  const question = await send(started.headers.get("location")!.replace(/^https?:\/\/[^/]+/, ""));
  const html = await question.text();
  assertEquals(readStrip(html), []);
  const document = readHtml(html);
  assertEquals(
    textOf(byId(document, "misbehaving")),
    "This server is wrong on purpose: id_token.nonce_wrong",
  );
  assertEquals(textOf(byId(document, "look-alike")), "This server looks like GitHub, OAuth apps.");
});

test("conditions: the strip and the front page say how far the clock is turned, and which way", async () => {
  const { as, send } = await openControlled();
  const told = async () => {
    const html = await (await send("/")).text();
    const state = findAll(byId(readHtml(html), "state"), "a").map(textOf).find((each) =>
      each.endsWith(" (the clock)")
    );
    return [readStrip(html).map((each) => each.replace(/\.[^.]*$/, "")), state];
  };
  assertEquals(await told(), [[], "as the machine's (the clock)"]);
  as.clock.advance(0.25);
  assertEquals(await told(), [["The clock is 250 ms ahead"], "250 ms ahead (the clock)"]);
  as.clock.set(as.clock.now - 3600);
  assertEquals(await told(), [["The clock is 1 h behind"], "1 h behind (the clock)"]);
  as.clock.advance("2h");
  assertEquals(await told(), [["The clock is 1 h ahead"], "1 h ahead (the clock)"]);
  as.clock.freeze();
  assertEquals((await told())[1], "stopped (the clock)");
});

test("conditions: the strip names three misbehaviours, and counts the others", async () => {
  const { as, send } = await openControlled();
  const told: (string | undefined)[] = [];
  for (const name of ["iss_wrong", "aud_wrong", "nonce_wrong", "signature_bad", "alg_none"] as const) {
    as.misbehave(`id_token.${name}`);
    told.push(/(?<=: ).*(?=\. )/.exec(readStrip(await (await send("/")).text())[0]!)?.[0]);
  }
  const [one, two] = ["id_token.iss_wrong", "id_token.iss_wrong, id_token.aud_wrong"];
  const three = `${two}, id_token.nonce_wrong`;
  assertEquals(told, [one, two, three, `${three} and 1 more`, `${three} and 2 more`]);
});

test("conditions: one press on any page of the dashboard sets the clock right, if the page may", async () => {
  for (const mayChange of [true, false]) {
    const control = { open: false, ...present({ token: mayChange ? undefined : "token-of-the-plane" }) };
    const dashboard = await openControlled({}, { control });
    dashboard.as.clock.advance("1h");
    const page = readHtml(await load(dashboard, "/people"));
    const [form] = findAll(byId(page, "clock-condition"), "form");
    assertEquals(form === undefined, !mayChange);
    if (form === undefined) continue;
    const fields = findAll(form, "input").map(({ attributes }) =>
      [attributes.get("name")!, attributes.get("value")!] as const
    );
    const answer = await dashboard.post(form.attributes.get("action")!, Object.fromEntries(fields));
    assertEquals([answer.status, readStrip(await load(dashboard, "/people"))], [303, []]);
  }
});

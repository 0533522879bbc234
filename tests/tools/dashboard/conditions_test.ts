/** The strip of the pages: what is unusual about the server stands once at the top of each. */

import { assert, assertEquals } from "@std/assert";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import {
  byId,
  type Element,
  everyElement,
  findAll,
  findById,
  readHtml,
  textOf,
} from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { key, openControlled, openPlain } from "./open_dashboard.ts";

/** Makes everything of the mock unusual. */
function turnAll(as: Mock): void {
  as.clock.advance(1200);
  as.clock.freeze();
  as.hold("jwks");
  as.misbehave("id_token.nonce_wrong");
  as.lookLike("github");
}

const expected = [
  "A gate is closed: jwks. Open it (gates)",
  "1 misbehaviour is on: id_token.nonce_wrong. Switch off (misbehaviours)",
  "This server looks like GitHub, OAuth apps. Switch off (look-alikes)",
];

function readStrip(html: string): readonly string[] {
  return findAll(readHtml(html), "li")
    .filter((each) => each.attributes.get("class") === "condition").map(textOf);
}

for (const path of ["/", "/nowhere", "/resource", "/inspector"]) {
  test(`conditions: ${path} says once what is unusual, between the header and the main part`, async () => {
    const dashboard = await openControlled();
    turnAll(dashboard.as);
    const html = await (await dashboard.send(path)).text();
    const [clock, ...others] = readStrip(html);
    assert(/^The clock is stopped at \d{4}-.* UTC\. Set it right \(the clock\)$/.test(clock!), clock);
    assertEquals(others, expected);
    const document = readHtml(html);
    const parts = findAll(document, "body")[0]!.children.filter((each): each is Element =>
      typeof each !== "string" && each.name !== "a"
    );
    const [header, strip, main] = parts;
    assertEquals([header!.name, strip!.name, main!.name], ["header", "section", "main"]);
    assertEquals(strip!.attributes.get("aria-label"), "State of this server");
    const notices = [...everyElement(main!)].filter((each) =>
      each.attributes.get("class") === "notice problem"
    );
    assertEquals(notices.length, 0);
  });
}

test("conditions: on the page of the clock, a button sets it right", async () => {
  const { as, send, post } = await openControlled();
  as.clock.advance(1200);
  const page = readHtml(await (await send("/misbehaviours/clock")).text());
  const [button] = findAll(byId(page, "clock-condition"), "button");
  assertEquals(textOf(button!), "Set it right");
  const form = byId(page, button!.attributes.get("form")!);
  const token = findAll(form, "input").find(({ attributes }) => attributes.get("name") === "form_token");
  await post(form.attributes.get("action")!, {
    form_token: token!.attributes.get("value")!,
    [button!.attributes.get("name")!]: button!.attributes.get("value")!,
  });
  assertEquals(readStrip(await (await send("/misbehaviours/clock")).text()), []);
});

test("conditions: a server in its usual state has no strip, and neither has one without the test kit", async () => {
  const { send } = await openControlled();
  assertEquals(findById(readHtml(await (await send("/")).text()), "clock-condition"), undefined);
  for (const each of [await send("/"), await openPlain().send("/")]) {
    assertEquals(readStrip(await each.text()), []);
  }
});

test("conditions: of many misbehaviours the strip names three", async () => {
  const { as, send } = await openControlled();
  for (const name of ["nonce", "aud", "iss", "sub"] as const) as.misbehave(`id_token.${name}_missing`);
  assertEquals(readStrip(await (await send("/")).text()), [
    "4 misbehaviours are on: id_token.nonce_missing, id_token.aud_missing, id_token.iss_missing and 1 more. " +
    "Switch off (misbehaviours)",
  ]);
});

test("conditions: other machines see without the key only what every page of the server says", async () => {
  const { as, send, enter } = await openControlled({}, { isReached: true });
  turnAll(as);
  const peer = "192.0.2.7";
  assertEquals(readStrip(await (await send("/", { peer })).text()), expected.slice(1));
  await enter(key, { next: "/search", peer });
  assertEquals(readStrip(await (await send("/search", { peer })).text()).length, 4);
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

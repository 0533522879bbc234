/** The sequence diagram: who sends what to whom, on the page, in the file and in Mermaid alike. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describeSequence } from "../../../../src/kit/mock/journal/describe_sequence.ts";
import { formatHtmlTimeline } from "../../../../src/kit/mock/journal/html_timeline.ts";
import { KeptEntry } from "../../../../src/kit/mock/journal/request_list.ts";
import type { Sequence } from "../../../../src/kit/timeline/diagram_props.ts";
import { findAll, readHtml, textOf } from "../../../server/pages/read_html.ts";
import { test } from "../../../runner.ts";
import { inWorld } from "../../../world.ts";
import { entryOf } from "./journal_entries.ts";
import { keepWorld } from "./kept_world.ts";

function requestOf(clientId: string, facts: Readonly<Record<string, unknown>> = {}): KeptEntry {
  return new KeptEntry(entryOf({ id: `id-${clientId}`, facts: { clientId, ...facts } }), "token", false);
}

function arrowsOf({ steps }: Sequence): readonly string[] {
  return steps.flatMap(({ arrows }) => arrows.map(({ from, to }) => `${from} > ${to}`));
}

test("sequence: a login goes from the browser to the server, to the client, and back", () =>
  inWorld({}, async (world) => {
    await world.redeem(await world.code());
    const kept = keepWorld(world);
    const sequence = describeSequence(kept.map((each) => each.read()));
    assertEquals(sequence.participants.map(({ key }) => key), ["browser", "client public", "server"]);
    assertEquals(arrowsOf(sequence), [
      ...["browser > server", "server > browser", "browser > client public"],
      ...["client public > server", "server > client public"],
    ]);
    const page = readHtml(
      formatHtmlTimeline(kept, { issuer: "https://as.test", secrets: false, neverShown: [] }),
    );
    const links = findAll(page, "a").map(textOf).filter((text) => /\d\d:\d\d/.test(text));
    assertMatch(links[0]!, /^08:00:00\.000Browser to Postern: Authorization request GET \/oauth2\/authorize/);
    assertStringIncludes(links[0]!, "Browser to public: brings the code");
  }));

test("sequence: the polls of a device that waits are one step, and each login has its own (RFC 8628 §3.5)", () => {
  const refusal = { error: "authorization_pending", reason: "device_login_pending", description: "" };
  const poll = (flow: string) => ({ ...requestOf("tv", { flow, refusal }).read() });
  const tokens = requestOf("tv", { flow: "one" }).read();
  const { steps } = describeSequence([
    poll("one"),
    poll("one"),
    poll("one"),
    poll("two"),
    poll("one"),
    tokens,
  ]);
  assertEquals(steps.map(({ arrows, isBad }) => [arrows[0]!.text, isBad]), [
    ["3 × POST /oauth2/token", false],
    ...Array.from({ length: 3 }, () => ["POST /oauth2/token", false]),
  ]);
});

test("sequence: a request to an API of the test goes to that API", () => {
  const more = { resource: { url: "https://api.test/orders" } };
  const request = { ...requestOf("shop", { more }).read(), endpoint: "resource" } as const;
  assertEquals(arrowsOf(describeSequence([request])), [
    "client shop > api api.test",
    "api api.test > client shop",
  ]);
});

test("sequence: the browser brings the code or the error, in the query or in the fragment", () => {
  for (
    const [location, brought] of [
      ["https://app.test/?code=x", "brings the code"],
      ["https://app.test/#error=x", "brings the error"],
      ["https://app.test/#x=code", undefined],
    ] as const
  ) {
    const request = { ...requestOf("app").read(), endpoint: "authorize", location } as const;
    assertEquals(describeSequence([request]).steps[0]?.arrows[2]?.text, brought);
  }
});

test("sequence: clients without a column share one, and no client is lost", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const requests = names.map((name) => requestOf(name).read());
  const few = describeSequence(requests, { mostClients: 4 });
  assertEquals(few.participants.map(({ key }) => key), [
    ...["client a", "client b", "client c", "other clients", "server"],
  ]);
  assertEquals(arrowsOf(few).slice(6, 8), ["other clients > server", "server > other clients"]);
  assertEquals(few.steps.length, 6);
  assertEquals(describeSequence(requests).participants.length, 7);
  const calls = names.map((name) => {
    const more = { resource: { url: `https://${name}.test/` } };
    return { ...requestOf("shop", { more }).read(), endpoint: "resource" } as const;
  });
  assertEquals(
    describeSequence(calls, { mostClients: 4, mostApis: 2 }).participants.map(({ key }) => key),
    ["client shop", "server", "api a.test", "other APIs"],
  );
});

test("timeline as html: neighbours without a login are one section", () => {
  const html = formatHtmlTimeline([requestOf("a"), requestOf("b")], {
    issuer: "https://as.test",
    secrets: false,
    neverShown: [],
  });
  assertEquals(findAll(readHtml(html), "h2").map(textOf), ["Requests outside of a login"]);
});

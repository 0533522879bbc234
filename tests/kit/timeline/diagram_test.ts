/** The diagram of a login: where its arrows go, and what they say. */

import { assertEquals } from "@std/assert";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { Diagram } from "../../../src/kit/timeline/diagram.tsx";
import type { Arrow, DiagramStep } from "../../../src/kit/timeline/diagram_props.ts";
import { test } from "../../runner.ts";
import { attribute, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";

const arrow = (from: string, to: string, kind: Arrow["kind"], text: string): Arrow => ({
  ...{ from, to, kind, text, isBad: false },
});

test("diagram: an arrow has the columns of its ends, and only the answer to the request is shown in short", () => {
  const step: DiagramStep = {
    ...{
      id: "1",
      at: 1_800_000_000,
      endpoint: "logout",
      method: "GET",
      target: "/connect/logout",
      isBad: false,
    },
    ...{ status: 200, reason: "odd" },
    arrows: [
      arrow("browser", "server", "request", "GET /connect/logout"),
      arrow("server", "client", "further", "back-channel logout"),
      arrow("client", "server", "answer", "told"),
      arrow("server", "browser", "answer", "200 as bob"),
    ],
  };
  const participants = [
    { key: "browser", kind: "browser" },
    { key: "client", kind: "client", name: "app" },
    { key: "server", kind: "server" },
  ] as const;
  const sequence = { participants, steps: [step] };
  const html = renderToString(h(Diagram, { sequence, link: (id) => `/${id}`, now: 1_800_000_000 }));
  const page = readHtml(`<!doctype html>${html}`);
  const region = findAll(page, "div")[0]!;
  const names = ["role", "aria-label", "tabindex"];
  assertEquals(
    names.map((name) => attribute(region, name)),
    ["region", "Sequence diagram", "0"],
    "keys can scroll it, in its place among the links",
  );
  const links = findAll(page, "a");
  const spans = links.flatMap((link) => findAll(link, "span"));
  const placed = spans.filter((each) => attribute(each, "title") !== undefined);
  assertEquals(
    spans.filter((each) => /^n-\d$/.test(attribute(each, "class") ?? "")).map((each) =>
      attribute(each, "class")
    ),
    ["n-1", "n-2", "n-2", "n-1"],
  );
  assertEquals(placed.map((each) => [attribute(each, "class"), textOf(each)]), [
    ["n-3 right request", "Browser to Postern: Sign-out GET /connect/logout"],
    ["n-3 left further", "Postern to app: back-channel logout"],
    ["n-3 right answer", "app to Postern: told"],
    ["n-3 left answer", "Postern to Browser: 200 odd"],
  ]);
});

test("diagram: a step that went wrong is marked, and one that is passed on to the test has no status", () => {
  const from = {
    endpoint: "token",
    method: "POST",
    target: "/oauth2/token",
    at: 1_800_000_000.5,
    isBad: false,
  };
  const answer = [
    arrow("client", "server", "request", "POST"),
    arrow("server", "client", "answer", "passed on"),
  ];
  const steps = [{ ...from, id: "1", status: 200, arrows: answer }, {
    ...from,
    id: "2",
    isBad: true,
    arrows: answer,
  }];
  const participants = [{ key: "client", kind: "unknown" }, { key: "server", kind: "server" }] as const;
  const html = renderToString(
    h(Diagram, {
      sequence: { participants, steps },
      link: (id) => `/${id}`,
      now: 1_800_086_400,
      name: "One",
    }),
  );
  const page = readHtml(`<!doctype html>${html}`);
  assertEquals(attribute(findAll(page, "div")[0]!, "aria-label"), "One");
  const [head, ...items] = findAll(page, "li");
  assertEquals(findAll(head!, "span").map(textOf), ["Unknown client", "Postern"]);
  assertEquals(items.map((each) => attribute(each, "class")), [undefined, "bad"]);
  assertEquals(findAll(page, "time").map((each) => [attribute(each, "title"), textOf(each)]), [
    ["2027-01-15 08:00:00.500 UTC", "01-15 08:00:00.500"],
    ["2027-01-15 08:00:00.500 UTC", "01-15 08:00:00.500"],
  ]);
  const answers = items.map((each) => textOf(findAll(each, "a")[0]!).split(": ").at(-1));
  assertEquals(answers, ["200", "passed on"]);
});

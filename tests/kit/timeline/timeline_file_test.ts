/** The sections of a timeline as a file: their heads, their lines and their notes, and what stands only where it applies. */

import { assertEquals } from "@std/assert";
import type { FileGroup } from "../../../src/kit/timeline/timeline_file.tsx";
import { timelineFile } from "../../../src/kit/timeline/timeline_file.tsx";
import type { Remark, ShownExchange } from "../../../src/kit/timeline/exchange_props.ts";
import {
  describeClockTime,
  describeInstant,
  describeMilliseconds,
  describeStep,
} from "../../../src/kit/timeline/time_text.ts";
import { test } from "../../runner.ts";
import {
  attribute,
  byId,
  type Element,
  everyElement,
  findAll,
  readHtml,
  textOf,
} from "../../server/pages/read_html.ts";

const at = 1_800_000_000;
const nothing = { parameters: [], headers: [], body: [] };
const exchange = {
  ...{ id: "1", endpoint: "token", method: "POST", target: "/oauth2/token", status: 200, outcome: "ok", at },
  ...{ sender: { kind: "client", client: "app" }, request: nothing, response: nothing },
  ...{ checks: [], failedChecks: [], remarks: [], hints: [], altered: [], tags: [], copies: [] },
  ...{ scope: [], resource: [], arrivedBy: [], rpc: [], notified: [], related: [] },
} as unknown as ShownExchange;

const remark: Remark = {
  ...{ name: "id_token.nonce_wrong", check: "nonce", level: "must", reader: "client", isUnusual: false },
  ...{
    server: "The nonce is another one.",
    action: "A correct client refuses it.",
    rule: "OpenID Connect Core §2",
  },
};

function fileOf(
  { groups = [], ...changed }: Partial<Parameters<typeof timelineFile>[0]>,
): Element {
  const counts = { count: 1, refused: 0, failed: 0, dropped: 0 };
  const about = { issuer: "https://as.test", showsSecrets: false, groups };
  return readHtml(timelineFile({ ...counts, ...about, ...changed }));
}

function groupOf(changed: Partial<FileGroup>, ...exchanges: readonly Partial<ShownExchange>[]): FileGroup {
  return {
    ...{ flow: "f", client: "app", count: 1, refused: 0, failed: 0, startedAt: at },
    sequence: { participants: [], steps: [] },
    ...changed,
    exchanges: exchanges.map((each) => ({ ...exchange, ...each })),
  };
}

const textsOf = (page: Element, name: string) => findAll(page, name).map((each) => textOf(each).trim());
const withClass = (page: Element, wanted: string) =>
  [...everyElement(page)].filter((each) => attribute(each, "class") === wanted);

test("timeline file: says what it leaves out and that it has secrets only if it does, and an empty one that it is empty", () => {
  const rows: readonly (readonly [Parameters<typeof fileOf>[0], notes: readonly string[]])[] = [
    [{}, []],
    [{ dropped: 1 }, ["1 earlier request is not in this file."]],
    [{ count: 0 }, ["The journal has no requests."]],
  ];
  for (const [changed, notes] of rows) {
    const [, , ...others] = textsOf(fileOf(changed), "p");
    assertEquals(others, notes);
  }
  const faces = [false, true].map((showsSecrets) =>
    attribute(byId(fileOf({ showsSecrets }), "redaction")!, "class")
  );
  assertEquals(faces, ["notice", "notice problem"]);
});

test("timeline file: the head of a login names its client and its person, and counts what did not succeed", () => {
  const rows: readonly (readonly [Partial<FileGroup>, head: string, about: string])[] = [
    [{}, "app", "Login · 2027-01-15 08:00:00 UTC · 1 request · none refused"],
    [
      { person: "alice", count: 3, refused: 1, failed: 1 },
      "app, alice",
      "Login · 2027-01-15 08:00:00 UTC · 3 requests · 1 refused, 1 failed",
    ],
  ];
  for (const [changed, head, about] of rows) {
    const page = fileOf({ groups: [groupOf(changed)] });
    assertEquals([textsOf(page, "h2"), textOf(withClass(page, "aside")[0]!)], [[head], about]);
  }
  const { flow: _flow, client: _client, ...none } = groupOf({});
  assertEquals(textsOf(fileOf({ groups: [none] }), "h2"), ["Requests outside of a login"]);
  const { client: _unknown, ...unknown } = groupOf({});
  assertEquals(textsOf(fileOf({ groups: [unknown, groupOf({})] }), "h2"), ["unknown client", "app"]);
});

test("timeline file: an exchange has its tags and remarks, and the time since the one before", () => {
  const { status: _status, ...passedOn } = exchange;
  const group = groupOf({}, {}, { id: "2", since: 1.5, tags: ["one", "two"], remarks: [remark] }, {
    since: -60,
  });
  const page = fileOf({ groups: [group, { ...groupOf({}), exchanges: [{ ...passedOn, id: "3" }] }] });
  assertEquals(withClass(page, "since").map((each) => attribute(each, "title")), [
    "first",
    "+1.5 s",
    "−1 min",
    "first",
  ]);
  assertEquals(withClass(page, "tag").map(textOf), ["one", "two"]);
  assertEquals(withClass(page, "tags").length, 1);
  assertEquals(withClass(page, "outcome-ok").map(textOf), ["200", "200", "200", "passed on"]);
  const shown = byId(page, "exchange-2")!;
  // One stands before the details, and one within.
  assertEquals(withClass(shown, "notice caution").length, 2);
});

const day = 86_400;
const times: readonly (readonly [what: string, write: () => string, expected: string])[] = [
  ["a step", () => describeStep(0.012), "+12 ms"],
  ["a step back, of a clock that was turned", () => describeStep(-60), "−1 min"],
  ["a clock time of the same day", () => describeClockTime(at, at + 1), "08:00:00"],
  ["a clock time of another day", () => describeClockTime(at, at + day), "2027-01-15 08:00:00"],
  ["an instant of the same day", () => describeInstant(at + 0.0004, at), "08:00:00.000"],
  ["an instant of another day", () => describeInstant(at + 0.1236, at + day), "01-15 08:00:00.124"],
  ["an instant that no calendar has", () => describeInstant(1e15, at), "?"],
  ["milliseconds", () => describeMilliseconds(at + 0.1236), "2027-01-15 08:00:00.124 UTC"],
  ["milliseconds that no calendar has", () => describeMilliseconds(NaN), "?"],
];

for (const [what, write, expected] of times) {
  test(`timeline file: how a time is written: ${what}`, () => assertEquals(write(), expected));
}

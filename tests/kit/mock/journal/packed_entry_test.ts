/** Old exchanges of the recorder: they take less memory, and a test reads them as before. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { createRecorder } from "../../../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../../../src/mod.ts";
import { test } from "../../../runner.ts";
import { numberedEntry } from "./journal_entries.ts";

type Change = (number: number) => Partial<JournalEntry>;

const request = { method: "POST", path: "/oauth2/token", query: "", headers: [] };
const response = { status: 200, headers: [] };
const fault = new Error("a fault");
const noted = new Map([["a", 1]]);

const changes: readonly Change[] = [
  () => ({}),
  (number) => ({ request: { ...request, query: `a=${number}&b=ü%20`, body: `body ${number} ü 😀` } }),
  () => ({ request: { ...request, body: "" }, response: { ...response, body: "" } }),
  (number) => ({
    request: { ...request, body: `\n${number}ü` },
    response: { ...response, body: "\ufeff{}\n" },
  }),
  () => ({ request: { ...request, headers: [["a", ""], ["b", "ü"], ["b", "c"]], bodyLength: 7 } }),
  (number) => ({ response: { status: 303, headers: [["location", `https://a.test/?code=${number}`]] } }),
  () => ({ response: { ...response, body: "\ufeffwith a mark of the byte order", bodyLength: "unknown" } }),
  (number) => ({ response: { ...response, body: `${number} `.repeat(10_000) } }),
  (number) => ({ request: { ...request, query: "q".repeat(30_000 + number), body: "ü".repeat(40_000) } }),
  (number) => ({ facts: { clientId: `client ${number}`, scope: ["a", "b"], subjectIsNew: true } }),
  () => ({ facts: { fault, more: { feature: { noted, each: [1, null, "text"] } } } }),
  () => ({ trace: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", parentId: "00f067aa0ba902b7" } } as never),
];

function record(count: number) {
  const recorder = createRecorder();
  const entries = Array.from(
    { length: count },
    (_, at) => numberedEntry(at, changes[at % changes.length]!(at)),
  );
  for (const entry of entries) recorder.write(entry, { endpoint: "token", isLost: false });
  return { recorder, entries };
}

test("packed entry: a test reads old exchanges as it reads the latest", () => {
  const { recorder: { requests, kept }, entries } = record(700);
  assertEquals(requests.dropped, 0);
  assertEquals(requests.map((each) => each.raw()), entries);
  assertEquals(kept.map(({ entry }) => entry.request.body), entries.map((entry) => entry.request.body));
  assertStrictEquals(requests.at(-1)!.raw(), entries.at(-1));
  const old = requests.at(10)!;
  assertStrictEquals(old.fault, fault);
  assertStrictEquals(requests.at(10), old);
});

test("packed entry: an exchange that was read before it is old stays the same for the test", () => {
  const recorder = createRecorder();
  const write = (at: number) => recorder.write(numberedEntry(at), { endpoint: "token", isLost: false });
  write(0);
  const first = recorder.requests.first;
  for (let at = 1; at < 300; at++) write(at);
  assertStrictEquals(recorder.requests.first, first);
});

test("packed entry: octets are counted, so that old text of two octets takes twice the room", () => {
  const kept = (text: string) => {
    const recorder = createRecorder({ mostOctets: 3_000_000 });
    const body = text.repeat(3_000);
    for (let at = 0; at < 600; at++) {
      recorder.write(numberedEntry(at, { response: { ...response, body } }), {
        endpoint: "token",
        isLost: false,
      });
    }
    return recorder.requests.length;
  };
  const [short, long] = [kept("u"), kept("ü")];
  assert(short > 550 && short < 600 && long > 340 && long < 400, `${short}, ${long}`);
});

test("packed entry: after a clear the journal begins anew", () => {
  const { recorder } = record(300);
  recorder.clear();
  recorder.write(numberedEntry(7), { endpoint: "token", isLost: false });
  assertEquals(recorder.requests.map(({ id }) => id), ["entry-7"]);
});

function keepsHeld(length: number): void {
  const recorder = createRecorder({ limit: 300 });
  const expected = (at: number) =>
    numberedEntry(at, { request: { ...request, body: `body ${at} `.repeat(length) } });
  const writeUntil = (end: number) => {
    for (let at = recorder.written; at < end; at++) {
      recorder.write(expected(at), { endpoint: "token", isLost: false });
    }
  };
  // Nothing has read the list, so that the octets of removed exchanges are used again.
  writeUntil(2_000);
  const held = recorder.requests.toArray();
  const entries = recorder.kept.map(({ entry }) => entry);
  writeUntil(4_000);
  assertEquals(held.map((each) => each.raw()), held.map((_, at) => expected(1_700 + at)));
  assertEquals(
    entries.map(({ request }) => request.body),
    entries.map((_, at) => expected(1_700 + at).request.body),
  );
  assertEquals(recorder.requests.map((each) => each.raw()), held.map((_, at) => expected(3_700 + at)));
}

test("packed entry: new exchanges never write over those that a test still has", () => {
  keepsHeld(100);
});

test("packed entry: nor do they if exchanges that nothing has read stand beside those", () => {
  keepsHeld(1);
});

test("packed entry: small and large exchanges in turn, in a short journal, are never written over", () => {
  const limit = 30;
  const bodies = [250, 60, 60, limit].flatMap((count, at) =>
    new Array<string>(count).fill(["small", "l".repeat(50_000), "small", "l".repeat(62_000)][at]!)
  );
  const entries = bodies.map((body, at) =>
    numberedEntry(at, { request: { ...request, body: `${at} ${body}` } })
  );
  for (let last = entries.length - limit; last <= entries.length; last++) {
    const recorder = createRecorder({ limit });
    for (const entry of entries.slice(0, last)) recorder.write(entry, { endpoint: "token", isLost: false });
    const read = recorder.requests.map((each) => each.raw().request.body);
    assertEquals(read, entries.slice(last - limit, last).map((entry) => entry.request.body));
  }
});

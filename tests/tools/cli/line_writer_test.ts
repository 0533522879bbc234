/** The lines of the log: several in one write, in order, whatever their reader does. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import process from "node:process";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import { createLog, type Log, type LogForm, type StandardStreams } from "../../../src/tools/cli/start/log.ts";
import { createLineWriter } from "../../../src/tools/cli/start/line_writer.ts";
import type { JournalEntry } from "../../../src/mod.ts";
import { entryOf } from "../../kit/mock/journal/journal_entries.ts";
import { test } from "../../runner.ts";

/** The reader of a log in this process. */
interface Reader {
  readonly log: Log;
  /** Everything that was written to both streams, in the order of the writes. */
  readonly writes: { readonly stream: "stdout" | "stderr"; readonly text: string }[];
  /** How many octets the reader takes: then the pipe is full. */
  room: number;
  /** The error of each write. */
  failure?: string | undefined;
  text(): string;
}

function createReader(form: LogForm = "text"): Reader {
  const decoder = new TextDecoder();
  const write: StandardStreams["write"] = (stream, octets) => {
    const code = reader.failure ?? (reader.room === 0 ? "EAGAIN" : undefined);
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    const taken = octets.subarray(0, reader.room);
    reader.room -= taken.length;
    reader.writes.push({ stream, text: decoder.decode(taken, { stream: true }) });
    return taken.length;
  };
  const reader: Reader = {
    log: createLog(form, createColours({ isTTY: false }), { write, unblock() {} }),
    writes: [],
    room: Infinity,
    text: () => reader.writes.map(({ text }) => text).join(""),
  };
  return reader;
}

function createEntry(path: string): JournalEntry {
  return entryOf({ request: { method: "GET", path, query: "", headers: [] } });
}

const event = { level: "info", message: "stopping", text: "the end" } as const;

/** Returns the paths of the lines. */
function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(/GET +(\S+)/g)].map(([, path]) => path!);
}

function pathsTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `/${at}`);
}

test("lines: those of 100 requests are one write, in their order, without waiting for an event", async () => {
  const { log, writes, text } = createReader();
  for (const path of pathsTo(100)) log.writeRequest(createEntry(path));
  assertEquals(writes, []);
  while (writes.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assertEquals(writes.length, 1);
  assertEquals(pathsIn(text()), pathsTo(100));
});

test("lines: more than a thousand do not wait in memory", () => {
  const { log, writes, text } = createReader();
  for (const path of pathsTo(2500)) log.writeRequest(createEntry(path));
  assertEquals([writes.length, pathsIn(text()).length], [2, 2000]);
  log.write(event);
  assertEquals([writes.length, pathsIn(text()).length], [3, 2500]);
});

test("lines: a warning comes after the requests before it, in both forms", () => {
  for (const form of ["text", "json"] as const) {
    const { log, writes, text } = createReader(form);
    log.writeRequest(createEntry("/first"));
    log.write({ level: "warn", message: "the disk is slow" });
    log.writeRequest(createEntry("/second"));
    log.write(event);
    assertMatch(text(), /\/first[^]+the disk is slow[^]+\/second[^]+(the end|stopping)/);
    const streams = form === "text" ? ["stdout", "stderr", "stdout"] : ["stdout", "stdout"];
    assertEquals(writes.map(({ stream }) => stream), streams);
  }
});

test("lines: the time of a line in JSON is that of its request", () => {
  const { log, text } = createReader("json");
  const { now } = Date;
  try {
    Date.now = () => 1000;
    log.writeRequest(createEntry("/"));
    Date.now = () => 2000;
    log.write(event);
  } finally {
    Date.now = now;
  }
  const times = text().trimEnd().split("\n").map((line) => Date.parse(JSON.parse(line).time));
  assertEquals(times, [1000, 2000]);
});

test("lines: a full pipe gets the rest later, and no octet twice", async () => {
  const reader = createReader();
  const { log, writes, text } = reader;
  reader.room = 0;
  for (const path of pathsTo(3)) log.writeRequest(createEntry(`${path}/é✗`));
  log.write(event);
  assertEquals(writes, []);
  while (!text().endsWith("the end\n")) {
    reader.room = 7;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assertEquals(pathsIn(text()), pathsTo(3).map((path) => `${path}/é✗`));
  assertEquals(text().split("\n").length, 5);
});

const missing = /^(?:.*"message":")?(?:postern: )?(\d+) lines are missing here, because /m;

for (const form of ["text", "json"] as const) {
  test(`lines: a reader that reads nothing costs bounded memory, and a line says what it missed (${form})`, async () => {
    const reader = createReader(form);
    const { log, text } = reader;
    reader.room = 0;
    const pushed = 20_000;
    for (const path of pathsTo(pushed)) log.writeRequest(createEntry(`${path}${"/x".repeat(140)}`));
    reader.room = Infinity;
    // Without another request.
    while (!missing.test(text())) await new Promise((resolve) => setTimeout(resolve, 1));
    log.writeRequest(createEntry("/again"));
    log.write(event);
    const lines = text().trimEnd().split("\n");
    const [, lost] = missing.exec(text()) ?? [];
    const at = lines.findIndex((line) => missing.test(line));
    assertEquals(Number(lost) + at, pushed);
    assert(text().length < 5_000_000, `${text().length}`);
    assertEquals(
      pathsIn(lines.slice(0, at).join("\n")).map((path) => path.split("/")[1]),
      pathsTo(at).map((path) => path.slice(1)),
    );
    assertMatch(lines.slice(at + 1).join("\n"), /\/again[^]+(the end|stopping)/);
    if (form === "json") {
      const { level, lost_lines } = JSON.parse(lines[at]!);
      assertEquals([level, lost_lines], ["warn", Number(lost)]);
    }
  });
}

test("lines: a reader that is gone is no error, and one that comes later learns what it missed", () => {
  const reader = createReader();
  const { log, writes, text } = reader;
  reader.failure = "EPIPE";
  log.writeRequest(createEntry("/1"));
  log.writeRequest(createEntry("/2"));
  log.write(event);
  log.writeRequest(createEntry("/3"));
  log.write({ level: "warn", message: "the disk is full" });
  assertEquals(writes, []);
  reader.failure = undefined;
  log.writeRequest(createEntry("/4"));
  log.write(event);
  assertMatch(text(), /^postern: 4 lines are missing here, .+\n.+GET +\/4\nthe end\n$/);
});

test("lines: a log listens to the end of the process only while lines wait", () => {
  const events = ["exit", "uncaughtExceptionMonitor"];
  const count = () => events.map((event) => process.listenerCount(event));
  const before = count();
  const { log } = createReader();
  for (const more of [1, 0, 1, 0]) {
    if (more === 1) log.writeRequest(createEntry("/"));
    else log.write(event);
    assertEquals(count(), before.map((each) => each + more));
  }
});

test("lines: a line that cannot be put together does not end the server", () => {
  const { log, text } = createReader();
  const fault = Object.create(null);
  log.writeRequest({ ...createEntry("/1"), response: { status: 500, headers: [] }, facts: { fault } });
  log.writeRequest(createEntry("/2"));
  log.write(event);
  assertEquals(pathsIn(text()), ["/2"]);
});

test("lines: in the form for people, an event without a text has no line", () => {
  const { log, writes } = createReader();
  log.write({ level: "info", message: "stopped" });
  assertEquals(writes, []);
});

test("lines: the output is prepared once, before the first line waits", () => {
  const steps: string[] = [];
  const writer = createLineWriter({
    write: (octets) => (steps.push("written"), octets.length),
    describeLoss: () => "lost",
    begin: () => void steps.push("prepared"),
  });
  for (const line of ["a", "b"]) {
    writer.push(() => line);
    writer.flush();
  }
  assertEquals(steps, ["prepared", "written", "written"]);
});

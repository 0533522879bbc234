/** Exceptions of a card: the days on which each one holds. */

import { assertEquals } from "@std/assert";
import { readExceptions } from "../../../src/kit/examine/card/exceptions.ts";
import type { KeptCard, KeptRow } from "../../../src/kit/examine/card/kept_card.ts";
import { createReport, summarise } from "../../../src/kit/examine/card/report.ts";
import { describeMisbehaviour } from "../../../src/kit/faults/choose.ts";
import { test } from "../../runner.ts";

/** Reads an exception at a time of the wall clock. */
function readAt(now: string, until: string): ReturnType<typeof readExceptions> {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(value: number | string | Date = now) {
      super(value);
    }
  } as DateConstructor;
  try {
    return readExceptions([{ row: "id_token.missing", reason: "A ticket is open.", who: "alice", until }]);
  } finally {
    globalThis.Date = RealDate;
  }
}

const times: readonly (readonly [now: string, until: string, holds: boolean])[] = [
  ["2027-03-30T12:00:00.000Z", "2027-03-31", true],
  ["2027-03-31T00:00:00.000Z", "2027-03-31", true],
  ["2027-03-31T23:59:59.999Z", "2027-03-31", true],
  ["2027-04-01T00:00:00.000Z", "2027-03-31", false],
  ["2027-12-31T23:59:59.999Z", "2027-12-31", true],
  ["2028-01-01T00:00:00.000Z", "2027-12-31", false],
  ["2028-02-29T23:59:59.999Z", "2028-02-29", true],
  // Days elsewhere begin earlier and end later.
  ["2027-03-31T23:59:59.999-01:00", "2027-03-31", false],
  ["2027-04-01T00:00:00.000+01:00", "2027-03-31", true],
];

for (const [now, until, holds] of times) {
  test(`exceptions: one until ${until} ${holds ? "holds" : "has expired"} at ${now}`, () => {
    const { find, hasExpired, listNotes } = readAt(now, until);
    assertEquals(find("id_token.missing")?.who, holds ? "alice" : undefined);
    assertEquals(hasExpired("id_token.missing"), !holds);
    assertEquals(
      listNotes([{ name: "id_token.missing", needsNone: false }]),
      holds ? [] : [`The exception for id_token.missing (alice) expired after ${until}: A ticket is open.`],
    );
  });
}

for (const outcome of ["noticed", "fooled"] as const) {
  test(`exceptions: for a row with advice that was ${outcome} in the earlier card`, () => {
    const before: KeptRow = {
      ...describeMisbehaviour("id_token.sub_long"),
      outcome,
      because: "",
      requests: [],
    };
    const baseline: KeptCard = { version: 2, phases: ["login"], rows: [before] };
    const card: KeptCard = { ...baseline, rows: [{ ...before, outcome: "fooled" }] };
    const exceptions = [{
      row: before.name,
      reason: "It is mended soon.",
      who: "alice",
      until: "2999-12-31",
    }];
    const { rows, notes } = createReport(card, { baseline, exceptions });
    const failing = createReport(card, { baseline }).rows.map(({ isFailure }) => isFailure);
    // Its end would fail the run, or not.
    assertEquals(failing, [outcome === "noticed"]);
    assertEquals(rows.map(({ isFailure }) => isFailure), [false]);
    assertEquals(
      notes,
      outcome === "noticed" ? [] : [
        "The exception for id_token.sub_long (alice) is not needed any more: delete it.",
      ],
    );
  });
}

for (const outcome of ["noticed", "fooled"] as const) {
  test(`exceptions: a row that failed is excepted, also if it was ${outcome} in the earlier card`, () => {
    const before: KeptRow = {
      ...describeMisbehaviour("id_token.missing"),
      outcome,
      because: "",
      requests: [],
    };
    const baseline: KeptCard = { version: 2, phases: ["login"], rows: [before] };
    const card: KeptCard = { ...baseline, rows: [{ ...before, outcome: "fooled" }] };
    const exception = { row: before.name, reason: "It is mended soon.", who: "alice", until: "2999-12-31" };
    const [row] = createReport(card, { baseline, exceptions: [exception] }).rows;
    assertEquals([row!.grade, row!.isFailure, row!.exception], ["excepted", false, exception]);
  });
}

test("exceptions: a row that applies no more is worse than one that passed, and counts as excepted until then", () => {
  const before: KeptRow = {
    ...describeMisbehaviour("id_token.missing"),
    outcome: "noticed",
    because: "",
    requests: [],
  };
  const baseline: KeptCard = { version: 2, phases: ["login"], rows: [before] };
  const card: KeptCard = { ...baseline, rows: [{ ...before, outcome: "not_applicable" }] };
  const exceptions = [{ row: before.name, reason: "It is mended soon.", who: "alice", until: "2999-12-31" }];
  const ends = [[], exceptions].map((each) => summarise(createReport(card, { baseline, exceptions: each })));
  assertEquals(ends, [
    "1 of 1 is worse than in the earlier card. 1 not judged, 0 passed.",
    "Nothing is worse than in the earlier card. 0 passed, 1 excepted.",
  ]);
});

/** Exceptions of a card: the days on which each one holds. */

import { assertEquals } from "@std/assert";
import { readExceptions } from "../../../src/kit/examine/card/exceptions.ts";
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

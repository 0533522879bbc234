/** The form of a snapshot's file has each kind of record. A kind without a form could not be restored. */

import { assertEquals } from "@std/assert";
import { describeRecords } from "../../src/tools/cli/start/snapshot_records.ts";
import { test } from "../runner.ts";
import { readSources } from "./sources.ts";

test("snapshot kinds: the form of a file has each kind of record that the server writes", () => {
  const declared = readSources("src/server").flatMap(({ text }) =>
    [...text.matchAll(/: Kind<[\s\S]{1,200}?> = \{\s*name: "([^"]+)"/g)].map(([, kind]) => kind!)
  );
  const { items } = describeRecords({ clientMembers: new Map() });
  const described = items!.anyOf!.map(({ properties }) => properties!["kind"]!.const as string);
  // The suite that stores must pass has a kind of its own.
  assertEquals([...new Set(declared)].filter((kind) => kind !== "note").sort(), described.sort());
});

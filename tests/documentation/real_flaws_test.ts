/** The list of published flaws: each has the rows that catch it or a reason, and each advisory that a row names is in it. */

import { assertEquals } from "@std/assert";
import { findRows, isAdvisory, rowsByBug } from "../../scripts/reference/real_flaws.ts";
import { flaws } from "../../scripts/reference/flaws.ts";
import { test } from "../runner.ts";

const ids = flaws.flatMap((flaw) => flaw.ids);

test("flaws: each advisory that a misbehaviour names is in the list", () => {
  assertEquals([...rowsByBug.keys()].filter((bug) => isAdvisory(bug) && !ids.includes(bug)), []);
});

test("flaws: each flaw has either rows that name it, or the reason why no row does", () => {
  const wrong = flaws.filter((flaw) => (findRows(flaw).length > 0) === (flaw.lacks !== undefined));
  assertEquals(wrong.map((flaw) => flaw.ids), []);
});

test("flaws: each is in the list once, and is a CVE, an advisory or an issue with an address", () => {
  assertEquals(ids.filter((id, index) => ids.indexOf(id) !== index), []);
  const unknown = flaws.filter(({ ids, address }) =>
    address === undefined && !ids.every((id) => /^(CVE-\d{4}-\d{4,}|GHSA(-[0-9a-z]{4}){3})$/.test(id))
  );
  assertEquals(unknown.map((flaw) => flaw.ids), []);
});

test("flaws: an examined one has rows that name it", () => {
  const wrong = flaws.filter((flaw) => flaw.tried !== undefined && findRows(flaw).length === 0);
  assertEquals(wrong.map((flaw) => flaw.ids), []);
});

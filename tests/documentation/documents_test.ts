/** All documents: their links lead somewhere, and files, tasks and words that they name exist. */

import { assert, assertEquals } from "@std/assert";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { writeAsPublished } from "../../scripts/published.ts";
import { test } from "../runner.ts";
import { findPages } from "./blocks.ts";
import { findAnchors, findBrokenLinks, findLinks } from "./links.ts";

test("documents: a page is found by the names in its code, and by no word between two of them", () => {
  const pages = JSON.parse(readFileSync("static/pages.json", "utf8")) as { file: string; names: string }[];
  const named = (name: string) =>
    pages.filter(({ names }) => names.split(" ").includes(name)).map(({ file }) => file);
  assertEquals(named("as.route").includes("docs/test_an_api.md"), true);
  assertEquals(["again.", "all.", "answer."].flatMap(named), []);
});

for (const document of [...findPages(), "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]) {
  const text = readFileSync(document, "utf8");

  test(`documents: the links of ${document} lead to files and headings`, () => {
    assertEquals(findBrokenLinks(document, text), []);
  });

  test(`documents: the files that ${document} names exist`, () => {
    const quoted = [
      ...text.matchAll(/`((?:src|tests|scripts|static|docs|\.ci)\/[\w./]*|[A-Z]+\.md)`/g),
    ];
    const paths = quoted.map(([, path = ""]) => path).filter((path) => !/NAME/.test(path));
    assertEquals(paths.filter((path) => !existsSync(path)), []);
  });

  test(`documents: the tasks that ${document} names exist`, () => {
    const { tasks } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly tasks: object };
    const named = [...text.matchAll(/\bdeno task ([a-z][a-z:-]*)/g)].map(([, name = ""]) => name);
    assertEquals(named.filter((name) => !(name in tasks)), []);
  });

  test(`documents: ${document} writes a command as deno task NAME or npx postern NAME`, () => {
    // Of the commands with names that are also words, only those in code are found.
    const others = [...text.matchAll(/(?:^|`|\$ |- run: )postern (?:--)?[a-z][\w-]*/gm)].map(([found]) =>
      found
    );
    assertEquals(others, []);
  });
}

test("documents: a link to a missing file, heading or line is found", () => {
  const gone = ["gone.md", "#gone", "docs/README.md#gone", "LICENSE#L9999"];
  const right = ["CONTRIBUTING.md", "#here", "LICENSE#L1"];
  const text = [...gone, ...right].map((target) => `[link](${target})`).join(", ");
  assertEquals(findBrokenLinks("README.md", `${text} <a id="here"></a>`), gone);
});

test("documents: the index of docs/ links to every page, and that of docs/decisions/ to every decision", () => {
  const linked = ["docs/all_pages.md", "docs/decisions/README.md"].flatMap((index) =>
    findLinks(readFileSync(index, "utf8")).map((target) =>
      posix.join(posix.dirname(index), target.split("#")[0]!)
    )
  );
  const pages = findPages().filter((page) => !["README.md", "docs/all_pages.md"].includes(page));
  assertEquals(pages.filter((page) => !linked.includes(page)), []);
});

test("documents: decisions are numbered from 1, have a day, are listed with it, and have at most 40 lines", () => {
  const names = readdirSync("docs/decisions").filter((name) => name !== "README.md").sort();
  const index = readFileSync("docs/decisions/README.md", "utf8");
  assertEquals(names.map((name) => Number(name.slice(0, 4))), names.map((_, at) => at + 1));
  for (const name of names) {
    const lines = readFileSync(`docs/decisions/${name}`, "utf8").trimEnd().split("\n");
    const [, day] = /^(?:Decided|Begun) on (\d{4}-\d\d-\d\d)\./.exec(lines[2]!) ?? [];
    const row = index.split("\n").find((line) => line.includes(`[${lines[0]!.slice("# ".length)}](${name})`));
    assert(day !== undefined && row?.startsWith(`| ${day} |`), `${name}: ${lines[2]}`);
    assert(lines.length <= 40, `${name}: ${lines.length} lines`);
  }
});

test("documents: docs/write_a_driver.md links to the driver of each card", () => {
  const page = readFileSync("docs/write_a_driver.md", "utf8");
  const others = [
    ...["all", "apis", "apis_beyond", "browser", "clients_beyond", "examine_library", "examined", "run"],
  ];
  const functions = readdirSync("tests/kit/examined").filter((name) =>
    name.endsWith(".ts") && !others.includes(name.slice(0, -".ts".length))
  );
  const programs = readdirSync("tests/kit/examined/beyond").map((name) => `beyond/${name}`);
  const drivers = [...functions, ...programs];
  assertEquals(drivers.filter((name) => !page.includes(`(../tests/kit/examined/${name})`)), []);
});

test("documents: a large reference page begins with links to each section and each name", () => {
  for (const name of ["refusals", "misbehaviours", "configuration", "control_plane", "test_kit"]) {
    const text = readFileSync(`docs/reference/${name}.md`, "utf8");
    const [beginning = "", page = ""] = text.split("\n</details>\n");
    const links = new Set(findLinks(beginning));
    const anchors = [...findAnchors(text)].slice(1);
    assertEquals(anchors.filter((anchor) => !links.has(`#${anchor}`)), []);
    const rows = page.split("\n").filter((line) => /^\| `/.test(line) && /^(refus|misb)/.test(name));
    const missing = rows.filter((row) => !beginning.includes(`${/^\| `([^`]+)`/.exec(row)![1]}\``));
    assertEquals([missing, rows.length > 300], [[], /^(refus|misb)/.test(name)]);
  }
});

test("documents: llms.txt links to each page of docs/, and both files for agents to pages that exist", () => {
  const [index = "", full = ""] = ["llms.txt", "llms-full.txt"].map((name) => readFileSync(name, "utf8"));
  const pages = findPages().filter((page) =>
    !/^(docs\/(README|all_pages|releasing|decisions\/)|README)/.test(page)
  );
  assertEquals(pages.filter((page) => !findLinks(index).includes(page)), []);
  assertEquals(
    findLinks(index + full).filter((link) => !/^[a-z]+:|^#/.test(link) && !existsSync(link.split("#")[0]!)),
    [],
  );
  assert(full.includes("# Test a login\n") && full.split(/\s+/).length <= 40_000);
});

test("documents: an entry of the changelog has at most 300 characters, and a version at most 40 entries", () => {
  const [, ...versions] = writeAsPublished(readFileSync("CHANGELOG.md", "utf8")).split(/^## /m);
  assert(versions.length > 0);
  for (const version of versions) {
    const [title = ""] = version.split("\n");
    const [, ...entries] = version.split(/^- /m).map((entry) =>
      entry.split(/\n\n/)[0]!.replace(/\s+/g, " ").trim()
    );
    assert(entries.length > 0 && entries.length <= 40, `${title}: ${entries.length} entries`);
    assertEquals(entries.filter((entry) => entry.length > 300), []);
  }
});

test("documents: the glossary has at most thirty words, each of which the code uses", () => {
  const [, glossary = ""] = readFileSync("CONTRIBUTING.md", "utf8").split("\n## Glossary\n");
  const words = [...glossary.matchAll(/^\| ([a-z -]+?) +\|/gm)].map(([, word = ""]) => word).slice(2);
  const code = [...findSources("src")].map((path) => readFileSync(path, "utf8")).join("\n").toLowerCase();
  assert(words.length > 0 && words.length <= 30, `${words.length} words`);
  // a name in the code has no spaces: clientSource, ClientSource
  assertEquals(words.filter((word) => !code.includes(word) && !code.includes(word.replaceAll(" ", ""))), []);
});

function* findSources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* findSources(`${folder}/${entry.name}`);
    else yield `${folder}/${entry.name}`;
  }
}

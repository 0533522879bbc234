/** Comments name only files that exist. */
import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import type { Source } from "./rules.ts";
import { listFiles, readSources } from "./sources.ts";

// A configuration file of a user, as an example.
const examples: ReadonlySet<string> = new Set(["postern.json"]);

const comment = /^\s*(?:\/\/|\/?\*).*|[\s;,{}]\/\/ .*/gm;
// A name after another character of a path is the end of an address or of an import.
const fileName = /(?<![\w./:-])(?:[a-z0-9_]+\/)*[a-z0-9_]+\.(?:tsx?|js|json|md|css)\b/g;

/** Returns the names of files in comments that are the end of no path: `src/ground/http/cors.ts: http/none.ts`. */
function findMissing({ path, text }: Source, files: readonly string[]): readonly string[] {
  const comments = (text.match(comment) ?? []).join("\n");
  const missing = (comments.match(fileName) ?? []).filter((name) =>
    !examples.has(name) && !files.some((each) => each === name || each.endsWith(`/${name}`))
  );
  return missing.map((name) => `${path}: ${name}`);
}

test("architecture: each file that a comment of src/ names exists", () => {
  const files = listFiles("src", "static", "docs", "scripts", "tests");
  assertEquals(readSources("src").flatMap((source) => findMissing(source, files)), []);
});

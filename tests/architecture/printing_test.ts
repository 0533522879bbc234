/** Which files of the command line print, because only what they print is shown without commands for terminals. */

import { assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { readSources } from "./sources.ts";

const printing: Readonly<Record<string, string>> = {
  "src/tools/cli/examine/github.ts": "prints annotations, which are commands",
  "src/tools/cli/terminal/print_text.ts": "shows the texts of others",
};

test("printing: only listed files of the command line use the console", () => {
  const found = readSources("src/tools/cli").filter(({ path, text }) =>
    path.endsWith(".ts") && /\bconsole\s*\./.test(text)
  );
  assertEquals(found.map(({ path }) => path).sort(), Object.keys(printing));
});

/** How `start --open` opens the page on each system. */

import { assertEquals, assertFalse } from "@std/assert";
import { findOpener } from "../../../src/tools/cli/start/open_browser.ts";
import { test } from "../../runner.ts";

test("start --open: no system gives the address of the page to a shell", () => {
  const url = "http://localhost:9000/a;$(id)&calc&'%20/inspector#key=a";
  for (const platform of ["linux", "darwin", "win32", "freebsd"]) {
    const [name, ...args] = findOpener(url, platform);
    assertFalse(/cmd|powershell|pwsh|\bsh$/i.test([name, ...args.slice(0, -1)].join(" ")), name);
    assertEquals(args.at(-1), url);
  }
});

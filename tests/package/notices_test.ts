/** The licences of the packages in a bundle. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { readNotices } from "../../scripts/notices.ts";
import { inFolder } from "../in_folder.ts";
import { test } from "../runner.ts";

test("notices: each package in a bundle has its licence, once, and our own modules have none", () =>
  inFolder(async (path) => {
    const modules = path("node_modules/.deno/@scope+one@1.0.0/node_modules");
    await mkdir(`${modules}/@scope/one/dist`, { recursive: true });
    await mkdir(path("node_modules/two"), { recursive: true });
    await writeFile(`${modules}/@scope/one/LICENCE.md`, "Copyright of one\n");
    await writeFile(path("node_modules/two/package.json"), `{ "license": "ISC" }`);
    const notices = await readNotices([
      "src/mod.ts",
      `${modules}/@scope/one/dist/a.js`,
      `${modules}/@scope/one/dist/b.js`,
      path("node_modules/two/index.js"),
    ]);
    assertEquals(
      notices,
      "This has code of @scope/one, two.\n\n@scope/one\n\nCopyright of one\n\n" +
        "two\n\nIts package has no file with its licence, and names it: ISC\n",
    );
  }));

test("notices: the page of a server comes from packages that have their licences", async () => {
  const paths = ["preact", "preact-render-to-string"].map((name) => `node_modules/${name}/dist/index.js`);
  assertStringIncludes(await readNotices(paths), "Copyright (c) 2015-present Jason Miller");
});

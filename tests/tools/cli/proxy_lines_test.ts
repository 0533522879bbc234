/** `postern start --like --proxy`: the printed lines work in a shell as they are. */

import { assert, assertStringIncludes } from "@std/assert";
import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { findFreePort } from "../../free_port.ts";
import { withHome } from "../../portable/tools/cli/tls/world.ts";
import { test } from "../../runner.ts";
import { createProgram, withServer } from "./command.ts";

const run = promisify(execFile);

const javaTest =
  "start --proxy: the lines for Java make a truststore of the system's authorities and ours, without JAVA_HOME";

const hasJava = await run("sh", ["-c", "java -version && keytool -help"]).then(() => true, () => false);

if (!hasJava) test.skip(javaTest, "there is no JDK");
else {
  test(javaTest, async () => {
    await withHome(async ({ env }) => {
      const flags = ["--like", "github", "--proxy", `${await findFreePort()}`];
      await withServer(flags, async ({ printed }) => {
        const [makeStore] = await printed(/^cp .+$/m);
        const [, store] = await printed(/^java .*-Djavax\.net\.ssl\.trustStore=(.+?) -D.* …$/m);
        const list = `keytool -list -storepass changeit -keystore ${store}`;
        // Java reads the names of files in the encoding of the locale.
        const inUtf8 = { env: { ...process.env, LC_ALL: "C.UTF-8" } };
        const { stdout } = await run("sh", ["-ec", `unset JAVA_HOME\n${makeStore}\n${list}`], inUtf8);
        assertStringIncludes(stdout, "\npostern, ");
        const [, count] = /contains (\d+) entries/.exec(stdout) ?? [];
        assert(Number(count) > 1, stdout);
      }, createProgram(["start", ...flags], env));
    });
  });
}

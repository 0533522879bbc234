/** Runs a program of Node through the proxy, with a file of the page about look-alikes. */

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import { readPage } from "../../../documentation/blocks.ts";
import { findFreePort } from "../../../free_port.ts";
import { withHome } from "../../../portable/tools/cli/tls/world.ts";
import { createProgram, withServer } from "../command.ts";

interface Run {
  readonly path: (name: string) => string;
  readonly node: string;
  readonly program: string;
}

/** Returns what the program prints. Node loads the file of the page first. */
export async function runWith(file: string, { path, node, program }: Run): Promise<string> {
  const { text } = readPage("docs/look_like_a_provider.md").find(({ name }) => name === file)!;
  writeFileSync(path(file), text);
  let printed = "";
  await withHome(async ({ env }) => {
    const port = await findFreePort();
    const flags = ["--like", "github", "--proxy", `${port}`];
    await withServer(flags, async (server) => {
      const [, , bundle = ""] = await server.printed(/PROXY_CA=(['"]?)(.+?bundle\.pem)\1$/m);
      const { stdout } = await promisify(execFile)(node, ["--input-type=module", "--eval", program], {
        env: {
          ...process.env,
          HTTPS_PROXY: `http://localhost:${port}`,
          NODE_USE_ENV_PROXY: "1",
          NODE_EXTRA_CA_CERTS: bundle,
          NODE_OPTIONS: `--import=file://${encodeURI(path(file))}`,
        },
      });
      printed = stdout;
    }, createProgram(["start", ...flags], env));
  });
  return printed;
}

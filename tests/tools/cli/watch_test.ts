/** `--watch`: a changed file that needs a restart, because the server stays where it is. */

import { assertEquals } from "@std/assert";
import { rename, writeFile } from "node:fs/promises";
import { createColours } from "../../../src/tools/cli/terminal/colours.ts";
import type { LogEvent } from "../../../src/tools/cli/start/log.ts";
import { readPlan } from "../../../src/tools/cli/start/plan.ts";
import type { StartFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { watchConfiguration } from "../../../src/tools/cli/start/watch_configuration.ts";
import type { Configuration } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { createFolder } from "../../in_folder.ts";

const tls = { "tls-cert": "tests/certificates/localhost.crt", "tls-key": "tests/certificates/localhost.key" };

interface Watched {
  /** Changes the file, and resolves to what the server says about it. The watch ends with the last change. */
  change(configuration: Configuration, isLast?: "last"): Promise<LogEvent>;
  readonly applied: readonly Configuration[];
}

async function withWatched(
  first: Configuration,
  flags: StartFlags,
  work: (watched: Watched) => Promise<void>,
): Promise<void> {
  await using path = await createFolder();
  const config = path("postern.json");
  const save = async (configuration: Configuration) => {
    await writeFile(path("new"), JSON.stringify(configuration));
    await rename(path("new"), config);
  };
  await save(first);
  const all = { ...tls, ...flags, config };
  const applied: Configuration[] = [];
  let tell: (event: LogEvent) => void = () => {};
  const stop = watchConfiguration(config, {
    flags: all,
    plan: await readPlan(all),
    apply: (configuration) => void applied.push(configuration),
    colours: createColours({ isTTY: false }),
    write: (event) => tell(event),
  });
  await work({
    applied,
    async change(configuration, isLast) {
      const told = new Promise<LogEvent>((resolve) => {
        tell = (event) => {
          if (isLast === "last") stop();
          resolve(event);
        };
      });
      await save(configuration);
      return await told;
    },
  });
}

test("watch: a file with another address of the server is not applied at all", () => {
  const clients = [{ client_id: "app", redirect_uris: ["http://localhost:3000/callback"] }];
  const right = { clients, mtls: { port: 9443 } };
  return withWatched(right, { "trust-proxy": "127.0.0.1" }, async ({ change, applied }) => {
    const wrong: readonly (readonly [changes: Configuration, complaint: string])[] = [
      [
        { issuer: "https://localhost:9999" },
        "the issuer changed from https://localhost:9000 to https://localhost:9999",
      ],
      [
        { also: ["https://127.0.0.1:9"] },
        "the other names changed from none to https://127.0.0.1:9",
      ],
      [
        { mtls: { port: 1 } },
        "the port for certificates changed from 9443 to 1",
      ],
      [
        { clientCertHeader: "Client-Cert" },
        "the header with the certificate changed from none to Client-Cert",
      ],
    ];
    for (const [changes, complaint] of wrong) {
      const { level, message } = await change({ ...right, ...changes, people: [] });
      assertEquals([level, message], [
        "error",
        `postern.json has changed, but is not applied. postern.json: ${complaint}: restart to apply that`,
      ]);
    }
    const { level, message } = await change({ ...right, people: [{ username: "alice" }] }, "last");
    assertEquals([level, message, applied.length], [
      "info",
      "postern.json has changed, and is applied: 1 client, 1 person",
      1,
    ]);
  });
});

test("watch: ports that were chosen at the start stay", () =>
  withWatched({}, { port: "0", "mtls-port": "0" }, async ({ change }) => {
    assertEquals((await change({ people: [{ username: "alice" }] }, "last")).level, "info");
  }));

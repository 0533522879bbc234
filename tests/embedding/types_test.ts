/** The declarations of the package, by the compilers of those who install it: uses compile, misuses do not. */

import {
  compile,
  inProject,
  type Platform,
  type Resolution,
  root,
  runtimes,
  runToEnd,
  test,
} from "../package/project.ts";

const sources = `${root}tests/embedding/types`;

/** What holds on every platform. */
const everywhere = ["uses.mts", "misuses.mts", "server_uses.mts"];

// Text, because `deno check` of this repository does not know Bun.
const onBun = `import { test } from "bun:test";
import { createServer } from "postern";
import { createMock } from "postern/mock";
import { prove } from "./server_uses.mts";
prove(test);
Bun.serve({ fetch: createServer().fetch });
(await createMock()).fetch.preconnect("https://as.test");
`;

interface Consumer {
  readonly platform: Platform;
  readonly resolution: Resolution;
  readonly packages?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** What only this platform has. */
  readonly own?: readonly string[];
}

const consumers: readonly Consumer[] = [
  { platform: "dom", resolution: "nodenext" },
  { platform: "dom", resolution: "bundler" },
  { platform: "node", resolution: "nodenext", packages: ["@types/node"], own: ["node.mts"] },
  { platform: "node", resolution: "bundler", packages: ["@types/node"], own: ["node.mts"] },
  {
    platform: "bun",
    resolution: "bundler",
    packages: ["bun-types", "@types/node"],
    files: { "bun.mts": onBun },
    own: ["bun.mts"],
  },
];

for (const { platform, resolution, packages = [], files = {}, own = [] } of consumers) {
  test(`types: uses compile and misuses do not, by the types of ${platform} and ${resolution}`, async () => {
    await inProject({ sources, files, packages }, async (project) => {
      await compile(project, [...everywhere, ...own], resolution, platform);
    });
  });
}

test("types: uses compile and misuses do not, by deno check", async () => {
  await inProject({ sources }, async ({ folder }) => {
    await runToEnd([...everywhere, "deno.mts"], { command: [runtimes.deno.path, "check"], cwd: folder });
  });
});

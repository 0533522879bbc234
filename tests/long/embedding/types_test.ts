/** The package's declarations in projects of each kind: correct uses compile, misuses do not. */

import {
  compile,
  inProject,
  type Platform,
  type Resolution,
  root,
  runtimes,
  runToEnd,
} from "../../package/project.ts";
import { test } from "../../runner.ts";

const sources = `${root}tests/long/embedding/types`;

/** Checked on every platform. */
const everywhere = ["uses.mts", "misuses.mts", "server_uses.mts", "clients.mts"];

// a string, because `deno check` of this repository does not know Bun's types
const onBun = `import { test } from "bun:test";
import { createServer } from "postern";
import { createMock } from "postern/mock";
import { prove } from "./server_uses.mts";
prove(test);
Bun.serve({ fetch: createServer().fetch });
(await createMock()).fetch.preconnect("https://as.test");
`;

// a string, because not each consumer has undici
const withUndici = `import { fetch, request, setGlobalDispatcher } from "undici";
import { createMock } from "postern/mock";
const as = await createMock();
await request(as.issuer, { dispatcher: as.dispatcher });
await globalThis.fetch(as.issuer, { dispatcher: as.dispatcher });
await fetch(as.issuer, { dispatcher: as.dispatcher });
setGlobalDispatcher(as.dispatcher);
`;

interface Consumer {
  readonly platform: Platform;
  readonly resolution: Resolution;
  readonly packages: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

const onNode = { platform: "node", packages: ["@types/node"] } as const;

const consumers: Readonly<Record<string, Consumer>> = {
  "a browser, nodenext": { platform: "dom", resolution: "nodenext", packages: [] },
  "a browser, bundler": { platform: "dom", resolution: "bundler", packages: [] },
  "a browser and Node, bundler": { ...onNode, platform: "dom and node", resolution: "bundler" },
  "a browser, nodenext, with an older target": { platform: "ES2022", resolution: "nodenext", packages: [] },
  "Node, nodenext": { ...onNode, resolution: "nodenext" },
  "Node, bundler, with undici": {
    ...onNode,
    resolution: "bundler",
    packages: [...onNode.packages, "undici"],
    files: { "dispatcher.mts": withUndici },
  },
  "Node 20, nodenext": { ...onNode, resolution: "nodenext", packages: ["types-node-20"] },
  "Bun, bundler": {
    platform: "bun",
    resolution: "bundler",
    packages: ["bun-types", "@types/node"],
    files: { "bun.mts": onBun },
  },
};

for (const [name, { platform, resolution, packages, files = {} }] of Object.entries(consumers)) {
  test(`types: correct uses compile and misuses do not, with the types of ${name}`, async () => {
    await inProject(
      { sources, files, packages: [...packages, "hono", "openid-client", "oauth4webapi"] },
      async (project) => {
        const onNode = platform === "node" ? ["node.mts"] : [];
        await compile(project, [...everywhere, ...onNode, ...Object.keys(files)], { resolution, platform });
      },
    );
  });
}

test("types: correct uses compile and misuses do not, with deno check", async () => {
  await inProject(
    { sources, packages: ["hono", "openid-client", "oauth4webapi", "@types/node"] },
    async ({ folder }) => {
      const command = [runtimes.deno.path, "check"] as const;
      await runToEnd([...everywhere, "deno.mts"], { command, cwd: folder });
    },
  );
});

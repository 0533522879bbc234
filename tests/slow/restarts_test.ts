/** Two servers over one store are restarted in turn, 20 times on each runtime: no login and no token is lost. */

import { assertEquals } from "@std/assert";
import { createProgram } from "../cli/command.ts";
import { inProject, runtimes } from "../package/project.ts";
import { restartInTurn } from "../races/restarts.ts";
import { type SharedStore, sharedStores } from "../servers/shared_stores.ts";

const restarts = 20;

async function requireNoFailure(store: SharedStore, create: typeof createProgram): Promise<void> {
  const { url, discard } = await store.open();
  try {
    const { flows, failures } = await restartInTurn({ url, restarts, create });
    console.log(`${store.name}: ${restarts} restarts, ${flows} flows, ${failures.length} failures`);
    assertEquals(failures, []);
  } finally {
    await discard();
  }
}

for (const store of sharedStores) {
  store.test(`restarts: ${restarts} of servers over ${store.name}, on Deno: no flow fails`, () =>
    requireNoFailure(store, createProgram));

  for (const wanted of [runtimes.currentNode, runtimes.bun]) {
    store.test(`restarts: ${restarts} of servers over ${store.name}, on ${wanted.name}: no flow fails`, async () => {
      const { path } = await runtimes.obtainRuntime(wanted);
      await inProject(
        { packages: ["postgres", "ioredis"] },
        (project) =>
          requireNoFailure(store, (_args, env = {}) => ({
            command: [path, project.path("node_modules/postern/cli.js")],
            env,
          })),
      );
    });
  }
}

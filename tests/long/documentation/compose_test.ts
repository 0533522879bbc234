/** docs/compose.md: its Compose file is complete, and its commands work when they are run by hand. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { parse } from "yaml";
import { image, published, writeAsPublished } from "../../../scripts/published.ts";
import { isStoreName } from "../../../src/server/store/open_store.ts";
import { readStartFlags } from "../../../src/tools/cli/start/start_flags.ts";
import { libraries } from "../../../src/ground/values/library.ts";
import { type Running, start } from "../../tools/cli/command.ts";
import { createVisitor } from "../../portable/server/clients/visitor.ts";
import { findFreePort } from "../../free_port.ts";
import { inProject, type Project, runtimes, runToEnd } from "../../package/project.ts";
import { test } from "../../runner.ts";
import { sharedStores } from "../../servers/shared_stores.ts";
import { readPage } from "../../documentation/blocks.ts";

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const files = new Map(readPage("docs/compose.md").map(({ name, text }) => [name, text]));
const compose = parse(files.get("compose.yaml")!) as ComposeFile;
const onRedis = parse(files.get("redis.yaml")!) as ComposeFile;
const { version } = JSON.parse(readFileSync("deno.json", "utf8")) as { readonly version: string };
const serverNames = ["postern-1", "postern-2"];
const servers = serverNames.map((name) => compose.services[name]!);

test("compose: the image has this version, and comes from this checkout until the first release", () => {
  const [own, released] = [`postern:${version}`, `${image}:${version}`];
  for (const each of servers) assertEquals(each.image, published ? released : own);
  const command = `--build-arg VERSION=${version} --tag ${own} dist/image\n`;
  for (const page of ["docs/compose.md", "docs/operations.md"]) {
    const now = readFileSync(page, "utf8");
    const then = writeAsPublished(now);
    assertEquals([now.includes(command), then.includes(command)], [!published, false], page);
    assert(then.includes(` ${released}`), page);
  }
});

test("compose: the servers share a store, its password is in no command, and their flags are right", () => {
  for (const { command, environment, stop_grace_period } of servers) {
    const [name, ...flags] = command!;
    assertEquals(name, "start");
    const { store, drain } = readStartFlags(flags);
    assertEquals([store, drain], [undefined, "3"]);
    assertEquals(environment, servers[0]!.environment);
    assert(isStoreName(environment!["POSTERN_STORE"]!));
    assertMatch(environment!["POSTERN_STORE"]!, /:\$\{DATABASE_PASSWORD:\?/);
    assert(parseInt(stop_grace_period!) > 20 + 3);
  }
  for (const name of serverNames) assert(isStoreName(onRedis.services[name]!.environment!["POSTERN_STORE"]!));
  const commands = [compose, onRedis].flatMap(({ services }) =>
    Object.values(services).flatMap((
      { command = [], healthcheck },
    ) => [...command, ...healthcheck?.test ?? []])
  );
  assertEquals(commands.filter((word) => /password|:\/\/[^/]*@/i.test(word)), []);
});

test("compose: each service waits until the services that it needs are healthy", () => {
  for (const { healthcheck } of servers) {
    assertEquals(healthcheck!.test, ["CMD", "postern", "health", "--ready"]);
  }
  const needs = Object.values(compose.services).flatMap(({ depends_on = {} }) => Object.entries(depends_on));
  assertEquals(new Set(needs.map(([name]) => name)), new Set(["db", "balancer", ...serverNames]));
  for (const [name, { condition }] of needs) {
    assertEquals(condition, "service_healthy");
    assert(compose.services[name]!.healthcheck !== undefined, name);
  }
});

test("compose: the page has each file that a service mounts, and the balancer knows the servers", () => {
  for (const { services, volumes } of [compose, onRedis]) {
    for (
      const [source = ""] of Object.values(services).flatMap((each) => each.volumes ?? []).map(splitOnce)
    ) {
      assert(source.startsWith("./") ? files.has(source.slice(2)) : source in volumes, source);
    }
  }
  const known = [...files.get("haproxy.cfg")!.matchAll(/^ {2}server (\S+) (\S+)$/gm)];
  assertEquals(known.map(([, , address]) => address), serverNames.map((name) => `${name}:9000`));
});

const splitOnce = (text: string) => text.split(":", 1);

for (const store of sharedStores.filter(({ name }) => name !== "SQLite")) {
  store.test(
    `compose: by hand on ${store.name}, people sign in and refresh while each server restarts`,
    async () => {
      const { url, discard } = await store.open();
      try {
        await inProject({ packages: ["openid-client", ...Object.keys(libraries)] }, async (project) => {
          await runByHand(project, url);
        });
      } finally {
        await discard();
      }
    },
  );
}

/** Runs the commands of the services with other ports, and the balancer of the test in the place of HAProxy. */
async function runByHand(project: Project, store: string): Promise<void> {
  const [issuerPort, appPort, ...ports] = await findPorts(2 + servers.length);
  const local = (text: string) =>
    text.replaceAll("localhost:9000", `localhost:${issuerPort}`).replaceAll(
      "localhost:3000",
      `localhost:${appPort}`,
    )
      // The balancer of the test does not ask /ready.
      .replace("--drain=3", "--drain=0");
  for (const name of ["postern.json", "app.mjs"]) {
    await writeFile(project.path(name), local(files.get(name)!));
  }
  const { path: node } = await runtimes.obtainRuntime(runtimes.currentNode);
  const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
    postern: [node, project.path("node_modules/postern/cli.js")],
    node: [node],
  };
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const [name = "", ...args] = words.map(local);
    return start(args, { command: programs[name]!, cwd: project.folder, env });
  };
  const startServer = async (index: number) => {
    const { command, healthcheck } = servers[index]!;
    const port = ["--port", `${ports[index]}`];
    const running = run(["postern", ...command!, ...port], { POSTERN_STORE: store });
    const [, name = "", ...args] = healthcheck!.test;
    await runToEnd([...args, ...port, "--wait", "30"], { command: programs[name]!, cwd: project.folder });
    return running;
  };

  const running = await Promise.all(servers.map((_server, index) => startServer(index)));
  const balancer = await startBalancer(issuerPort!, ports);
  const { command, environment = {} } = compose.services["app"]!;
  const values = Object.entries(environment).map(([name, value]) => [name, local(value)]);
  const app = run(command!, Object.fromEntries(values));
  try {
    await app.printed(/http:\/\/localhost:\d+/);
    await visit(`http://localhost:${appPort}`, {
      usedServers: balancer.takeUsed,
      async restart(index) {
        await stop(running[index]!);
        return async () => {
          running[index] = await startServer(index);
        };
      },
    });
  } finally {
    for (const each of [app, ...running]) each.signal("SIGTERM");
    const ended = await Promise.all([app, ...running].map(({ ended }) => ended));
    await balancer.close();
    const { password } = new URL(store);
    for (const { code, stdout, stderr } of ended) {
      assertEquals(code, 0, stderr);
      assert(!(stdout + stderr).includes(password));
    }
  }
}

interface Site {
  /** Returns the ports of the servers that have answered since the last call. */
  readonly usedServers: () => ReadonlySet<number>;
  /** Stops a server. The result starts it again. */
  readonly restart: (index: number) => Promise<() => Promise<void>>;
}

async function visit(home: string, { usedServers, restart }: Site): Promise<void> {
  const visitor = createVisitor({ send: (request) => fetch(request), serves: () => true });
  usedServers();
  const signInPage = await visitor.open(`${home}/login`);
  const startFirst = await restart(0);
  const consentPage = await visitor.press(signInPage, "sign-in", {
    username: "carol",
    password: "open sesame",
  });
  await startFirst();
  const startSecond = await restart(1);
  let page = await visitor.press(consentPage, "approve");
  assertMatch(page.html, /You are carol\./);
  assertEquals(usedServers().size, 2);
  page = await visitor.press(page, "refresh");
  assertMatch(page.html, /You are carol\./);
  await startSecond();
  page = await visitor.press(page, "refresh");
  page = await visitor.press(page, "refresh");
  assertEquals(usedServers().size, 2);
  page = await visitor.press(page, "logout");
  assertMatch(page.html, /id="login"/);
  // Both the session and the refresh token have ended.
  assertMatch((await visitor.open(`${home}/login`)).html, /id="sign-in"/);
}

async function stop(server: Running): Promise<void> {
  server.signal("SIGTERM");
  assertEquals((await server.ended).code, 0);
}

async function findPorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}

interface Balancer {
  readonly takeUsed: () => ReadonlySet<number>;
  close(): Promise<void>;
}

/** As haproxy.cfg says: a new connection for each request, to the next server, and to another one if it is refused. */
async function startBalancer(port: number, targets: readonly number[]): Promise<Balancer> {
  let turn = 0;
  let used = new Set<number>();

  async function answer(
    message: { method: string; path: string; headers: Readonly<Record<string, unknown>>; body: string },
    response: ServerResponse,
  ): Promise<void> {
    for (let attempt = 0; attempt < targets.length; attempt++) {
      const target = targets[turn++ % targets.length]!;
      try {
        await forward(target);
        used.add(target);
        return;
      } catch (error) {
        // After any other error the request may have arrived.
        if ((error as { readonly code?: string }).code !== "ECONNREFUSED") break;
      }
    }
    response.writeHead(502).end();

    function forward(target: number): Promise<void> {
      const { method, path, body } = message;
      const headers = { ...message.headers, connection: "close" } as Record<string, string>;
      return new Promise((resolve, reject) => {
        request({ host: "127.0.0.1", port: target, method, path, headers, agent: false }, (answered) => {
          response.writeHead(answered.statusCode!, answered.headers);
          answered.pipe(response).on("finish", () => resolve());
        }).on("error", reject).end(body);
      });
    }
  }

  const server: Server = createServer(async (incoming, response) => {
    let body = "";
    for await (const part of incoming.setEncoding("utf8")) body += part;
    const { method = "GET", url: path = "/", headers } = incoming;
    await answer({ method, path, headers, body }, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    takeUsed() {
      const taken = used;
      used = new Set();
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

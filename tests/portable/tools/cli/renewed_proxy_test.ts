/** `postern start --like --proxy` for longer than its authority lives: programs that start later trust the next one. */

import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { mkdir, readdir, readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { LogEvent } from "../../../../src/tools/cli/start/log.ts";
import type { Respond } from "../../../../src/server/runtime/listener.ts";
import { openProxy } from "../../../../src/tools/cli/proxy/open_proxy.ts";
import { findFreePort } from "../../../free_port.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";
import { type Home, withHome } from "./tls/world.ts";

const day = 24 * 60 * 60;
const host = "github.com";

/** Connects to the host by the proxy. Rejects if a client that trusts only `ca` does not accept it. */
function connectThrough(port: number, ca: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").on("error", reject);
    socket.write(`CONNECT ${host}:443 HTTP/1.1\r\n\r\n`);
    socket.once("data", () => {
      const secure = connectTls({ socket, servername: host, ca }, () => resolve(secure)).on("error", reject);
    });
  });
}

/** Resolves to the body of the answer, and to "nothing" if there is none. */
async function askThrough(port: number, ca: string, path = "/"): Promise<string> {
  const secure = await connectThrough(port, ca);
  let text = "";
  secure.setEncoding("utf8").on("data", (part: string) => text += part);
  secure.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await new Promise((resolve) => secure.once("close", resolve));
  return text === "" ? "nothing" : text.split("\r\n\r\n").at(-1)!;
}

interface World {
  readonly port: number;
  readonly written: readonly LogEvent[];
  readonly bundle: string;
  /** Returns the certificate of the authority, as a program that starts now reads it. */
  readOwn(): Promise<string>;
  /** Runs the check of each hour at this time. */
  checkAt(time: number): Promise<void>;
}

/** Starts a proxy at a time of the past. Clients have the real clock. */
async function withProxyFrom(
  begun: number,
  { system }: Home,
  work: (world: World) => Promise<void>,
  { port: chosen, token }: { readonly port?: number; readonly token?: string } = {},
): Promise<void> {
  let now = begun;
  const checks: (() => Promise<void>)[] = [];
  const written: LogEvent[] = [];
  const port = chosen ?? await findFreePort();
  const plan = {
    like: "github",
    host: undefined,
    origins: [`https://${host}`],
    added: [],
    token,
  } as const;
  const answer: Respond = ({ address: { path } }) =>
    path === "/dropped"
      ? Promise.reject(new Error("dropped"))
      : Promise.resolve({ status: 200, headers: {}, body: "as the provider" });
  const proxy = await openProxy({ ...plan, port, passesOthers: false }, answer, {
    system,
    isClaimed: () => false,
    onRefused: () => {},
    write: (event) => void written.push(event),
    now: () => now,
    repeat: (check) => void checks.push(check),
  });
  const bundle = String(proxy.addition.members["proxy_ca"]);
  try {
    await work({
      port,
      written,
      bundle,
      readOwn: async () =>
        /-----BEGIN[^]+?-----END CERTIFICATE-----/.exec(await readFile(bundle, "utf8"))![0],
      async checkAt(time) {
        now = time;
        for (const check of checks) await check();
      },
    });
  } finally {
    await proxy.close();
  }
}

const it = testIn(withHome);

/** The IPv4 addresses and ports at which this process listens, as Linux writes them. Elsewhere none is known. */
async function listListening(): Promise<readonly string[]> {
  const folder = "/proc/self/fd";
  const files = (await readdir(folder).catch(() => [])).map((name) =>
    readlink(join(folder, name)).catch(() => "")
  );
  const open = new Set(await Promise.all(files));
  const lines = (await readFile("/proc/self/net/tcp", "utf8").catch(() => "")).split("\n");
  return lines.map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === "0A" && open.has(`socket:[${fields[9]}]`))
    .map(([, address = ""]) => address);
}

it("start --proxy: other machines reach only the proxy, and that only with a token", async (home) => {
  const loopback = "0100007F", any = "00000000";
  const rows = { "": [loopback, loopback], "a-token-of-sixteen": [any, loopback] };
  for (const [token, expected] of Object.entries(rows)) {
    const before = await listListening();
    await withProxyFrom(Date.now() / 1000, home, async () => {
      const added = (await listListening()).filter((each) => !before.includes(each));
      const addresses = added.map((each) => each.slice(0, any.length)).sort();
      assertEquals(addresses, process.platform === "linux" ? expected : []);
    }, token === "" ? {} : { token });
  }
});

it("start --proxy: near its end, the authority of a running proxy is made anew, with its file and its certificate", async (home) => {
  const today = Date.now() / 1000;
  const begun = today - 29.5 * day;
  await withProxyFrom(begun, home, async ({ port, written, readOwn, checkAt }) => {
    const first = await readOwn();
    assertEquals(await askThrough(port, first), "as the provider");
    assertEquals(await askThrough(port, first, "/dropped"), "nothing");
    await checkAt(begun + 28.9 * day);
    assertEquals([await readOwn(), written.length], [first, 0]);
    await checkAt(today);
    const second = await readOwn();
    assertNotEquals(second, first);
    assertEquals(await askThrough(port, second), "as the provider");
    await assertRejects(() => askThrough(port, first));
    await checkAt(today + day);
    assertEquals(await readOwn(), second);
    const message = "The authority of the proxy is new, so start the programs again that use the proxy";
    assertEquals(written, [{ level: "warn", message }]);
    await checkAt(today + 29 * day);
    assertNotEquals(await readOwn(), second);
  });
});

it("start --proxy: where its port is taken, it says so, and nothing of it listens", async (home) => {
  const today = Date.now() / 1000;
  await withProxyFrom(today, home, async ({ port }) => {
    const before = await listListening();
    const again = withProxyFrom(today, home, () => Promise.resolve(), { port });
    await assertRejects(
      () => again,
      Error,
      `Cannot listen at port ${port} of --proxy, so choose another one: `,
    );
    assertEquals(await listListening(), before);
  });
});

it("start --proxy: an authority that has ended since the last start is made anew", async (home) => {
  const today = Date.now() / 1000;
  const startAt = async (begun: number, isAccepted: boolean) => {
    let own = "";
    await withProxyFrom(begun, home, async ({ port, readOwn }) => {
      own = await readOwn();
      if (isAccepted) assertEquals(await askThrough(port, own), "as the provider");
      else await assertRejects(() => askThrough(port, own));
    });
    return own;
  };
  const first = await startAt(today - 40 * day, false);
  const second = await startAt(today, true);
  assertNotEquals(first, second);
  assertEquals(await startAt(today + 1, true), second);
});

/** What keeps the proxy from making a new authority, or from writing its file, until the result is called. */
const obstacles: readonly ((bundle: string) => Promise<() => Promise<void>>)[] = [
  async (bundle) => {
    const folder = dirname(dirname(bundle));
    await rename(folder, `${folder}.aside`);
    await writeFile(folder, "");
    return async () => {
      await rm(folder);
      await rename(`${folder}.aside`, folder);
    };
  },
  async (bundle) => {
    await rename(bundle, `${bundle}.aside`);
    await mkdir(join(bundle, "full"), { recursive: true });
    return async () => {
      await rm(bundle, { recursive: true });
      await rename(`${bundle}.aside`, bundle);
    };
  },
];

test("start --proxy: an authority that cannot be made anew is reported, and the next check tries again", async () => {
  for (const obstruct of obstacles) {
    await withHome(async (home) => {
      const today = Date.now() / 1000;
      await withProxyFrom(today - 29.5 * day, home, async ({ port, written, bundle, readOwn, checkAt }) => {
        const first = await readOwn();
        const restore = await obstruct(bundle);
        await checkAt(today);
        assertEquals(written.map(({ level }) => level), ["error"]);
        assertEquals(await askThrough(port, first), "as the provider");
        await restore();
        await checkAt(today + 3600);
        assertEquals(written.map(({ level }) => level), ["error", "warn"]);
        assertEquals(await askThrough(port, await readOwn()), "as the provider");
      });
    });
  }
});

it("start --proxy: connections with the certificate of before end when it is replaced", async (home) => {
  const today = Date.now() / 1000;
  await withProxyFrom(today - 29.5 * day, home, async ({ port, readOwn, checkAt }) => {
    const secure = await connectThrough(port, await readOwn());
    let hasEnded = false;
    secure.once("close", () => hasEnded = true);
    await checkAt(today);
    const second = await readOwn();
    for (let asked = 0; asked < 50 && !hasEnded; asked++) await askThrough(port, second);
    secure.destroy();
    assertEquals(hasEnded, true);
  });
});

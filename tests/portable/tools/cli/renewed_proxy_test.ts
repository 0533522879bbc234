/** `postern start --like --proxy` for longer than its authority lives: programs that start later trust the next one. */

import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import type { LogEvent } from "../../../../src/tools/cli/log.ts";
import { openProxy } from "../../../../src/tools/cli/proxy/open_proxy.ts";
import { findFreePort } from "../../../free_port.ts";
import { test } from "../../../runner.ts";
import { type Home, withHome } from "./tls/world.ts";

const day = 24 * 60 * 60;
const host = "github.com";

/** Resolves to the answer at the host, by the proxy. Rejects if a client that trusts only `ca` does not accept it. */
function askThrough(port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").on("error", reject);
    socket.write(`CONNECT ${host}:443 HTTP/1.1\r\n\r\n`);
    socket.once("data", () => {
      let text = "";
      const secure = connectTls({ socket, servername: host, ca }, () => {
        secure.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      });
      secure.setEncoding("utf8").on("data", (part: string) => text += part).once("error", reject);
      secure.once("close", () => resolve(text.split("\r\n\r\n").at(-1)!));
    });
  });
}

interface World {
  readonly port: number;
  readonly written: readonly LogEvent[];
  /** As a program that starts now reads it. */
  readBundle(): Promise<string>;
  /** Runs the check of each hour at this time. */
  checkAt(time: number): Promise<void>;
}

/** Starts a proxy at a time of the past. Clients have the real clock. */
async function withProxyFrom(
  begun: number,
  { system }: Home,
  work: (world: World) => Promise<void>,
): Promise<void> {
  let now = begun;
  const checks: (() => Promise<void>)[] = [];
  const written: LogEvent[] = [];
  const port = await findFreePort();
  const plan = { like: "github", host: undefined, origins: [`https://${host}`], token: undefined } as const;
  const answer = () => Promise.resolve({ status: 200, headers: {}, body: "as the provider" });
  const proxy = await openProxy({ ...plan, port, passesOthers: false }, answer, {
    system,
    write: (event) => void written.push(event),
    now: () => now,
    repeat: (check) => void checks.push(check),
  });
  try {
    await work({
      port,
      written,
      readBundle: () => readFile(String(proxy.addition.members["proxy_ca"]), "utf8"),
      async checkAt(time) {
        now = time;
        for (const check of checks) await check();
      },
    });
  } finally {
    await proxy.close();
  }
}

/** The bundle without the system's authorities. */
const ownOf = (bundle: string) => /-----BEGIN[^]+?-----END CERTIFICATE-----/.exec(bundle)![0];

test("start --proxy: near its end, the authority of a running proxy is made anew, with its file and its certificate", async () => {
  await withHome(async (home) => {
    const today = Date.now() / 1000;
    const begun = today - 29.5 * day;
    await withProxyFrom(begun, home, async ({ port, written, readBundle, checkAt }) => {
      const first = ownOf(await readBundle());
      assertEquals(await askThrough(port, first), "as the provider");
      await checkAt(begun + 28.9 * day);
      assertEquals([ownOf(await readBundle()), written.length], [first, 0]);
      await checkAt(today);
      const second = ownOf(await readBundle());
      assertNotEquals(second, first);
      assertEquals(await askThrough(port, second), "as the provider");
      await assertRejects(() => askThrough(port, first));
      await checkAt(today + day);
      assertEquals(ownOf(await readBundle()), second);
      const message = "The authority of the proxy is new, so start the programs again that use the proxy";
      assertEquals(written, [{ level: "warn", message }]);
      await checkAt(today + 29 * day);
      assertNotEquals(ownOf(await readBundle()), second);
    });
  });
});

test("start --proxy: an authority that has ended since the last start is made anew", async () => {
  await withHome(async (home) => {
    const today = Date.now() / 1000;
    const readOwn = async (begun: number, isAccepted: boolean) => {
      let own = "";
      await withProxyFrom(begun, home, async ({ port, readBundle }) => {
        own = ownOf(await readBundle());
        if (isAccepted) assertEquals(await askThrough(port, own), "as the provider");
        else await assertRejects(() => askThrough(port, own));
      });
      return own;
    };
    const first = await readOwn(today - 40 * day, false);
    const second = await readOwn(today, true);
    assertNotEquals(first, second);
    assertEquals(await readOwn(today + 1, true), second);
  });
});

test("start --proxy: an authority that cannot be made anew is reported, and the next check tries again", async () => {
  await withHome(async (home) => {
    const today = Date.now() / 1000;
    await withProxyFrom(today - 29.5 * day, home, async ({ port, written, readBundle, checkAt }) => {
      const first = ownOf(await readBundle());
      const { XDG_CONFIG_HOME: folder } = home.env;
      const restore = await blockFolder(folder!);
      await checkAt(today);
      assertEquals(written.map(({ level }) => level), ["error"]);
      assertEquals(await askThrough(port, first), "as the provider");
      await restore();
      await checkAt(today + 3600);
      assertEquals(written.map(({ level }) => level), ["error", "warn"]);
      assertEquals(await askThrough(port, ownOf(await readBundle())), "as the provider");
    });
  });
});

/** Puts a file in the place of the folder, until the returned function is called. */
async function blockFolder(folder: string): Promise<() => Promise<void>> {
  await rename(folder, `${folder}.aside`);
  await writeFile(folder, "");
  return async () => {
    await rm(folder);
    await rename(`${folder}.aside`, folder);
  };
}

/** TLS connections of Deno to other servers. */

import type { Duplex } from "node:stream";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { findOpenTls } from "../../../../src/server/runtime/open_tls.ts";
import { runtime, test } from "../../../runner.ts";

const onDeno: (name: string, body: () => Promise<void>) => void = runtime === "deno"
  ? test
  : (name) => test.skip(name, "only Deno opens them itself");

onDeno("open tls: a connection whose time ends before the handshake is closed", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const timeout = new AbortController();
  const { startTls } = Deno;
  let connection: Deno.TlsConn | undefined;
  Deno.startTls = async (...terms) => {
    connection = await startTls(...terms);
    timeout.abort(new Error("too late"));
    return connection;
  };
  try {
    const target = { address: "127.0.0.1", port: listener.addr.port, name: "client.example" };
    await assertRejects(() => findOpenTls()!({ ...target, signal: timeout.signal }), Error, "too late");
    assertThrows(() => connection!.close(), Deno.errors.BadResource);
  } finally {
    Deno.startTls = startTls;
    listener.close();
  }
});

/** Opens a connection on which each read fails, and returns how its stream ends. */
async function endAfter(failure: Error): Promise<unknown> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { startTls } = Deno;
  Deno.startTls = (connection) => {
    const read = () => Promise.reject(failure);
    return Promise.resolve(
      Object.assign(connection, { handshake: () => Promise.resolve({}), read }) as never,
    );
  };
  try {
    const target = { address: "127.0.0.1", port: listener.addr.port, name: "client.example" };
    const stream = await findOpenTls()!({ ...target, signal: AbortSignal.any([]) }) as Duplex;
    const end = await new Promise((resolve) => stream.resume().once("end", resolve).once("error", resolve));
    stream.destroy();
    return end;
  } finally {
    Deno.startTls = startTls;
    listener.close();
  }
}

onDeno(
  "open tls: a host may close without a message, and no other failure is an end (RFC 8446 §6.1)",
  async () => {
    assertEquals(await endAfter(new Deno.errors.UnexpectedEof("no close_notify")), undefined);
    const reset = new Deno.errors.ConnectionReset("reset");
    assertEquals(await endAfter(reset), reset);
  },
);

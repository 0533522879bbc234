/** TLS connections of Deno to other servers. */

import { assertRejects, assertThrows } from "@std/assert";
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

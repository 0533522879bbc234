/** Peers that send slowly or not at all, on an address that other machines can reach. */

import { assert, assertMatch } from "@std/assert";
import { connect } from "node:net";
import { createPlainServer } from "../../src/mod.ts";
import { serve } from "../../src/server/runtime/serve.ts";
import { findFreePort } from "../free_port.ts";
import { test } from "../runner.ts";
import { sampleKey } from "../world.ts";

/** Sends the start of a request and then a letter each second, until the server closes the connection. */
function drip(port: number, start: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(start));
    let text = "";
    socket.setEncoding("latin1").on("data", (part: string) => text += part).on("error", () => {});
    const dripping = setInterval(() => start === "" || socket.write("x"), 1000);
    socket.once("close", () => {
      clearInterval(dripping);
      resolve(text);
    });
  });
}

test("slow peers: the server closes silent, header-dripping and body-dripping connections, and serves others meanwhile", async () => {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  const server = createPlainServer({ issuer, alg: "ES256", signingKeys: [sampleKey] });
  const served = await serve({ answer: server.answer, host: "0.0.0.0", port });
  const host = `Host: localhost:${port}\r\n`;
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n";
  const slow = ["", `GET / HTTP/1.1\r\n${host}X: `, `POST /oauth2/token HTTP/1.1\r\n${host}${form}`];
  const ending = Promise.all(slow.map((start) => drip(port, start)));
  const response = await fetch(`http://127.0.0.1:${port}/oauth2/jwks`);
  await response.body?.cancel();
  assert(response.ok);
  for (const text of await ending) assertMatch(text, /^(HTTP\/1\.1 408 |$)/);
  await served.close();
  await server.close();
});

/** The heads that a proxy reads: in parts, of the worst forms, and from callers without its token. */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { type AddressInfo, connect, createServer } from "node:net";
import { listenAsProxy, type ProxyTerms } from "../../../src/tools/cli/proxy/listen_as_proxy.ts";
import { measureEffort } from "../../effort.ts";
import { findFreePort } from "../../free_port.ts";
import { test } from "../../runner.ts";

const usual = { hosts: ["github.com"], findOwnPort: () => 1, token: undefined, passesOthers: false };

type Send = (...parts: readonly string[]) => Promise<string>;

/** `send` waits for the turn of the proxy after each part, and resolves to what comes until the end. */
async function withProxy(terms: Partial<ProxyTerms>, work: (send: Send) => Promise<void>): Promise<void> {
  const proxy = await listenAsProxy({ port: await findFreePort(), ...usual, ...terms });
  const send: Send = (...parts) =>
    new Promise((resolve) => {
      let got = "";
      const end = () => resolve((socket.destroy(), got));
      const socket = connect({ port: proxy.port, host: "127.0.0.1", noDelay: true }, async () => {
        for (const part of parts) {
          await new Promise((written) => socket.write(Buffer.from(part, "latin1"), written));
        }
      });
      socket.setEncoding("latin1").on("data", (part) => got += part).on("end", end).on("close", end);
      socket.on("error", end);
    });
  try {
    await work(send);
  } finally {
    await proxy.close();
  }
}

const statusOf = (answer: string) => /^HTTP\/1\.1 (\d+) /.exec(answer)?.[1];

const length = 16_000;
const line = (text: string) => text.repeat(length / text.length);

/** Heads of the longest size, each with the status of its refusal. */
const worst: Readonly<Record<string, readonly [head: string, status: string]>> = {
  "a value of tabs that ends in a control character": [`GET / HTTP/1.1\r\na:${line("\t")}\x01`, "400"],
  "values of spaces": [`GET / HTTP/1.1\r\n${line(`a:${" ".repeat(97)}\x01\r\n`)}`, "400"],
  "a name without a colon": [`GET / HTTP/1.1\r\n${line("a")}`, "400"],
  "colons": [`GET / HTTP/1.1\r\n${line(":")}`, "400"],
  "thousands of fields": [`CONNECT a.test:443 HTTP/1.1\r\n${line("a:b\r\n").slice(0, -2)}`, "403"],
  "a method without an end": [line("a"), "400"],
  "spaces in the first line": [`GET ${line(" ")} HTTP/1.1`, "400"],
  "colons of an IP address": [`CONNECT [${line(":")} HTTP/1.1`, "400"],
  "dots of a host": [`CONNECT ${line("a.")}:1 HTTP/1.1`, "403"],
  "at signs in an address": [`GET http://${line("@")} HTTP/1.1`, "400"],
  "segments of a path": [`GET http://a.test/${line("../")} HTTP/1.1`, "403"],
  "percent signs": [`GET http://a.test/${line("%")} HTTP/1.1`, "403"],
};

// Two units are about 20 ms of processor time.
const most = 2;

for (const [what, [head, status]] of Object.entries(worst)) {
  test(`proxy: a head of 16 kB with ${what} takes little effort, alone and twenty at once (RFC 9112 §2.3)`, async () => {
    await withProxy({}, async (send) => {
      const efforts: number[] = [];
      for (let round = 0; round < 5 && !efforts.some((effort) => effort < most); round++) {
        efforts.push(
          await measureEffort(async () => assertEquals(statusOf(await send(`${head}\r\n\r\n`)), status)),
        );
      }
      assert(efforts.some((effort) => effort < most), `${efforts}`);
      const together = await measureEffort(() =>
        Promise.all(Array.from({ length: 20 }, () => send(`${head}\r\n\r\n`)))
      );
      assert(together < 20, `${together}`);
    });
  });
}

test("proxy: from another machine, nothing of a head is judged before its token (RFC 9110 §11.7)", async () => {
  const token = "correct-horse-battery";
  await withProxy({ token, isOnThisMachine: () => false }, async (send) => {
    const heads = [...Object.values(worst).map(([head]) => head), line("a") + line("a"), "GET / HTTP/1.1"];
    for (const head of heads) assertEquals(statusOf(await send(`${head}\r\n\r\n`)), "407", head.slice(0, 40));
    const given = `proxy-authorization: Bearer ${token}`;
    for (const [head, status] of Object.values(worst).slice(0, 4)) {
      const [first, ...lines] = head.split("\r\n");
      const asked = [first, given, ...lines].join("\r\n");
      assertEquals(statusOf(await send(`${asked}\r\n\r\n`)), status, head.slice(0, 40));
    }
    for (const name of ["Proxy-Authorization: ", "PROXY-AUTHORIZATION:\t", "proxy-authorization:"]) {
      assertEquals(
        statusOf(await send(`GET / HTTP/1.1\r\na: b\r\n${name}Bearer ${token} \r\n\r\n`)),
        "421",
        name,
      );
    }
    assertEquals(statusOf(await send(`GET / HTTP/1.1\r\nx-${given}\r\n\r\n`)), "407");
  });
});

test("proxy: a head may come in any parts, and the octets behind it are passed on (RFC 9112 §2.2)", async () => {
  const server = createServer((socket) => {
    let got = "";
    socket.setEncoding("latin1").on("error", () => socket.destroy()).on("data", (part) => {
      got += part;
      if (got.endsWith("end")) socket.end(got, "latin1");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await withProxy({ passesOthers: true }, async (send) => {
      const fields = "a:  b \r\nx-name: \xc3\xa0";
      const head = `POST http://127.0.0.1:${port}/a HTTP/1.1\r\nhost: other.test\r\n${fields}\r\n\r\n`;
      const passed =
        `POST /a HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n${fields}\r\n\r\nend`;
      assertEquals(await send(`${head}end`), passed);
      for (let at = 1; at <= 5; at++) {
        assertEquals(await send(head.slice(0, -at), `${head.slice(-at)}end`), passed, `${at}`);
      }
      assertEquals(await send(...head, "end"), passed);
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test("proxy: a head of 16 kB is read, and one with an octet more is not (RFC 9112 §3)", async () => {
  await withProxy({}, async (send) => {
    const first = "CONNECT a.test:443 HTTP/1.1\r\na: ";
    const head = (size: number) => `${first}${"b".repeat(size - first.length)}\r\n\r\n`;
    assertEquals(statusOf(await send(head(16 * 1024))), "403");
    assertEquals(statusOf(await send(head(16 * 1024 + 1))), "400");
  });
});

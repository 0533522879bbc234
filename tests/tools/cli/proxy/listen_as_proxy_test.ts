/** The heads that a proxy reads, also of the worst forms, what it answers, and how many connections it keeps for how long. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, Socket } from "node:net";
import { listenAsProxy, type ProxyTerms } from "../../../../src/tools/cli/proxy/listen_as_proxy.ts";
import { measureEffort } from "../../../effort.ts";
import { findFreePort } from "../../../free_port.ts";
import { test } from "../../../runner.ts";
import { testIn } from "../../../test_in.ts";

const usual = {
  ...{ hosts: ["github.com"], findOwnPort: () => 1, isClaimed: () => false, onRefused() {} },
  ...{ token: undefined, passesOthers: false },
};

type Send = (...parts: readonly string[]) => Promise<string>;

/** `send` waits for the turn of the proxy after each part, and resolves to what comes until the end. */
async function withProxy(
  terms: Partial<ProxyTerms>,
  work: (send: Send, port: number) => Promise<void>,
): Promise<void> {
  const proxy = await listenAsProxy({ port: await findFreePort(), ...usual, ...terms });
  const send: Send = (...parts) =>
    new Promise((resolve) => {
      let got = "";
      const end = () => resolve((socket.destroy(), got));
      const socket = connect({ port: proxy.port, host: "127.0.0.1", noDelay: true }, async () => {
        for (const part of parts) {
          await new Promise((written) => socket.write(Buffer.from(part, "latin1"), written));
          await new Promise((resolve) => setTimeout(resolve));
        }
      });
      socket.setEncoding("latin1").on("data", (part) => got += part).on("end", end).on("close", end);
      socket.on("error", end);
    });
  try {
    await work(send, proxy.port);
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

const it = testIn<[Send]>((work) => withProxy({}, work));

for (const [what, [head, status]] of Object.entries(worst)) {
  it(`proxy: a head of 16 kB with ${what} takes little effort, alone and twenty at once (RFC 9112 §2.3)`, async (send) => {
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
    // RFC 7617 §2: the password begins behind the first colon.
    for (const [pair, status] of [["any:", "421"], [":", "421"], ["any:x:", "407"]] as const) {
      const basic = `proxy-authorization: Basic ${btoa(`${pair}${token}`)}`;
      assertEquals(statusOf(await send(`GET / HTTP/1.1\r\n${basic}\r\n\r\n`)), status, pair);
    }
  });
  // Without a token, an empty password is not the right one.
  await withProxy({ isOnThisMachine: () => false }, async (send) => {
    const basic = `proxy-authorization: Basic ${btoa("any:")}`;
    assertEquals(statusOf(await send(`GET / HTTP/1.1\r\n${basic}\r\n\r\n`)), "407");
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
      // Longer than the room for a head, in the same octets as the head.
      const body = "b".repeat(40_000);
      assertEquals(await send(`${head}${body}end`), passed.replace(/end$/, `${body}end`));
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

it("proxy: a head of 16 kB is read, and one with an octet more is not (RFC 9112 §3)", async (send) => {
  const first = "CONNECT a.test:443 HTTP/1.1\r\na: ";
  const head = (size: number) => `${first}${"b".repeat(size - first.length)}\r\n\r\n`;
  assertEquals(statusOf(await send(head(16 * 1024))), "403");
  assertEquals(statusOf(await send(head(16 * 1024 + 1))), "400");
});

function listen(host: string, port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) =>
    server.once("error", reject).listen({ host, port, ipv6Only: true }, () => resolve(server))
  );
}

const close = (server: Server) => new Promise((resolve) => server.close(resolve));
const hasIpv6 = await listen("::1", 0).then((server) => close(server).then(() => true), () => false);

for (
  const [name, terms] of [["without a token", usual], ["with a token", { ...usual, token: "t" }]] as const
) {
  test(`proxy: ${name} it listens at both loopback addresses, or at neither`, async () => {
    const port = await findFreePort();
    for (const host of hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]) {
      const other = await listen(host, port);
      await assertRejects(() => listenAsProxy({ ...terms, port }), Error, "EADDRINUSE");
      await close(other);
    }
    await (await listenAsProxy({ ...terms, port })).close();
    await assertRejects(() => listenAsProxy({ ...terms, port: 65_536 }));
  });
}

test("proxy: a refusal says in a sentence what the proxy does, and ends the connection (RFC 9110 §15.5)", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await close(closed);
  const names = new Map([["meta.test", "169.254.0.1"], ["a.test", "127.0.0.1"]]);
  const findAddresses = (host: string) =>
    host === "unknown.test"
      ? Promise.reject(new Error("ENOTFOUND"))
      : Promise.resolve([names.get(host) ?? host]);
  const open: Partial<ProxyTerms> = { passesOthers: true, findAddresses };
  const elsewhere = { isOnThisMachine: () => false, token: "right" };
  const forbidden = "the address is link-local, has metadata, or is for a translator of the local network";
  const hosts = ["a.b", "c.d"];
  const only = "403 Forbidden: The proxy answers for github.com only by https, at port 443.";
  const others =
    "--proxy-host adds a host for routes of your tests, --proxy-others passes other hosts through.";
  const never = "403 Forbidden: The proxy does not connect";
  const refusals: readonly (readonly [expected: string, first: string, terms?: Partial<ProxyTerms>])[] = [
    ["400 Bad Request: The proxy cannot read this request: its head is malformed or too long.", "GET"],
    [
      "421 Misdirected Request: This is a proxy, and no server: set it as the proxy of your program.",
      "GET /",
    ],
    ...[[only, "CONNECT github.com:80"], [only, "GET https://github.com/", open]] as const,
    [`403 Forbidden: The proxy answers only for a.b, c.d, and not for e.f. ${others}`, "CONNECT e.f:443", {
      hosts,
    }],
    ...["a.github.com", "agithub.com", "github.com.a"].map((host) =>
      [
        `403 Forbidden: The proxy answers only for github.com, and not for ${host}. ${others}`,
        `CONNECT ${host}:443`,
      ] as const
    ),
    ["400 Bad Request: The proxy passes https through only by CONNECT.", "GET https://a.test/", open],
    ["502 Bad Gateway: The proxy cannot find unknown.test.", "CONNECT unknown.test:443", open],
    [`502 Bad Gateway: The proxy cannot connect to a.test at port ${port}.`, `CONNECT a.test:${port}`, open],
    [`${never} to meta.test (169.254.0.1): ${forbidden}.`, "CONNECT meta.test:80", open],
    [`${never} to 169.254.0.1: ${forbidden}.`, "CONNECT 169.254.0.1:80", open],
    [`${never} other machines to a.test, which is its own machine.`, "CONNECT a.test:80", {
      ...open,
      ...elsewhere,
    }],
  ];
  for (const [expected, first, terms = {}] of refusals) {
    const [, status, sentence = ""] = /^(.+?): (.*)$/.exec(expected)!;
    const type = "content-type: text/plain; charset=utf-8", size = `content-length: ${sentence.length + 1}`;
    const fields = [type, size, "cache-control: no-store", "connection: close"].join("\r\n");
    const head = `${first} HTTP/1.1\r\nproxy-authorization: Bearer right\r\n\r\n`;
    const answer = `HTTP/1.1 ${status}\r\n${fields}\r\n\r\n${sentence}\n`;
    await withProxy(terms, async (send) => assertEquals([first, await send(head)], [first, answer]));
  }
  await withProxy(elsewhere, async (send) => {
    const [first, , , , , challenge, , body] = (await send("GET / HTTP/1.1\r\n\r\n")).split("\r\n");
    assertEquals([first, challenge, body], [
      "HTTP/1.1 407 Proxy Authentication Required",
      'proxy-authenticate: Basic realm="Postern"',
      "From another machine, the proxy needs the token of --proxy-token.\n",
    ]);
  });
});

test("proxy: a refused client that ends nothing itself has no connection a second later", () =>
  withProxy({}, async (_, port) => {
    const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => client.once("error", () => resolve()));
    client.write("GET / HTTP/1.1\r\n\r\n");
    await once(client.resume(), "end");
    const sending = setInterval(() => client.write("a"), 20);
    await closed;
    clearInterval(sending);
  }));

test("proxy: it tells the origins for which it does not answer, as programs write them", async () => {
  const told: string[] = [];
  const onRefused = (origin: string) => void told.push(origin);
  const isClaimed = (host: string) => host === "gitlab.com";
  await withProxy({ onRefused, isClaimed }, async (send) => {
    const first = [
      "CONNECT API.test:443",
      "CONNECT api.test:8443",
      "CONNECT [::1]:443",
      "GET http://api.test/a?b",
    ];
    for (const line of [...first, "CONNECT gitlab.com:443", "CONNECT github.com:80", "GET /", "CONNECT a"]) {
      await send(`${line} HTTP/1.1\r\n\r\n`);
    }
  });
  const origins = ["https://api.test", "https://api.test:8443", "https://[::1]", "http://api.test"];
  assertEquals(told, [...origins, "https://gitlab.com"]);
  await withProxy({ onRefused, isClaimed, passesOthers: true }, async (send) => {
    for (const target of ["127.0.0.1:1", "gitlab.com:443"]) await send(`CONNECT ${target} HTTP/1.1\r\n\r\n`);
  });
  assertEquals(told.slice(5), ["https://gitlab.com"]);
});

/** Calls `work` with the port of a proxy, and that of a server that sends back what comes. */
async function withOthers(
  work: (world: { readonly port: number; readonly echo: number; readonly met: Socket[] }) => Promise<void>,
  terms: Partial<ProxyTerms> = {},
): Promise<void> {
  const met: Socket[] = [];
  const server = createServer((socket) => void met.push(socket.on("error", () => {}).pipe(socket)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: echo } = server.address() as AddressInfo;
  try {
    await withProxy({ passesOthers: true, ...terms }, (_, port) => work({ port, echo, met }));
  } finally {
    met.forEach((socket) => socket.destroy());
    await close(server);
  }
}

async function dial(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Resolves to what comes next, and to "" if the connection ends. */
function ask(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve("");
    socket.once("data", (octets) => resolve(`${octets}`)).once("close", () => resolve("")).write(text);
  });
}

const tunnelTo = (port: number) => `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`;
const established = "HTTP/1.1 200 Connection established\r\n\r\n";

test("proxy: it keeps the latest 200 connections without a whole head, and ends no tunnel for them", async () => {
  await withOthers(async ({ port, echo }) => {
    const answered = async (socket: Socket) => statusOf(await ask(socket, "GET / HTTP/1.1\r\n\r\n"));
    const tunnel = await dial(port);
    assertEquals(await ask(tunnel, tunnelTo(echo)), established);
    const waiting: Socket[] = [];
    while (waiting.length < 200) waiting.push(await dial(port));
    for (const index of [199, 0]) assertEquals([index, await answered(waiting[index]!)], [index, "421"]);
    while (waiting.length < 203) waiting.push(await dial(port));
    assertEquals(await answered(waiting[202]!), "421");
    assertEquals([await answered(waiting[1]!), await answered(waiting[2]!)], [undefined, "421"]);
    assertEquals(await ask(tunnel, "a"), "a");
  }, { headTime: 3600 });
});

test("proxy: connections that have ended take no place of one that waits", () =>
  withOthers(async ({ port }) => {
    const waiting = await dial(port);
    for (let ended = 0; ended < 205; ended++) await once((await dial(port)).resume().end(), "close");
    assertEquals(statusOf(await ask(waiting, "GET / HTTP/1.1\r\n\r\n")), "421");
  }, { headTime: 3600 }));

test("proxy: it keeps the 150 tunnels that were in use last", async () => {
  await withOthers(async ({ port, echo }) => {
    const tunnels: Socket[] = [];
    while (tunnels.length < 151) {
      if (tunnels.length === 150) assertEquals(await ask(tunnels[0]!, "a"), "a");
      tunnels.push(await dial(port));
      assertEquals(await ask(tunnels.at(-1)!, tunnelTo(echo)), established);
    }
    const heard = [];
    for (const index of [0, 1, 2, 150]) heard.push(await ask(tunnels[index]!, "b"));
    assertEquals(heard, ["b", "", "b", "b"]);
  });
});

test("proxy: a tunnel outlives the time for its head", () =>
  withOthers(async ({ port, echo }) => {
    let tunnel = await dial(port);
    // A busy machine may be too slow.
    while (await ask(tunnel, tunnelTo(echo)) === "") tunnel = await dial(port);
    // The time of this one ends later.
    await once((await dial(port)).resume(), "close");
    assertEquals(await ask(tunnel, "a"), "a");
  }, { headTime: 0.5 }));

test("proxy: another host has ten seconds to take a connection, and a tunnel may be silent for ten minutes", async () => {
  const { setTimeout: real } = Socket.prototype;
  const limits = new Map<Socket, () => unknown>();
  let now = 9_999;
  Socket.prototype.setTimeout = function (limit, end) {
    limits.set(this, () => limit <= now && end?.());
    queueMicrotask(() => limits.get(this)!());
    return this;
  };
  const turn = (to: number) => (now = to, limits.forEach((end) => end()));
  try {
    await withOthers(async ({ port, echo }) => {
      const tunnel = await dial(port);
      assertEquals(await ask(tunnel, tunnelTo(echo)), established);
      turn(599_999);
      assertEquals(await ask(tunnel, "a"), "a");
      turn(600_000);
      assertEquals([...limits.keys()].map(({ destroyed }) => destroyed), [true, true]);
      turn(10_000);
      assertEquals(statusOf(await ask(await dial(port), tunnelTo(echo))), "502");
    });
  } finally {
    Socket.prototype.setTimeout = real;
  }
});

test("proxy: when it ends, its tunnels stay open until the requests in them are answered, and no longer", async () => {
  const answered = Promise.withResolvers<void>();
  await withOthers(async ({ echo }) => {
    const proxy = await listenAsProxy({ port: await findFreePort(), ...usual, passesOthers: true });
    const tunnel = await dial(proxy.port);
    assertEquals(await ask(tunnel, tunnelTo(echo)), established);
    const closed = proxy.close(answered.promise);
    assertEquals(await ask(tunnel, "a"), "a");
    answered.resolve();
    await closed;
    assertEquals(await ask(tunnel, "b"), "");
  });
});

test("proxy: when it ends, it begins no connection to another host, and a fault of its own has no answer", async () => {
  const asked = Promise.withResolvers<void>(), found = Promise.withResolvers<readonly string[]>();
  const findAddresses = () => (asked.resolve(), found.promise);
  await withOthers(async ({ echo, met }) => {
    await withProxy({ passesOthers: true, findAddresses }, async (_, port) => {
      (await dial(port)).write(tunnelTo(echo));
      await asked.promise;
    });
    found.resolve(["127.0.0.1"]);
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals([await ask(await dial(echo), "a"), met.length], ["a", 1]);
  });
  await withProxy({ findOwnPort: () => JSON.parse("a fault") }, async (send) => {
    assertEquals(await send("CONNECT github.com:443 HTTP/1.1\r\n\r\n"), "");
  });
});

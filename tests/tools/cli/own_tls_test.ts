/** `postern start --tls`: the names that the certificate is for, what commands get through it, and what is refused. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fetchTrusting, findOwnAuthority } from "../../../src/tools/cli/client/fetch_own_tls.ts";
import { start as startCommand } from "../../../src/tools/cli/start/start.ts";
import { openOwnTls } from "../../../src/tools/cli/tls/own_tls.ts";
import { verify, withHome, withServedTls } from "../../portable/tools/cli/tls/world.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import * as program from "./command.ts";
import { complaintOf } from "./command.ts";

const it = testIn(withHome);

it("start --tls: with --tls-name, an authority for this name and --also, and the issuer is there", async ({ env, find }) => {
  const args = ["--tls", "--tls-name", "Shop.example", "--also", "https://id.shop.example:9000"];
  const start = program.createProgram(["start", ...args], env);
  await program.withServer([...args, "--expose-demo"], async ({ issuer, port, printed, stdout }) => {
    await printed(/OAUTH_REDIRECT_URI/);
    const { certFile } = find("shop.example");
    assertEquals(issuer, `https://shop.example:${port}`);
    assertStringIncludes(stdout(), `  Trust     ${certFile}\n`);
    assertStringIncludes(stdout(), `"${program.program} trust --tls-name shop.example" says how.`);
    const ca = await readFile(certFile, "utf8");
    for (const name of ["shop.example", "id.shop.example"]) await verify(port, ca, name);
  }, start);
});

it("start --tls: the certificate is for the hosts of the issuer and of --also, and for localhost", async ({ system, find }) => {
  const { tls } = await openOwnTls({
    issuer: "https://id.shop.test:9000",
    also: ["https://postern.test:9000", "https://shop.localhost:9000"],
    name: undefined,
    system,
  });
  await withServedTls(tls, async ({ port }) => {
    const ca = await readFile(find().certFile, "utf8");
    const names = ["localhost", "id.shop.test", "postern.test", "shop.localhost"];
    for (const name of names) await verify(port, ca, name);
  });
});

it("start --tls: a command trusts the authority that may sign for the host, and asks for none of another", async ({ system, find }) => {
  const ask = (host: string) => findOwnAuthority(new URL(`https://${host}:9000/oauth2/token`), system);
  assertEquals([await ask("localhost"), existsSync(find().folder)], [undefined, false]);
  for (
    const [issuer, name] of [["https://localhost:9000"], ["https://shop.example", "shop.example"]] as const
  ) {
    await openOwnTls({ issuer, name, system });
  }
  const [own, shop] = [find().certFile, find("shop.example").certFile].map((file) =>
    readFileSync(file, "utf8")
  );
  const hosts = [
    "localhost",
    "127.0.0.1",
    "[::1]",
    "id.shop.test",
    "shop.example",
    "Id.shop.example",
    "other.example",
    "10.0.0.1",
  ];
  assertEquals(
    await Promise.all(hosts.map(ask)),
    [own, own, own, own, shop, shop, undefined, undefined],
  );
  await writeFile(find().certFile, "no certificate");
  assertEquals(await ask("localhost"), undefined);
  assertEquals(
    await findOwnAuthority(new URL("https://localhost"), { platform: "linux", env: {} }),
    undefined,
  );
});

test("start --tls: what a command gets from a server that it trusts is the answer, also without a body", async () => {
  const [ca, cert, key] = ["authority.crt", "localhost.crt", "localhost.key"].map((file) =>
    readFileSync(`tests/certificates/${file}`, "utf8")
  );
  const server = createServer({ cert: cert!, key: key! }, async (request, response) => {
    const body = await text(request);
    const status = Number(request.url!.slice(1));
    response.writeHead(status, [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["sent", body]].flat());
    response.end([204, 304].includes(status) ? undefined : `${status}`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  for (const [status, body] of [[200, "200"], [204, ""], [304, ""], [400, "400"]] as const) {
    const url = `https://localhost:${port}/${status}`;
    const answer = await fetchTrusting(ca!, url, { method: "POST", body: "a=b" });
    assertEquals(
      [answer.status, await answer.text(), answer.headers.getSetCookie(), answer.headers.get("sent")],
      [status, body, ["a=1", "b=2"], "a=b"],
    );
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("start --tls: what cannot be is refused before anything is written, with exit code 2", async () => {
  const elsewhere =
    "--tls makes certificates for localhost, loopback addresses, and names below .localhost and .test, " +
    "and the issuer is at ";
  const alsoElsewhere = elsewhere.replace("the issuer", "the other name");
  const together =
    "take names below .test, such as postern.test, or names below one --tls-name, or use --tls-cert and --tls-key";
  const attempts: readonly (readonly [args: readonly string[], message: string])[] = [
    [
      ["--tls", "--tls-cert", "a.pem", "--tls-key", "a.key"],
      "--tls makes its own certificate: leave out --tls-cert and --tls-key, or --tls",
    ],
    [["--tls-name", "shop.example"], "--tls-name needs --tls too"],
    [
      ["--tls", "--tls-name", "shop"],
      '--tls-name must be a host name with a dot, such as id.shop.example, not "shop"',
    ],
    [
      ["--tls", "--issuer", "http://localhost:9000"],
      "--tls makes this an https server, so its issuer cannot be http://localhost:9000",
    ],
    [
      ["--tls", "--issuer", "https://shop.example", "--expose-demo"],
      `${elsewhere}shop.example: give --tls-name shop.example`,
    ],
    [
      ["--tls", "--issuer", "https://10.0.0.1", "--expose-demo"],
      `${elsewhere}10.0.0.1: use --tls-cert and --tls-key`,
    ],
    [
      ["--tls", "--tls-name", "shop.example", "--issuer", "https://localhost:9000"],
      "--tls-name shop.example makes certificates for this name and names below it, and the issuer is at localhost: " +
      "leave out --tls-name",
    ],
    [
      ["--tls", "--also", "http://postern.test:9000"],
      "--tls makes this an https server, so its other name cannot be http://postern.test:9000",
    ],
    [
      ["--tls", "--also", "https://postern:9000", "--expose-demo"],
      `${alsoElsewhere}postern: ${together}`,
    ],
  ];
  for (const [args, message] of attempts) {
    assertEquals(await complaintOf(startCommand, ...args), `2: ${message}`);
  }
});

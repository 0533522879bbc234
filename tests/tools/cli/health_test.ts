/** `postern health` as a process: the exit codes for a container, and waiting for a start. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { health } from "../../../src/tools/cli/commands/health.ts";
import { test } from "../../runner.ts";
import { complaintOf, createProgram, start as startProgram } from "./command.ts";
import { run, start, withServer } from "./in_process.ts";
import { findFreePort } from "../../free_port.ts";
import { createFolder } from "../../in_folder.ts";
import { withHome } from "../../portable/tools/cli/tls/world.ts";

test("health: the exit code says whether the server works, and a check has no line on the console", async () => {
  const { stdout } = await withServer([], async ({ issuer, port }) => {
    for (const address of [issuer, `${issuer}/`, `http://127.0.0.1:${port}`]) {
      assertEquals(await run("health", "--issuer", address), {
        code: 0,
        stdout: `${address} works\n`,
        stderr: "",
      });
    }
  });
  assertEquals(stdout.includes("/health"), false);
});

test("health: without a server it says how to start one, and --port names one on this machine", async () => {
  const port = await findFreePort();
  for (const flags of [["--port", `${port}`], ["--issuer", `http://localhost:${port}`]]) {
    assertMatch(
      await complaintOf(health, ...flags),
      new RegExp(
        `^1: nothing answers at http://localhost:${port}: start a server with ".* start --port ${port}"$`,
      ),
    );
  }
});

test("health: --ready asks whether the store answers, and the address of the page itself is not an issuer", async () => {
  await withServer([], async ({ issuer }) => {
    assertEquals(await run("health", "--ready", "--issuer", issuer), {
      code: 0,
      stdout: `${issuer} is ready\n`,
      stderr: "",
    });
    assertEquals(
      await complaintOf(health, "--ready", "--issuer", `${issuer}/ready`, "--wait", "5m"),
      `1: ${issuer}/ready/ready answers 404: leave /ready out of --issuer, because this command adds it`,
    );
  });
});

test("health: --wait tries again until the server has started", async () => {
  const port = await findFreePort();
  const waiting = start(["health", "--issuer", `http://localhost:${port}`, "--wait", "5m"]);
  // the second server is there only after the first has refused
  const other = createServer((_request, response) => response.writeHead(503).end("{}"));
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => other.once("request", () => resolve()));
  other.closeAllConnections();
  await new Promise<void>((resolve) => other.close(() => resolve()));
  await withServer([], async () => {
    const { code, stderr } = await waiting.ended;
    assertEquals([code, stderr], [0, ""]);
  }, { port });
});

test("health: --wait stops if the server has another issuer, and repeats the address of its health", async () => {
  await withServer(["--paths", "navikt"], async ({ port }) => {
    assertEquals(
      await complaintOf(health, "--issuer", `http://localhost:${port}`, "--wait", "5m"),
      `1: the server at http://localhost:${port}/health has another issuer. ` +
        `Did you mean http://localhost:${port}/default/health?`,
    );
  });
});

test("health: another server and a failing one are told apart", async () => {
  const failure = JSON.stringify({ error: "temporarily_unavailable", error_description: "No.\x1b[2J" });
  const answers: Readonly<Record<string, readonly [status: number, body: string]>> = {
    "/failing/health": [503, failure],
    "/other/health": [200, "<html>"],
    "/old/ready": [200, JSON.stringify({ status: "ok" })],
    "/busy/ready": [503, failure],
  };
  const server = createServer(({ url = "" }, response) => {
    const [status, body] = answers[url] ?? [404, ""];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const complain = (path: string) => complaintOf(health, "--issuer", base + path);
  try {
    assertEquals(
      await complain("/failing"),
      `1: ${base}/failing/health answers 503: No.\\u{1B}[2J`,
    );
    const complainReady = (path: string) => complaintOf(health, "--ready", "--issuer", base + path);
    assertEquals(await complainReady("/busy"), `1: ${base}/busy/ready answers 503: No.\\u{1B}[2J`);
    assertMatch(await complainReady("/old"), /answers 200: this is another server/);
    for (const [path, status] of [["/other", 200], ["/missing", 404]] as const) {
      const url = `${base}${path}/health`;
      assertEquals(
        await complain(path),
        `1: ${url} answers ${status}: this is another server, or the issuer has another path`,
      );
    }
  } finally {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});

test("health: a wrong flag is refused", async () => {
  assertMatch(await complaintOf(health, "--wait=-1"), /^2: --wait must be a number of seconds, or /);
  assertMatch(
    await complaintOf(health, "--issuer", "localhost:9000"),
    /^2: --issuer must be an http or https URL/,
  );
});

test("health: the first answer comes when the start has printed what a program needs", async () => {
  await withHome(async ({ env }) => {
    const [port, proxyPort] = [await findFreePort(), await findFreePort()];
    await using folder = await createFolder();
    const path = folder("printed.txt");
    const { command } = createProgram(["start"]);
    // as a shell script reads it
    const running = startProgram(
      ["start", "--port", `${port}`, "--like", "github", "--proxy", `${proxyPort}`],
      { command: ["sh", "-c", 'exec "$@" > "$PRINTED"', "sh", ...command], env: { ...env, PRINTED: path } },
    );
    try {
      let answer: Response | undefined;
      let hasEnded = false;
      void running.ended.then(() => hasEnded = true);
      while (answer === undefined && !hasEnded) {
        answer = await fetch(`http://localhost:${port}/health`).catch(() => undefined);
      }
      assertStringIncludes(await readFile(path, "utf8"), "HTTPS_PROXY=");
      await answer?.body?.cancel();
    } finally {
      running.signal("SIGINT");
      await running.ended;
    }
  });
});

/** `postern examine-api`: faulty tokens are sent to an API on a port. */

import { assertEquals, assertMatch } from "@std/assert";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { examineApiCommand } from "../../../src/tools/cli/commands/examine_api.ts";
import { parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { createApi } from "../../kit/faults/apis/api.ts";
import { findFreePort } from "../../free_port.ts";
import { type Habits, naive, strict } from "../../kit/faults/clients/habits.ts";
import { test } from "../../runner.ts";
import * as program from "./command.ts";
import { complaintOf, type Ended } from "./command.ts";
import { createFolder, inFolder } from "../../in_folder.ts";
import { start } from "./in_process.ts";

const scope = "orders";
const load = async (input: string | URL | Request) => await fetch(input);

/** Runs the command against an API with these habits. */
async function examine(
  habits: Habits,
  flags: readonly string[],
  begin: (args: readonly string[], cwd: string) => Promise<Ended> = (args, cwd) => start(args, { cwd }).ended,
  statusOfRefusals = 401,
  neededAcr?: string,
): Promise<Ended & { readonly card: string }> {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}`;
  let url = "";
  const server = createServer(async ({ headers, method = "GET" }, response) => {
    const { authorization = "", dpop } = headers;
    const request = new Request(url, {
      method,
      headers: { authorization, ...(typeof dpop === "string" ? { dpop } : {}) },
    });
    const api = createApi({
      habits,
      fetch: load,
      issuer,
      jwksUri: `${issuer}/oauth2/jwks`,
      audience: url,
      scope,
    });
    const right = await api(request);
    // An API looks at the sign-in after the signature.
    const isEnough = !right.ok || neededAcr === undefined ||
      parseJwt(authorization.slice("Bearer ".length))?.claims["acr"] === neededAcr;
    const challenge = 'Bearer error="insufficient_user_authentication", acr_values="mfa"';
    const answer = isEnough
      ? right
      : new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
    const status = answer.status === 401 ? statusOfRefusals : answer.status;
    response.writeHead(status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  try {
    let result: Ended & { readonly card: string };
    await inFolder(async (path) => {
      const args = ["examine-api", "--url", url, "--port", `${port}`, "--scope", scope];
      const audience = flags.includes("--audience") ? [] : ["--audience", url];
      const all = [...args, ...audience, "--card", "card.json", ...flags];
      const ended = await begin(all, path(""));
      result = { ...ended, card: await readFile(path("card.json"), "utf8").catch(() => "") };
    });
    return result!;
  } finally {
    // the command's requests leave connections open
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("examine-api: the card of an API that verifies tokens has no failure", async () => {
  const flags = ["--only", "access_token", "--level", "must,tolerate,robustness"];
  const { code, stdout, stderr, card } = await examine(strict, flags);
  assertEquals(code, 0, stdout + stderr);
  assertEquals(JSON.parse(card).rows.length, 52);
});

test("examine-api: as a program, its card of an API that verifies nothing names the tokens that it accepted", async () => {
  const flags = ["--only", "access_token.alg_none,access_token.long"];
  const { code, stdout, card } = await examine(
    naive,
    flags,
    (args, cwd) => program.start(args, { ...program.createProgram(args), cwd }).ended,
  );
  assertEquals(code, 1);
  assertMatch(stdout, /access_token\.alg_none/);
  assertEquals(JSON.parse(card).rows.map(({ outcome }: { outcome: string }) => outcome), [
    "fooled",
    "tolerated",
  ]);
});

test("examine-api: a row with an exception fails no run", async () => {
  await using path = await createFolder();
  const until = "2999-12-31";
  const exception = { row: "access_token.alg_none", reason: "Behind a gateway.", who: "alice", until };
  await writeFile(path("exceptions.jsonc"), JSON.stringify({ exceptions: [exception] }));
  const flags = ["--only", "access_token.alg_none", "--exceptions", path("exceptions.jsonc")];
  const { code, stdout } = await examine(naive, flags);
  assertEquals(code, 0, stdout);
  assertMatch(stdout, /Excepted until 2999-12-31 \(alice\): Behind a gateway\./);
});

test("examine-api: an API that refuses the right token is not examined", async () => {
  const { code, stderr } = await examine(strict, ["--wait", "0", "--audience", "https://another-api.test"]);
  assertEquals(code, 1);
  assertMatch(stderr, /because it does not accept the right token: The API answered 401 with the challenge/);
});

test("examine-api: an API that needs an acr gets it from --claims, which the error names (RFC 9470 §3)", async () => {
  const flags = ["--wait", "0", "--only", "access_token.acr_weak"];
  const refused = await examine(strict, flags, undefined, 401, "mfa");
  assertEquals(refused.code, 1);
  assertMatch(refused.stderr, /insufficient_user_authentication.*--claims\), such as \{"acr":"mfa"\}/);
  const { code, stdout, card } = await examine(
    strict,
    [...flags, "--claims", '{"acr":"mfa"}'],
    undefined,
    401,
    "mfa",
  );
  assertEquals(code, 0, stdout);
  assertEquals(JSON.parse(card).rows.map(({ outcome }: { outcome: string }) => outcome), ["noticed"]);
  const another = await examine(strict, ["--wait", "0", "--audience", "https://another-api.test"]);
  assertEquals(another.stderr.includes("--claims"), false, "the hint is for another refusal");
});

test("examine-api: a redirect is a refusal if --refused-by says so", async () => {
  const only = ["--only", "access_token.expired"];
  const outcomes = await Promise.all(["status:404", "body:no,status:404,redirect"].map(async (declared) => {
    const { card } = await examine(strict, [...only, "--refused-by", declared], undefined, 302);
    return JSON.parse(card).rows[0].outcome;
  }));
  assertEquals(outcomes, ["unknown", "noticed"]);
});

test("examine-api: a wrong argument is refused", async () => {
  assertMatch(await complaintOf(examineApiCommand), /examine-api needs --url/);
  assertMatch(await complaintOf(examineApiCommand, "--url", "orders"), /an http or https URL/);
  assertMatch(
    await complaintOf(examineApiCommand, "--refused-by", "redirect,404"),
    /redirect, status:NUMBER/,
  );
  for (const claims of ["mfa", "[]", '{"acr"']) {
    assertMatch(await complaintOf(examineApiCommand, "--claims", claims), /a JSON object, such as/);
  }
});

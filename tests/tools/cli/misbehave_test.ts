/** `postern start --misbehave`: a server that is wrong on purpose, and the flags that it refuses. */

import { assertEquals, assertMatch } from "@std/assert";
import { lookAlikeNames } from "../../../src/kit/mod.ts";
import { start } from "../../../src/tools/cli/start/start.ts";
import { test } from "../../runner.ts";
import { complaintOf, withFile } from "./command.ts";
import { withServer } from "./in_process.ts";

test("start --misbehave: the server is wrong, and the banner, the pages and the lines of requests say so", async () => {
  const { code } = await withServer(["--misbehave", "metadata.issuer_mismatch"], async (server) => {
    await server.printed(/Faults +metadata\.issuer_mismatch: The issuer in the metadata is not the one/);
    const response = await fetch(`${server.issuer}/.well-known/openid-configuration`);
    const { issuer } = await response.json();
    assertEquals(issuer === server.issuer, false);
    await server.printed(/changed by "metadata\.issuer_mismatch"/);
    const page = await (await fetch(server.issuer)).text();
    assertMatch(page, /1 misbehaviour is on:.*metadata\.issuer_mismatch/);
    // Without --control, a request cannot change anything.
    const control = await fetch(`${server.issuer}/_postern/misbehaviours`);
    assertEquals(control.status, 404);
    await control.body?.cancel();
  });
  assertEquals(code, 0);
});

test("start --like: the server answers as the provider, and the banner and the pages say so", async () => {
  await withServer(["--like", "github"], async (server) => {
    await server.printed(/Like +This server looks like GitHub, OAuth apps\./);
    const response = await fetch(`${server.issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "authorization_code", client_id: "my-app", code: "wrong" }),
    });
    assertEquals(response.headers.get("content-type"), "application/x-www-form-urlencoded");
    assertMatch(await response.text(), /^error=/);
    const page = await (await fetch(server.issuer)).text();
    assertMatch(page, /This server looks like GitHub, OAuth apps\./);
    assertEquals(page.includes("wrong on purpose"), false);
  });
});

test("start --like: a wrong name and flags that contradict it are refused", async () => {
  assertEquals(
    await complaintOf(start, "--like", "gihub"),
    `2: --like must be one of ${lookAlikeNames.join(", ")}, not "gihub"`,
  );
  await withFile({}, async (file) => {
    assertMatch(
      await complaintOf(start, "--like", "github", "--config", file, "--watch"),
      /^2: --watch would start a server without --like at each change: use one of the two$/,
    );
  });
});

test("start --misbehave: a wrong name and flags that contradict it are refused", async () => {
  const name = "metadata.issuer_mismatch";
  const reached = ["--expose-demo", "--host", "0.0.0.0", "--issuer", "https://as.example"];
  assertEquals(
    await complaintOf(start, "--misbehave", "metadata.issuer_missmatch"),
    '2: there is no misbehaviour "metadata.issuer_missmatch": the command misbehaviours lists them. ' +
      "Did you mean metadata.issuer_mismatch?",
  );
  await withFile({}, async (file) => {
    assertMatch(
      await complaintOf(start, "--misbehave", name, "--config", file, "--watch"),
      /^2: --watch would start a server without --misbehave at each change: use one of the two$/,
    );
  });
  assertMatch(
    await complaintOf(start, "--misbehave", name, ...reached),
    /, so --misbehave needs --control with a token of 16 characters or more$/,
  );
});

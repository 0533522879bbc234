/** `--watch`: the configuration file changes while the server runs. */

import { assertEquals } from "@std/assert";
import { writeFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { testIn } from "../../../test_in.ts";
import { watchFile } from "../../../../src/tools/cli/start/watch_configuration.ts";
import { withServer } from "../../../tools/cli/command.ts";
import { inFolder } from "../../../in_folder.ts";
import { challenge, verifier } from "../../../world.ts";

const redirectUri = "https://app.example/cb";
const client = (id: string) => ({ client_id: id, redirect_uris: [redirectUri] });

const it = testIn(inFolder);

it("watch: a changed file is applied, a broken one is not, and codes remain valid", async (path) => {
  const file = path("postern.json");
  // as many editors do it: a new file replaces the old one
  const save = async (text: string) => {
    await writeFile(path("new"), text);
    await rename(path("new"), file);
  };
  await save(JSON.stringify({ clients: [client("one")] }));
  const flags = ["--config", file, "--watch", "--login", "auto"];
  const { code: exitCode, stderr } = await withServer(flags, async ({ port, printed }) => {
    const knows = async (id: string) => {
      const params = new URLSearchParams({ client_id: id, redirect_uri: redirectUri });
      const url = `http://127.0.0.1:${port}/oauth2/authorize?${params}`;
      const response = await fetch(url, { redirect: "manual" });
      await response.body?.cancel();
      // for a known client, the error goes to its redirect URI
      return response.status === 303;
    };
    assertEquals([await knows("one"), await knows("two")], [true, false]);
    const request = new URLSearchParams({
      response_type: "code",
      client_id: "one",
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const authorizeUrl = `http://127.0.0.1:${port}/oauth2/authorize?${request}`;
    const answer = await fetch(authorizeUrl, { redirect: "manual" });
    await answer.body?.cancel();
    const code = new URL(answer.headers.get("location")!).searchParams.get("code")!;

    await save(JSON.stringify({ clients: [client("one")], people: [{ username: "alice" }] }));
    await printed(/^postern\.json has changed, and is applied: 1 client, 1 person$/m);

    const both = [client("one"), client("two")].map((each) => JSON.stringify(each));
    await save(`{\n  // two clients\n  "clients": [${both}],\n}`);
    await printed(/^postern\.json has changed, and is applied: 2 clients, 2 people$/m);
    assertEquals([await knows("one"), await knows("two")], [true, true]);

    await save('{ "clients": [ }');
    await printed(/^postern\.json has changed, but is not applied\. postern\.json:1:16: expected a value$/m);
    await save(JSON.stringify({ clients: [{ client_id: "a", redirect_uris: ["nonsense"] }] }));
    await printed(
      /is not applied\. postern\.json:\d+:\d+: clients\[0\]\.redirect_uris\[0\] must be an absolute URI, not "nonsense"$/m,
    );
    assertEquals([await knows("one"), await knows("two")], [true, true]);

    const redeemed = await fetch(`http://127.0.0.1:${port}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: "one",
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),
    });
    await redeemed.body?.cancel();
    assertEquals(redeemed.status, 200);
    await printed(/ 200 .* POST +\/oauth2\/token/);
  });
  assertEquals([exitCode, stderr.trimEnd().split("\n").length], [0, 2]);
});

it("watch: a change right after the start of the watch is reported", async (path) => {
  const file = path("watched");
  await writeFile(file, "before");
  const changed = await new Promise<string>((resolve) => {
    const stop = watchFile(file, (path) => {
      stop();
      return Promise.resolve(resolve(path));
    });
    writeFileSync(file, "changed at once");
  });
  assertEquals(changed, file);
});

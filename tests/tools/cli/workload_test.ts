/** `postern start --workload`: programs get tokens as from the platforms that run them. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { start } from "../../../src/tools/cli/start/start.ts";
import { test } from "../../runner.ts";
import { complaintOf, withFile } from "./command.ts";
import { withServer } from "./in_process.ts";

test("start --workload: prints the two variables with which a program of GitHub Actions gets its tokens", async () => {
  const { code, stdout } = await withServer(
    ["--workload", "github-actions=repo:acme/shop:environment:prod"],
    async (server) => {
      const [, url = ""] = await server.printed(/^ACTIONS_ID_TOKEN_REQUEST_URL='(.+)'$/m);
      const [, bearer = ""] = await server.printed(/^ACTIONS_ID_TOKEN_REQUEST_TOKEN=(.+)$/m);
      const issuer = `${server.issuer}/github-actions`;
      await server.printed(/Workload +http:.*\/github-actions\n +It issues tokens as GitHub Actions does\./);
      const response = await fetch(`${url}&audience=sts`, { headers: { authorization: `Bearer ${bearer}` } });
      const { value } = await response.json();
      const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks`), { timeoutDuration: 60_000 });
      const { payload } = await jwtVerify(value, keys, { issuer, audience: "sts" });
      assertEquals([payload.sub, payload["environment"]], ["repo:acme/shop:environment:prod", "prod"]);
      // Without --control, a request cannot change anything.
      const control = await fetch(`${server.issuer}/_postern/workload`, { method: "POST" });
      assertEquals(control.status, 404);
      await control.body?.cancel();
      const refused = await fetch(url, { headers: { authorization: "Bearer wrong" } });
      assertEquals(refused.status, 401);
      await refused.body?.cancel();
      await server.printed(/invalid_token \(workload_bearer_wrong\)/);
    },
  );
  assertEquals([code, /eyJ[\w-]+\./.test(stdout)], [0, false]);
});

test("start --workload: prints a command that gets a token for other platforms", async () => {
  await withServer(["--workload", "kubernetes,spiffe"], async (server) => {
    const platforms = [["Kubernetes", "system:serviceaccount:default:default"], [
      "SPIFFE",
      "spiffe://",
    ]];
    for (const [title, claim] of platforms) {
      const [, bearer = "", url = ""] = await server.printed(
        new RegExp(`# A token of ${title}, in a POSIX shell:\\ncurl -sH 'Authorization: (.+)' '(.+)'`),
      );
      const response = await fetch(url, { headers: { authorization: bearer } });
      const claims = decodeJwt(await response.text());
      assertEquals(claims.aud, ["https://api.example"]);
      assert(claims.sub?.startsWith(claim!));
    }
  });
});

test("start --workload: POSTERN_WORKLOAD does the same, and the log in JSON has the issuer without the bearer", async () => {
  let started = "";
  const { code, stdout, stderr } = await withServer(["--log", "json"], async ({ printed }) => {
    [started] = await printed(/^.*"message":"started".*$/m);
  }, { env: { POSTERN_WORKLOAD: "gitlab-ci" } });
  const { workloads, variables } = JSON.parse(started);
  assertEquals([workloads.length, workloads[0].platform, variables], [1, "gitlab-ci", ["POSTERN_WORKLOAD"]]);
  assertMatch(workloads[0].issuer, /\/gitlab-ci$/);
  assertEquals([code, /bearer/i.test(stdout + stderr)], [0, false]);
});

test("start --workload: with --from container, the addresses have the first other name of the server", async () => {
  const flags = ["--also", "http://127.0.0.1:9000", "--from", "container", "--workload"];
  await withServer([...flags, "github-actions,gitlab-ci"], async (server) => {
    const other = "http://127.0.0.1:9000";
    await server.printed(
      new RegExp(`^ACTIONS_ID_TOKEN_REQUEST_URL='${other}/github-actions/idtoken\\?`, "m"),
    );
    await server.printed(new RegExp(`^curl -sH .+ '${other}/gitlab-ci/idtoken\\?audience=`, "m"));
    await server.printed(new RegExp(`Workload +${server.issuer}/github-actions`));
  });
});

test("start --workload: refuses unknown platforms, wrong subjects and flags that contradict it", async () => {
  const complaints: readonly (readonly [args: readonly string[], complaint: RegExp])[] = [
    [["--workload", "jenkins"], /--workload must be one of github-actions, gitlab-ci, kubernetes, spiffe/],
    [
      ["--workload", "spiffe", "--host", "0.0.0.0", "--issuer", "http://localhost:9000", "--expose-demo"],
      /--workload needs --control with a token of 16 characters or more/,
    ],
  ];
  for (const [args, complaint] of complaints) assertMatch(await complaintOf(start, ...args), complaint);
  await assertRejects(
    () => withServer(["--workload", "spiffe=web"], () => Promise.resolve()),
    Error,
    "sub must be a SPIFFE ID",
  );
  await withFile({}, async (file) => {
    assertMatch(
      await complaintOf(start, "--workload", "spiffe", "--config", file, "--watch"),
      /^2: --watch would start a server without --workload at each change: use one of the two$/,
    );
  });
});

/** The package @actions/core gets the ID token of a job of GitHub Actions, as it does in a workflow. */

import { assertEquals } from "@std/assert";
import { getIDToken } from "@actions/core";
import { createRemoteJWKSet, jwtVerify } from "jose";
import process from "node:process";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

/** Sets the variables while the work runs, and collects what it prints. */
async function inJob<T>(env: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const { write } = process.stdout;
  const before = { ...process.env };
  Object.assign(process.env, env);
  // It prints commands for the runner, such as one that masks the token.
  process.stdout.write = () => true;
  try {
    return await work();
  } finally {
    process.stdout.write = write;
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

test("@actions/core: getIDToken gets a token for its audience, which jose verifies over HTTP", async () => {
  await using as = await createMock();
  await as.listen();
  const { env, issuer } = await as.workload("github-actions", { sub: "repo:acme/shop:ref:refs/heads/main" });
  const audience = "https://api.example/a b&c";
  const token = await inJob(env, () => getIDToken(audience));
  const { jwks_uri: uri } = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const keys = createRemoteJWKSet(new URL(uri), { timeoutDuration: 60_000 });
  const { payload } = await jwtVerify(token, keys, { issuer, audience });
  assertEquals(payload.sub, "repo:acme/shop:ref:refs/heads/main");
  const usual = await inJob(env, () => getIDToken());
  const verified = await jwtVerify(usual, keys, { issuer });
  assertEquals(verified.payload.aud, "https://github.com/acme");
});

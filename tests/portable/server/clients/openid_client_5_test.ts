/** `openid-client` 5 with its default settings, through a socket: the version that many applications still use. */

import { assertEquals, assertRejects } from "@std/assert";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Library from "openid-client-5";
import { test } from "../../../runner.ts";
import { redirectUri } from "../../../world.ts";
import { basicClient, requireCarol, secret, signedOutUri, signInFor } from "./postern.ts";
import { withSite } from "./with_site.ts";

/** Only Deno resolves the package's alias; all three runtimes can import its path. */
async function load(): Promise<typeof Library> {
  const { imports } = JSON.parse(await readFile("dev.json", "utf8")) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  const name = imports["openid-client-5"]!.replace(/^npm:/, "");
  const path = `node_modules/.deno/${name}/node_modules/openid-client/lib/index.mjs`;
  return await import(pathToFileURL(resolve(path)).href);
}

test("clients: openid-client 5: the whole life of a token", async () => {
  const { generators, Issuer } = await load();
  await withSite(basicClient, async ({ issuer, visitor }) => {
    const server = await Issuer.discover(issuer);
    const client = new server.Client({
      client_id: "app",
      client_secret: secret,
      redirect_uris: [redirectUri],
      response_types: ["code"],
    });
    const code_verifier = generators.codeVerifier();
    const [state, nonce] = [generators.state(), generators.nonce()];
    const url = client.authorizationUrl({
      scope: "openid profile email",
      state,
      nonce,
      code_challenge: generators.codeChallenge(code_verifier),
      code_challenge_method: "S256",
    });
    const params = client.callbackParams((await signInFor(visitor, url)).href);
    const tokens = await client.callback(redirectUri, params, { code_verifier, state, nonce });
    requireCarol(await client.userinfo(tokens));

    const next = await client.refresh(tokens);
    assertEquals(next.claims().sub, tokens.claims().sub);
    requireCarol(await client.userinfo(next));
    assertEquals((await client.introspect(next.access_token!)).active, true);

    await client.revoke(next.access_token!);
    assertEquals((await client.introspect(next.access_token!)).active, false);
    await assertRejects(() => client.userinfo(next), Error, "invalid_token");
    await client.revoke(next.refresh_token!, "refresh_token");
    await assertRejects(() => client.refresh(next), Error, "invalid_grant");

    const goodbye = client.endSessionUrl({
      id_token_hint: next,
      post_logout_redirect_uri: signedOutUri,
      state: "over",
    });
    assertEquals((await visitor.open(goodbye)).leftFor?.href, `${signedOutUri}?state=over`);
  });
});

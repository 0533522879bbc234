/** First use: when an id becomes another client, that client gets no access from the tokens of the former one. */

import { assertEquals } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { createBrowser, inWorld, type Params, sampleKey, verifier, type World } from "../../world.ts";
import {
  assertRefused,
  opensUserinfo,
  readTokens,
  refresh,
  refusalOf,
  type Tokens,
} from "../tokens/bearer.ts";

const year = 365 * 24 * 3600;
const former = { client_id: "my-cli", redirect_uri: "http://127.0.0.1:4000/cb" };
const latter = { client_id: "my-cli", redirect_uri: "http://localhost:5000/elsewhere" };

async function approve(world: World, who: Params): Promise<string> {
  const browser = createBrowser(world);
  const params = { scope: "openid offline_access", ...who };
  const consent = await browser.submit(await browser.open(world.authorizeUrl(params)), { person: "alice" });
  const done = await browser.submit(consent, { decision: "approve" });
  return new URL(done.leftFor!).searchParams.get("code")!;
}

async function redeem(world: World, who: Params, code: string): Promise<Tokens> {
  return await readTokens(await world.redeem(code, who));
}

/** How the record of the former client ends. */
const endings:
  readonly (readonly [how: string, end: (world: World, forget: () => Promise<void>) => unknown])[] = [
    ["its thirty days are over", (world) => world.clock.advance(31 * 24 * 3600)],
    ["its record is deleted", (_world, forget) => forget()],
  ];

for (const [how, end] of endings) {
  test(`first use: when ${how} and another client takes the id, the former client's tokens and codes are dead`, async () => {
    const store = memoryStore();
    const options: ServerOptions = {
      alg: "ES256",
      signingKeys: [sampleKey],
      store,
      // No token expires during the test.
      lifetimes: {
        accessToken: year,
        idToken: year,
        session: year,
        refreshIdle: year,
        refreshAbsolute: year,
      },
    };
    await inWorld(options, async (world) => {
      const old = await redeem(world, former, await approve(world, former));
      assertEquals(await opensUserinfo(world, old.access_token), true);
      const unused = await approve(world, former);

      await end(world, () => store.delete({ name: "client" }, "my-cli"));
      const next = await redeem(world, latter, await approve(world, latter));

      // Both are public clients with one id, so only the record tells them apart.
      const refreshed = refresh(world, old.refresh_token, { client_id: "my-cli" });
      await assertRefused(world, refreshed, "400 invalid_grant refresh_of_another_client");
      assertEquals(await opensUserinfo(world, old.access_token), false);
      const isKept = how === "its record is deleted";
      assertEquals(
        await refusalOf(world, world.redeem(unused, { ...former, code_verifier: verifier })),
        [400, "invalid_grant", isKept ? "code_of_another_client" : "code_unknown"],
      );

      // The refusals have not ended any token of the new client.
      assertEquals(await opensUserinfo(world, next.access_token), true);
      const again = await readTokens(await refresh(world, next.refresh_token, { client_id: "my-cli" }));
      assertEquals(await opensUserinfo(world, again.access_token), true);
    }, {});
    await store.close();
  });
}

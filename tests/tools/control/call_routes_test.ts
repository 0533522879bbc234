/** A call of the test kit that takes only terms needs no route of its own over HTTP. */

import { assert, assertEquals } from "@std/assert";
import { parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import { createMock } from "../../../src/kit/mod.ts";
import { createCallRoutes } from "../../../src/tools/control/call_routes.ts";
import { summaryOf } from "../../../src/tools/control/kit_types.ts";
import type { Call } from "../../../src/tools/control/route.ts";
import { controlRoutes } from "../../../src/tools/control/routes.ts";
import { test } from "../../runner.ts";

const made = createCallRoutes([]);

test("call routes: a call has a route with its terms and its comment, unless another route is at its path", () => {
  assertEquals(made.map(({ method, path, name }) => `${method} ${path} ${name}`), [
    "POST /rotate_keys rotateKeys",
    "POST /mint mint",
    "POST /id_jag idJag",
  ]);
  for (const { name, summary, body } of made) {
    assertEquals([summary, body?.additionalProperties], [summaryOf(name), false], name);
    assert(Object.keys(body?.properties ?? {}).length > 0, name);
  }
  assertEquals(createCallRoutes(controlRoutes), []);
  assertEquals(createCallRoutes(controlRoutes.filter(({ path }) => path !== "/mint")).length, 1);
});

test("call routes: a route calls the test kit with the body, and returns what JSON has", async () => {
  await using as = await createMock({ alg: "ES256" });
  const ask = async (name: string, body: object) =>
    await made.find((each) => each.name === name)!.handle({ tenant: as, body } as unknown as Call);
  const { result } = await ask("mint", { username: "bob", scope: "orders" }) as { readonly result: string };
  assertEquals(parseJwt(result)?.claims?.["sub"], (await as.login("bob")).claims!.sub);
  const listKids = async (): Promise<readonly string[]> =>
    (await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json()).keys.map(({ kid }: { kid: string }) => kid);
  const before = await listKids();
  assertEquals(await ask("rotateKeys", { atOnce: true }), undefined);
  assert((await listKids()).some((kid) => !before.includes(kid)));
});

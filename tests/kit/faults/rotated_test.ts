/** A refresh token that is replaced, although FAPI 2.0 forbids it (Security Profile §5.3.2.1-9). */

import { assertEquals, assertNotEquals } from "@std/assert";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { keys } from "../../server/tokens/assertions.ts";

const clientKey = { ...await crypto.subtle.exportKey("jwk", keys.es256.privateKey), kid: "es", alg: "ES256" };

/** A server that keeps refresh tokens. */
const createProfiled = () =>
  createMock({
    profile: "fapi2-security",
    clients: [{
      client_id: "bank",
      jwks: { keys: [{ ...keys.es256.jwk, kid: "es" } as JsonWebKey] },
      redirect_uris: ["https://app.test/callback"],
    }],
  });

type Given = Awaited<ReturnType<Mock["login"]>>;

const logIn = (as: Mock) => as.login("alice", { client: "bank", clientKey } as never);
const refresh = (as: Mock, tokens: Given) => as.refresh(tokens, { clientKey } as never);

test("misbehaviours: under the profile, refresh.rotated replaces the token at each refresh (RFC 6749 §6)", async () => {
  await using as = await createProfiled();
  using wrong = as.misbehave("refresh.rotated");
  const first = await logIn(as);
  const second = await refresh(as, first);
  const third = await refresh(as, second);
  const texts = [first, second, third].map(({ refresh_token }) => refresh_token);
  assertEquals([new Set(texts).size, wrong.count], [3, 2]);
  const { outcome, because } = await wrong.settled();
  assertEquals([outcome, because], [
    "noticed",
    "The client used the new refresh token: POST token (refresh_token).",
  ]);
});

test("misbehaviours: one refresh does not show which token the client keeps after refresh.rotated", async () => {
  await using as = await createProfiled();
  using wrong = as.misbehave("refresh.rotated");
  const { refresh_token } = await refresh(as, await logIn(as));
  assertNotEquals(refresh_token, undefined);
  assertEquals((await wrong.settled(Promise.resolve())).outcome, "unknown");
});

test("misbehaviours: a server that rotates is not wrong by refresh.rotated (RFC 6749 §6)", async () => {
  await using as = await createMock();
  using wrong = as.misbehave("refresh.rotated");
  await as.refresh(await as.login("alice"));
  assertEquals([wrong.count, (await wrong.settled()).outcome], [0, "not_reached"]);
});

/** bun test: an identity provider that omits a claim, and a connection that breaks. */

import { expect, test } from "bun:test";
import { createMock } from "postern/mock";

test("userinfo without an email address", async () => {
  await using as = await createMock();
  as.on("userinfo", ({ email: _, ...claims }) => claims, { person: "bob" });
  const { access_token: token } = await as.login("bob");
  const answer = await as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).not.toHaveProperty("email");
});

test("if the answer to a refresh is lost, its refresh token is used up", async () => {
  await using as = await createMock();
  const tokens = await as.login("bob");
  as.drop("token", { count: 1 });
  await expect(as.refresh(tokens)).rejects.toThrow();
  await expect(as.refresh(tokens)).rejects.toMatchObject({ reason: "refresh_reused" });
});

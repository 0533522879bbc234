/** bun test: an identity provider that says less than usual, and a connection that breaks. */

import { expect, test } from "bun:test";
import { createMock } from "postern/mock";

test("an ID token without an e-mail address", async () => {
  await using as = await createMock();
  as.on("userinfo", ({ email: _, ...claims }) => claims, { person: "bob" });
  const { access_token: token } = await as.login("bob");
  const answer = await as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).not.toHaveProperty("email");
});

test("the answer to a refresh is lost, and its token is used up all the same", async () => {
  await using as = await createMock();
  const tokens = await as.login("bob");
  as.drop("token", { count: 1 });
  await expect(as.refresh(tokens)).rejects.toThrow();
  await expect(as.refresh(tokens)).rejects.toMatchObject({ reason: "refresh_reused" });
});

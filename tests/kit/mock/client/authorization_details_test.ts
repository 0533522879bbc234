/** Rich authorization requests of the test kit (RFC 9396). */

import { assertEquals, assertRejects } from "@std/assert";
import { createMock } from "../../../../src/kit/mod.ts";
import { keys } from "../../../server/tokens/assertions.ts";
import { payment, types } from "../../../server/features/authorization_details.ts";
import { test } from "../../../runner.ts";

const details = [payment("5.00"), payment("6.00")];

test("kit: login sends authorizationDetails, pushed, signed, on a device or plain (RFC 9396 §2, §7)", async () => {
  await using as = await createMock({
    authorizationDetails: types,
    clients: [
      {
        client_id: "app",
        redirect_uris: ["https://app.test/cb"],
        jwks: { keys: [{ ...keys.es256.jwk, kid: "es" }] },
        request_object_signing_alg: "ES256",
      },
      {
        client_id: "tv",
        token_endpoint_auth_method: "none",
        grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
      },
    ],
  });
  const clientKey = {
    ...await crypto.subtle.exportKey("jwk", keys.es256.privateKey),
    kid: "es",
    alg: "ES256",
  };
  const signed = { signed: true, clientKey };
  for (const terms of [{}, { pushed: true }, signed, { client: "tv", device: true }]) {
    const tokens = await as.login("alice", { ...terms, authorizationDetails: details });
    assertEquals(tokens.authorization_details, details, JSON.stringify(terms));
  }
  assertEquals((await as.login("alice")).authorization_details, undefined);
  const tokens = await as.login("alice", { authorizationDetails: details });
  const one = details.slice(0, 1);
  const fewer = await as.refresh(tokens, { authorizationDetails: one });
  assertEquals(fewer.authorization_details, one);
  assertEquals((await as.refresh(fewer)).authorization_details, details);
  await assertRejects(() => as.refresh(fewer, { authorizationDetails: {} as never }), TypeError, "array");
  const refused = await assertRejects(() => as.login("alice", { authorizationDetails: [{ type: "other" }] }));
  assertEquals(Object(refused).reason ?? Object(refused).refusal?.reason, "details_type_unknown");
  const text = () => as.login("alice", { authorizationDetails: "text" as never });
  await assertRejects(text, TypeError, "authorizationDetails");
});

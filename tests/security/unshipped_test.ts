/** Features that the metadata does not announce are refused or ignored completely. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { callbackParams, inWorld, type World } from "../world.ts";
import { countingStore } from "./counting_store.ts";
import { readRefusal } from "./site.ts";

type Metadata = Readonly<Record<string, unknown>>;

async function readMetadata(world: World): Promise<Metadata> {
  return await (await world.get("/.well-known/oauth-authorization-server")).json() as Metadata;
}

const grantTypes = [
  ...["refresh_token", "client_credentials", "password", "implicit"],
  ...["urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"],
  ...["urn:ietf:params:oauth:grant-type:token-exchange", "urn:openid:params:grant-type:ciba"],
];

test("unshipped: a grant type that the metadata does not list is refused, and the code stays redeemable (OAuth 2.1 §3.2.4)", async () => {
  await inWorld({}, async (world) => {
    const listed = (await readMetadata(world))["grant_types_supported"] as readonly string[];
    assert(listed.includes("authorization_code"));
    for (const grant_type of grantTypes.filter((each) => !listed.includes(each))) {
      const code = await world.code();
      const sent = {
        grant_type,
        refresh_token: code,
        username: "alice",
        password: "x",
        device_code: code,
        assertion: code,
      };
      assertEquals(
        await readRefusal(await world.redeem(code, sent)),
        "400 unsupported_grant_type",
        grant_type,
      );
      assertEquals((await world.redeem(code)).status, 200);
    }
  });
});

const responseTypes = [
  ...["token", "id_token", "code token", "code id_token", "id_token token", "none", "CODE"],
  "code code",
];

test("unshipped: a response type or mode that the metadata does not list is refused and writes nothing (RFC 9700 §2.1.2)", async () => {
  const store = countingStore();
  await inWorld({ store }, async (world) => {
    const metadata = await readMetadata(world);
    const listed = metadata["response_types_supported"] as readonly string[];
    for (const response_type of responseTypes.filter((each) => !listed.includes(each))) {
      const answer = callbackParams(await world.authorize({ response_type }));
      assertEquals(answer.get("error"), "unsupported_response_type", response_type);
      assertEquals([answer.has("code"), answer.has("access_token"), answer.has("id_token")], [
        false,
        false,
        false,
      ]);
    }
    const modes = metadata["response_modes_supported"] as readonly string[];
    for (const response_mode of ["jwt", "query.jwt", "form_post.jwt", "web_message", "cookie", "QUERY"]) {
      if (modes.includes(response_mode)) continue;
      const response = await world.authorize({ response_mode });
      assertEquals([response.status, response.headers.get("location")], [400, null], response_mode);
    }
    assertEquals(store.writes, []);
  });
});

/** What `postern learn` takes from its sources. */

import { assertEquals } from "@std/assert";
import type { Configuration } from "../../../src/server/setup/configuration.ts";
import { parseJsonc } from "../../../src/tools/cli/configuration/parse_jsonc.ts";
import { createContext, readTexts } from "../../../src/tools/cli/learn/learn_parts.ts";
import { learnRealm } from "../../../src/tools/cli/learn/learn_realm.ts";
import { listValues } from "../../../src/tools/cli/learn/list_values.ts";
import { writePart } from "../../../src/tools/cli/learn/part.ts";
import { test } from "../../runner.ts";

test("learn: texts of others are bounded in number and length, and each counts once", () => {
  const long = "a".repeat(200);
  assertEquals(readTexts(["b", 1, "", long, `${long}a`, "b", null]), ["b", long]);
  assertEquals(readTexts(Array.from({ length: 501 }, (_, index) => `${index}`)).length, 500);
});

test("learn: a body of each kind has its values, with their names", () => {
  const parts = '--x\r\na: form-data; name="a"\r\n\r\n1\r\n\r\n2\r\n--x\r\nname="c"\n\n3\n--x--';
  const bodies: readonly (readonly [body: string, values: readonly (readonly [string, string])[]])[] = [
    ['{"a":[1,{"b":null}],"c":"{\\"d\\":2}"}', [["a", "1"], ["b", ""], ["d", "2"]]],
    ['{"a":"/b?c=d","e":"https://f.test/?g=h"}', [["a", "/b?c=d"], ["c", "d"], ["e", "https://f.test/?g=h"], [
      "g",
      "h",
    ]]],
    ["a=b&c=%2Fd", [["a", "b"], ["c", "/d"]]],
    ["a=b c", [["", "a"], ["a", "b"], ["b", "c"]]],
    ["<a b='c'>d</a>", [["", "a"], ["a", "b"], ["b", "c"], ["c", "d"], ["d", "/a"]]],
    [parts, [["a", "1\n\n2"], ["c", "3"]]],
    ["", []],
  ];
  for (const [body, values] of bodies) assertEquals([body, listValues(body)], [body, values]);
});

test("learn: a realm gives the addresses after a logout, the audiences, and who may not sign in", () => {
  const uris = { rootUrl: "https://a.test", redirectUris: ["/cb"] };
  const audience = { protocolMapper: "oidc-audience-mapper", config: { "included.client.audience": "x" } };
  const clients = [
    {
      clientId: "a",
      ...uris,
      consentRequired: true,
      attributes: { "post.logout.redirect.uris": "+##/bye##https://b.test/" },
    },
    { clientId: "b+", ...uris, attributes: { "post.logout.redirect.uris": "" }, protocolMappers: [audience] },
  ];
  const users = [{ username: "al", firstName: "Al", lastName: "Bo", enabled: false, emailVerified: true }];
  const context = createContext({ origin: "http://localhost:9000", keepsSecrets: false, usual: {} });
  const members = learnRealm({ realm: "r", clients, users }, context);
  const is = parseJsonc(writePart({ members, from: "A test." }).join("\n")) as Configuration;
  const claims = ["preferred_username", "name", "given_name", "family_name", "email", "email_verified"];
  const accessToken = [...claims, "realm_access", "resource_access"];
  assertEquals(is.claimsIn, { accessToken, idToken: claims, userinfo: claims });
  const after = ["https://a.test/cb", "https://a.test/bye", "https://b.test/"];
  assertEquals(is.clients!.map((each) => each.post_logout_redirect_uris), [after, undefined]);
  assertEquals(is.tokenClaims, [{ when: { client_id: "b\\+" }, claims: { aud: ["x"] } }]);
  const left = 'Parts that are not taken over. "a" "consentRequired"';
  const name = { name: "Al Bo", given_name: "Al", family_name: "Bo" };
  assertEquals([is.people, [...context.leftOut.keys()]], [
    [{ username: "al", disabled: true, claims: name }],
    [left],
  ]);
});

/** Client metadata: what TypeScript, the published schema and the registry of RFC 7591 call its members. */

import { assertEquals } from "@std/assert";
import { createConfigurationSchema } from "../../../src/mod.ts";
import { registeredNames } from "../../../src/server/oauth/clients/metadata/registered_names.ts";
import { checkSchema } from "../../../src/ground/schema/check_schema.ts";
import { test } from "../../runner.ts";
import { everyClientMember } from "./every_client_member.ts";

const schema = createConfigurationSchema().properties!["clients"]!.items!;
const names = Object.keys(schema.properties!);

test("client metadata: TypeScript and the published schema know the same members", () => {
  assertEquals(Object.keys(everyClientMember).toSorted(), names.toSorted());
  assertEquals(checkSchema(everyClientMember, schema), undefined);
});

test("client metadata: a member that IANA has not registered says so in the published schema (RFC 7591 §4.1)", () => {
  const own = names.filter((name) => !registeredNames.has(name));
  assertEquals(own, [
    "allow_private_http",
    "require_pkce",
    "remember_consent",
    "oauth_version",
    "request_object_times",
    "accepted_signing_algs",
    "require_second_factor",
    "require_signed_response",
    "authorization_code_lifetime",
    "require_bound_access_tokens",
    "client_secret_basic",
    "client_assertion_audience",
    "profile",
    "rotate_refresh_tokens",
    "token_exchange",
    "introspects",
  ]);
  const marked = names.filter((name) => schema.properties![name]!.description?.includes("Not a registered"));
  assertEquals(marked, own);
});

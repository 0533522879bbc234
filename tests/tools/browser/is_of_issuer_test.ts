/** Which addresses of an origin belong to an issuer below a path (RFC 8414 §3.1). */

import { assertEquals } from "@std/assert";
import { isOfIssuer } from "../../../src/tools/browser/is_of_issuer.ts";
import { test } from "../../runner.ts";

test("issuer of a page: it has the paths below it, and the metadata of itself and its APIs (RFC 8414 §3.1, RFC 9728 §3.1)", () => {
  const own = [
    "/idp",
    "/idp/",
    "/idp/oauth2/token",
    "/.well-known/oauth-authorization-server/idp",
    "/.well-known/oauth-protected-resource/idp/orders",
  ];
  const others = [
    "/",
    "/idpx",
    "/api/idp",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server/idpx",
    "/.well-known/idp",
    "/x/.well-known/oauth-authorization-server/idp",
  ];
  const at = (path: string) => new URL(path, "https://app.example");
  for (const issuer of ["/idp", "/idp/"]) {
    assertEquals([...own, ...others].filter((path) => isOfIssuer(at(path), at(issuer))), own);
  }
  assertEquals(others.every((path) => isOfIssuer(at(path), at("/"))), true);
  assertEquals(isOfIssuer(new URL("https://api.example/idp"), at("/idp")), false);
});

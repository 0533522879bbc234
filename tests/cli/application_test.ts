/** What is printed to be pasted into an application. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type ApplicationForm, applicationForms, describeApplication } from "../../src/cli/application.ts";
import { defaultFeatures } from "../../src/features/mod.ts";
import type { Configuration } from "../../src/mod.ts";
import { gatherSlots } from "../../src/oauth/feature.ts";
import { readSettings } from "../../src/options.ts";
import { test } from "../runner.ts";

function describe(form: ApplicationForm, configuration: Configuration): string {
  const settings = readSettings(configuration, gatherSlots(defaultFeatures({ firstUse: false })));
  return describeApplication({ form, settings, configuration }).join("\n");
}

const confidential: Configuration = {
  issuer: "https://id.example/tenant",
  scopes: { orders: "Your orders", profile: "Who you are" },
  clients: [{
    client_id: "shop",
    client_secret: "canary-secret",
    token_endpoint_auth_method: "client_secret_post",
    redirect_uris: ["https://shop.example/cb"],
  }],
};

test("application: without configuration, an id and a URI that first use accepts", () => {
  assertEquals(
    describe("env", {}),
    [
      "# .env",
      "OAUTH_ISSUER=http://localhost:9000",
      "OAUTH_CLIENT_ID=my-app",
      "OAUTH_REDIRECT_URI=http://localhost:3000/callback",
    ].join("\n"),
  );
});

test("application: with clients, the first of them, and never its secret", () => {
  for (const form of applicationForms) {
    const text = describe(form, confidential);
    assert(!text.includes("canary"), text);
    for (const part of ["https://id.example/tenant", "shop", "OAUTH_CLIENT_SECRET"]) {
      assertStringIncludes(text, part);
    }
  }
  assertStringIncludes(describe("env", confidential), "OAUTH_REDIRECT_URI=https://shop.example/cb");
  assertStringIncludes(describe("spring", confidential), 'redirect-uri: "https://shop.example/cb"');
});

test("application: each form says how the client authenticates, in its library's words", () => {
  assertStringIncludes(describe("openid-client", {}), "client.None()");
  assertStringIncludes(
    describe("openid-client", confidential),
    "client.ClientSecretPost(process.env.OAUTH_CLIENT_SECRET)",
  );
  assertStringIncludes(describe("authjs", {}), 'token_endpoint_auth_method: "none"');
  assertStringIncludes(describe("authjs", confidential), 'token_endpoint_auth_method: "client_secret_post"');
  assertStringIncludes(describe("spring", {}), "client-authentication-method: none");
  assertStringIncludes(describe("spring", confidential), "client-authentication-method: client_secret_post");
});

test("application: http is allowed to openid-client only where the issuer is http", () => {
  assertStringIncludes(describe("openid-client", {}), "allowInsecureRequests");
  assert(!describe("openid-client", confidential).includes("allowInsecureRequests"));
});

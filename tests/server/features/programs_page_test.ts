/** The page of an endpoint for programs, for a browser that opens it: it says what programs send. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { everyFeature } from "../../../src/server/features/mod.ts";
import { byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { addresses, everyAddress, paths } from "../../security/site.ts";
import { inWorld, navigationHeaders } from "../../world.ts";

const forForms = paths.filter((path) =>
  addresses.every((each) => each.path !== path || each.method === "POST" && each.refusal === "json")
);

const form = { Body: "application/x-www-form-urlencoded" };
const grant = (params: string) => `grant_type client_id ${params}`;
const aboutToken = { ...form, Parameters: "client_id token token_type_hint" };

/** What the page says, by the end of the path. */
const sent: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  token: {
    ...form,
    // RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 8707 §2.2.
    authorization_code: grant("code redirect_uri code_verifier resource"),
    refresh_token: grant("refresh_token scope resource"),
    client_credentials: grant("scope resource"),
    // RFC 7523 §2.1.
    "urn:ietf:params:oauth:grant-type:jwt-bearer": grant("assertion scope resource"),
    // RFC 8693 §2.1.
    "urn:ietf:params:oauth:grant-type:token-exchange": grant(
      "subject_token subject_token_type actor_token actor_token_type requested_token_type audience resource scope",
    ),
    // RFC 8628 §3.4.
    "urn:ietf:params:oauth:grant-type:device_code": grant("device_code"),
  },
  // RFC 7009 §2.1, RFC 7662 §2.1.
  revoke: aboutToken,
  introspect: aboutToken,
  // RFC 9126 §2.1.
  par: {
    ...form,
    Parameters: "response_type client_id redirect_uri scope code_challenge code_challenge_method",
  },
  // RFC 8628 §3.1.
  device_authorization: { ...form, Parameters: "client_id scope resource" },
  // RFC 7591 §3.1.
  register: {
    Body: "application/json",
    Parameters: "redirect_uris client_name grant_types token_endpoint_auth_method scope",
  },
};

test("programs page: a browser that opens an endpoint for programs gets a page that says what they send (RFC 9110 §15.5.6)", () =>
  inWorld({ ...everyAddress, trust: everyFeature.trust! }, async (world) => {
    for (const name of ["token", "revoke", "introspect", "par", "device_authorization"]) {
      assert(forForms.includes(`/oauth2/${name}`), name);
    }
    assert(forForms.includes("/connect/register"));
    for (const path of forForms) {
      const json = await world.get(path);
      assertEquals(json.headers.get("content-type"), "application/json", path);
      // The second one is a browser without fetch metadata.
      for (const headers of [navigationHeaders, { accept: "text/html", "upgrade-insecure-requests": "1" }]) {
        const response = await world.get(`${path}?client_secret=hush`, headers);
        assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8", path);
        assertEquals(response.status, json.status, path);
        for (const name of ["allow", "cache-control", "x-content-type-options"]) {
          assertEquals(response.headers.get(name), json.headers.get(name), `${name} of ${path}`);
        }
        assertEquals(world.lastRefusal()?.reason, "method_not_allowed");
        const html = await response.text();
        assertEquals(html.includes("hush"), false, path);
        const page = readHtml(html);
        assertEquals(textOf(byId(page, "description")), "This address takes POST");
        assertMatch(textOf(byId(page, "programs")), /^Applications send their requests here\./);
        assertEquals(findById(page, "advice"), undefined, path);
        const [names, values] = ["dt", "dd"].map((tag) => findAll(byId(page, "send"), tag).map(textOf));
        const said = Object.fromEntries(names!.map((name, at) => [name, values![at]]));
        assertEquals(said, sent[path.replace(/.*\//, "")], path);
      }
    }
  }));

test("programs page: of an address that takes no parameters, it names no form (RFC 9110 §15.5.6)", () =>
  inWorld({}, async (world) => {
    for (const path of ["/oauth2/jwks", "/health", "/.well-known/openid-configuration", "/userinfo"]) {
      const init = { method: "PUT", headers: navigationHeaders };
      const response = await world.fetch(new Request(`https://as.test${path}`, init));
      assertEquals(response.status, 405, path);
      const page = readHtml(await response.text());
      assertMatch(textOf(byId(page, "programs")), /^Applications send their requests here\./);
      assertEquals(findById(page, "send"), undefined, path);
    }
  }));

test("programs page: the address of a form for people is none for programs (RFC 9110 §15.5.6)", () =>
  inWorld(everyAddress, async (world) => {
    const forPeople = addresses.filter(({ method, path, refusal }) =>
      method === "POST" && refusal === "page" &&
      !addresses.some((other) => other.path === path && other.method === "GET")
    );
    assert(forPeople.some(({ path }) => path === "/oauth2/consent"));
    for (const { path } of forPeople) {
      const response = await world.get(path, navigationHeaders);
      assertEquals([response.status, world.lastRefusal()?.reason], [405, "method_not_allowed"], path);
      assertEquals(findById(readHtml(await response.text()), "programs"), undefined, path);
    }
  }));

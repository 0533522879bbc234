/** What each fault changes of what the server says. `areas.txt` has a line for each area: how many answers, and which places. */

import { assertEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { readFileSync } from "node:fs";
import { attempt } from "../../../src/ground/values/attempt.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { areaOf, serverMisbehaviours } from "../../../src/kit/faults/names.ts";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { authorizeUrl, redirectUri, tokenForm } from "../mock/authorize_url.ts";

const own = { client_id: "app", client_secret: "the secret of the app" };
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const client = {
  ...own,
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: "client_secret_post",
  grant_types: ["authorization_code", "refresh_token", deviceGrant],
};
const api = "https://api.test/orders";
const wanted = { redirect_uris: [redirectUri], scope: "openid email", token_endpoint_auth_method: "none" };
const shownHeaders = ["content-type", "location", "www-authenticate", "retry-after"];

/** When the clock of a mock with a seed is frozen. */
const currentDate = new Date(1_893_456_000_000);

type Members = Readonly<Record<string, unknown>>;

/** The values by their places, such as `token.id_token.aud`. */
type Said = Map<string, string>;

/** Calls the endpoints that the area is about. */
async function listen(as: Mock, area: string): Promise<Said> {
  const said: Said = new Map();
  const keys = area === "keys" ? undefined : await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
  async function call(place: string, path: string, form?: Members, init: RequestInit = {}): Promise<Members> {
    const body = form && { method: "POST", body: new URLSearchParams({ ...own, ...form }) };
    const response = await as.fetch(new URL(path, as.issuer), { redirect: "manual", ...body, ...init })
      .catch(() => new Response(null, { status: 504 }));
    const text = await response.text().catch(() => "broken");
    const members = attempt<Members>(() => JSON.parse(text));
    const headers = shownHeaders.map((name) => [name, response.headers.get(name) ?? undefined]);
    await say(said, place, { status: response.status, ...Object.fromEntries(headers) }, keys);
    await say(said, place, members ?? text, keys);
    return members ?? {};
  }
  // Some faults are, or begin, in the metadata.
  if (/^(?:metadata|authorization_response|introspection|pushed_request)$/.test(area)) {
    await call("", ".well-known/openid-configuration");
  }
  if (area === "metadata") return said;
  if (area === "keys") return await call("", "oauth2/jwks"), said;
  if (area === "registration") {
    const headers = { "content-type": "application/json" };
    await call("", "connect/register", {}, { headers, body: JSON.stringify(wanted) });
    return said;
  }
  const asked = {
    scope: "openid email offline_access orders",
    nonce: "n",
    max_age: "600",
    acr_values: "mfa",
  };
  const url = authorizeUrl(as.issuer, { ...asked, ...(area === "userinfo" ? {} : { resource: api }) });
  if (area === "pushed_request") {
    return await call("", "oauth2/par", Object.fromEntries(url.searchParams)), said;
  }
  if (area === "device") {
    const { device_code } = await call("", "oauth2/device_authorization", {});
    return await call("poll", "oauth2/token", { grant_type: deviceGrant, device_code }), said;
  }
  if (area === "jarm") url.searchParams.set("response_mode", "jwt");
  const { search, hash } = await as.authorize(url);
  const answered = new URLSearchParams(search || hash.slice(1));
  if (/^(?:authorization_response|jarm)$/.test(area)) {
    const pairs = [...answered].map((pair) => Object.fromEntries([pair]));
    return await say(said, hash === "" ? "" : "#", pairs, keys), said;
  }
  const form = Object.fromEntries(tokenForm({ code: `${answered.get("code")}` }));
  const { access_token: token, refresh_token } = await call("", "oauth2/token", form);
  const headers = { authorization: `Bearer ${token}` };
  if (area === "userinfo") await call("userinfo", "userinfo", undefined, { headers });
  if (/^(?:refresh|token_response)$/.test(area)) {
    await call("again", "oauth2/token", { grant_type: "refresh_token", refresh_token });
  }
  if (area === "introspection") await call("read", "oauth2/introspect", { token });
  if (area === "revocation") await call("revoked", "oauth2/revoke", { token: refresh_token });
  if (area === "resource") {
    await call("unknown", api);
    await call("described", new URL("/.well-known/oauth-protected-resource/orders", api).href);
    await call("called", api, undefined, { headers });
  }
  return said;
}

/** Notes a value, and those in it. Of a JWT, it also notes whether a published key verifies it. */
async function say(said: Said, place: string, value: unknown, keys?: JSONWebKeySet): Promise<void> {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const header = attempt(() => decodeProtectedHeader(text));
  if (header !== undefined) {
    const verified = keys &&
      await jwtVerify(text, createLocalJWKSet(keys), { currentDate }).then(() => 1, ({ code }) => code);
    value = { ...attempt(() => decodeJwt(text)), header, verified };
  }
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    // A grant, and a secret of it, are random.
    const shown = JSON.stringify(value)!.replace(/[\w-]{22}\.(?:\d+\.)?[\w-]{16,}/g, "*");
    said.set(place, shown.length > 42 ? `${shown.slice(0, 30)}… ${shown.length}` : shown);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) await say(said, `${place}.${name}`.slice(0, 60), each, keys);
  }
}

/** Of random values, only the length counts. */
function describeChanges(right: Said, other: Said, wrong: Said): string {
  const places = [...new Set([...right.keys(), ...wrong.keys()])];
  const changed = places.flatMap((place) => {
    const [usual, now] = [right.get(place), wrong.get(place)];
    const isSame = usual === other.get(place) ? now === usual : now?.length === usual?.length;
    return isSame ? [] : [`${place.replace(/^\./, "")} ${now ?? "-"}`];
  });
  return [...changed.slice(0, 4), ...(changed.length > 4 ? [`and ${changed.length - 4}`] : [])].join(", ");
}

const kept = readFileSync("tests/kit/faults/areas.txt", "utf8").trim().split("\n");

/** Faults in what is not asked for here, and those that let a client wait. */
const isLeftOut = (name: string) =>
  /^(?:login|logout|token_exchange|client_document|dpop|mtls|authorization_details)\.|slow/.test(name);

for (const [area, names] of Map.groupBy(serverMisbehaviours.filter((name) => !isLeftOut(name)), areaOf)) {
  test(`catalogue: what each fault of ${area} changes of the answers`, async () => {
    await using as = await createMock({ alg: "EdDSA", seed: "areas", clients: [client] });
    as.resource(api, { scope: "orders" });
    const [right, other] = [await listen(as, area), await listen(as, area)];
    const found = [];
    for (const name of names.filter((name) => !catalogue.get(name)!.watch.timeoutIsRefusal)) {
      using wrong = as.misbehave(name);
      const changes = describeChanges(right, other, await listen(as, area));
      found.push(`${name.slice(area.length + 1)} ${wrong.count}: ${changes}`);
    }
    const line = kept.find((each) => each.startsWith(`${area} | `)) ?? "";
    assertEquals(found, line.split(" | ").slice(1));
  });
}

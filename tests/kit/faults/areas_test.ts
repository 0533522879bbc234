/** What each fault changes of what the server says. `areas.txt` has a line for each area: how many answers, and which places. */

import { assertEquals } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { readFileSync } from "node:fs";
import type { Jwk } from "../../../src/ground/crypto/jwk.ts";
import { importSigningKey, signWithHeader } from "../../../src/ground/crypto/jwt.ts";
import { attempt } from "../../../src/ground/values/attempt.ts";
import { present } from "../../../src/ground/values/present.ts";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import {
  type Area,
  areaOf,
  faults,
  listVariants,
  type MisbehaviourName,
  serverMisbehaviours,
} from "../../../src/kit/faults/names.ts";
import { wrongIdJags } from "../../../src/kit/faults/wrong_id_jags.ts";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { describeProof, signProof } from "../../../src/server/client/dpop_key.ts";
import { test } from "../../runner.ts";
import { es256Thumbprint } from "../../vectors.ts";
import { authorizeUrl, redirectUri, tokenForm } from "../mock/authorize_url.ts";
import { detailTypes } from "./clients/authorization_details.ts";

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
const document = "https://client.test/document";
const shownHeaders = ["content-type", "location", "www-authenticate", "retry-after", "dpop-nonce"];

/** When the clock of a mock with a seed is frozen. */
const currentDate = new Date(1_893_456_000_000);

const { jwk: privateJwk } = es256Thumbprint;
const { d: _d, ...jwk } = privateJwk;
const ownKey = await importSigningKey(privateJwk, "ES256");

type Members = Readonly<Record<string, unknown>>;

/** The values by their places, such as `token.id_token.aud`. */
type Said = Map<string, string>;

/** What a client asks for: all, as little as it can, or something else. */
type Asking = "" | ", bare" | ", two audiences" | ", in a JWT" | ", unproved";

/** Calls the endpoints that the area is about. */
async function listen(as: Mock, area: string, asking: Asking): Promise<Said> {
  const isBare = asking === ", bare";
  const said: Said = new Map();
  const nonces = new Map<string, string>();
  const keys = area === "keys" ? undefined : await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
  async function call(place: string, path: string, form?: Members, init: RequestInit = {}): Promise<Members> {
    const body = form && { method: "POST", body: new URLSearchParams({ ...own, ...form }) };
    const response = await as.fetch(new URL(path, as.issuer), { redirect: "manual", ...body, ...init })
      .catch(() => new Response(null, { status: 504 }));
    const text = await response.text().catch(() => "broken");
    const members = attempt<Members>(() => JSON.parse(text));
    const nonce = response.headers.get("dpop-nonce");
    if (nonce !== null) nonces.set(new URL(path, as.issuer).origin, nonce);
    const headers = shownHeaders.map((name) => [name, response.headers.get(name) ?? undefined]);
    await say(said, place, { status: response.status, ...Object.fromEntries(headers) }, keys);
    await say(said, place, members ?? text, keys);
    return members ?? {};
  }
  /** Proves a key, once more if the answer demands a nonce. */
  async function prove(place: string, path: string, form?: Members, accessToken?: string): Promise<Members> {
    const proof = { method: form ? "POST" : "GET", url: new URL(path, as.issuer).href, now: as.clock.now };
    const authorization = accessToken && `DPoP ${accessToken}`;
    const send = async (place: string) => {
      const terms = { ...proof, jti: crypto.randomUUID(), accessToken };
      const dpop = await signProof({ key: ownKey, nonces }, terms);
      return await call(place, path, form, { headers: present({ dpop, authorization }) });
    };
    const members = await send(place);
    return members["error"] === "use_dpop_nonce" ? await send(`${place}2`) : members;
  }
  // Some faults are, or begin, in the metadata.
  if (
    /^(?:metadata|resource|authorization_response|introspection|pushed_request|dpop|client_document)$/.test(
      area,
    )
  ) {
    await call("", ".well-known/openid-configuration");
  }
  if (area === "metadata") return said;
  if (area === "keys") return await call("", "oauth2/jwks"), await call("again", "oauth2/jwks"), said;
  if (area === "registration") {
    const headers = { "content-type": "application/json" };
    await call("", "connect/register", {}, { headers, body: JSON.stringify(wanted) });
    return said;
  }
  if (area === "client_document") {
    const page = await as.fetch(`${as.issuer}/oauth2/authorize?client_id=${document}`);
    await say(said, "page", { status: page.status, title: /<title>.*?</.exec(await page.text())?.[0] });
    await call("redeemed", "oauth2/token", { client_id: document });
  }
  const scope = "openid email offline_access orders";
  const asked = { scope, nonce: "n", max_age: "600", acr_values: "mfa" };
  const details = [5, 6].slice(isBare ? 1 : 0).map((euros) => ({ type: "transfer", euros }));
  const url = authorizeUrl(as.issuer, {
    ...area === "authorization_details" ? { authorization_details: JSON.stringify(details) } : {},
    ...isBare ? { scope: "openid" } : asked,
    ...isBare || area === "userinfo" ? {} : { resource: api },
  });
  if (area === "pushed_request") {
    return await call("", "oauth2/par", Object.fromEntries(url.searchParams)), said;
  }
  if (area === "device") {
    const { device_code } = await call("", "oauth2/device_authorization", {});
    return await call("poll", "oauth2/token", { grant_type: deviceGrant, device_code }), said;
  }
  if (asking === ", two audiences") url.searchParams.append("resource", `${api}/others/`);
  if (area === "jarm") url.searchParams.set("response_mode", "jwt");
  if (asking === ", in a JWT") url.searchParams.set("response_mode", "query.jwt");
  const { search, hash } = await as.authorize(url);
  const answered = new URLSearchParams(search || hash.slice(1));
  if (/^(?:authorization_response|jarm)$/.test(area)) {
    const pairs = [...answered].map((pair) => Object.fromEntries([pair]));
    return await say(said, hash === "" ? "" : "#", pairs, keys), said;
  }
  const form = Object.fromEntries(tokenForm({ code: `${answered.get("code")}` }));
  const redeem = area === "dpop" && asking !== ", unproved" ? prove : call;
  const { access_token: token, refresh_token } = await redeem("", "oauth2/token", form);
  const headers = { authorization: `Bearer ${token}` };
  if (area === "id_token") await call("keys", "oauth2/jwks");
  if (area === "userinfo") await call("userinfo", "userinfo", undefined, { headers });
  if (/^(?:refresh|token_response|dpop)$/.test(area)) {
    const form = { grant_type: "refresh_token", refresh_token };
    const again = await redeem("again", "oauth2/token", form);
    if (area === "refresh") {
      await call("refused", api);
      await call("called", api, undefined, { headers });
      await call("renewed", api, undefined, {
        headers: { authorization: `Bearer ${again["access_token"]}` },
      });
    }
    if (area === "dpop") {
      await prove("called", api, undefined, `${token}`);
      const form = { grant_type: "refresh_token", refresh_token: again["refresh_token"] };
      const { access_token } = await call("unproved", "oauth2/token", form);
      await call("bearer", api, undefined, { headers: { authorization: `Bearer ${access_token}` } });
    }
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

/** Of random values, only the length counts. What is gone comes last. */
function describeChanges(right: Said, other: Said, wrong: Said): string {
  const places = [...new Set([...right.keys(), ...wrong.keys()])];
  const changed = places.flatMap((place) => {
    const [usual, now] = [right.get(place), wrong.get(place)];
    const isSame = usual === other.get(place) ? now === usual : now?.length === usual?.length;
    return isSame ? [] : [`${place.replace(/^\./, "")} ${now ?? "-"}`];
  }).toSorted((one, other) => Number(one.endsWith(" -")) - Number(other.endsWith(" -")));
  return [...changed.slice(0, 4), ...(changed.length > 4 ? [`and ${changed.length - 4}`] : [])].join(", ");
}

const kept = readFileSync("tests/kit/faults/areas.txt", "utf8").trim().split("\n");

/** Faults in what is not asked for here, those of the real time or without keys, and those that let a client wait, or need another browser. */
const isLeftOut = (name: string) =>
  /^(?:login|logout|token_exchange|mtls)\.|slow$|another_browser$|keys_unavailable$|minutes_(?:ago|past)$/
    .test(name);

function check(title: string, found: readonly string[]): void {
  const line = kept.find((each) => each.startsWith(`${title} | `)) ?? "";
  assertEquals(found, line.split(" | ").slice(1));
}

const listed = Map.groupBy(serverMisbehaviours.filter((name) => !isLeftOut(name)), areaOf);
const cases: readonly (readonly [area: Area, asking: Asking])[] = [
  ...[...listed.keys()].map((area) => [area, ""] as const),
  ...(["token_response", "id_token", "userinfo", "refresh", "authorization_details"] as const)
    .map((area) => [area, ", bare"] as const),
  ["access_token", ", two audiences"],
  ["authorization_response", ", in a JWT"],
  ["dpop", ", unproved"],
];

/** Calls the endpoints of the area without a fault, twice, and with each of these. Describes what differs. */
async function describeFaults(
  area: string,
  asking: Asking,
  wrong: readonly (readonly [name: MisbehaviourName, variant?: string])[],
): Promise<readonly string[]> {
  const types = area === "authorization_details" ? { authorizationDetails: detailTypes } : {};
  await using as = await createMock({ alg: "EdDSA", seed: "areas", clients: [client], ...types });
  as.resource(api, { scope: "orders" });
  const hear = () => listen(as, area, asking);
  const [right, other] = [await hear(), await hear()];
  const found = [];
  for (const [name, variant] of wrong) {
    using fault = as.misbehave(name, present({ variant }));
    const title = [name.slice(area.length + 1), ...(variant === undefined ? [] : [variant])];
    const changes = describeChanges(right, other, await hear());
    found.push(`${[...title, fault.count].join(" ")}: ${changes}`);
  }
  return found;
}

const inTime = (name: MisbehaviourName) => !catalogue.get(name)!.watch.timeoutIsRefusal;

for (const [area, asking] of cases) {
  test(`catalogue: what each fault of ${area} changes of the answers${asking}`, async () => {
    const names = listed.get(area)!.filter(inTime);
    check(area + asking, await describeFaults(area, asking, names.map((name) => [name])));
  });
}

for (const [area, names] of listed) {
  // A fault without a variant has the first one. An hour ago is so in real time.
  const others = names.filter(inTime).flatMap((name) =>
    listVariants(name).slice(1).filter((variant) => variant !== "hour_ago")
      .map((variant) => [name, variant] as const)
  );
  if (others.length === 0) continue;
  test(`catalogue: what each variant of a fault of ${area} changes of the answers`, async () => {
    check(`${area}, variants`, await describeFaults(area, "", others));
  });
}

test("catalogue: what faults change of the first page of an application", () => {
  const found = serverMisbehaviours.flatMap((name) => {
    const { changePage } = catalogue.get(name)!;
    return changePage === undefined ? [] : [undefined, ...listVariants(name)].map((variant) => {
      const page = new URL("https://app.test/login?lang=en");
      changePage(page, { ...present({ variant }), otherServer: "https://other.test" });
      const { next: _next, ...others } = Object.fromEntries(page.searchParams);
      const isSame = Object.values(others).filter((each) => each === page.searchParams.get("next"));
      return `${name} ${variant}: ${page.searchParams.get("next")} in ${isSame.length + 1}`;
    });
  });
  check("first page", found);
});

/** Notes a list, such as one of proofs. */
async function noteAll(...values: readonly unknown[]): Promise<Said> {
  const said: Said = new Map();
  for (const [at, value] of values.entries()) await say(said, `${at}`, value ?? "none", { keys: [jwk] });
  return said;
}

async function sign(header: Members, claims: Members, key: Jwk = privateJwk): Promise<string> {
  return await signWithHeader(await importSigningKey(key, "ES256"), header, claims);
}

const proven = { jti: "1", now: 1_893_456_000, accessToken: "token" };
const requests = [
  { ...proven, method: "GET", url: api },
  { ...proven, method: "DELETE", url: "http://localhost:8080/orders", nonce: "nonce" },
];

test("catalogue: what each fault of proof changes of the proof", async () => {
  const found = faults.proof.map(async (fault) => {
    const changes = requests.map(async (request) => {
      const parts = describeProof({ alg: "ES256", jwk }, request);
      const right = await noteAll(await sign(parts.header, parts.claims));
      const wrong = await catalogue.get(`proof.${fault}`)!.proofs!({ ...parts, privateJwk, sign });
      const lengths = wrong.map((each) => each?.length ?? "none").join(" and ");
      const sent = await noteAll(...wrong.flatMap((each) => each?.split(", ")));
      return `${lengths}: ${describeChanges(right, right, sent)}`;
    });
    return `${fault} ${(await Promise.all(changes)).join("; ")}`;
  });
  check("proof", await Promise.all(found));
});

test("catalogue: the proofs before a wrong one are right, each with an id of its own (RFC 9449 §4.2)", async () => {
  const parts = describeProof({ alg: "ES256", jwk }, requests[0]!);
  const { jti: _jti, ...right } = parts.claims;
  const found: string[] = [];
  for (const name of faults.proof.map((fault) => `proof.${fault}` as const)) {
    for (const variant of [undefined, ...listVariants(name)]) {
      const sent = await catalogue.get(name)!.proofs!({
        ...parts,
        privateJwk,
        sign,
        ...present({ variant }),
      });
      const earlier = sent.slice(0, -1).map((each) => jwtVerify(`${each}`, jwk, { currentDate }));
      const ids = new Set();
      for (const { protectedHeader, payload: { jti, ...others } } of await Promise.all(earlier)) {
        assertEquals([protectedHeader, others], [parts.header, right], name);
        ids.add(jti);
      }
      assertEquals(ids.size, earlier.length, name);
      if (ids.size > 0) found.push(`${name} ${variant} ${ids.size}`);
    }
  }
  const replays = ["undefined 1", "at_once 1", "after_one 2", "after_twenty 21"];
  assertEquals(found, ["proof.key_other after_use 1", ...replays.map((each) => `proof.replayed ${each}`)]);
});

test("catalogue: what each fault of an ID-JAG changes of it", async () => {
  const claims = { iss: "https://idp.test", sub: "alice", aud: "https://as.test", client_id: "app" };
  const times = { jti: "1", iat: 1_893_456_000, exp: 1_893_456_300, email: "alice@app.test" };
  const parts = {
    header: { alg: "ES256", typ: "oauth-id-jag+jwt", kid: "1" },
    claims: { ...claims, ...times },
  };
  const right = await noteAll(parts);
  const found = Object.entries(wrongIdJags).map(async ([fault, { change, level, error }]) =>
    `${fault} ${level} ${error}: ${describeChanges(right, right, await noteAll(change(parts)))}`
  );
  check("id_jag", await Promise.all(found));
});

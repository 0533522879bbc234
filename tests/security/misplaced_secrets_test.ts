/**
 * No view without the key of the inspector, no export, no timeline and no log shows a private key or a token, in whatever
 * place a client sends it (RFC 7517 §9.2; RFC 9700 §4.9).
 */

import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { createColours } from "../../src/tools/cli/terminal/colours.ts";
import { describeRequest } from "../../src/tools/cli/start/request_line.ts";
import { recordRequest as recordJson } from "../../src/tools/cli/start/log.ts";
import type { RecordedRequest } from "../../src/kit/mock/journal/recorded_request.ts";
import type { Mock } from "../../src/kit/mock/mock.ts";
import { redact } from "../../src/mod.ts";
import type { JsonObject } from "../../src/ground/schema/json_object.ts";
import { key, openControlled, type OpenedDashboard } from "../tools/dashboard/open_dashboard.ts";
import { test } from "../runner.ts";

type Opened = OpenedDashboard & { readonly as: Mock };
type View = readonly [name: string, text: string];
type Send = (opened: Opened, secret: string) => Promise<unknown>;

const redirectUri = "https://app.example/cb";
const options = {
  clients: [{ client_id: "spa", redirect_uris: [redirectUri] }],
  registration: true,
} as const;

const encode = (json: string) => btoa(json).replace(/=+$/, "");
const signature = "U2lnbmF0dXJlIG9mIGEgbWlzcGxhY2VkIHRva2Vu";
const claims = encode('{"sub":"alice"}');

/** Each token, and the part of it that no view may show. */
const tokens: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  "a JWT": [`${encode('{"alg":"ES256"}')}.${claims}.${signature}`, signature],
  "a JWT with space in its header": [`${encode('{ "alg": "ES256" }')}.${claims}.${signature}`, signature],
  "a JWT with a line break in its header": [
    `${encode('{\n  "alg": "ES256"\n}')}.${claims}.${signature}`,
    signature,
  ],
  "an encrypted JWT": [`${encode('{"alg":"dir"}')}..aXY.${signature}.dGFn`, signature],
  "an opaque token": [
    "b3BhcXVlLWdyYW50LWlkLX.c2VjcmV0LW9mLWFuLW9wYXF1ZS1hY2Nlc3MtdG9rZW4",
    "c2VjcmV0LW9mLWFuLW9wYXF1ZS1hY2Nlc3MtdG9rZW4",
  ],
  "a refresh token": [
    "cmVmcmVzaC1ncmFudC1pZF.12.ZmFtaWx5LW9mLWEtcmVmcmVzaC10b2tl.cHJvb2Ytb2YtYS1yZWZyZX",
    "ZmFtaWx5LW9mLWEtcmVmcmVzaC10b2tl",
  ],
};

function postForm({ send }: Opened, path: string, form: Readonly<Record<string, string>>): Promise<Response> {
  return send(path, { method: "POST", body: new URLSearchParams(form), headers: { cookie: "" } });
}

function postJson({ send }: Opened, path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", cookie: "" };
  return send(path, { method: "POST", body: JSON.stringify(body), headers });
}

function register(opened: Opened, metadata: JsonObject): Promise<Response> {
  const usual = { redirect_uris: ["http://127.0.0.1/cb"], token_endpoint_auth_method: "none" };
  return postJson(opened, "/connect/register", { ...usual, ...metadata });
}

function authorize({ send }: Opened, params: Readonly<Record<string, string>>): Promise<Response> {
  const usual = { response_type: "code", client_id: "spa", redirect_uri: redirectUri };
  return send(`/oauth2/authorize?${new URLSearchParams({ ...usual, ...params })}`);
}

const inAuthorization = (name: string): Send => (opened, secret) => authorize(opened, { [name]: secret });
const inHeader = (name: string): Send => ({ send }, secret) =>
  send("/oauth2/jwks", { headers: { [name]: `x ${secret}` } });
const inMetadata = (name: string): Send => (opened, secret) => register(opened, { [name]: secret });

const places: Readonly<Record<string, Send>> = {
  "token_type_hint": (opened, token_type_hint) =>
    postForm(opened, "/oauth2/revoke", { client_id: "spa", token: "x", token_type_hint }),
  "grant_type": (opened, grant_type) => postForm(opened, "/oauth2/token", { client_id: "spa", grant_type }),
  "the scope of a token request": (opened, scope) =>
    postForm(opened, "/oauth2/token", { client_id: "spa", grant_type: "refresh_token", scope }),
  ...Object.fromEntries(
    [
      ...["client_id", "state", "scope", "resource", "prompt", "login_hint", "code_challenge", "dpop_jkt"],
      ...["response_mode", "acr_values", "claims", "authorization_details", "unknown"],
    ].map((name) => [name, inAuthorization(name)]),
  ),
  "JSON in a parameter": (opened, secret) =>
    authorize(opened, { authorization_details: JSON.stringify([{ type: secret, note: `\n${secret}` }]) }),
  "the path of a redirect URI": (opened, secret) =>
    authorize(opened, { redirect_uri: `${redirectUri}/${secret}` }),
  "the query of a redirect URI": (opened, secret) =>
    authorize(opened, { redirect_uri: `${redirectUri}?tenant=${secret}` }),
  "the fragment of a redirect URI": (opened, secret) =>
    authorize(opened, { redirect_uri: `${redirectUri}#${secret}` }),
  "the path of a request": ({ send }, secret) => send(`/tokens/${secret}/info`),
  "the path of a request, encoded": ({ send }, secret) => send(`/tokens/id%3D${secret}`),
  "a query of one word": ({ send }, secret) => send(`/oauth2/authorize?${secret}`),
  "the type of a body": ({ send }, secret) =>
    send("/oauth2/token", { method: "POST", body: "x", headers: { "content-type": `text/${secret}` } }),
  "the name of a cookie": ({ send }, secret) =>
    send("/oauth2/jwks", { headers: { cookie: `${secret.slice(-90)}=x; ${secret.slice(-90)}` } }),
  ...Object.fromEntries(
    ["user-agent", "accept", "if-none-match", "referer", "x-token", "authorization"].map((name) => [
      `the header ${name}`,
      inHeader(name),
    ]),
  ),
  ...Object.fromEntries(
    ["client_name", "client_uri", "scope", "jwks", "contacts"].map((name) => [
      `the metadata ${name}`,
      inMetadata(name),
    ]),
  ),
  "nested metadata": (opened, secret) =>
    postJson(opened, "/connect/register", {
      redirect_uris: [redirectUri],
      jwks: { keys: [{ kid: secret }] },
    }),
  "the name of a member": (opened, secret) => register(opened, { [secret]: "x" }),
  "the error of a hook": async ({ as, send }, secret) => {
    using _hook = as.on("jwks", () => {
      throw new Error(`Cannot read ${secret}`);
    });
    await send("/oauth2/jwks");
  },
  "the description of an error, from a hook": async ({ as, send }, secret) => {
    const body = JSON.stringify({ error: "invalid_request", error_description: `Cannot read ${secret}` });
    using _hook = as.on("response", (answer) => ({ ...answer, status: 400, body }));
    await send("/oauth2/jwks");
  },
};

/** What shows one request to a person without the key, or in a log. */
async function readViewsOf({ as, send }: Opened, { id, raw }: RecordedRequest): Promise<readonly View[]> {
  const entry = raw();
  return [
    ...await Promise.all([`/inspector/${id}`, `/inspector/${id}/again`].map((path) => load(send, path))),
    ["console", describeRequest(entry, createColours({}))],
    ["--log json", JSON.stringify(recordJson(entry))],
    ["redact()", JSON.stringify(redact(entry))],
    ["requests", JSON.stringify(as.requests.find((each) => each.id === id))],
    ["explain()", as.explain() ?? ""],
  ];
}

/** What shows many requests. Only a person with the key gets an export. */
async function readViewsOfAll({ as, send, enter }: Opened): Promise<readonly View[]> {
  const lists = ["/inspector", "/inspector?open=all", "/inspector/diagram", "/inspector/values"];
  const others = ["/", "/search?q=127.0.0.1", "/search?q=reg", "/clients"];
  const pages = await Promise.all([...lists, ...others].map((path) => load(send, path)));
  await enter(key);
  const forms = ["html", "har", "jsonl", "mermaid", "text"] as const;
  const exports = await Promise.all(forms.map((form) => load(send, `/inspector/export?form=${form}`)));
  const timelines = forms.map(async (form): Promise<View> => {
    return [`timeline ${form}`, form === "html" ? await as.timeline(form) : as.timeline(form)];
  });
  return [...pages, ...exports, ...await Promise.all(timelines)];
}

async function load(send: Opened["send"], path: string): Promise<View> {
  const response = await send(path);
  assertEquals(response.status, 200, path);
  return [path, await response.text()];
}

/** A request with a secret, and the part of it that no view may show. */
interface Sent {
  readonly what: string;
  readonly secret: string;
  readonly send: (opened: Opened) => Promise<unknown>;
}

/** Sends all requests to one server, and returns the views that show a secret. */
async function findLeaks(requests: readonly Sent[]): Promise<readonly string[]> {
  const opened = await openControlled(options);
  await using as = opened.as;
  const shows = (text: string, secret: string) => text.includes(secret.slice(0, 12));
  const leaks: string[] = [];
  for (const { what, secret, send } of requests) {
    await send(opened);
    const views = await readViewsOf(opened, as.requests.last!);
    leaks.push(...views.filter(([, text]) => shows(text, secret)).map(([view]) => `${what}: ${view}`));
  }
  assertEquals(as.requests.length, requests.length);
  for (const [view, text] of await readViewsOfAll(opened)) {
    if (requests.some(({ secret }) => shows(text, secret))) leaks.push(view);
  }
  return leaks;
}

const somePlaces = [
  "grant_type",
  "claims",
  "the path of a request",
  "the header x-token",
  "the metadata contacts",
];

test("journal: no view shows a token, in whatever place it stands (RFC 9700 §4.9)", async () => {
  const requests = Object.entries(tokens).flatMap(([what, [text, secret]]) => {
    // How a token is found does not depend on its place, so two kinds stand in all places.
    const isEverywhere = what === "a JWT" || what === "an opaque token";
    return (isEverywhere ? Object.keys(places) : somePlaces).map((place): Sent => ({
      what: `${what} in ${place}`,
      secret,
      send: (opened) => places[place]!(opened, text),
    }));
  });
  assertEquals(await findLeaks(requests), []);
});

/** A member of a private key, which no view may show. */
const material = "UHJpdmF0ZSBtYXRlcmlhbCBvZiBhIGtleSwgbWlzcGxhY2Vk";
const point = { crv: "P-256", x: "eC1jb29yZGluYXRlLW9mLXRoZS1rZXktcHVibGljLXg", y: "eS1jb29yZGluYXRl" };

/** Keys (RFC 7518 §6.2.2, §6.3.2, §6.4). */
const keys: Readonly<Record<string, JsonObject>> = {
  "an elliptic curve": { d: material, kty: "EC", ...point },
  "RSA": {
    ...{ kty: "RSA", n: "bW9kdWx1cw", e: "AQAB", d: material, p: `${material}p`, q: `${material}q` },
    ...{ dp: material, dq: material, qi: material, oth: [{ r: material, d: material, t: material }] },
  },
  "a symmetric key": { k: material, kty: "oct" },
  "a symmetric key with a member of another type": { kty: "oct", k: [material, { value: material }] },
  "a key for one algorithm": { kty: "AKP", alg: "ML-DSA-44", pub: "cHVibGlj", priv: material },
  "an elliptic curve without kty": { d: material, ...point },
  "RSA without kty": {
    ...{ n: "bW9kdWx1cw", e: "AQAB", oth: [{ r: material, d: material, t: material }] },
  },
  "a symmetric key without kty": { alg: "HS256", k: [material] },
  "a private member alone": { d: material },
};

const keyPlaces: Readonly<Record<string, (opened: Opened, jwk: JsonObject) => Promise<unknown>>> = {
  "the metadata jwks": (opened, jwk) => register(opened, { jwks: { keys: [jwk] } }),
  "the metadata jwks, as text": (opened, jwk) => register(opened, { jwks: JSON.stringify({ keys: [jwk] }) }),
  "the metadata jwks, as a list of text": (opened, jwk) => register(opened, { jwks: [JSON.stringify(jwk)] }),
  "the metadata client_name": (opened, jwk) => register(opened, { client_name: JSON.stringify(jwk) }),
  "the metadata client_name, encoded": (opened, jwk) =>
    register(opened, { client_name: `a "${encodeURIComponent(JSON.stringify(jwk))}"` }),
  "unknown metadata": (opened, jwk) => register(opened, { a: { b: { c: { d: { e: { f: jwk } } } } } }),
  "claims": (opened, jwk) => authorize(opened, { claims: JSON.stringify({ id_token: { jwk } }) }),
  "authorization_details": (opened, jwk) =>
    authorize(opened, { authorization_details: JSON.stringify([{ type: "x", jwk }], null, 2) }),
  "login_hint": (opened, jwk) => authorize(opened, { login_hint: JSON.stringify(jwk) }),
  "a redirect URI": (opened, jwk) =>
    authorize(opened, { redirect_uri: `${redirectUri}?${new URLSearchParams({ a: JSON.stringify(jwk) })}` }),
  "a path": ({ send }, jwk) => send(`/keys/${encodeURIComponent(JSON.stringify(jwk))}`),
  "the header of a proof": (opened, jwk) =>
    opened.send("/oauth2/token", {
      method: "POST",
      body: new URLSearchParams({ client_id: "spa", grant_type: "refresh_token", refresh_token: "x" }),
      headers: {
        dpop: `${encode(JSON.stringify({ typ: "dpop+jwt", alg: "ES256", jwk }))}.${claims}.${signature}`,
      },
    }),
  "a request object": (opened, jwk) =>
    authorize(opened, {
      request: `${encode('{"alg":"ES256"}')}.${encode(JSON.stringify({ jwk }))}.${signature}`,
    }),
  "the keys of the server, from a hook": async ({ as, send }, jwk) => {
    using _hook = as.on("jwks", (answer) => ({ ...answer, keys: [jwk] }));
    await send("/oauth2/jwks");
  },
  "metadata of the server, from a hook": async ({ as, send }, jwk) => {
    using _hook = as.on("metadata", (answer) => ({ ...answer, jwks: { keys: [jwk] } }));
    await send("/.well-known/oauth-authorization-server");
  },
};

const someKeyPlaces = ["the metadata jwks", "the metadata client_name", "claims", "a path"];

test("journal: no view shows the private members of a key, in whatever place they stand (RFC 7517 §9.2)", async () => {
  const requests = Object.entries(keys).flatMap(([what, jwk]) =>
    // How a key is found does not depend on its place, so one kind stands in all places.
    (what === "RSA" ? Object.keys(keyPlaces) : someKeyPlaces).map((place): Sent => ({
      what: `${what} in ${place}`,
      secret: material,
      send: (opened) => keyPlaces[place]!(opened, jwk),
    }))
  );
  assertEquals(await findLeaks(requests), []);
});

async function readEntry(opened: Opened): Promise<string> {
  return await (await opened.send(`/inspector/${opened.as.requests.last!.id}`)).text();
}

test("inspector: with the key, a token is shown wherever it stands, and the private members of a key never", async () => {
  await using opened = await openControlled(options);
  await opened.enter(key);
  for (const [text] of Object.values(tokens)) {
    await postForm(opened, "/oauth2/revoke", { client_id: "spa", token: "x", token_type_hint: text });
    assertStringIncludes(await readEntry(opened), text);
  }
  for (const jwk of Object.values(keys)) {
    await register(opened, { jwks: { keys: [jwk] } });
    const page = await readEntry(opened);
    await authorize(opened, { unknown: JSON.stringify(jwk), request: JSON.stringify(jwk) });
    assertFalse((await readEntry(opened)).includes(material));
    if (Object.hasOwn(jwk, "kty")) assertStringIncludes(page, `"kty": "${jwk["kty"]}"`);
    assertFalse(page.includes(material), page);
  }
});

test("journal: client ids, thumbprints, challenges, public members of a key and names with dots are readable", async () => {
  await using opened = await openControlled(options);
  const [hash, resource] = [
    "aGFzaC1vZi1hLXZlcmlmaWVyLW9yLW9mLWEta2V5LTE",
    "https://api.example/v1.2.3/a.b.c",
  ];
  await authorize(opened, { code_challenge: hash, dpop_jkt: hash, resource, state: "s" });
  const asked = await readEntry(opened);
  for (const text of [hash, resource, "spa", redirectUri]) assertStringIncludes(asked, text);
  const others = { k: "a note", d: ["another note"], d1: { q: "a question" } };
  const kid = "key.of.the.application";
  await register(opened, { jwks: { keys: [{ kty: "EC", ...point, kid }] }, others });
  const registered = await readEntry(opened);
  for (const text of [...Object.values(point), kid, "a note", "another note", "a question"]) {
    assertStringIncludes(registered, text);
  }
  await opened.send("/files/app.min.js.map");
  assertStringIncludes(opened.as.timeline("text"), "GET /files/app.min.js.map");
});

/** A snapshot with records of all usual kinds, files that differ from it in one place, and requests that use its records. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { createBrowser, formatCookies } from "../../../src/kit/mock/client/browser.ts";
import type { MockOptions } from "../../../src/kit/mod.ts";
import { isJsonObject } from "../../../src/ground/schema/json_object.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { createFolder } from "../../in_folder.ts";
import { openSnapshot, planSnapshot } from "../../../src/tools/cli/start/snapshot_file.ts";

const issuer = "https://as.test";
const callback = "https://app.test/callback";
const local = "http://127.0.0.1/callback";
const deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code";

const options: MockOptions = {
  issuer,
  alg: "ES256",
  accessTokens: "opaque",
  firstUse: true,
  registration: { open: true },
  people: [{ username: "alice", claims: { email: "alice@example.com", name: "Alice" } }, {
    username: "bob",
    password: "the password",
  }],
  clients: [
    {
      client_id: "shop",
      client_secret: "the secret of the shop",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token", "client_credentials", deviceGrantType],
    },
    { client_id: "page", redirect_uris: [callback], dpop_bound_access_tokens: true },
  ],
};

const verifier = "v".repeat(43);
const authorization = {
  client_id: "shop",
  response_type: "code",
  redirect_uri: callback,
  scope: "openid profile offline_access",
  state: "s",
  nonce: "n",
  claims: JSON.stringify({ id_token: { email: null }, userinfo: { name: null } }),
  code_challenge: "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM",
  code_challenge_method: "S256",
};
const redemption = (code: string) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: callback,
  code_verifier: verifier,
});

const basic = { authorization: `Basic ${btoa(`shop:${encodeURIComponent("the secret of the shop")}`)}` };

type Form = Readonly<Record<string, string>>;

const post = (path: string, form: Form, headers: Form = basic) =>
  new Request(issuer + path, { method: "POST", headers, body: new URLSearchParams(form) });

const get = (path: string, headers: Form = {}) => new Request(issuer + path, { headers });

const authorizePath = (more: Form = {}) =>
  `/oauth2/authorize?${new URLSearchParams({ ...authorization, ...more })}`;

const inStore = () => createStartedMock(options, { store: memoryStore() });

export interface Recorded {
  /** The content of the file. */
  readonly text: string;
  /** Requests that use the records, each made anew. */
  readonly listRequests: () => readonly Request[];
}

/** Lets a server have records of its usual kinds, and writes its snapshot. `path`: a file that does not exist. */
export async function recordSnapshot(path: string): Promise<Recorded> {
  const started = await inStore();
  await using as = started.mock;
  const send = async (request: Request) => await (await as.fetch(request)).json();
  const browser = createBrowser();
  const logIn = async (more: Form = {}) =>
    (await as.authorize(issuer + authorizePath(more), { as: "alice", browser })).searchParams.get("code")!;
  const unused = await logIn();
  const tokens = await send(post("/oauth2/token", redemption(await logIn())));
  const ended = await send(post("/oauth2/token", redemption(await logIn())));
  await send(post("/oauth2/revoke", { token: ended.access_token }));
  await as.authorize(issuer + authorizePath(), { as: "bob", deny: true });
  const begin = () => send(post("/oauth2/device_authorization", { scope: "openid" }));
  const [pending, approved] = [await begin(), await begin()];
  await as.approveDevice(approved.user_code, "bob");
  await as.fetch(post("/oauth2/token", { grant_type: deviceGrantType, device_code: pending.device_code }));
  await as.approveDevice("BBBB-BBBB", "bob").catch(() => {});
  const pushed = await send(post("/oauth2/par", authorization));
  const own = await send(post("/oauth2/token", { grant_type: "client_credentials", scope: "read" }));
  const registered = await as.register({ redirect_uris: [local] });
  await as.login("alice", { client: registered.client_id });
  await as.login("alice", { client: "first", redirectUri: local });
  await as.login("alice", { client: "page", dpop: true });
  await as.tenant("acme").login("alice");
  const cookie = formatCookies(browser)!;
  const { writeSnapshot } = await openSnapshot({ to: { path, withKeys: true } }, started);
  await writeSnapshot!();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  return {
    text: await Deno.readTextFile(path),
    listRequests: () => [
      get("/.well-known/openid-configuration"),
      get("/oauth2/jwks"),
      get("/userinfo", bearer(tokens.access_token)),
      get("/userinfo", bearer(ended.access_token)),
      post("/oauth2/introspect", { token: tokens.access_token }),
      post("/oauth2/introspect", { token: tokens.refresh_token }),
      post("/oauth2/introspect", { token: own.access_token }),
      post("/oauth2/token", redemption(unused)),
      post("/oauth2/token", { grant_type: "refresh_token", refresh_token: tokens.refresh_token }),
      post("/oauth2/token", { grant_type: deviceGrantType, device_code: pending.device_code }),
      post("/oauth2/token", { grant_type: deviceGrantType, device_code: approved.device_code }),
      post("/oauth2/device_authorization", { scope: "openid" }),
      post("/oauth2/device_verification", { user_code: pending.user_code }, { origin: issuer }),
      get(`/oauth2/authorize?${new URLSearchParams({ client_id: "shop", request_uri: pushed.request_uri })}`),
      get(authorizePath({ prompt: "none" }), { cookie }),
      get(authorizePath(), { cookie }),
      get(authorizePath({ client_id: registered.client_id, redirect_uri: local }), { cookie }),
      get(authorizePath({ client_id: "first", redirect_uri: local }), { cookie }),
      get("/account", { cookie }),
      get(`/connect/logout?client_id=shop`, { cookie }),
      get(
        new URL(registered.registration_client_uri!).pathname,
        bearer(registered.registration_access_token!),
      ),
      post("/oauth2/revoke", { token: tokens.access_token }),
      post("/oauth2/revoke", { token: tokens.refresh_token }),
      get("/tenants/acme/oauth2/jwks"),
    ],
  };
}

/** A change of the file at one place. */
export interface HostileFile {
  readonly name: string;
  readonly text: string;
}

type Members = Record<string, unknown>;

const missing = Symbol("missing");

const values: readonly unknown[] = [
  ...[missing, null, true, false, 0, -1, 1.5, 1e308, 9e15, "", "x", "-1", "x".repeat(100_000)],
  ...["\u0000\ud800", "__proto__", "https://[", [], [null], [[]], ["x"], [1], {}, { x: 1 }],
  JSON.parse('{"__proto__":{"status":"active"},"constructor":1}'),
];

/** Lists files that have a wrong value, a member too few, or an entry twice, at each place. */
export function* listHostile(text: string): Iterable<HostileFile> {
  const whole = JSON.parse(text);
  const shapes = new Map(listPlaces(whole).map((place) => [describeShape(place, whole), place]));
  const places = [...shapes.values()];
  for (const place of places) {
    for (const value of values) {
      const file = JSON.parse(text);
      if (!changeAt(file, place, value)) continue;
      const shown = value === missing ? "missing" : JSON.stringify(value).slice(0, 40);
      yield { name: `${place.join(".")}: ${shown}`, text: JSON.stringify(file) };
    }
    const file = JSON.parse(text);
    const list = place.slice(0, -1).reduce((value, name) => value[name], file);
    if (!Array.isArray(list)) continue;
    list.push(list[Number(place.at(-1))]);
    yield { name: `${place.join(".")}: twice`, text: JSON.stringify(file) };
  }
}

function listPlaces(value: unknown, place: readonly string[] = []): readonly (readonly string[])[] {
  const members = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  const inside = members.flatMap(([name, member]) => listPlaces(member, [...place, name]));
  return place.length === 0 ? inside : [place, ...inside];
}

/** Returns the same text for the same place in records of the same kind that have the same members. */
function describeShape(place: readonly string[], file: unknown): string {
  let value = file;
  return place.map((name) => {
    value = (value as Members)[name];
    const { kind, value: content } = Object(value);
    const shape = kind === undefined ? "" : `${kind} ${Object.keys(Object(content)).sort()}`;
    return /^\d+$/.test(name) ? `* ${shape}` : name;
  }).join(".");
}

/** Returns `false` if the place has this value already. */
function changeAt(file: unknown, place: readonly string[], value: unknown): boolean {
  const owner = place.slice(0, -1).reduce(
    (each, name) => each[name] as Members,
    file as Members,
  );
  const name = place.at(-1)!;
  if (JSON.stringify(owner[name]) === JSON.stringify(value)) return false;
  if (value === missing) {
    if (Array.isArray(owner)) owner.splice(Number(name), 1);
    else delete owner[name];
  } else owner[name] = value;
  return true;
}

/** Returns the refusal of the file, or else the answers of 500 and more. Both empty: the server works. */
export async function tryFile(
  path: string,
  text: string,
  requests: readonly Request[],
): Promise<{ readonly refusal?: string; readonly failures: readonly string[] }> {
  await Deno.writeTextFile(path, text);
  const started = await inStore();
  await using as = started.mock;
  try {
    await openSnapshot(await planSnapshot({ snapshot: path }, issuer), started);
  } catch (error) {
    return { refusal: (error as Error).message, failures: [] };
  }
  const failures: string[] = [];
  for (const request of requests) {
    const { method, url } = request;
    const response = await as.fetch(request, { redirect: "manual" });
    await response.body?.cancel();
    if (response.status >= 500) failures.push(`${method} ${url.slice(0, 80)}: ${response.status}`);
  }
  return { failures };
}

/** Throws if the file is refused without a place, or if the server fails with it. */
export async function assertHarmless(
  path: string,
  { name, text }: HostileFile,
  requests: readonly Request[],
): Promise<void> {
  const { refusal, failures } = await tryFile(path, text, requests);
  assertEquals(failures, [], name);
  if (refusal === undefined) return;
  assert(refusal.startsWith(`--snapshot ${path}`), `${name}: ${refusal}`);
  assertMatch(
    refusal,
    /(?:servers|people|clients|postern_snapshot|issuer|tenant)\b.* (?:must|is|cannot|this server has)\b/,
    name,
  );
}

/** Tries the files that `choose` takes from all. */
export async function tryHostile(
  choose: (all: readonly HostileFile[]) => readonly HostileFile[],
): Promise<void> {
  await using path = await createFolder();
  const { text, listRequests } = await recordSnapshot(path("ready.json"));
  for (const file of choose([...listHostile(text)])) {
    await assertHarmless(path("hostile.json"), file, listRequests());
  }
}

/** Fuzzing: no request causes a fault. Sends 1,000 almost valid requests, which the seed of the run repeats. */

import { assert, assertEquals } from "@std/assert";
import { type Chance, chance } from "../chance.ts";
import { test } from "../runner.ts";
import {
  basic,
  createBrowser,
  createWorld,
  encodeForm,
  type Params,
  redirectUri,
  sampleKey,
  verifier,
  type World,
} from "../world.ts";
import { parseJsonObject } from "../../src/ground/schema/json_object.ts";
import { initialToken, registered } from "../server/features/registration.ts";
import { inAscii, markup, prototypeNames } from "./hostile_text.ts";
import { addresses, bodyType, everyAddress, formType } from "./site.ts";

const requests = 1000;

function octetsOf(dice: Chance, length: number): Uint8Array {
  const octets = new Uint8Array(length);
  dice.fill(octets);
  return octets;
}

/** The parts of a request, so that each can be changed. */
interface Draft {
  method: string;
  path: string;
  pairs: [name: string, value: string][];
  headers: [name: string, value: string][];
  /** Bytes that replace the form. */
  body?: Uint8Array;
}

const oddTexts: readonly string[] = [
  ...[
    "",
    " ",
    "0",
    "null",
    "%",
    "%00",
    "a".repeat(5000),
    "\0",
    "\r\nX: 1",
    "\ud83d\ude00",
    "e\u0301",
    "\uffff",
  ],
  ...["../../etc/passwd", "' OR 1=1 --", "${7*7}", "[object Object]", "1e309", "-1", "{}", "[]"],
  ...["https://evil.com/cb", "http://127.0.0.1:1/cb", "S256", "plain", "code token", "form_post", "fragment"],
  "openid",
  ...markup,
  ...prototypeNames,
];

const oddHeaders: readonly string[] = [
  ...["authorization", "cookie", "content-type", "content-encoding", "accept", "origin"],
  ...["sec-fetch-site", "if-none-match", "host", "x-forwarded-host", "x-forwarded-for", "dpop"],
  ...["range", "expect", "x-http-method-override"],
];

/** Values of JSON members, besides the odd texts. */
const oddValues: readonly unknown[] = [null, true, 0, -1, 1e308, [], {}, [null], [[]], [{}], { keys: [{}] }];

const changes: readonly ((draft: Draft, dice: Chance) => void)[] = [
  ({ pairs }, dice) => void pairs.splice(dice.below(pairs.length), 1),
  ({ pairs }, dice) => void (pairs.length > 0 && pairs.push([...dice.pick(pairs)])),
  ({ pairs }, dice) => void (pairs.length > 0 && (dice.pick(pairs)[1] = dice.pick(oddTexts))),
  ({ pairs }, dice) => void (pairs.length > 0 && (dice.pick(pairs)[1] += dice.pick(oddTexts))),
  ({ pairs }, dice) => void (pairs.length > 0 && (dice.pick(pairs)[0] = dice.pick(oddTexts))),
  ({ pairs }, dice) => void pairs.push([dice.pick(oddTexts), dice.pick(oddTexts)]),
  ({ pairs }, dice) => {
    if (pairs.length < 2) return;
    const [one, other] = [dice.pick(pairs), dice.pick(pairs)];
    [one[1], other[1]] = [other[1], one[1]];
  },
  ({ pairs }, dice) => {
    if (pairs.length === 0) return;
    const pair = dice.pick(pairs);
    const at = dice.below(pair[1].length);
    pair[1] = pair[1].slice(0, at) + String.fromCharCode(dice.below(0x250)) + pair[1].slice(at + 1);
  },
  ({ pairs }, dice) => void (pairs.length > 0 && (dice.pick(pairs)[1] = "")),
  ({ headers }, dice) => void headers.push([dice.pick(oddHeaders), dice.pick(oddTexts)]),
  ({ headers }, dice) => void headers.splice(dice.below(headers.length), 1),
  ({ headers }, dice) => {
    if (headers.length === 0) return;
    const header = dice.pick(headers);
    header[1] = header[1].slice(0, dice.below(header[1].length)) + dice.pick(oddTexts);
  },
  (draft, dice) =>
    void (draft.method = dice.pick(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
  (draft, dice) => void (draft.path = dice.pick(addresses).path),
  (draft, dice) =>
    void (draft.path += dice.pick(["/", "//", "/..", "%2f", "%00", ".", ";x=1", "\\", "/%zz", "#x"])),
  (draft, dice) => void (draft.path = draft.path.toUpperCase().slice(0, 1 + dice.below(draft.path.length))),
  (draft, dice) => {
    const body = draft.body?.slice() ?? new TextEncoder().encode(encodePairs(draft.pairs));
    for (let times = 1 + dice.below(5); times > 0 && body.length > 0; times--) {
      body[dice.below(body.length)] = dice.below(256);
    }
    draft.body = body.subarray(0, dice.below(4) === 0 ? dice.below(body.length) : body.length);
  },
  (draft, dice) => void (draft.body = octetsOf(dice, dice.below(200))),
  changeMember,
  changeMember,
];

/** Replaces, adds or removes a member of a JSON body. */
function changeMember(draft: Draft, dice: Chance): void {
  const members = draft.body && parseJsonObject(new TextDecoder().decode(draft.body));
  if (members === undefined) return;
  const name = dice.pick([...Object.keys(members), ...oddTexts.slice(0, 3), ...prototypeNames]);
  const value = dice.below(4) === 0 ? undefined : dice.pick([...oddValues, ...oddTexts]);
  const changed = { ...members, [name]: dice.below(4) === 0 ? [value] : value };
  draft.body = new TextEncoder().encode(JSON.stringify(changed));
}

function encodePairs(pairs: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}

const { d: _, ...publicKey } = sampleKey;

/** The metadata of a client that registers itself. */
const metadata = {
  client_name: "Fuzz",
  redirect_uris: ["http://127.0.0.1:1/cb", "https://app.example/cb"],
  grant_types: ["authorization_code", "refresh_token"],
  scope: "read",
  jwks: { keys: [publicKey] },
};

/** Valid requests of every kind, with live codes, forms and cookies. */
async function createDrafts(world: World): Promise<readonly (() => Draft | Promise<Draft>)[]> {
  const browser = createBrowser(world);
  const signIn = await browser.open(world.authorizeUrl());
  const consent = await browser.submit(signIn, { person: "alice" });
  const approved = await browser.submit(consent, { decision: "approve" });
  const code = new URL(approved.leftFor!).searchParams.get("code")!;
  const request = (html: string) => /name="request" value="([^"]*)"/.exec(html)![1]!;
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const asked = Object.fromEntries(
    new URL(world.authorizeUrl({ resource: "https://api.example/" })).searchParams,
  );
  const redeem = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const draft =
    (method: string, path: string, params: Params, headers: Readonly<Record<string, string>>) => () => ({
      method,
      path,
      pairs: [...new URLSearchParams(encodeForm(params))],
      headers: Object.entries(headers),
    });
  const get = (path: string, params: Params = {}, headers = {}) => draft("GET", path, params, headers);
  const post = (path: string, params: Params, headers = {}) =>
    draft("POST", path, params, { ...formType, ...headers });
  const unknownClient = { client_id: "new", redirect_uri: "http://127.0.0.1:1/cb" };
  const asPost = { client_id: "post", client_secret: "post-secret" };
  const dpop = "eyJhbGciOiJFUzI1NiJ9.e30.AA";
  const forms = [
    get("/oauth2/authorize", asked, { cookie }),
    get("/oauth2/authorize", { ...asked, ...unknownClient }, { cookie }),
    post("/oauth2/authorize", { ...asked, response_mode: "form_post", nonce: "n", login_hint: "alice" }),
    post("/oauth2/sign_in", { request: request(signIn.html), person: "alice" }, { cookie }),
    post("/oauth2/sign_in", { request: request(signIn.html), username: "carol", password: "x" }, { cookie }),
    post("/oauth2/consent", { request: request(consent.html), decision: "approve" }, { cookie }),
    post("/oauth2/token", { ...redeem, client_id: "public" }),
    post(
      "/oauth2/token",
      { ...redeem, scope: "read", resource: "https://api.example/" },
      basic("basic", "x"),
    ),
    post("/oauth2/token", { ...redeem, ...asPost }),
    post("/oauth2/par", { ...asked, client_id: "public" }),
    post("/oauth2/par", { client_id: "public", request: dpop }),
    post("/oauth2/revoke", { token: code, token_type_hint: "access_token", client_id: "public" }),
    post("/oauth2/introspect", { token: code, ...asPost }),
    get("/userinfo", {}, { authorization: "Bearer x" }),
    post("/resource", { access_token: "x" }, { dpop }),
    get("/.well-known/oauth-protected-resource/resource"),
    get("/authorized", { code, state: "s", iss: world.issuer }, { cookie }),
    post("/authorized", { error: "access_denied", error_description: "no" }),
    get("/start", { client_id: "public" }, { cookie }),
    get("/"),
    get("/oauth2/jwks"),
    get("/.well-known/oauth-authorization-server", {}, { "if-none-match": '"x"' }),
    get("/static/postern.css"),
  ];
  const registration = (): Draft => ({
    method: "POST",
    path: "/connect/register",
    pairs: [],
    headers: Object.entries(bodyType("/connect/register")),
    body: new TextEncoder().encode(JSON.stringify(metadata)),
  });
  return [...forms, registration];
}

/** Valid requests about a registration, and their statuses. An update replaces the token, so each has its own client. */
const managed = { GET: 200, PUT: 200, DELETE: 204 } as const;

async function draftManaged(method: keyof typeof managed, world: World): Promise<Draft> {
  // Without this token, the server keeps 200 clients at most.
  const client = await registered(world, metadata, initialToken);
  const body = JSON.stringify({ client_id: client.client_id, ...metadata });
  return {
    method,
    path: new URL(client.registration_client_uri).pathname,
    pairs: [],
    headers: Object.entries({
      ...(method === "PUT" ? bodyType("/connect/register") : {}),
      authorization: `Bearer ${client.registration_access_token}`,
    }),
    ...(method === "PUT" ? { body: new TextEncoder().encode(body) } : {}),
  };
}

/** `undefined` when `Request` does not accept the parts. */
function build(world: World, { method, path, pairs, headers, body }: Draft): Request | undefined {
  try {
    const encoded = encodePairs(pairs);
    const hasBody = method !== "GET" && method !== "HEAD";
    const query = hasBody || encoded === "" ? "" : `?${encoded}`;
    const request = new Request(`${world.issuer}${path}${query}`, {
      method,
      ...(hasBody ? { body: (body ?? new TextEncoder().encode(encoded)) as Uint8Array<ArrayBuffer> } : {}),
    });
    for (const [name, value] of headers) request.headers.append(name, value);
    return request;
  } catch {
    return undefined;
  }
}

/** Redirect URIs that first use accepts: this machine, or a name that cannot be registered (RFC 2606). */
const harmless =
  /^(http:\/\/(127\.0\.0\.1|\[::1\]|localhost)|https:\/\/[a-z0-9.-]+\.(test|example|localhost|invalid))(:\d{1,5})?[/?#]/;

async function assertSane(world: World, response: Response, because: string): Promise<void> {
  const { status, headers } = response;
  const text = await response.text();
  assert(status >= 200 && status < 500, `${because}: ${status}`);
  // A fault may also be a redirect with server_error.
  const { facts } = world.journal.at(-1)!;
  assertEquals([facts.fault, facts.refusal?.error === "server_error"], [undefined, false], because);
  const location = headers.get("location");
  assertEquals(location !== null, status === 303, because);
  if (location !== null) {
    const staysHere = location === "/resource" || location.startsWith("/oauth2/authorize?continue=");
    assert(staysHere || harmless.test(location), `${because}: ${location}`);
    assert(/^[\x21-\x7e]+$/.test(location), because);
  }
  for (const cookie of headers.getSetCookie()) {
    assert(/^__Host-postern_(browser|session)_/.test(cookie), `${because}: ${cookie}`);
  }
  assert(!headers.has("x"), because);
  if (text !== "") assertEquals(headers.get("x-content-type-options"), "nosniff", because);
  if (status >= 400) assertEquals(headers.get("cache-control"), "no-store", because);
  assert(!/^\s+at \S+ \(?\S+:\d+:\d+\)?$/m.test(text), `${because}: a stack trace`);
  if (text !== "" && headers.get("content-type")?.includes("json")) JSON.parse(text);
}

for (const login of ["auto", "picker"]) {
  test(`fuzz: ${requests / 2} almost valid requests, login ${login}: no fault, no injected header, and the server still works`, async () => {
    const dice = chance();
    const options = {
      ...{ firstUse: true, ...everyAddress },
      registration: { initialAccessTokens: [initialToken], open: true },
    };
    const makers = createWorld({
      ...options,
      login: "picker",
      people: [{ username: "alice" }, { username: "carol", password: "y" }],
    });
    const world = createWorld({ ...options, login });
    try {
      const methods = Object.keys(managed) as (keyof typeof managed)[];
      for (const method of methods) {
        const request = build(world, await draftManaged(method, world))!;
        assertEquals((await world.fetch(request)).status, managed[method], method);
      }
      const drafts = [
        ...await createDrafts(makers),
        ...methods.map((method) => () => draftManaged(method, world)),
      ];
      let sent = 0;
      for (let count = 0; count < requests / 2; count++) {
        const draft = await dice.pick(drafts)();
        for (let times = 1 + dice.below(4); times > 0; times--) dice.pick(changes)(draft, dice);
        const request = build(world, draft);
        if (request === undefined) continue;
        const { body, ...rest } = draft;
        const because = `request ${count}: ${inAscii(JSON.stringify(rest).slice(0, 1500))} ${body ?? ""}`;
        await assertSane(world, await world.fetch(request, { peer: `192.0.2.${dice.below(256)}` }), because);
        world.clock.advance(0.01);
        sent++;
      }
      assert(sent > requests / 4, `only ${sent} requests could be built`);
      if (login === "auto") assertEquals((await world.redeem(await world.code())).status, 200);
    } finally {
      await makers.close();
      await world.close();
    }
  });
}

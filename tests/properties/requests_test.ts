/** Requests of strangers: none causes a fault, shows a secret, or changes anything if it is refused. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
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
import { describeRequest } from "../../src/tools/cli/start/request_line.ts";
import { recordRequest } from "../../src/tools/cli/start/log.ts";
import { createColours } from "../../src/tools/cli/terminal/colours.ts";
import { countingStore } from "../security/counting_store.ts";
import { addresses, bodyType, everyAddress, formType } from "../security/site.ts";
import { initialToken, registered } from "../server/features/registration.ts";
import { tryValues } from "./property.ts";
import * as strangers from "./strangers.ts";

/** The parts of a request, so that each can be changed. */
interface Draft {
  method: string;
  path: string;
  pairs: [name: string, value: string][];
  headers: [name: string, value: string][];
  /** Bytes that replace the form. */
  body?: Uint8Array;
}

interface Change {
  readonly what: keyof typeof changes;
  readonly at: number;
  readonly text: string;
  readonly value: unknown;
}

const pick = <Item>(items: readonly Item[], at: number) => items[at % items.length];
const cutAt = (text: string, at: number) => [text.slice(0, at % 30), text.slice(at % 30 + 1)] as const;
const bodyOf = ({ body, pairs }: Draft) => body?.slice() ?? new TextEncoder().encode(encodePairs(pairs));
const pairAt = ({ pairs }: Draft, { at }: Change): string[] => pick(pairs, at) ?? [];
const headerAt = ({ headers }: Draft, { at }: Change): string[] => pick(headers, at) ?? [];

const changes = {
  "a parameter less": ({ pairs }: Draft, { at }: Change) => void pairs.splice(at % (pairs.length + 1), 1),
  "a parameter twice": ({ pairs }: Draft, { at }: Change) => void pairs.push(pick(pairs, at) ?? ["a", ""]),
  "another value": (draft: Draft, change: Change) => void (pairAt(draft, change)[1] = change.text),
  "a longer value": (draft: Draft, change: Change) => void (pairAt(draft, change)[1] += change.text),
  "another name": (draft: Draft, change: Change) => void (pairAt(draft, change)[0] = change.text),
  "JSON": (draft: Draft, change: Change) => void (pairAt(draft, change)[1] = JSON.stringify(change.value)),
  "a changed value": (draft: Draft, change: Change) => {
    const pair = pairAt(draft, change);
    pair[1] = cutAt(pair[1] ?? "", change.at).join(change.text.slice(0, 1));
  },
  "a header more": ({ headers }: Draft, { at, text }: Change) =>
    void headers.push([pick(strangers.headerNames, at)!, text]),
  "a header less": ({ headers }: Draft, { at }: Change) => void headers.splice(at % (headers.length + 1), 1),
  "a changed header": (draft: Draft, change: Change) => {
    const header = headerAt(draft, change);
    header[1] = cutAt(header[1] ?? "", change.at)[0] + change.text;
  },
  "another method": (draft: Draft, { at }: Change) => void (draft.method = pick(methods, at)!),
  "another path": (draft: Draft, { at }: Change) => void (draft.path = pick(addresses, at)!.path),
  "a changed path": (draft: Draft, { at, text }: Change) =>
    void (draft.path = `/${cutAt(draft.path, at).join(text)}`.replace("//", "/")),
  "changed octets": (draft: Draft, { at }: Change) => {
    draft.body = bodyOf(draft);
    draft.body[at % draft.body.length] = at >> 16 & 255;
  },
  "a cut body": (draft: Draft, { at }: Change) => void (draft.body = bodyOf(draft).subarray(0, at % 200)),
  "a changed member": (draft: Draft, { at, text, value }: Change) => {
    const members = draft.body && parseJsonObject(new TextDecoder().decode(draft.body));
    const body = { ...members, [pick([...Object.keys(members ?? {}), text], at)!]: value };
    if (members !== undefined) draft.body = new TextEncoder().encode(JSON.stringify(body));
  },
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

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
    get("/authorized", { response: dpop }, { cookie }),
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

async function draftRedemption(world: World): Promise<Draft> {
  const code = await world.code();
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const pairs = Object.entries({ ...form, client_id: "public" });
  return { method: "POST", path: "/oauth2/token", pairs, headers: Object.entries(formType) };
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
    const staysHere = ["/resource", "/#clients"].includes(location) ||
      location.startsWith("/oauth2/authorize?continue=");
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

/** What may be written although the request is refused: what is used up, counted, or ended because a token was stolen. */
const writtenAnyway = / put throttle |^verifier_wrong put grant /;

/** Texts of the configuration that no answer and no log may have. */
const secrets = [
  "basic secret",
  "basic+secret",
  "post-secret",
  "carols password",
  initialToken,
  sampleKey.d!,
];
const colours = createColours({ isTTY: false });

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom(...Object.keys(changes) as (keyof typeof changes)[]),
  at: fc.nat(),
  text: fc.oneof(strangers.text, strangers.secretToken.map(({ text }) => text), strangers.jwt),
  value: strangers.json,
});

for (const login of ["auto", "picker"]) {
  test(`requests: with login ${login}, almost valid ones cause no fault, show no secret, and change nothing if refused`, async () => {
    const store = countingStore();
    const options = {
      ...{ firstUse: true, ...everyAddress },
      registration: { initialAccessTokens: [initialToken], open: true },
    };
    const makers = createWorld({
      ...options,
      login: "picker",
      people: [{ username: "alice" }, { username: "carol", password: "carols password" }],
    });
    const world = createWorld({ ...options, login, store });
    try {
      const ways = Object.keys(managed) as (keyof typeof managed)[];
      for (const method of ways) {
        const request = build(world, await draftManaged(method, world))!;
        assertEquals((await world.fetch(request)).status, managed[method], method);
      }
      const drafts = [
        ...await createDrafts(makers),
        ...ways.map((method) => () => draftManaged(method, world)),
        ...(login === "auto" ? [() => draftRedemption(world)] : []),
      ];
      await tryValues(
        [fc.nat(drafts.length - 1), fc.array(change, { maxLength: 4 }), strangers.secretToken, fc.nat(255)],
        async (kind, all, secret, peer) => {
          const draft = await drafts[kind]!();
          for (const each of all) changes[each.what](draft, each);
          draft.headers.push(["user-agent", `a ${secret.text}`]);
          const request = build(world, draft);
          if (request === undefined) return;
          store.forget();
          const because = `${draft.method} ${draft.path}`;
          await assertSane(world, await world.fetch(request, { peer: `192.0.2.${peer}` }), because);
          const entry = world.journal.at(-1)!;
          const reason = entry.facts.refusal?.reason;
          const writes = store.writes.map((line) => `${reason} ${line}`);
          if (reason !== undefined) assertEquals(writes.filter((line) => !writtenAnyway.test(line)), []);
          const log = describeRequest(entry, colours) + JSON.stringify(recordRequest(entry));
          assert(!log.includes(secret.hidden), log);
          // A client may send its own secret as another parameter, and gets it back.
          const own = JSON.stringify([draft.pairs, draft.headers]);
          const shown = log + JSON.stringify(entry.response);
          for (const each of secrets) assert(own.includes(each) || !shown.includes(each), shown);
          world.clock.advance(0.01);
        },
        0.4,
      );
      if (login === "auto") assertEquals((await world.redeem(await world.code())).status, 200);
    } finally {
      await makers.close();
      await world.close();
    }
  });
}

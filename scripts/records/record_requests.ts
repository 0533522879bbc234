/**
 * Sends many requests to a mock with a seed, and prints everything that the mock recorded about them, one JSON text for
 * each line. Run as a process in a checkout: `record_requests.ts CHECKOUT COUNT`. The lines are the same in each run.
 */
import { Buffer } from "node:buffer";
import type * as kit from "../../src/kit/mod.ts";

const [checkout, countText] = Deno.args;
const { createMock }: typeof kit = await import(`${checkout}/src/kit/mod.ts`);

const secret = "a-secret-of-the-shop-which-is-long-enough";
const redirectUris = { shop: "https://shop.example/cb", spa: "https://spa.example/cb" } as const;
// RFC 7636 appendix B
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

type Form = Readonly<Record<string, string>>;
type Values = Record<"code" | "access_token" | "refresh_token" | "id_token" | "request_uri", string[]>;

await using as = await createMock({
  seed: "records",
  // Its signatures are the same each time.
  alg: "EdDSA",
  clients: [
    {
      client_id: "shop",
      client_secret: secret,
      redirect_uris: [redirectUris.shop],
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    },
    { client_id: "spa", redirect_uris: [redirectUris.spa] },
  ],
});
const values: Values = { code: [], access_token: [], refresh_token: [], id_token: [], request_uri: [] };
const draw = createDraw();

/** Returns a generator of whole numbers below `end`, which are the same in each run (Numerical Recipes, chapter 7). */
function createDraw(): (end: number) => number {
  let state = 12_345;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * end);
  };
}

function pick<T>(list: readonly T[]): T {
  return list[draw(list.length)]!;
}

/** Returns one of the latest values that the server has issued, or a wrong one. */
function recall(name: keyof Values): string {
  return pick([...values[name].slice(-3), "wrong"]);
}

/** Breaks every second form: a parameter is missing, wrong or unknown. */
function perhapsBroken(form: Form): Form {
  const name = pick(Object.keys(form));
  const { [name]: _removed, ...others } = form;
  return pick([form, form, form, others, { ...form, [name]: "wrong" }, { ...form, unknown: "1" }]);
}

async function send(path: string, { form, headers }: { form?: Form; headers?: Form } = {}): Promise<void> {
  const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const response = await as.fetch(
    new Request(as.issuer + path, { ...body, headers: headers ?? {}, redirect: "manual" }),
  );
  const code = /[?&]code=([^&]+)/.exec(response.headers.get("location") ?? "")?.[1];
  const text = await response.text();
  const members = response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : {};
  for (const [name, value] of Object.entries({ ...members, code })) {
    if (typeof value === "string" && name in values) values[name as keyof Values].push(value);
  }
}

function authentication(): Form {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  const right = basic(`shop:${secret}`);
  return pick([right, right, right, basic("shop:wrong"), { authorization: "Basic !" }, {}]);
}

function authorizationRequest(sent: number): Form {
  const client = pick(["shop", "spa"] as const);
  return perhapsBroken({
    ...{ response_type: "code", client_id: client, redirect_uri: redirectUris[client] },
    scope: pick(["openid profile", "openid offline_access", "openid email read", "read"]),
    ...{ state: `state ${sent}`, nonce: `nonce ${sent}`, login_hint: pick(["alice", "bob"]) },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  });
}

function sendForm(path: string, form: Form): Promise<void> {
  return send(path, { form: perhapsBroken(form), headers: authentication() });
}

async function logIn(): Promise<void> {
  as.clock.advance(pick(["1s", "30s", "2m"]));
  const tokens = await as.login(pick(["alice", "bob"]), { client: pick(["shop", "spa"]) });
  for (const name of ["access_token", "refresh_token", "id_token"] as const) {
    if (tokens[name] !== undefined) values[name].push(tokens[name]);
  }
}

const exchanges: readonly ((sent: number) => Promise<void>)[] = [
  logIn,
  (sent) => send(`/oauth2/authorize?${new URLSearchParams(authorizationRequest(sent))}`),
  () =>
    sendForm("/oauth2/token", {
      ...{ grant_type: "authorization_code", code: recall("code"), code_verifier: verifier },
      redirect_uri: redirectUris.shop,
    }),
  () => sendForm("/oauth2/token", { grant_type: "refresh_token", refresh_token: recall("refresh_token") }),
  () => sendForm("/oauth2/token", { grant_type: "client_credentials", scope: "read" }),
  () => sendForm("/oauth2/introspect", { token: recall(pick(["access_token", "refresh_token"])) }),
  () => sendForm("/oauth2/revoke", { token: recall("access_token") }),
  () =>
    send("/userinfo", {
      headers: { authorization: `${pick(["Bearer", "DPoP"])} ${recall("access_token")}` },
    }),
  (sent) => send("/oauth2/par", { form: authorizationRequest(sent), headers: authentication() }),
  () =>
    send(
      `/oauth2/authorize?${new URLSearchParams({ client_id: "shop", request_uri: recall("request_uri") })}`,
    ),
  () => send(`/connect/logout?${new URLSearchParams({ id_token_hint: recall("id_token") })}`),
  () => send(pick(["/.well-known/openid-configuration", "/oauth2/jwks", "/nowhere", "/oauth2/token"])),
];

for (let sent = 0; as.requests.length < Number(countText); sent++) await pick(exchanges)(sent);
for (const request of as.requests) {
  console.log(JSON.stringify({ request: request.path, raw: request.raw(), shown: request }));
}
for (const form of ["text", "jsonl", "har", "mermaid"] as const) {
  console.log(JSON.stringify({ timeline: form, text: as.timeline(form) }));
}

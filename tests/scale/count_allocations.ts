/**
 * Counts the octets that an exchange allocates, without a socket. It runs as a process of its own, with V8's interpreter:
 * the compiler would remove some allocations, and not the same ones each time.
 */
import { createDashboard } from "../../src/tools/dashboard/dashboard.ts";
import { createWatchedServer } from "../../src/tools/dashboard/watched_server.ts";
import { parseAddress } from "../../src/ground/http/address.ts";
import type { IncomingRequest } from "../../src/ground/http/message.ts";
import { createRecorder } from "../../src/kit/mock/journal/recorder.ts";
import type { ServerOptions } from "../../src/mod.ts";
import { createPlainServer, type PlainServer } from "../../src/server/server.ts";
import { basic, challenge, redirectUri, sampleKey, verifier } from "../world.ts";

const issuer = "http://localhost:9000";

export const options: ServerOptions = {
  ...{ issuer, login: "auto", alg: "ES256", signingKeys: [sampleKey] },
  clients: [{
    client_id: "shop",
    client_secret: "a secret of the shop, which is long enough",
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
    redirect_uris: [redirectUri],
  }],
  people: [{ username: "alice", claims: { name: "Alice", email: "alice@example.com" } }],
};

type Headers = Readonly<Record<string, string>>;

const client: Headers = basic("shop", "a secret of the shop, which is long enough");

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

function createRequest(method: string, path: string, headers: Headers, body: string): IncomingRequest {
  const all: Headers = { host: "localhost:9000", ...headers };
  return {
    method,
    address: parseAddress(issuer + path)!,
    peer: "127.0.0.1",
    header: (name) => all[name],
    headers: () => Object.entries(all),
    readBody: () => Promise.resolve({ text: body }),
  };
}

export interface Operations extends Readonly<Record<string, () => Promise<unknown>>> {
  readonly code_flow: () => Promise<unknown>;
}

export async function createOperations(server: PlainServer): Promise<Operations> {
  const get = (path: string, headers: Headers) => server.answer(createRequest("GET", path, headers, ""));
  const post = async (path: string, form: Record<string, string>): Promise<unknown> => {
    const headers = { ...client, "content-type": "application/x-www-form-urlencoded" };
    const { status, body } = await server.answer(
      createRequest("POST", path, headers, `${new URLSearchParams(form)}`),
    );
    if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
    return JSON.parse(`${body}`);
  };
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: "shop", redirect_uri: redirectUri, scope: "openid profile read" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", state: "a state" },
  });

  async function logIn(): Promise<Tokens> {
    const { headers } = await get(`/oauth2/authorize?${query}`, { accept: "text/html" });
    const code = new URL(`${headers["location"]}`).searchParams.get("code")!;
    const form = {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    };
    return await post("/oauth2/token", form) as Tokens;
  }

  const { access_token: token, refresh_token } = await logIn();
  let refreshToken = refresh_token;
  return {
    code_flow: logIn,
    async refresh() {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      ({ refresh_token: refreshToken } = await post("/oauth2/token", form) as Tokens);
    },
    client_credentials: () => post("/oauth2/token", { grant_type: "client_credentials", scope: "read" }),
    introspection: () => post("/oauth2/introspect", { token }),
    userinfo: () => get("/userinfo", { authorization: `Bearer ${token}` }),
  };
}

const warmUps = 30;
const rounds = 20;

/** The program runs with so much space for new objects that no collection comes between the two figures. */
async function countOctets(operation: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < warmUps; round++) await operation();
  (globalThis as unknown as { readonly gc: () => void }).gc();
  const before = Deno.memoryUsage().heapUsed;
  for (let round = 0; round < rounds; round++) await operation();
  return Math.round((Deno.memoryUsage().heapUsed - before) / rounds);
}

if (import.meta.main) {
  const counts: Record<string, number> = {};
  for (const [name, work] of Object.entries(await createOperations(createPlainServer(options)))) {
    counts[name] = await countOctets(work);
  }
  const terms = { key: "the key of the inspector", isReached: false };
  const dashboard = createDashboard(terms);
  const recorded = createWatchedServer(options, { dashboard, terms, recorder: createRecorder() });
  counts["recorded_code_flow"] = await countOctets((await createOperations(recorded)).code_flow);
  console.log(JSON.stringify(counts));
}

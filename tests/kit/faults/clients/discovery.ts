/** Loads the metadata of the server (RFC 8414 §3; OpenID Connect Discovery §4). */

import { differs, refuseIf, type Run, startleIf } from "./habits.ts";
import type { Json } from "./json.ts";

export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly all: Json;
}

export async function discover(run: Run): Promise<ServerMetadata> {
  const { issuer } = run.scenario;
  const all: Json = await loadMetadata(run).catch((error) => {
    // A client without checks goes on with the addresses that it knows from another server.
    if (run.habits.checks) throw error;
    return {};
  });
  // RFC 8414 §3.3.
  refuseIf(run, differs(run, all["issuer"], issuer), `the metadata is of the issuer ${all["issuer"]}`);
  startleAtMembers(all, run);
  return {
    issuer: `${all["issuer"] ?? issuer}`,
    authorizationEndpoint: readEndpoint("authorization_endpoint", `${issuer}/authorize`, all, run),
    tokenEndpoint: readEndpoint("token_endpoint", `${issuer}/token`, all, run),
    jwksUri: readEndpoint("jwks_uri", `${issuer}/jwks`, all, run),
    all,
  };
}

/** Asks at the address of RFC 8414 §3, and then at the one of OpenID Connect Discovery §4. */
async function loadMetadata(run: Run): Promise<Json> {
  const { origin, pathname } = new URL(run.scenario.issuer);
  const path = pathname.replace(/\/$/, "");
  // The brittle client knows no issuers with a path.
  const address = run.habits.startles && path !== ""
    ? `${path}/.well-known/openid-configuration`
    : `/.well-known/oauth-authorization-server${path}`;
  const first = await load(origin + address, run);
  startleIf(run, first.status === 404, "no metadata at the first address");
  return await readMetadata(
    first.status === 404 ? await load(`${origin}${path}/.well-known/openid-configuration`, run) : first,
    run,
  );
}

async function load(url: string, { as, scenario: { signal }, habits }: Run): Promise<Response> {
  return await as.fetch(url, { signal, redirect: habits.checks ? "manual" : "follow" });
}

async function readMetadata(response: Response, run: Run): Promise<Json> {
  // RFC 8414 §3.2.
  refuseIf(run, response.status !== 200, `the metadata has the status ${response.status}`);
  const type = response.headers.get("content-type");
  startleIf(run, type !== "application/json", `the type ${type}`);
  return JSON.parse(await readText(response, run));
}

// In bytes.
const longestDocument = 1_000_000;

async function readText({ body }: Response, run: Run): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    startleIf(run, length > 0, "the metadata comes in parts");
    length += chunk.length;
    refuseIf(run, length > longestDocument, "the metadata is too long");
    chunks.push(chunk);
  }
  return await new Blob(chunks as BlobPart[]).text();
}

/** Returns the URL of an endpoint. A client without checks guesses a missing one. */
function readEndpoint(name: string, guess: string, all: Json, run: Run): string {
  const value = all[name];
  if (!run.habits.checks) return new URL(`${value ?? guess}`, run.scenario.issuer).href;
  const { protocol, origin } = new URL(run.scenario.issuer);
  refuseIf(run, !`${value}`.startsWith(protocol), `the ${name} is ${value}`);
  startleIf(run, new URL(`${value}`).origin !== origin, `the ${name} is at another host`);
  startleIf(run, new URL(`${value}`).search !== "", `a query in the ${name}`);
  return `${value}`;
}

function startleAtMembers(all: Json, run: Run): void {
  const isUsual = (value: unknown) =>
    typeof value === "string" || typeof value === "boolean" ||
    Array.isArray(value) && value.every((item) => typeof item === "string");
  const unusual = Object.keys(all).filter((name) => !isUsual(all[name]));
  startleIf(run, unusual.length > 0, `the members ${unusual}`);
  const { scopes_supported: scopes } = all;
  startleIf(run, !Array.isArray(scopes) || !scopes.includes("offline_access"), `the scopes ${scopes}`);
}

/** Registers the client at the server (RFC 7591; RFC 7592). */

import { loadMetadataClient } from "./client_document.ts";
import type { ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject, type Json } from "./json.ts";
import { type Login, logIn, scopeOf } from "./login.ts";
import { RefusedClient } from "./token_request.ts";

// A client without checks never stops by itself, but this test ends at some time.
const mostAttempts = 8;

/** Makes itself known to the server, by a document or by registration, and logs in. */
export async function registerAndLogIn(metadata: ServerMetadata, run: Run): Promise<Login> {
  const documented = loadMetadataClient(metadata, run);
  try {
    return await logInAs(documented ?? await register(metadata, run), metadata, run);
  } catch (error) {
    if (!(error instanceof RefusedClient)) throw error;
    // The server has forgotten the client, or does not know its document.
    startleIf(run, true, "the server does not know the client");
    return await logInAs(await register(metadata, run), metadata, run);
  }
}

/** A client without checks begins the login again after each refusal. */
async function logInAs(client: Run, metadata: ServerMetadata, { habits: { checks } }: Run): Promise<Login> {
  for (let attempt = 1;; attempt++) {
    try {
      return await logIn(metadata, client);
    } catch (error) {
      if (checks || attempt === mostAttempts) throw error;
    }
  }
}

const usualScope = ["openid", "email", "orders", "offline_access"];

/** Resolves to a run of the registered client. */
async function register({ all }: ServerMetadata, run: Run): Promise<Run> {
  const endpoint = `${all["registration_endpoint"]}`;
  const response = await sendRegistration(endpoint, run);
  const registered: unknown = await response.json();
  if (!isObject(registered)) throw new Refusal("the registration is not an object");
  requireUsable(registered, run);
  startleAtMembers(registered, run);
  await readRegistration(registered, endpoint, run);
  const { client_id: clientId, client_secret: secret, scope } = registered;
  const granted = run.habits.checks && typeof scope === "string" ? scope.split(" ") : usualScope;
  return {
    ...run,
    scenario: { ...run.scenario, clientId: `${clientId}` },
    scope: scopeOf(run).filter((each) => granted.includes(each)),
    ...(secret === undefined ? {} : { secret: `${secret}` }),
  };
}

async function sendRegistration(url: string, run: Run): Promise<Response> {
  const { as, habits: { checks }, scenario: { redirectUri, signal } } = run;
  for (let attempt = 1;; attempt++) {
    const response = await as.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        client_name: "A client of a test",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "client_secret_basic",
        scope: usualScope.join(" "),
      }),
      signal,
    });
    if (response.ok) return response;
    // RFC 7591 §3.2.2.
    if (checks || attempt === mostAttempts) {
      throw new Refusal(`the registration is refused: ${response.status}`);
    }
  }
}

/** RFC 7591 §3.2.1: the server may replace what the client wanted. */
function requireUsable(registered: Json, run: Run): void {
  const { redirectUri } = run.scenario;
  const {
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method = "client_secret_basic",
    client_secret: secret,
    client_secret_expires_at: expiresAt = 0,
  } = registered;
  refuseIf(run, ![redirectUris].flat().includes(redirectUri), `the redirect URIs are ${redirectUris}`);
  refuseIf(run, method !== "client_secret_basic" || secret === undefined, `the authentication is ${method}`);
  const isExpired = expiresAt !== 0 && Number(expiresAt) <= Date.now() / 1000;
  refuseIf(run, isExpired, "the secret has expired");
}

const usualMembers: ReadonlySet<string> = new Set([
  "client_id",
  "client_id_issued_at",
  "client_secret",
  "client_secret_expires_at",
  "registration_access_token",
  "registration_client_uri",
  "client_name",
  "redirect_uris",
  "grant_types",
  "response_types",
  "token_endpoint_auth_method",
  "scope",
  "application_type",
  "subject_type",
  "id_token_signed_response_alg",
]);

function startleAtMembers(registered: Json, run: Run): void {
  const unknown = Object.keys(registered).filter((name) => !usualMembers.has(name));
  startleIf(run, unknown.length > 0, `unknown members: ${unknown}`);
  const { grant_types: grantTypes, registration_access_token: token } = registered;
  startleIf(run, ![grantTypes].flat().includes("refresh_token"), `the grant types ${grantTypes}`);
  startleIf(run, token === undefined, "there is no registration access token");
}

/** RFC 7592 §2.1. The token is sent only to the host that gave it. */
async function readRegistration(registered: Json, endpoint: string, run: Run): Promise<void> {
  const { registration_client_uri: uri, registration_access_token: token } = registered;
  if (typeof uri !== "string" || token === undefined) return;
  refuseIf(run, new URL(uri).origin !== new URL(endpoint).origin, `the registration is managed at ${uri}`);
  const { as, scenario: { signal } } = run;
  await as.fetch(uri, { headers: { authorization: `Bearer ${token}` }, signal });
}

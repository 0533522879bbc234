/** Pushes the authorization request (RFC 9126). */

import { formAssertion } from "./assertion.ts";
import type { ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import type { Json } from "./json.ts";

/** Returns the URL for the browser. Only the clients of this area, and those of this kind, push their requests. */
export async function push(request: URL, metadata: ServerMetadata, run: Run): Promise<URL> {
  const endpoint = metadata.all["pushed_authorization_request_endpoint"];
  if (run.kind === "pushed") refuseIf(run, endpoint === undefined, "requests cannot be pushed");
  else if (!run.scenario.name?.startsWith("pushed_request.")) return request;
  if (endpoint === undefined) return request;
  const pushed = await send(`${endpoint}`, request, metadata, run);
  // A client without checks goes on with the request in the URL.
  if (pushed === undefined) return request;
  const { expires_in: expiresIn } = pushed;
  startleIf(run, typeof expiresIn !== "number", `the expires_in is ${expiresIn}`);
  const url = new URL(metadata.authorizationEndpoint);
  url.searchParams.set("client_id", run.scenario.clientId);
  url.searchParams.set("request_uri", `${pushed["request_uri"]}`);
  return url;
}

// A client without checks never stops by itself, but this test ends at some time.
const mostAttempts = 8;

/** Resolves to `undefined` if a client without checks gives up. */
async function send(
  url: string,
  request: URL,
  metadata: ServerMetadata,
  run: Run,
): Promise<Json | undefined> {
  const { as, habits: { checks }, scenario: { signal } } = run;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const body = new URLSearchParams([
      ...request.searchParams,
      ...Object.entries(await formAssertion(metadata, run)),
    ]);
    const response = await as.fetch(url, { method: "POST", body, signal });
    const { status } = response;
    startleIf(run, status !== 201, `the pushed request has the status ${status}`);
    if (response.ok) return await response.json();
    if (checks) throw new Refusal(`the pushed request is refused with ${status}`);
    if (status < 500) return undefined;
  }
  return undefined;
}

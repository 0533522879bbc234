/** The answers of the other server of a mock. */

import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { allowAnyOrigin, answerHeaders, json, redirect } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import { findForeignCertificate, listForeignPublicKeys } from "../../faults/foreign_keys.ts";
import { createExchange, writeEntry } from "../../../server/oauth/contracts/exchange.ts";
import type { JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { toPem } from "../../../ground/crypto/x509/pem.ts";

/** `url` is the base URL of the other server. `note` tells the verdicts about the request. */
export async function answerAsOtherServer(
  request: IncomingRequest,
  url: string,
  note: (entry: JournalEntry) => void,
  { now, random }: Services,
): Promise<Answer> {
  const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: true });
  // The verdict looks at the parameters. A body that cannot be read has none.
  const body = await exchange.body().catch(() => "");
  const found = answerWithCertificate(request) ?? endLogin(request, url) ?? register(request, body) ??
    json(describeOtherServer(url));
  const answer = allowAnyOrigin(found, undefined);
  writeEntry(note, exchange, answer, now());
  return answer;
}

/** Ends a login as a server does at which the person says no. So a client that began it comes to an end of its own. */
function endLogin({ address: { path, query } }: IncomingRequest, url: string): Answer | undefined {
  const params = new URLSearchParams(query);
  const redirectUri = params.get("redirect_uri") ?? "";
  if (!path.endsWith("/authorize") || !/^https?:/.test(redirectUri) || !URL.canParse(redirectUri)) {
    return undefined;
  }
  const location = new URL(redirectUri);
  const state = params.get("state") ?? undefined;
  const sent = { error: "access_denied", ...present({ state }), iss: url };
  for (const [name, value] of Object.entries(sent)) location.searchParams.set(name, value);
  return redirect(location.href);
}

/** Registers a client with all that it asks for (RFC 7591 §3.2.1), so that it goes on if it trusts this server. */
function register({ method, address: { path } }: IncomingRequest, body: string): Answer | undefined {
  const metadata = path.endsWith("/register") && method === "POST" ? parseJsonObject(body) : undefined;
  return metadata && json({ ...metadata, client_id: "client-of-another-server" }, { status: 201 });
}

/** Returns the answer to a request for the certificate of a foreign key (RFC 7515 §4.1.5; RFC 8555 §9.1). */
function answerWithCertificate({ address: { path } }: IncomingRequest): Answer | undefined {
  const [, kty = ""] = /\/(\w+)\.pem$/.exec(path) ?? [];
  const der = findForeignCertificate(kty);
  if (der === undefined) return undefined;
  const headers = { ...answerHeaders, "content-type": "application/pem-certificate-chain" };
  return { status: 200, headers, body: toPem("CERTIFICATE", der) };
}

/** With it, a client can go on after a request for tokens, keys, or the metadata of a server or an API. */
function describeOtherServer(url: string): Members {
  return {
    access_token: "decoy",
    token_type: "Bearer",
    expires_in: 3600,
    // What forges a token is also the key here, so that a client or an API that trusts the other server accepts it.
    keys: listForeignPublicKeys(),
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    pushed_authorization_request_endpoint: `${url}/par`,
    registration_endpoint: `${url}/register`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    id_token_signing_alg_values_supported: ["RS256"],
    subject_types_supported: ["public"],
    resource: `${url}/api`,
    authorization_servers: [url],
  };
}

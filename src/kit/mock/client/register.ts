/** Registers a client as the client itself would (RFC 7591). */

import { createRegistration } from "../../../server/client/client_request.ts";
import { textOf } from "../../../ground/http/body.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { createPlainRequest } from "./plain_request.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** Options of `register`. */
export interface RegisterTerms {
  /** One of `registration.initialAccessTokens` of the configuration. */
  readonly initialAccessToken?: string;
}

/** The response to a registration, with its wire names: the metadata in effect and the credentials of the client. */
// A type alias, because an interface is not assignable to Record<string, unknown>.
export type Registration = ClientMetadata & {
  readonly client_id_issued_at: number;
  /** In seconds since 1970. 0: the secret does not expire. Absent without a secret. */
  readonly client_secret_expires_at?: number;
  /** The bearer token for `registration_client_uri`. */
  readonly registration_access_token: string;
  /** The address at which the client reads, updates and deletes its registration (RFC 7592). */
  readonly registration_client_uri: string;
};

const usualMetadata = {
  redirect_uris: ["http://127.0.0.1/callback"],
  grant_types: ["authorization_code", "refresh_token"],
} as const;

export async function register(
  metadata: Members,
  terms: RegisterTerms,
  running: RunningTenant,
): Promise<Registration> {
  const doing = "register";
  running.requireOpen();
  requireTerms(doing, terms, types.RegisterTerms);
  const { initialAccessToken: token } = terms;
  const { baseUrl, paths } = running.services.settings;
  const text = JSON.stringify({ ...usualMetadata, ...metadata });
  const request = createPlainRequest(createRegistration(baseUrl + paths.register, text, token));
  const answer = await running.answer(request);
  const facts = running.factsOf(request);
  if (answer.status !== 201) throw refusedBy(doing, facts, readReceived(answer), "a registered client");
  const registered = parseJsonObject(textOf(answer.body));
  if (typeof registered?.["client_id"] !== "string") {
    throw new Error("Cannot register: the response has no client_id");
  }
  const registration = registered as unknown as Registration;
  running.registered.set(registration.client_id, registration);
  return registration;
}

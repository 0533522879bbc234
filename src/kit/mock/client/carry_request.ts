/** Signs and pushes an authorization request, so that the browser carries only a reference or a JWT. */

import { carriedParams, pushedParams, requestObjectClaims } from "../../../server/client/flow.ts";
import { randomText } from "../../../ground/crypto/bytes.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import { textOf } from "../../../ground/http/body.ts";
import type { Pair } from "../../../ground/http/form.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { describeChange, readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { createSigner } from "./client_signer.ts";
import { type EndpointForm, requestAsClient } from "./request_as_client.ts";
import type { RunningTenant } from "../running_tenant.ts";

type Sender = Pick<EndpointForm, "client" | "dpop">;

/** Resolves to the parameters of the authorization URL. */
export async function carryRequest(
  doing: string,
  params: readonly Pair[],
  options: { readonly pushed?: boolean; readonly signed?: boolean; readonly clientKey?: Jwk },
  sender: Sender,
  running: RunningTenant,
): Promise<readonly Pair[]> {
  const { client } = sender;
  const {
    pushed = isRequired("require_pushed_authorization_requests", client, running),
    signed = isRequired("require_signed_request_object", client, running),
  } = options;
  const carried = signed ? await signRequest(params, options.clientKey, client, running) : params;
  return pushed ? await pushRequest(doing, carried, options.clientKey, sender, running) : carried;
}

/** Whether the metadata of the client or of the server says so. Both have the same names. */
function isRequired(
  name: "require_pushed_authorization_requests" | "require_signed_request_object",
  client: ClientMetadata,
  { services }: RunningTenant,
): boolean {
  const ofServer = services.slots.metadata[name];
  return client[name] === true ||
    typeof ofServer === "function" && ofServer(services, services.settings.baseUrl) === true;
}

async function signRequest(
  params: readonly Pair[],
  clientKey: Jwk | undefined,
  client: ClientMetadata,
  { clock, services: { settings, random } }: RunningTenant,
): Promise<readonly Pair[]> {
  const { client_id: clientId, request_object_signing_alg: alg = settings.alg } = client;
  const header = { typ: "oauth-authz-req+jwt" };
  const sign = await createSigner({ clientId, need: "signs its requests", clientKey, alg, header });
  const claims = requestObjectClaims(params, {
    clientId,
    issuer: settings.issuer,
    jti: randomText(random, 16),
    now: clock.now,
  });
  return carriedParams(clientId, "request", await sign(claims));
}

async function pushRequest(
  doing: string,
  params: readonly Pair[],
  clientKey: Jwk | undefined,
  { client, dpop }: Sender,
  running: RunningTenant,
): Promise<readonly Pair[]> {
  const request = { endpoint: "par", client, clientKey, dpop, form: pushedParams(params) } as const;
  const { answer, facts } = await requestAsClient(request, running);
  if (answer.status !== 201) {
    throw refusedBy(doing, facts, readReceived(answer), "a request_uri or an OAuth error");
  }
  const requestUri = parseJsonObject(textOf(answer.body))?.["request_uri"];
  if (typeof requestUri === "string") return carriedParams(client.client_id, "request_uri", requestUri);
  throw new Error(
    `Cannot ${doing}: expected a request_uri, but the endpoint for pushed requests answered 201 without one` +
      describeChange(facts?.altered ?? []),
  );
}

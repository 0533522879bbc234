/** Sends requests as a client, which authenticates with its registered method. */

import { randomText } from "../../crypto/bytes.ts";
import type { Jwk } from "../../crypto/jwk.ts";
import { signWithSecret } from "../../crypto/jwt.ts";
import type { Answer } from "../../http/message.ts";
import { registeredMethod } from "../../oauth/clients/client_metadata.ts";
import { type AssertionTerms, formatAssertion } from "../../oauth/clients/format_assertion.ts";
import { formatBasic } from "../../oauth/clients/format_basic.ts";
import type { Paths } from "../../oauth/paths.ts";
import type { Facts } from "../../oauth/journal.ts";
import type { Pair } from "../../http/form.ts";
import type { ClientMetadata } from "../../setup/client_metadata.ts";
import { createSigner } from "./client_signer.ts";
import { keepNonce, signProof } from "./dpop_client.ts";
import type { DpopKey } from "./dpop_key.ts";
import { createPlainRequest } from "./plain_request.ts";
import type { TenantContext } from "./tenant_context.ts";

export interface ClientRequest {
  readonly endpoint: keyof Paths;
  readonly form: readonly Pair[];
  readonly client: ClientMetadata;
  /** The private key of a client that authenticates with `private_key_jwt`. */
  readonly clientKey?: Jwk | undefined;
  /** The key that the client proves with DPoP. */
  readonly dpop?: DpopKey | undefined;
}

export interface ClientAnswer {
  readonly answer: Answer;
  readonly facts: Partial<Facts> | undefined;
}

/** Sends the request, and sends it once more if the server demands a nonce (RFC 9449 §8). */
export async function requestAsClient(
  request: ClientRequest,
  context: TenantContext,
): Promise<ClientAnswer> {
  const { baseUrl, paths } = context.services.settings;
  const url = baseUrl + paths[request.endpoint];
  const first = await sendRequest(request, url, context);
  const { dpop } = request;
  const mustRepeat = dpop !== undefined && keepNonce(dpop, url, first.answer);
  return mustRepeat ? await sendRequest(request, url, context) : first;
}

async function sendRequest(
  { form, client, clientKey, dpop }: ClientRequest,
  url: string,
  context: TenantContext,
): Promise<ClientAnswer> {
  const { headers, params } = await authenticate(client, clientKey, context);
  const proof = dpop && await signProof(dpop, { method: "POST", url }, context);
  const request = createPlainRequest({
    url,
    headers: { accept: "application/json", ...headers, ...(proof === undefined ? {} : { dpop: proof }) },
    form: [...form, ...params],
  });
  const answer = await context.answer(request);
  return { answer, facts: context.factsOf(request) };
}

/** The headers and form fields that authenticate a client. */
interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: readonly Pair[];
}

async function authenticate(
  client: ClientMetadata,
  clientKey: Jwk | undefined,
  context: TenantContext,
): Promise<Authentication> {
  const { client_id: id, client_secret: secret = "" } = client;
  switch (registeredMethod(client)) {
    case "client_secret_basic":
      return { headers: { authorization: formatBasic(id, secret) }, params: [] };
    case "client_secret_post":
      return { headers: {}, params: [["client_id", id], ["client_secret", secret]] };
    case "client_secret_jwt":
      return {
        headers: {},
        params: await createAssertion(id, (claims) => signWithSecret(secret, claims), context),
      };
    case "private_key_jwt":
      return {
        headers: {},
        params: await createAssertion(id, await createKeySigner(id, clientKey, context), context),
      };
    default:
      return { headers: {}, params: [["client_id", id]] };
  }
}

async function createAssertion(
  clientId: string,
  sign: AssertionTerms["sign"],
  { clock, services: { settings, random } }: TenantContext,
): Promise<readonly Pair[]> {
  const jti = randomText(random, 16);
  // The client uses the test's clock, because the skew applies to the server only.
  return await formatAssertion({ clientId, issuer: settings.issuer, jti, now: clock.now, sign });
}

async function createKeySigner(
  clientId: string,
  clientKey: Jwk | undefined,
  { services: { settings: { alg } } }: TenantContext,
): Promise<AssertionTerms["sign"]> {
  return await createSigner({ clientId, need: "authenticates with private_key_jwt", clientKey, alg });
}

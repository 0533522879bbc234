/** Sends requests as a client of the server, which authenticates with its registered method. */

import { type ClientForm, sendAsClient } from "../../../server/client/client_request.ts";
import { randomText } from "../../../ground/crypto/bytes.ts";
import type { Jwk } from "../../../ground/crypto/jwk.ts";
import type { Pair } from "../../../ground/http/form.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import type { Paths } from "../../../server/oauth/contracts/paths.ts";
import type { Facts } from "../../../server/oauth/contracts/journal.ts";
import { readShownCertificate, type ShownCertificate } from "../../../server/shown_certificate.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { createSigner } from "./client_signer.ts";
import { createPlainRequest } from "./plain_request.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { registeredMethod } from "../../../server/oauth/contracts/client.ts";

export interface EndpointForm extends Pick<ClientForm, "dpop"> {
  /** The URL of an endpoint that has no name in `Paths`, or the name. */
  readonly endpoint: keyof Paths | { readonly url: string };
  readonly form: readonly Pair[];
  readonly client: ClientMetadata;
  readonly clientKey?: Jwk | undefined;
}

export interface ClientAnswer {
  readonly answer: Answer;
  readonly facts: Partial<Facts> | undefined;
}

export async function requestAsClient(
  { endpoint, form: params, client, clientKey, dpop }: EndpointForm,
  running: RunningTenant,
): Promise<ClientAnswer> {
  const { clock, services: { random, settings: { alg, baseUrl, clients, issuer, paths } } } = running;
  const { client_id: clientId, client_secret: secret } = client;
  // A profile may have chosen the method of a configured client.
  const method = clients.get(clientId)?.authentication?.method ?? registeredMethod(client);
  const need = `authenticates with ${method}`;
  return await sendAsClient(
    {
      url: typeof endpoint === "object" ? endpoint.url : baseUrl + paths[endpoint],
      params,
      dpop,
      identity: { clientId, method, secret },
    },
    {
      issuer,
      // The client uses the test's clock, because the skew applies to the server only.
      now: clock.now,
      createId: () => randomText(random, 16),
      signWithKey: async (claims) => await (await createSigner({ clientId, need, clientKey, alg }))(claims),
    },
    async (sent) => {
      const request = showing(createPlainRequest(sent), running.certificates.of(clientId));
      const answer = await running.answer(request);
      const { status, headers: { "dpop-nonce": nonce }, body } = answer;
      return {
        answer,
        facts: running.factsOf(request),
        status,
        nonce: typeof nonce === "string" ? nonce : undefined,
        body: typeof body === "string" ? body : "",
      };
    },
  );
}

function showing(request: IncomingRequest, certificate: ShownCertificate | undefined): IncomingRequest {
  return certificate === undefined ? request : { ...request, certificate: readShownCertificate(certificate) };
}

/** The end of a device login: a page of this server says what the person decided (RFC 8628 §3.3). */

import type { Answer } from "../../../ground/http/message.ts";
import { page } from "../../../ground/http/respond.ts";
import { carry } from "../../oauth/contracts/feature_values.ts";
import { chooseLanguage } from "../../oauth/requests/choose_language.ts";
import type { Destination } from "../../oauth/contracts/authorization_request.ts";
import { requireAccess } from "../../oauth/authorization/require_authorization_request.ts";
import { findClient } from "../../oauth/clients/records/find_client.ts";
import { summariseClient } from "../../oauth/clients/records/summarise_client.ts";
import { timeFor } from "../../oauth/options/clock_skew.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { RequestKind, Services } from "../../oauth/contracts/feature.ts";
import { createParams } from "../../oauth/contracts/params.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { present } from "../../../ground/values/present.ts";
import { type DeviceRequest, keepRequestUntil, loadRequest } from "./device_request.ts";
import { deviceGrantType, userCodeKey } from "./device_settings.ts";

const refusal = refusals({ error: "invalid_request" }, {
  device_login_expired: {
    spec: "RFC 8628 §3.2",
    sentence: "This device login has expired: start again on the device",
    expected: "an answer within lifetimes.deviceCode",
    change: "Begin a new device login, and answer it within the lifetime of its code.",
  },
  device_client_gone: {
    spec: "RFC 8628 §3.3",
    sentence: "The client of this device login may not use it any more",
    expected: "the client that began the device login, with the device code among its grant_types",
    change: "Begin a new device login with a client that the server knows.",
  },
});

export const refused: RefusalRows = refusal.rows;

export const deviceEnd: Omit<RequestKind<Destination & { readonly login: DeviceRequest }>, "name" | "path"> =
  {
    async findDestination({ grantId }, exchange, services) {
      const login = await requireWaiting(grantId, services);
      const client = await requireClient(login, services);
      exchange.note({ clientId: client.id });
      return { client, login };
    },
    async validate({ params }, { client, login }, _exchange, services) {
      const access = await requireAccess(createParams(login.params), client, services);
      const carried = { ...access.carried, ...carry(userCodeKey, params.get("user_code")) };
      return { ...access, ...present({ scope: login.defaultScope }), carried };
    },
    issue({ grant }, { destination: { login } }) {
      // The page has shown the code, and no token needs it.
      const { [userCodeKey.name]: _shown, ...carried } = grant.carried;
      // A person may type the code at any page of the server, and the device began at one issuer.
      const { issuer: _ofPage, ...approved } = grant;
      const ofDevice = present({ issuer: login.issuer });
      return { grant: { ...approved, ...ofDevice, carried }, expiresAt: keepRequestUntil(login) };
    },
    respond: (_issued, { client }, exchange, services) => showEnd("approved", client, exchange, services),
    // Any other error can be corrected on the pages, so the login goes on.
    accepts: ({ details }) => details.reason === "user_denied",
    refuse: (_error, { client }, exchange, services) => showEnd("denied", client, exchange, services),
  };

async function requireWaiting(id: string, services: Services): Promise<DeviceRequest> {
  const request = await loadRequest(id, services);
  if (request !== undefined && timeFor(request, services) < request.expiresAt) return request;
  throw refusal("device_login_expired");
}

/** Meanwhile, a person may have approved another use of an unknown id. */
async function requireClient({ clientId }: DeviceRequest, services: Services): Promise<Client> {
  const client = await findClient(clientId, services);
  if (client?.grantTypes.includes(deviceGrantType)) return client;
  throw refusal("device_client_gone", { received: clientId });
}

async function showEnd(
  outcome: "approved" | "denied",
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { pages, settings } = services;
  const homeUrl = settings.basePath + paths.home;
  const props = { outcome, client: summariseClient(client), homeUrl };
  return page(await pages.device(props, chooseLanguage(exchange, services)));
}

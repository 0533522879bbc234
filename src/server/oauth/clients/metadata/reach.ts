/** Decides where the URLs in the metadata of a client may lead. */

import { isCrossSite, isFromThisMachineOrProcess } from "../../../../ground/http/request_origin.ts";
import type { Reach } from "../../../../ground/http/outgoing_url.ts";
import { namesThisMachine } from "../../../../ground/http/address.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import type { Services } from "../../contracts/feature.ts";
import { type Client, isConfigured } from "../../contracts/client.ts";
import { isUrlId } from "./client_id.ts";
import { isServedFromLoopback } from "./redirect_uri.ts";

/**
 * The URLs of a configured client are the operator's own, so they may lead anywhere. A client that registered itself has
 * chosen its own URLs, even if the operator lets it register. A document on another machine may not name this machine.
 * Otherwise a client that a person has approved could choose what the server calls there.
 */
export function reachOf(
  client: Pick<Client, "id" | "approvedBy" | "registeredItself">,
  exchange: Exchange | undefined,
  services: Services,
): Reach {
  if (isConfigured(client)) return "any";
  const isFromElsewhere = isUrlId(client.id) && !namesThisMachine(new URL(client.id).hostname);
  return isFromElsewhere ? "public" : reachOfStranger(exchange, services);
}

/**
 * A stranger's URL may lead to this machine only if other machines cannot reach the server, and a program on this machine
 * has made the request, which is no page of another site. Otherwise other machines and such pages could make the server
 * call the programs on this machine.
 */
export function reachOfStranger(exchange: Exchange | undefined, { settings }: Services): Reach {
  const isLocal = exchange !== undefined && !settings.isReached &&
    [settings.issuer, ...settings.also].every(isServedFromLoopback) &&
    isFromThisMachineOrProcess(exchange.request) &&
    !isCrossSite(exchange.request);
  return isLocal ? "loopback" : "public";
}

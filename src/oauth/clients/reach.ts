/** Decides where the URLs in the metadata of a client may lead. */

import { readFetchSite } from "../../http/fetch_site.ts";
import { isLoopbackHost, type Reach } from "../../http/outgoing_url.ts";
import type { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";
import type { Client } from "./client.ts";
import { isUrlId } from "./client_id.ts";
import { isServedFromLoopback } from "./redirect_uri.ts";

/**
 * The URLs of a configured client are the operator's own, so they may lead anywhere. A document on another machine may
 * not name this machine. Otherwise a client that a person has approved could choose what the server calls there.
 */
export function reachOf(
  { id, approvedBy }: Pick<Client, "id" | "approvedBy">,
  exchange: Exchange | undefined,
  services: Services,
): Reach {
  if (approvedBy === "operator") return "any";
  const isFromElsewhere = isUrlId(id) && !isLoopbackHost(new URL(id).hostname);
  return isFromElsewhere ? "public" : reachOfStranger(exchange, services);
}

/**
 * A stranger's URL may lead to this machine only if the issuer is on loopback, and no page of another site has made the
 * request. Otherwise such a page could make the server call the other programs on the machine.
 */
export function reachOfStranger(exchange: Exchange | undefined, { settings }: Services): Reach {
  const isLocal = exchange !== undefined && isServedFromLoopback(settings.issuer) &&
    readFetchSite(exchange.request) === "not cross-site";
  return isLocal ? "loopback" : "public";
}

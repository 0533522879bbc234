/** Refuses requests to the wrong host or path, with the wrong method, or with a long address. */

import { type Address, longestUrl } from "../../ground/http/address.ts";
import type { IncomingRequest } from "../../ground/http/message.ts";
import { type RefusalRows, refusals } from "../oauth/contracts/refusals.ts";
import { baseUrlFor } from "../oauth/requests/server_urls.ts";
import type { Endpoint, Services } from "../oauth/contracts/feature.ts";
import type { Settings } from "../oauth/contracts/settings.ts";
import { locateEndpoint } from "./locate_endpoint.ts";
import { present } from "../../ground/values/present.ts";

const nothing = {
  error: "not_found",
  change: "Take the address of the endpoint from the discovery document, and do not build it by hand.",
} as const;

const refusal = refusals({
  host_unknown: {
    error: "invalid_request",
    status: 421,
    spec: "RFC 9110 §7.4",
    sentence: "This server is not known under that name",
    expected: "the host of the issuer. If the other name is right, make it the issuer",
    change: "Send the request to the host of the issuer, or start the server with this host as its --issuer.",
  },
  host_for_programs: {
    error: "invalid_request",
    status: 421,
    spec: "RFC 9110 §7.4",
    sentence: "Only programs reach this server under that name",
    expected: "the host of the issuer, for the pages that browsers show",
    change: "Open the page at the host of the issuer: the names of --also are for programs.",
  },
  other_port: {
    error: "not_found",
    spec: "RFC 8705 §5",
    status: 421,
    sentence: "This port is only for {purpose}",
    expected: "{location}",
    change: "Send the request to the port of the issuer.",
  },
  url_too_long: {
    error: "invalid_request",
    status: 414,
    sentence: `The address is longer than ${longestUrl} characters`,
    change: "Shorten the address: send the parameters in a POST, or as a pushed request.",
  },
  path_unknown: { ...nothing, sentence: "There is nothing at this address" },
  path_similar: {
    ...nothing,
    reason: "path_unknown",
    sentence: "There is nothing at this address. {location}",
  },
  method_not_allowed: {
    error: "invalid_request",
    status: 405,
    sentence: "This address takes {allow}",
    expected: "{allow}",
    change: "Use a method that the response names in its Allow header.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function refuseHost({ host }: Address, { issuer }: Settings): never {
  throw refusal("host_unknown", {
    expected: `${issuer}, or the other name as the issuer of this server`,
    received: host,
  });
}

export function refuseBrowser({ host }: Address, { baseUrl }: Settings): never {
  throw refusal("host_for_programs", { expected: `this address below ${baseUrl}/`, received: host });
}

export function refuseAtOtherPort({ settings, slots }: Services): never {
  throw refusal("other_port", {
    purpose: slots.otherPort!.purpose,
    location: `this address below ${settings.baseUrl}/`,
  });
}

export function refuseLongUrl(): never {
  throw refusal("url_too_long");
}

/** Says where the endpoint is, because callers guess the paths of other servers, and proxies remove the issuer's path. */
export function refusePath(request: IncomingRequest, services: Services): never {
  const { address: { path } } = request;
  const { settings } = services;
  const baseUrl = baseUrlFor({ request }, settings);
  const isBelow = path.startsWith(`${settings.basePath}/`);
  const location = locateEndpoint(path, services, baseUrl);
  const values = {
    ...present({ expected: isBelow ? undefined : `an address below ${baseUrl}/` }),
    received: path,
  };
  throw location === undefined
    ? refusal("path_unknown", values)
    : refusal("path_similar", { location, ...values });
}

export function refuseMethod(
  method: string,
  { allow, anyHandler }: { readonly allow: string; readonly anyHandler: Endpoint },
  services: Services,
): never {
  const programsSend = anyHandler.refusal === "json" ? describeForm(anyHandler, services) : undefined;
  throw refusal("method_not_allowed", {
    allow,
    headers: { allow },
    received: method,
    ...present({ programsSend }),
  });
}

function describeForm({ name, params = [], announcesClientAuth }: Endpoint, { slots }: Services) {
  const isToken = name === "token";
  // The key set, for example, takes no form.
  if (!isToken && params.length === 0) return { forms: [] };
  const forms = isToken ? [...slots.grantTypes.values()] : [{ name: "", params }];
  const common = [...(isToken ? ["grant_type"] : []), ...(announcesClientAuth ? ["client_id"] : [])];
  return {
    type: name === "register" ? "application/json" : "application/x-www-form-urlencoded",
    forms: forms.map((form) => ({ grantType: form.name, params: [...common, ...form.params] })),
  };
}

/** The endpoints of a platform: its discovery document, its keys, and the address at which workloads get tokens. */

import { etagOf } from "../../../ground/crypto/bytes.ts";
import { parseAuthorization } from "../../../ground/http/authorization.ts";
import { isCrossSite } from "../../../ground/http/request_origin.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { json, jwt, serveStatic } from "../../../ground/http/respond.ts";
import { OAuthError, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { AnyFeature, Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { noteRefusal } from "../../../server/oauth/requests/refuse.ts";
import { baseUrlFor } from "../../../server/oauth/requests/server_urls.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";
import { bearer } from "../../../server/oauth/contracts/sender.ts";
import { mintWorkload } from "./mint_workload.ts";
import type { Platform } from "./platform.ts";
import type { CheckedOptions } from "./workload_terms.ts";

const refusal = refusals({
  workload_origin_foreign: {
    error: "access_denied",
    status: 403,
    sentence: "A page of another site asks for the token of a workload",
    expected: "a program that is no browser",
    change: "Ask for the token in the program of the workload, and not in a page.",
  },
  workload_bearer_wrong: {
    error: "invalid_token",
    spec: "RFC 6750 §3.1",
    sentence: "The request does not have the bearer of a workload",
    expected: "Authorization: Bearer, with the text that as.workload or the start of the server returned",
    change: "Send the bearer that belongs to this address, such as ACTIONS_ID_TOKEN_REQUEST_TOKEN.",
  },
  workload_audience_repeated: {
    error: "invalid_request",
    sentence: "The parameter audience occurs more than once",
    change: "Send audience once.",
  },
});

export const refused: RefusalRows = refusal.rows;

export const requestPath = "/idtoken";

const discoveryPath = "/.well-known/openid-configuration";

/** The workloads of a platform, by the bearers with which they ask for tokens. */
type Workloads = ReadonlyMap<string, CheckedOptions>;

/** Returns the features of a server that is this platform. The usual features are off, and only their options stay. */
export function becomePlatform(
  platform: Platform,
  workloads: Workloads,
): (usual: readonly AnyFeature[]) => readonly AnyFeature[] {
  return (usual) => [
    ...usual.map((feature) => ({ ...feature, isOff: true })),
    createFeature(platform, workloads, usual.flatMap((feature) => feature.endpoints ?? [])),
  ];
}

function createFeature(
  platform: Platform,
  workloads: Workloads,
  usual: readonly Endpoint[],
): AnyFeature {
  const { title, jwksPath } = platform;
  const common = { method: "GET", refusal: "json" } as const;
  const endpoints: readonly Endpoint[] = [
    {
      ...common,
      name: "metadata",
      path: discoveryPath,
      cors: true,
      handle: (exchange, services) => showDiscovery(platform, exchange, services),
    },
    ...usual.filter(({ name }) => name === "jwks").map((endpoint) => ({ ...endpoint, path: jwksPath })),
    {
      ...common,
      name: "token",
      path: requestPath,
      handle: (exchange, services) => giveToken(platform, workloads, exchange, services),
    },
  ];
  return { name: "workload_platform", spec: title, endpoints };
}

async function showDiscovery(
  { metadata, jwksPath }: Platform,
  exchange: Exchange,
  { settings, seams }: Services,
): Promise<Answer> {
  const jwksUri = baseUrlFor(exchange, settings) + jwksPath;
  const members = { issuer: settings.issuer, jwks_uri: jwksUri, ...metadata };
  const text = JSON.stringify(await passSeam(seams, "metadata", members, exchange));
  // In seconds, as for the keys.
  return serveStatic(exchange.request, { type: "application/json", text, etag: etagOf(text) }, 60);
}

/**
 * Answers as the address in ACTIONS_ID_TOKEN_REQUEST_URL does. `@actions/core` reads `value`, and `message` of an error.
 * Other platforms put the token into a file or a variable, so there the answer is the token alone.
 */
async function giveToken(
  platform: Platform,
  workloads: Workloads,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  try {
    const workload = requireWorkload(workloads, exchange, services);
    const audience = readAudience(exchange);
    const value = await mintWorkload(platform, workload, audience, exchange, services);
    return platform.variables === undefined ? jwt(value) : json({ count: value.length, value });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    noteRefusal(error, exchange);
    const { status, message } = error;
    const headers: Readonly<Record<string, string>> = status === 401
      ? { "www-authenticate": bearer.tokenType }
      : {};
    return json({ message }, { status, headers });
  }
}

function requireWorkload(
  workloads: Workloads,
  { request }: Exchange,
  { settings }: Services,
): CheckedOptions {
  const origin = request.header("origin");
  // The bearer is a secret, but a page that has learnt it must not use it either.
  if (isCrossSite(request) || origin !== undefined && origin !== new URL(settings.issuer).origin) {
    throw refusal("workload_origin_foreign", origin === undefined ? {} : { received: `Origin: ${origin}` });
  }
  const presented = parseAuthorization(request.header("authorization") ?? "", [bearer.tokenType]);
  const found = workloads.get(presented?.text ?? "");
  if (found !== undefined) return found;
  throw refusal("workload_bearer_wrong", {
    received: presented?.text === undefined ? "no bearer" : "another bearer",
  });
}

function readAudience({ request: { address } }: Exchange): readonly string[] | undefined {
  const values = new URLSearchParams(address.query).getAll("audience");
  if (values.length > 1) throw refusal("workload_audience_repeated");
  return values[0] === undefined || values[0] === "" ? undefined : values;
}

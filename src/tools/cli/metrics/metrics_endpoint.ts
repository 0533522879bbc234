/** The HTTP endpoint of the metrics: one page for the whole process. */

import { expositionType } from "./exposition.ts";
import { isFromWebPage } from "../../guard/guard.ts";
import { sameDigest, sha256 } from "../../../ground/crypto/platform.ts";
import { namesIpAddress } from "../../../ground/http/address.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { isFromThisMachine } from "../../../ground/http/request_origin.ts";
import { answerHeaders, json } from "../../../ground/http/respond.ts";
import { isOwnHost, type OwnNames } from "../../../server/oauth/requests/server_urls.ts";

/** At the root of the server and below no issuer. */
export const metricsPath = "/metrics";

interface MetricsEndpointOptions {
  readonly format: () => string;
  /** Absent: only programs of this machine read the metrics. */
  readonly token: string | undefined;
  readonly names: OwnNames;
}

/** Returns `undefined` for a request to another path. */
export type AnswerMetrics = (request: IncomingRequest) => Answer | undefined;

/** Answers programs of this machine, or programs with the token. Web pages never get the metrics. */
export function createMetricsEndpoint({ format, token, names }: MetricsEndpointOptions): AnswerMetrics {
  const expected = token === undefined ? undefined : sha256(token);
  return (request) => {
    const { method, address } = request;
    if (address.path !== metricsPath) return undefined;
    // A foreign name may be that of an attacker, whose DNS leads it to this machine.
    if (!isOwnHost(address, names) && !namesIpAddress(address.host)) {
      return metricsRefusal(421, "The metrics are not served under this Host");
    }
    if (isFromWebPage(request)) return metricsRefusal(403, "The metrics are not for web pages");
    if (expected === undefined && !isFromThisMachine(request)) {
      return metricsRefusal(
        403,
        "The metrics are for programs on this machine only, because they have no token",
      );
    }
    if (expected !== undefined && !hasToken(request, expected)) {
      return metricsRefusal(401, "The metrics need their token", {
        "www-authenticate": 'Bearer realm="postern metrics"',
      });
    }
    if (method !== "GET" && method !== "HEAD") {
      return metricsRefusal(405, "This address takes GET, HEAD", { allow: "GET, HEAD" });
    }
    const headers = { ...answerHeaders, "content-type": expositionType };
    return { status: 200, headers, body: method === "HEAD" ? "" : format() };
  };
}

function hasToken(request: IncomingRequest, expected: string): boolean {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.header("authorization") ?? "") ?? [];
  return token !== undefined && sameDigest(sha256(token), expected);
}

function metricsRefusal(
  status: number,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const error = status === 401 ? "invalid_token" : status === 403 ? "access_denied" : "invalid_request";
  return json({ error, error_description: description }, { status, headers });
}

/** A resource that only a bearer token opens (RFC 6750; OAuth 2.1 §5). */

import { parseBearer } from "../../http/bearer.ts";
import { isFormType } from "../../http/body.ts";
import { type Challenge, fail, type RefusalDetails } from "../error.ts";
import type { Exchange } from "../exchange.ts";
import { readForm } from "../params.ts";
import type { Services } from "../services.ts";
import { findLiveToken, findToken, type LiveToken } from "./find_token.ts";
import type { ReadToken } from "./read_token.ts";

export type ResourceAccessReason =
  | "token_missing"
  | "token_malformed"
  | "token_twice"
  | "token_unknown"
  | "token_expired"
  | "token_ended"
  | "token_for_another_audience"
  | "token_lacks_scope";

const bearer: Challenge = { scheme: "Bearer" };

export interface ResourceTerms {
  readonly audience: string;
  readonly scope: string;
}

/** The token is in the header, or in the form of a POST; never in the URL, where it would be ignored. */
export async function requireToken(
  exchange: Exchange,
  { audience, scope }: ResourceTerms,
  services: Services,
): Promise<LiveToken> {
  const text = await readBearer(exchange);
  const found = await findToken(text, "access_token", services);
  const live = found?.kind === "access_token" ? await findLiveToken(found, services) : undefined;
  if (found !== undefined) exchange.note({ clientId: found.clientId });
  if (live === undefined) {
    fail<ResourceAccessReason>("invalid_token", "The access token is not valid", {
      ...explainDead(found, Math.floor(services.now())),
      spec: "RFC 6750 §3.1",
      challenge: bearer,
    });
  }
  exchange.note({ clientId: live.client.id, scope: live.token.scope });
  if (!live.token.audience.includes(audience)) {
    fail<ResourceAccessReason>("invalid_token", "The access token is for another resource", {
      reason: "token_for_another_audience",
      spec: "RFC 9068 §4",
      expected: audience,
      received: live.token.audience.join(" "),
      challenge: bearer,
    });
  }
  if (!live.token.scope.includes(scope)) {
    fail<ResourceAccessReason>("insufficient_scope", `The access token lacks the scope ${scope}`, {
      reason: "token_lacks_scope",
      spec: "RFC 6750 §3.1",
      expected: scope,
      received: live.token.scope.join(" "),
      challenge: { ...bearer, params: { scope } },
    });
  }
  return live;
}

function explainDead(found: ReadToken | undefined, now: number): RefusalDetails<ResourceAccessReason> {
  if (found === undefined) return { reason: "token_unknown" };
  if (found.expiresAt > now) return { reason: "token_ended" };
  return { reason: "token_expired", expected: `exp after ${now}`, received: `exp ${found.expiresAt}` };
}

async function readBearer(exchange: Exchange): Promise<string> {
  const { request } = exchange;
  const shown = parseBearer(request.header("authorization") ?? "");
  const isForm = request.method === "POST" && isFormType(request.header("content-type"));
  const form = isForm ? await readForm(exchange) : undefined;
  const inForm = form?.get("access_token");
  // Whichever of the two were taken, somebody in between may have seen the other.
  if (shown !== undefined && inForm !== undefined || form?.isRepeated("access_token")) {
    fail<ResourceAccessReason>("invalid_request", "The access token must come once", {
      reason: "token_twice",
      spec: "RFC 6750 §2",
      challenge: bearer,
    });
  }
  if (shown === "malformed") {
    fail<ResourceAccessReason>(
      "invalid_request",
      "The Authorization header holds no access token that could be read",
      {
        reason: "token_malformed",
        spec: "RFC 6750 §2.1",
        expected: "Authorization: Bearer <access token>",
        challenge: bearer,
      },
    );
  }
  return shown?.token ?? inForm ??
    // RFC 6750 §3.1: a request without a token is told how to authenticate, and no error.
    fail<ResourceAccessReason>("invalid_token", "This resource needs an access token", {
      reason: "token_missing",
      spec: "RFC 6750 §3.1",
      expected: "Authorization: Bearer <access token>",
      codeless: true,
      challenge: bearer,
    });
}

/** The device asks for tokens until the person has answered (RFC 8628 §3.4, §3.5). */

import type { Client } from "../../oauth/contracts/client.ts";
import { narrowScope, remainingScope } from "../../oauth/clients/metadata/scope.ts";
import { describeForeignClock, timeFor } from "../../oauth/options/clock_skew.ts";
import { type AddedErrorCode, fail, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { GrantType, Services } from "../../oauth/contracts/feature.ts";
import { requireParam } from "../../oauth/contracts/params.ts";
import { checkGrant, grantNeeds, redeemGrant, requireOwnIssuer } from "../../oauth/tokens/check_grant.ts";
import { type Denial, type Grant, grants } from "../../oauth/contracts/grant.ts";
import { requireSameSender } from "../../oauth/tokens/prove_sender.ts";
import { narrowResources } from "../../oauth/tokens/resource.ts";
import { formatDelay, formatDuration } from "../../../ground/schema/duration.ts";
import { describeSecretText } from "../../../ground/schema/received.ts";
import type { Entry } from "../../store/store.ts";
import {
  type DeviceRequest,
  findByDeviceCode,
  type FoundRequest,
  keepRequestUntil,
} from "./device_request.ts";
import { countPoll } from "./poll_interval.ts";

const authorizationPending: AddedErrorCode = { code: "authorization_pending", status: 400 };
const slowDown: AddedErrorCode = { code: "slow_down", status: 400 };
const expiredToken: AddedErrorCode = { code: "expired_token", status: 400 };

const refusal = refusals({ error: "invalid_grant", spec: "RFC 8628 §3.5" }, {
  device_login_pending: {
    error: authorizationPending,
    sentence: "The person has not answered yet",
    expected: "another poll in {interval} s",
    change: "Wait for the interval, and poll again until the person has answered.",
  },
  device_poll_too_early: {
    error: slowDown,
    sentence: "This poll came too early: wait {interval} s between polls",
    expected: "the next poll in {interval} s",
    change: "Wait 5 seconds longer between polls from now on, and send one poll at a time.",
  },
  device_code_unknown: {
    spec: "RFC 8628 §3.4",
    sentence: "The device code is not valid",
    expected:
      "a device_code that this server issued and still knows; a restart with a memory store forgets all of them",
    change:
      "Send the device_code as it came in the response, to the server that issued it. A restart with a memory store forgets it.",
  },
  device_code_of_another_client: {
    spec: "RFC 8628 §3.4",
    sentence: "The device code was given to another client",
    expected: "the client that began the device login",
    change: "Poll as the client that began the device login.",
  },
  device_code_expired: {
    error: expiredToken,
    sentence: "The device code has expired",
    expected: "a poll within lifetimes.deviceCode, after the person has approved",
    change: "Stop polling, and begin a new device login.",
  },
  device_login_denied: {
    error: "access_denied",
    sentence: "The person said no",
    change: "Stop polling: the person pressed Deny, so the client must handle access_denied.",
  },
  device_code_used: {
    spec: "RFC 8628 §3.4",
    sentence: "The device code was used before",
    expected: "one request with this device code",
    change: "Stop polling after the token response. If it was lost, begin a new device login.",
  },
  device_grant_ended: {
    spec: "RFC 8628 §3.4",
    sentence: "The grant of this device code is no longer valid",
    expected: "a grant that has not ended",
    change: "Begin a new device login: the person, the client or the grant has changed.",
  },
});

export const refused: RefusalRows = refusal.rows;

/**
 * The order matters, as for an authorization code: only a request that is right in all else learns what the person
 * answered. A used code ends nothing, because a client that lost the response polls again.
 */
export const redeemDeviceCode: GrantType["redeem"] = async (
  { exchange, form, client: { client }, sender },
  services,
) => {
  const text = requireParam(form, "device_code");
  const found = await findByDeviceCode(text, services) ??
    fail(refusal("device_code_unknown", { received: describeSecretText(text) }));
  const { id, request } = found;
  exchange.note({ flow: id });
  requireOwnIssuer(request, { credential: "device code", error: "invalid_grant" }, services);
  requireSameClient(request, client);
  requireSameSender(request.confirmation, sender);
  requireUnexpired(request, services);
  const entry = await services.store.get(grants, id, services.now());
  if (entry === undefined) return await refusePoll(found, services);
  const approved = requireApproved(entry);
  const { value: grant } = approved;
  exchange.note({ subject: grant.subject, scope: grant.scope, resource: grant.resource });
  const resource = narrowResources(form.all("resource"), grant.resource, services.settings);
  const scope = narrowScope(form.get("scope"), remainingScope(grant.scope, client, services));
  const check = await checkGrant(id, approved, services, client);
  if (!check.isValid) {
    throw refusal("device_grant_ended", { expected: grantNeeds[check.loss], received: check.loss });
  }
  return redeemGrant(id, approved, { scope, resource }, services);
};

function requireSameClient({ clientId }: DeviceRequest, client: Client): void {
  if (clientId === client.id) return;
  throw refusal("device_code_of_another_client", { expected: clientId, received: client.id });
}

function requireUnexpired(request: DeviceRequest, services: Services): void {
  const late = timeFor(request, services) - request.expiresAt;
  if (late < 0) return;
  throw refusal("device_code_expired", {
    expected: `within ${formatDuration(request.lifetime)}`,
    received: `after ${formatDelay(request.lifetime + late)}${describeForeignClock(request, services)}`,
  });
}

async function refusePoll({ id, request }: FoundRequest, services: Services): Promise<never> {
  const { interval, tooEarly } = await countPoll(id, keepRequestUntil(request), services);
  if (tooEarly === undefined) throw refusal("device_login_pending", { interval });
  throw refusal("device_poll_too_early", {
    interval,
    received: `a poll ${formatDelay(tooEarly)} after the last one`,
  });
}

function requireApproved(entry: Entry<Grant | Denial>): Entry<Grant> {
  const { value } = entry;
  switch (value.status) {
    case "denied":
      throw refusal("device_login_denied");
    case "approved":
      return { ...entry, value };
    case "active":
      throw refusal("device_code_used");
    case "revoked":
      throw refusal("device_grant_ended", { received: "grant_revoked" });
  }
}

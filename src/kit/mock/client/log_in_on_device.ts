/** Runs a whole device login (RFC 8628). The test kit plays the device, and the person with a browser. */

import { deviceCodeParams, deviceGrantType, deviceParams } from "../../../server/client/device_flow.ts";
import { textOf } from "../../../ground/http/body.ts";
import { findClient, findPollingCandidate } from "../../../server/oauth/clients/records/find_client.ts";
import { endpointUrls } from "../../../server/oauth/requests/server_urls.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import { describeChange, readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { noSuitableClient, requireClient, toList, usualScope } from "../terms/configured.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { answerDevice } from "./approve_device.ts";
import { createBrowser } from "./browser.ts";
import { openClientKey } from "./dpop_client.ts";
import { effectiveClient, type LoginTerms, otherParams } from "./login.ts";
import { readDecision } from "./person_terms.ts";
import { type EndpointForm, requestAsClient } from "./request_as_client.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { readTokens, type Tokens } from "./token_response.ts";

/** A device has no redirect URI. */
const foreignOptions = ["redirectUri", "pushed", "signed", "responseMode"] as const;

const doing = "log in on a device";

export async function logInOnDevice(
  username: string | undefined,
  terms: LoginTerms,
  running: RunningTenant,
): Promise<Tokens> {
  running.requireOpen();
  requireTerms(doing, terms, types.LoginTerms);
  requireDeviceOptions(terms);
  const { clientKey, decryptionKey, browser = createBrowser() } = terms;
  const decided = readDecision(username, terms, running);
  // No automatic sign-in and no session answers a device, so the default person does.
  const decision = "fallback" in decided ? { person: decided.fallback } : decided;
  const client = effectiveClient(await requireDeviceClient(terms.client, running), running.services);
  const sender = { client, clientKey, dpop: await openClientKey(doing, terms.dpop, client, running) };
  const { deviceCode, userCode } = await begin(terms, sender, running);
  await answerDevice(doing, { userCode, decision, browser }, running);
  const poll = { ...sender, endpoint: "token", form: deviceCodeParams(deviceCode) } as const;
  const tokens = await readTokens(doing, await requestAsClient(poll, running), decryptionKey);
  running.recipients.set(tokens, { ...sender, decryptionKey, browser });
  return tokens;
}

function requireDeviceOptions(terms: LoginTerms): void {
  const wrong = foreignOptions.find((name) => terms[name] !== undefined);
  if (wrong === undefined) return;
  throw new TypeError(
    `Cannot ${doing} with ${wrong}: a device login has no redirect and no authorization request`,
  );
}

async function begin(
  terms: LoginTerms,
  sender: Pick<EndpointForm, "client" | "clientKey" | "dpop">,
  running: RunningTenant,
): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
  const url = endpointUrls(running.services).get("device_authorization_endpoint");
  if (url === undefined) throw new TypeError(`Cannot ${doing}: this server has no device logins`);
  const form = deviceParams({
    scope: toList(terms.scope ?? sender.client.scope ?? usualScope).join(" "),
    resources: toList(terms.resource),
    more: otherParams(terms),
  });
  const { answer, facts } = await requestAsClient({ ...sender, endpoint: { url }, form }, running);
  if (answer.status !== 200) {
    throw refusedBy(doing, facts, readReceived(answer), "the codes of a device login");
  }
  const { device_code: deviceCode, user_code: userCode } = parseJsonObject(textOf(answer.body)) ?? {};
  if (typeof deviceCode === "string" && typeof userCode === "string") return { deviceCode, userCode };
  throw new Error(
    `Cannot ${doing}: expected a device_code and a user_code, but the endpoint answered 200 without them` +
      describeChange(facts?.altered ?? []),
  );
}

/** The client of a test that has configured none for device logins, if the server accepts unknown ones. */
const unknownId = "my-device";

async function requireDeviceClient(id: string | undefined, running: RunningTenant): Promise<ClientMetadata> {
  const { clients, services } = running;
  const wanted = id ??
    clients.find(({ grant_types: types }) => types?.includes(deviceGrantType))?.client_id ??
    unknownId;
  const configured = clients.find((client) => client.client_id === wanted);
  if (configured !== undefined) return configured;
  const isAccepted = await findClient(wanted, services) !== undefined ||
    await findPollingCandidate(wanted, deviceGrantType, services) !== undefined;
  if (isAccepted) return { client_id: wanted };
  if (id !== undefined) return requireClient(id, running);
  throw noSuitableClient(running, "No client may log in on a device", { grant_types: [deviceGrantType] });
}

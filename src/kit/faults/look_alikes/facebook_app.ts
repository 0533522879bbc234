/** What Facebook answers an application that has a secret: a longer token, what a token is, and several requests in one. */

import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { isJsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJson } from "../../../ground/values/parse_json.ts";
import { authenticateClient } from "../../../server/oauth/clients/authentication/authenticate_client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import {
  createParams,
  isJsonType,
  readForm,
  readQuery,
  requireParam,
  requireUnrepeatedForm,
} from "../../../server/oauth/contracts/params.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { bearer } from "../../../server/oauth/contracts/sender.ts";
import { redeemGrant } from "../../../server/oauth/tokens/check_grant.ts";
import { checkToken, findToken } from "../../../server/oauth/tokens/find_token.ts";
import { answerTokens, commitChange, prepareTokens } from "../../../server/oauth/tokens/prepare_tokens.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { answerPart } from "./batch_part.ts";
import { digitsFor } from "./differences.ts";

const refusal = refusals({
  provider_token_not_exchanged: {
    error: "invalid_grant",
    sentence: "Invalid OAuth access token",
    expected: "a valid access token of a login of this client in fb_exchange_token",
    change: "Send the access token of the login, before it expires.",
  },
  provider_batch_malformed: {
    error: "invalid_request",
    sentence: "The parameter batch must be a JSON array",
    change: "Send batch as a JSON array of objects with method and relative_url.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Answers each request of the batch as its own address does, with the access token of the batch. */
export async function answerBatch(exchange: Exchange, services: Services): Promise<Answer> {
  const { issuer } = services.settings;
  const { grant } = await requireAccessToken(exchange, { audience: issuer }, services);
  if (grant !== undefined) exchange.note({ subject: grant.person.subject });
  const { request } = exchange;
  const [, sent] = /^\S+ +(\S+)$/.exec(request.header("authorization") ?? "") ?? [];
  const body = isJsonType(request.header("content-type"))
    ? parseJsonObject(await exchange.body())
    : undefined;
  const form = body === undefined ? await readForm(exchange) : undefined;
  const token = sent ?? form?.get("access_token") ?? readQuery(exchange).get("access_token");
  const batch = form === undefined ? body!["batch"] : parseJson(requireParam(form, "batch"));
  if (!Array.isArray(batch)) throw refusal("provider_batch_malformed");
  const headers = [{ name: "Content-Type", value: "application/json" }];
  return json(
    await Promise.all(batch.map(async (asked) => {
      const { method, relative_url: path, body } = isJsonObject(asked) ? asked : {};
      const part = await answerPart(
        "https://graph.facebook.com/",
        {
          ...{ path, method, body: typeof body === "string" ? body : undefined },
          headers: { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" },
        },
        exchange,
        services,
      );
      return { code: part.status, headers, body: part.text };
    })),
  );
}

const sixtyDays = 60 * 24 * 60 * 60;

/** Exchanges an access token for one of the same login that lives longer. */
export function exchangeToken(usual: Endpoint["handle"]): Endpoint["handle"] {
  return async (exchange, services, variable) => {
    // parse
    const form = await readForm(exchange);
    if (form.get("grant_type") !== "fb_exchange_token") return await usual(exchange, services, variable);
    requireUnrepeatedForm(form);
    // identify
    const { client } = await authenticateClient(exchange, form, services);
    // validate
    const token = await findToken(requireParam(form, "fb_exchange_token"), "access_token", services);
    const isOwn = token?.kind === "access_token" && token.clientId === client.id;
    const check = isOwn ? await checkToken(token, services) : undefined;
    const grant = check?.isValid ? check.live.grant : undefined;
    if (!isOwn || grant === undefined) throw refusal("provider_token_not_exchanged");
    // act
    const { lifetimes } = services.settings;
    const settings = { ...services.settings, lifetimes: { ...lifetimes, accessToken: sixtyDays } };
    // The new token outlives the sign-in.
    const { session: _session, ...lasting } = grant.entry.value;
    const access = { scope: token.scope, resource: lasting.resource };
    const redemption = {
      ...redeemGrant(grant.id, { ...grant.entry, value: lasting }, access, services),
      accessTokenOnly: true,
    } as const;
    const issue = { redemption, client, sender: bearer, exchange };
    const tokens = await prepareTokens(issue, { ...services, settings });
    // Another request has changed the grant at the same time.
    if (!await commitChange(tokens, services)) {
      return await exchangeToken(usual)(exchange, services, variable);
    }
    // respond
    return await answerTokens(tokens, exchange, services);
  };
}

/** The access token of the request is one that the application got for itself, or its id, a bar and its secret. */
export async function debugToken(exchange: Exchange, services: Services): Promise<Answer> {
  const query = readQuery(exchange);
  const sent = requireParam(query, "access_token");
  const [id = "", secret] = sent.split("|");
  const { client } = secret === undefined
    ? await requireAccessToken(exchange, { audience: services.settings.issuer }, services)
    : await authenticateClient(
      exchange,
      createParams([["client_id", id], ["client_secret", secret]]),
      services,
    );
  const app = { app_id: client.id, application: client.id };
  const input = requireParam(query, "input_token");
  if (input === sent && secret !== undefined) return showToken({ ...app, ...ofApp });
  const token = await findToken(input, "access_token", services);
  if (token?.kind !== "access_token" || token.clientId !== client.id) {
    return showToken({
      error: { code: 190, message: "Invalid OAuth access token." },
      is_valid: false,
      scopes: [],
    });
  }
  const check = await checkToken(token, services);
  const data = { ...app, type: "USER", expires_at: token.expiresAt, scopes: token.scope };
  if (!check.isValid) return showToken({ ...data, error: describeLoss(check.loss), is_valid: false });
  const { grant } = check.live;
  if (grant === undefined) return showToken({ ...app, ...ofApp });
  const issued = Number(token.claims["iat"]);
  return showToken({
    ...{ ...data, is_valid: true, issued_at: issued, data_access_expires_at: issued + ninetyDays },
    user_id: digitsFor(grant.person.subject),
  });
}

const ninetyDays = 90 * 24 * 60 * 60;
const ofApp = { type: "APP", is_valid: true, scopes: [] };

function showToken(data: Members): Answer {
  return json({ data });
}

function describeLoss(loss: string): Members {
  const [subcode, problem] = loss.startsWith("expired")
    ? [463, "Session has expired."]
    : [458, "The user has not authorized application."];
  return { code: 190, message: `Error validating access token: ${problem}`, subcode };
}

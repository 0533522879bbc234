/** Shows the authorization response: the code or the error, and what the client does next. */

import { readOutcome } from "../../client/flow.ts";
import { writeTokenExamples } from "../../client/example_commands.ts";
import { decodeJwt, isEncryptedJwt, openResponse, parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { pathAndQuery } from "../../../ground/http/address.ts";
import { type Answer, withCookie } from "../../../ground/http/message.ts";
import { page } from "../../../ground/http/respond.ts";
import { findLastClient } from "../../oauth/authorization/last_client.ts";
import { findFirstClient, findFlowEnd, startUrlOf } from "../../oauth/authorization/sample_flow.ts";
import type { Client } from "../../oauth/contracts/client.ts";
import { summariseClient } from "../../oauth/clients/records/summarise_client.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { CallbackLinks, CallbackSuccess, ShownResponseJwt } from "../../oauth/contracts/pages.ts";
import { createParams, type Params, readForm, readQuery } from "../../oauth/contracts/params.ts";
import { findBrowser, openBrowser } from "../../oauth/people/browser.ts";
import { findAccounts } from "../../oauth/people/find_session.ts";
import { summarisePerson } from "../../oauth/contracts/people.ts";
import { callbackUri } from "../../oauth/requests/server_urls.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { findKnownCode, type KnownCode } from "./known_code.ts";
import { describeExchange } from "./show_walk.ts";
import { present } from "../../../ground/values/present.ts";
import { judgeResponseJwt } from "../../client/judge_token.ts";
import { describeCheck } from "./check_tokens.ts";

export async function showOutcome(exchange: Exchange, services: Services): Promise<Answer> {
  const { settings, pages } = services;
  const sent = exchange.request.method === "POST" ? await readForm(exchange) : readQuery(exchange);
  const params = createParams(openResponse(sent.pairs));
  const outcome = readOutcome(params);
  const known = outcome.hasError
    ? undefined
    : await findKnownCode(outcome, findBrowser(exchange, services), services);
  const client = known?.client ?? await findLastClient(exchange, services);
  const responseJwt = await showResponseJwt(sent, client, services);
  const links = { ...describeLinks(client, params, services), ...present({ responseJwt }) };
  const own = { entryId: exchange.id, address: pathAndQuery(exchange.request.address) };
  if (responseJwt?.isEncrypted === false && responseJwt.isRefused) {
    return page(await pages.callback({ hasError: true, ...links, own }));
  }
  if (outcome.hasError) {
    const accepted = settings.frontPage === "full" ? findAccepted(outcome.error, client, services) : [];
    return page(
      await pages.callback({
        ...outcome,
        ...links,
        own,
        ...present({ accepted: accepted.length === 0 ? undefined : accepted }),
      }),
    );
  }
  const props = {
    ...outcome,
    tokenEndpoint: settings.baseUrl + settings.paths.token,
    redirectUri: callbackUri(settings),
    now: services.now(),
    ...links,
  };
  if (known === undefined) {
    const examples = writeTokenExamples(props);
    return page(await pages.callback({ ...props, examples, codeUnknown: true }));
  }
  const browser = openBrowser(exchange, services);
  const facts = { ...describeCode(known), ...await describePerson(known, exchange, services) };
  const form = await describeExchange(outcome, known, browser, services);
  // Only the demo clients have a secret that is published.
  const { id: clientId, demoSecret } = known.client;
  const examples = writeTokenExamples({ ...props, ...facts, clientId, ...present({ demoSecret }) });
  return withCookie(page(await pages.callback({ ...props, ...facts, examples, ...form })), browser.setCookie);
}

function describeCode({ client, codeVerifier, found: { code, entry } }: KnownCode): Partial<CallbackSuccess> {
  return {
    redirectUri: code.redirectUri,
    client: summariseClient(client),
    scope: entry.value.scope,
    ...present({ authentication: client.authentication?.method, codeVerifier }),
    codeExpiresAt: code.expiresAt,
    codeUsed: entry.value.status !== "approved",
  };
}

/** Describes the person to the browser in which the person signed in, or which began the flow. */
async function describePerson(
  { codeVerifier, found: { entry: { value } } }: KnownCode,
  exchange: Exchange,
  services: Services,
): Promise<Pick<CallbackSuccess, "person">> {
  const person = services.settings.people.findBySubject(value.subject);
  if (person === undefined) return {};
  const accounts = codeVerifier === undefined ? await findAccounts(exchange, services) : [];
  const isHere = accounts.some((account) => account.person.subject === value.subject);
  return codeVerifier !== undefined || isHere ? { person: summarisePerson(person) } : {};
}

function describeLinks(client: Client | undefined, params: Params, services: Services): CallbackLinks {
  const { settings } = services;
  const iss = params.get("iss");
  const next = findNextClient(client, services);
  return {
    homeUrl: settings.basePath + paths.home,
    ...present({ startUrl: next && startUrlOf(next, settings), responseIssuer: iss }),
    // RFC 9207 §2.4.
    ...present({ foreignIssuer: iss === settings.issuer ? undefined : iss }),
  };
}

function findNextClient(client: Client | undefined, services: Services): Client | undefined {
  if (client !== undefined && findFlowEnd(client, services) !== undefined) return client;
  return services.settings.frontPage === "full" ? findFirstClient(services) : undefined;
}

/** The response does not say which value the server refuses, so the page can only list the right ones. */
function findAccepted(
  error: string | undefined,
  client: Client | undefined,
  { settings, slots }: Services,
): readonly string[] {
  switch (error) {
    case "invalid_scope":
      return client?.scope ?? [...settings.scopes.keys()];
    case "invalid_target":
      return [...settings.resources];
    case "unsupported_response_type":
      return [...slots.responseTypes.keys()];
    default:
      return [];
  }
}

/** Takes a response that is a JWT apart, and checks it as a client must (JARM §2.4). `undefined`: it is no JWT. */
async function showResponseJwt(
  params: Params,
  client: Client | undefined,
  { settings, keys, now }: Services,
): Promise<ShownResponseJwt | undefined> {
  const text = params.get("response");
  if (text === undefined) return undefined;
  const jwt = parseJwt(text);
  if (jwt === undefined) return isEncryptedJwt(text) ? { isEncrypted: true } : undefined;
  const checks = await judgeResponseJwt(text, jwt, {
    issuer: settings.issuer,
    clientId: client?.id,
    now: now(),
    keys: await keys.publicKeys(),
  });
  return {
    isEncrypted: false,
    text,
    jwt: decodeJwt(text),
    checks: checks.map(describeCheck),
    isRefused: checks.some(({ result }) => result === "failed"),
    now: now(),
  };
}

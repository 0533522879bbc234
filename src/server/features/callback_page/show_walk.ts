/** Makes the props of the pages of a walk: the form that exchanges a code, and the page that shows a step. */

import { readUnverified } from "../../../ground/crypto/jwt.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { page } from "../../../ground/http/respond.ts";
import { findFlowEnd, startUrlOf } from "../../oauth/authorization/sample_flow.ts";
import { type Client, methodOf, sendsSecret } from "../../oauth/contracts/client.ts";
import { findClient } from "../../oauth/clients/records/find_client.ts";
import { summariseClient } from "../../oauth/clients/records/summarise_client.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type {
  CallbackSuccess,
  DecodedToken,
  JudgedToken,
  SecretNeed,
  WalkChoice,
  WalkProps,
  WalkStepName,
} from "../../oauth/contracts/pages.ts";
import { readQuery } from "../../oauth/contracts/params.ts";
import { type Browser, findBrowser } from "../../oauth/people/browser.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { Settings } from "../../oauth/contracts/settings.ts";
import { idTokenAlg } from "../../oauth/tokens/response_jwt.ts";
import { decodeTokens, judgeTokens, type TokenExpectations } from "./check_tokens.ts";
import { type KnownCode, startWalk } from "./known_code.ts";
import { findTokens, readTokens, type Walk } from "./walk.ts";
import { addressOf, codeUrlOf, findWalk, walkIdOf } from "./walk_store.ts";
import { createWalkState, findBlocker, type WalkState, walkStepNames } from "./walk_steps.ts";
import { encryptTicket } from "./walk_ticket.ts";
import { present } from "../../../ground/values/present.ts";

const refusal = refusals({
  walk_not_found: {
    error: "not_found",
    sentence: "The server has no such step for this browser",
    expected: "a step of the last hour, and the cookies of the browser that took the step",
    change: "Open the page in the browser that took the step, within an hour.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function describeExchange(
  { code, state }: { readonly code: string; readonly state?: string },
  known: KnownCode,
  browser: Browser,
  services: Services,
): Promise<Pick<CallbackSuccess, "exchange" | "walkUrl">> {
  const { client, codeVerifier, found } = known;
  const { basePath } = services.settings;
  const id = walkIdOf(code, browser);
  const stored = await findWalk(id, browser, services);
  const started = stored?.walk ??
    { ...startWalk({ code }, known), clientId: client.id };
  const blocker = findBlocker("exchange", await createWalkState(started, client, services));
  const isShown = stored !== undefined && stored.walk.steps.length > 0;
  const { begun } = started;
  return {
    ...present({ walkUrl: isShown ? basePath + addressOf(id, stored.walk.steps.length) : undefined }),
    exchange: blocker !== undefined ? { blocker } : {
      action: basePath + paths.walk,
      ticket: await encryptTicket({ code, ...present({ state }), begun }, browser, services),
      clientId: client.id,
      beganHere: codeVerifier !== undefined,
      needsVerifier: codeVerifier === undefined && found.code.challenge !== undefined,
      secret: needOfSecret(client),
    },
  };
}

function needOfSecret(client: Client | undefined): SecretNeed {
  if (client?.demoSecret !== undefined) return "not_needed";
  if (client?.authentication === undefined) return "perhaps";
  return sendsSecret(methodOf(client)) ? "needed" : "not_needed";
}

export async function showWalk(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const query = readQuery(exchange);
  const id = query.get("id") ?? "";
  // identify
  const browser = findBrowser(exchange, services);
  const stored = browser && await findWalk(id, browser, services);
  const number = Number(query.get("step") ?? stored?.walk.steps.length);
  const step = stored?.walk.steps[number - 1];
  if (browser === undefined || stored === undefined || step === undefined) throw refusal("walk_not_found");
  const { walk } = stored;
  exchange.note({ flow: walk.grantId, clientId: walk.clientId });
  // respond
  const props = await describeWalk(walk, { id, number, browser }, services);
  return page(await services.pages.walk(props));
}

async function describeWalk(
  walk: Walk,
  { id, number, browser }: { readonly id: string; readonly number: number; readonly browser: Browser },
  services: Services,
): Promise<WalkProps> {
  const { settings, now } = services;
  const client = await findClient(walk.clientId, services);
  const walkState = await createWalkState(walk, client, services);
  const starting = client && findFlowEnd(client, services) !== undefined ? client : undefined;
  const tokens = await judgeTokens(walk, services);
  const explained = findExplained({ number, tokens });
  return {
    action: settings.basePath + paths.walk,
    ticket: await encryptTicket({ code: walk.code, begun: walk.begun }, browser, services),
    // The person may have typed an id that no client has.
    client: client === undefined ? { id: walk.clientId, isUnverified: true } : summariseClient(client),
    secret: needOfSecret(client),
    steps: await Promise.all(walk.steps.map(async (step, at) => ({
      ...step,
      url: settings.basePath + addressOf(id, at + 1),
      ...present({ decoded: at + 1 === explained ? await decodeStep(explained, walkState) : undefined }),
    }))),
    number,
    tokens,
    scope: walk.scope,
    now: now(),
    choices: describeChoices(walkState, tokens),
    audience: walkState.readAccessToken?.audience ?? [],
    ...describeApi(starting, settings),
    homeUrl: settings.basePath + paths.home,
    ...present({
      startUrl: starting && startUrlOf(starting, settings),
      stepUpUrl: starting && findStepUpUrl(starting, walkState),
      codeUrl: findBlocker("exchange", walkState) === undefined ? codeUrlOf(walk, settings) : undefined,
    }),
  };
}

/** Returns the link for a login with the second factor, if the access token does not state that the person has proved it. */
function findStepUpUrl(client: Client, { readAccessToken, services }: WalkState): string | undefined {
  const values = services.slots.secondFactor?.acrValues(services) ?? [];
  const isStated = values.some((each) => each === readAccessToken?.claims["acr"]);
  if (readAccessToken === undefined || isStated) return undefined;
  return values[0] && `${startUrlOf(client, services.settings)}&acr_values=${encodeURIComponent(values[0])}`;
}

/** Returns the step whose tokens the page explains: the shown one, or if it got none, the last one with tokens. */
function findExplained({ number, tokens }: Pick<WalkProps, "number" | "tokens">): number | undefined {
  return tokens.some(({ step }) => step === number) ? number : tokens.at(-1)?.step;
}

async function decodeStep(number: number, walkState: WalkState): Promise<readonly DecodedToken[]> {
  const step = walkState.walk.steps[number - 1]!;
  return await decodeTokens(readTokens(step.call), step, describeExpectations(number, walkState));
}

function describeApi(starting: Client | undefined, settings: Settings): Pick<WalkProps, "api"> {
  const url = settings.demoResource;
  if (url === undefined) return {};
  return {
    api: { url, ...present({ startUrl: starting && startUrlOf(starting, settings, url) }) },
  };
}

function describeExpectations(number: number, { walk, client, services }: WalkState): TokenExpectations {
  const { settings } = services;
  const firstIdToken = findTokens(walk).find(({ kind }) => kind === "id_token");
  const subject = firstIdToken === undefined || firstIdToken.step === number
    ? undefined
    : readUnverified(firstIdToken.text)?.["sub"];
  return {
    issuer: settings.issuer,
    clientId: walk.clientId,
    idTokenAlg: client === undefined ? settings.alg : idTokenAlg(client, services),
    accessTokenAlg: settings.alg,
    accessTokenType: settings.accessTokenType,
    audience: walk.resource.length > 0
      ? walk.resource
      : [settings.issuer, ...settings.tokenClaims.flatMap((each) => each.audience ?? [])],
    scope: walk.scope,
    sent: { nonce: walk.nonce },
    subject: typeof subject === "string" ? subject : undefined,
    isRefresh: walk.steps[number - 1]?.name !== "exchange",
  };
}

function describeChoices(walkState: WalkState, tokens: readonly JudgedToken[]): readonly WalkChoice[] {
  return walkStepNames.filter((name) => name !== "exchange").map((name) => {
    const blocker = findBlocker(name, walkState);
    const sent = findSentToken(name, tokens);
    return {
      name,
      ...present({ blocker, ended: sent !== undefined && hasEnded(sent) ? sent : undefined }),
    };
  });
}

/** Only its reader can say whether it accepts a token that the server does not recognise. */
function hasEnded({ state }: JudgedToken): boolean {
  return state !== "works" && state !== "not_known";
}

/** Returns the token that the step sends, if the step is of no use without a token that works. */
function findSentToken(name: WalkStepName, tokens: readonly JudgedToken[]): JudgedToken | undefined {
  const newest = (wanted: JudgedToken["kind"]) => tokens.findLast(({ kind }) => kind === wanted);
  switch (name) {
    case "userinfo":
    case "call_api":
      return newest("access_token");
    case "refresh":
      return newest("refresh_token");
    case "revoke":
      return newest("refresh_token") ?? newest("access_token");
    default:
      return undefined;
  }
}

/** Answers the form of a walk: takes one step, stores it, and redirects to the page that shows it. */

import type { Answer } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { requireOwnPage } from "../../oauth/authorization/sending_page.ts";
import { findClient } from "../../oauth/clients/records/find_client.ts";
import { fail, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import { type Params, readForm, requireUnrepeatedForm } from "../../oauth/contracts/params.ts";
import { type Browser, findBrowser } from "../../oauth/people/browser.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import type { Settings } from "../../oauth/contracts/settings.ts";
import { chooseCredentials, type WalkCredentials } from "./walk_credentials.ts";
import { findKnownCode, startWalk } from "./known_code.ts";
import type { WalkCall, WalkStep, WalkStepName } from "../../oauth/contracts/pages.ts";
import { readTokens, type Walk } from "./walk.ts";
import {
  addressOf,
  changeWalk,
  codeUrlOf,
  createWalk,
  findWalk,
  type StoredWalk,
  walkIdOf,
} from "./walk_store.ts";
import {
  createIntrospection,
  createWalkState,
  findBlocker,
  type WalkState,
  walkStepNames,
  walkSteps,
} from "./walk_steps.ts";
import { openTicket, type WalkTicket } from "./walk_ticket.ts";
import { present } from "../../../ground/values/present.ts";
import { createCall } from "../../client/client_request.ts";
import { limitAttempts } from "../../store/store.ts";
import { callSelf } from "../../oauth/requests/call_self.ts";
import { judgeTokens } from "./check_tokens.ts";

// In characters. Longer than every verifier, and than the secrets and ids of usual clients.
const longestField = 2_000;

const refusal = refusals({
  walk_step_unknown: {
    error: "invalid_request",
    sentence: "The form does not say which step to take",
    change: "Press a button of the page, which names the step.",
  },
  walk_field_too_long: {
    error: "invalid_request",
    sentence: `The field {long} is longer than ${longestField} characters`,
    expected: `${longestField} characters at most`,
    change: "Give the verifier, the client id and the secret, each of 2,000 characters at most.",
  },
  walk_step_impossible: {
    error: "invalid_request",
    sentence: "This step is not possible now",
    change: "Press a button that the page offers now.",
  },
  walk_gone: {
    error: "invalid_request",
    sentence: "The server does not know this code or these steps any more",
    expected: "a new authorization",
    change: "Start a new authorization: the server does not know this code any more.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function answerStep(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  requireOwnPage(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  const name = requireStepName(form);
  requireShortFields(form);
  // identify
  const found = findBrowser(exchange, services);
  const ticket = await openTicket(form.get("walk"), found, services);
  const browser = found!;
  const id = walkIdOf(ticket.code, browser);
  const stored = await findWalk(id, browser, services);
  // validate
  if ((stored?.walk.begun ?? 0) !== ticket.begun) return redirectTo(stored?.walk, id, services.settings);
  const walk = await chooseWalk(name, stored?.walk, form, ticket, browser, services);
  exchange.note({ flow: walk.grantId, clientId: walk.clientId });
  const client = await findClient(walk.clientId, services);
  const walkState = await createWalkState(walk, client, services);
  const blocker = findBlocker(name, walkState);
  // The page with the code says that the code has expired or has been used since the person opened the page.
  if (blocker === "code_expired" || blocker === "code_used") {
    return redirect(codeUrlOf(ticket, services.settings));
  }
  if (blocker !== undefined) {
    throw refusal("walk_step_impossible", { received: `${name}: ${blocker.replaceAll("_", " ")}` });
  }
  // act
  const begun = await beginStep(walk, stored, browser, services);
  if (begun === undefined) return redirectTo(stored?.walk, id, services.settings);
  const credentials = chooseCredentials(walk.clientId, client, form.get("client_secret"));
  const step = await takeStep(name, walkState, credentials, exchange);
  const after = await addStep(step, begun, browser, services);
  // respond
  return redirectTo(after, id, services.settings);
}

function requireStepName(form: Params): WalkStepName {
  const received = form.get("step");
  const known = walkStepNames.find((each) => each === received);
  if (known !== undefined) return known;
  throw refusal("walk_step_unknown", {
    expected: `step=${walkStepNames.join(" or step=")}`,
    ...present({ received: received === undefined ? "no step" : undefined }),
  });
}

function requireShortFields(form: Params): void {
  const long = ["client_id", "code_verifier", "client_secret"].find((name) =>
    (form.get(name)?.length ?? 0) > longestField
  );
  if (long === undefined) return;
  throw refusal("walk_field_too_long", { long });
}

/** Returns the walk before the step. The form of an exchange may name another client, verifier or secret. */
async function chooseWalk(
  name: WalkStepName,
  walk: Walk | undefined,
  form: Params,
  ticket: WalkTicket,
  browser: Browser,
  services: Services,
): Promise<Walk> {
  if (name !== "exchange") return walk ?? fail(refusal("walk_gone"));
  const known = await findKnownCode(ticket, browser, services) ?? fail(refusal("walk_gone"));
  const codeVerifier = known.codeVerifier ?? form.get("code_verifier");
  const { codeVerifier: _former, ...started } = walk ?? startWalk(ticket, known);
  return { ...started, clientId: form.get("client_id") ?? known.client.id, ...present({ codeVerifier }) };
}

/** Counts the step before its request is sent, so that a form that is sent twice sends one request. */
async function beginStep(
  walk: Walk,
  stored: StoredWalk | undefined,
  browser: Browser,
  services: Services,
): Promise<StoredWalk | undefined> {
  const begun = { ...walk, begun: walk.begun + 1 };
  return stored === undefined
    ? await createWalk(begun, browser, services)
    : await changeWalk(stored, begun, browser, services);
}

/** Another step of the same walk can change the record at the same time, for example from a second tab. */
async function addStep(
  step: WalkStep,
  begun: StoredWalk,
  browser: Browser,
  services: Services,
): Promise<Walk | undefined> {
  let current: StoredWalk | undefined = begun;
  for (const retry = limitAttempts(); current !== undefined; retry()) {
    const walk: Walk = { ...current.walk, steps: [...current.walk.steps, step] };
    const changed = await changeWalk(current, walk, browser, services);
    if (changed !== undefined) return changed.walk;
    current = await findWalk(walkIdOf(walk.code, browser), browser, services);
  }
  return undefined;
}

function redirectTo(walk: Walk | undefined, id: string, { basePath }: Settings): Answer {
  return redirect(basePath + addressOf(id, walk?.steps.length ?? 0));
}

async function takeStep(
  name: WalkStepName,
  walkState: WalkState,
  credentials: WalkCredentials,
  exchange: Exchange,
): Promise<WalkStep> {
  const { walk, services } = walkState;
  const kind = walkSteps[name];
  const before = await judgeTokens(walk, services);
  const call = await callSelf(kind.createRequest(walkState, credentials), exchange, services);
  const { baseUrl, paths } = services.settings;
  const hasJwt = readTokens(call).some(({ text }) => text.split(".").length === 3);
  const readKeys = { sent: createCall(baseUrl + paths.jwks) };
  const keys = hasJwt ? await callSelf(readKeys, exchange, services) : undefined;
  const after = await judgeTokens(walk, services);
  return {
    name,
    takenAt: services.now(),
    call,
    ...present({ keys }),
    proofs: kind.provesTokens ? await proveStates(walkState, credentials, exchange) : [],
    ended: before.flatMap(({ state }, at) => state === "works" && after[at]?.state !== "works" ? [at] : []),
  };
}

/** Asks the server whether the newest tokens still work: by introspection, or by a use of the access token. */
async function proveStates(
  walkState: WalkState,
  credentials: WalkCredentials,
  exchange: Exchange,
): Promise<readonly WalkCall[]> {
  const { accessToken, refreshToken, services } = walkState;
  const tokens = [accessToken, refreshToken].filter((token) => token !== undefined);
  if (findBlocker("introspect", walkState) === undefined && credentials.secret !== undefined) {
    const requests = tokens.map((token) => createIntrospection(token, walkState, credentials));
    return await Promise.all(requests.map((request) => callSelf(request, exchange, services)));
  }
  const use = (["userinfo", "call_api"] as const).find((name) => findBlocker(name, walkState) === undefined);
  if (use === undefined) return [];
  return [await callSelf(walkSteps[use].createRequest(walkState, credentials), exchange, services)];
}

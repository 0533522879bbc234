/** The form for the user code (RFC 8628 §3.3). A right code leads to the pages that ask about the login. */

import { isCrossSite } from "../../../ground/http/request_origin.ts";
import { type Answer, withCookie } from "../../../ground/http/message.ts";
import { page } from "../../../ground/http/respond.ts";
import { requireOwnPage } from "../../oauth/authorization/sending_page.ts";
import { askOnPages, showAddressedPage } from "../../oauth/authorization/steps.ts";
import { chooseLanguage } from "../../oauth/requests/choose_language.ts";
import { timeFor } from "../../oauth/options/clock_skew.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { Failed } from "../../oauth/contracts/authorization_request.ts";
import type { Exchange } from "../../oauth/contracts/exchange.ts";
import type { DeviceCodeProblem } from "../../oauth/contracts/pages.ts";
import {
  createParams,
  type Params,
  readForm,
  readQuery,
  requireUnrepeatedForm,
} from "../../oauth/contracts/params.ts";
import { paths } from "../../oauth/contracts/paths.ts";
import { findBrowser, openBrowser } from "../../oauth/people/browser.ts";
import { noteRefusal } from "../../oauth/requests/refuse.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { mustWait } from "../../oauth/secrets/throttle.ts";
import { present } from "../../../ground/values/present.ts";
import { findByUserCode } from "./device_request.ts";
import { deviceKind, verificationPath } from "./device_settings.ts";
import { formatUserCode, isUserCode, normaliseUserCode } from "./user_code.ts";
import { countCode } from "./wrong_codes.ts";

const refusal = refusals({ error: "invalid_request" }, {
  code_form_not_ours: {
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "The browser does not say which page sent this form",
    expected: "the cookie that came with the form: allow cookies, and open the page again",
    change: "Allow cookies, and send the form from the page of this server.",
  },
  user_code_missing: {
    spec: "RFC 8628 §3.3",
    sentence: "The form has no user code",
    expected: "user_code",
    change: "Type the code that the device shows.",
  },
  user_code_wrong: {
    spec: "RFC 8628 §3.3",
    sentence: "No device login has this user code",
    expected: "the user_code that the device shows, in any case, with or without its dash",
    change: "Type the code that the device shows. A restart with a memory store forgets all codes.",
  },
  user_code_expired: {
    spec: "RFC 8628 §3.2",
    sentence: "The login of this user code has expired",
    expected: "a code that is typed within lifetimes.deviceCode",
    change: "Begin a new device login, and type its code.",
  },
  too_many_user_codes: {
    error: "temporarily_unavailable",
    status: 429,
    spec: "RFC 8628 §5.1",
    sentence: "Too many wrong user codes from one address: wait {seconds} s",
    expected: "no code for another {seconds} s: until then the right code is refused, too",
    change: "Wait as long as the refusal says, and then type the right code.",
  },
});

export const refused: RefusalRows = refusal.rows;

export async function showCodeForm(exchange: Exchange, services: Services): Promise<Answer> {
  const params = readQuery(exchange);
  return await showAddressedPage(params, exchange, services) ??
    await showForm(present({ userCode: findFilledCode(params, exchange) }), exchange, services);
}

/** RFC 8628 §3.3.1: the complete address fills in the code. A page of another site could have made the address. */
function findFilledCode(params: Params, { request }: Exchange): string | undefined {
  const code = normaliseUserCode(params.get("user_code") ?? "");
  return isUserCode(code) && !isCrossSite(request) ? formatUserCode(code) : undefined;
}

export async function answerCodeForm(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  requireOwnPage(exchange, services);
  requireNamedPage(exchange, services);
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  const code = normaliseUserCode(form.get("user_code") ?? "");
  // identify, validate
  const login = await findLogin(code, exchange, services);
  if ("problem" in login) return await showProblem(login, exchange, services);
  // act, respond
  const params = createParams([["user_code", formatUserCode(code)]]);
  // As after any other source, no page offers to start the same request again.
  const resolved = { params, arrivedBy: ["device login"], grantId: login.id };
  return await askOnPages(deviceKind, resolved, exchange, services);
}

/**
 * On http outside this machine, browsers send no Sec-Fetch-Site, and this page and a page that hides its origin both send
 * the origin `null`. Only from this page they send the cookie, because it is SameSite.
 */
function requireNamedPage(exchange: Exchange, services: Services): void {
  const { request } = exchange;
  const isNamed = request.header("sec-fetch-site") !== undefined || request.header("origin") !== "null";
  if (isNamed || findBrowser(exchange, services) !== undefined) return;
  throw refusal("code_form_not_ours", { received: "Origin: null, without the cookie" });
}

type FailedCode = Failed<DeviceCodeProblem>;

async function findLogin(
  code: string,
  exchange: Exchange,
  services: Services,
): Promise<{ readonly id: string } | FailedCode> {
  if (code === "") return { problem: { kind: "no_code" }, refusal: refusal("user_code_missing") };
  const { seconds, settle } = await countCode(exchange, services);
  if (seconds > 0) return mustWait(seconds, (wait) => refusal("too_many_user_codes", wait), "too_many_codes");
  const found = await findByUserCode(code, services);
  await settle(found !== undefined);
  if (found === undefined) return { problem: { kind: "wrong_code" }, refusal: refusal("user_code_wrong") };
  if (timeFor(found.request, services) < found.request.expiresAt) return { id: found.id };
  exchange.note({ flow: found.id });
  return { problem: { kind: "expired_code" }, refusal: refusal("user_code_expired") };
}

async function showProblem(
  { problem, refusal }: FailedCode,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  noteRefusal(refusal, exchange);
  const answer = await showForm({ problem }, exchange, services);
  return {
    ...answer,
    status: refusal.status,
    headers: { ...answer.headers, ...refusal.details.headers },
  };
}

async function showForm(
  state: { readonly userCode?: string; readonly problem?: DeviceCodeProblem },
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { pages, settings } = services;
  const action = settings.basePath + verificationPath;
  const homeUrl = settings.basePath + paths.home;
  const html = await pages.device({ ...state, action, homeUrl }, chooseLanguage(exchange, services));
  return withCookie(page(html), openBrowser(exchange, services).setCookie);
}

/** Answers a browser at `/_postern` with a page of all calls, which has no form, and leads to the page at `examine`. */

import { type Answer, type IncomingRequest, withCookie, withHeaders } from "../http/message.ts";
import { ownFormPage, page, redirect } from "../http/respond.ts";
import type { Mock } from "../mock/mock.ts";
import { assetsPath } from "../oauth/endpoints/asset_endpoints.ts";
import type { ControlPages } from "../pages/control_pages.ts";
import { type ControlRefused, statusOf } from "./control_refused.ts";
import { describeCalls, tokenHeader } from "./describe_calls.ts";
import type { ExaminePage } from "./examine/examine_page.ts";
import { examinePath, isExaminePath } from "./examine/paths.ts";
import { readExamineForm } from "./examine/read_form.ts";
import type { ExamineSession } from "./examine/session.ts";
import { controlPath, documentPath } from "./route.ts";

export interface ControlPage {
  /** Answers a request that the guard has allowed. */
  answer(request: IncomingRequest): Promise<Answer>;
  refuse(request: IncomingRequest, refusal: ControlRefused): Promise<Answer>;
}

/** Whether the request is for a page: for a page only browsers open, or for the calls from a browser. */
export function wantsPage(request: IncomingRequest): boolean {
  const { method, address: { path } } = request;
  return isExaminePath(path) ||
    (method === "GET" || method === "HEAD") && (path === controlPath || path === `${controlPath}/`) &&
      acceptsHtml(request);
}

/** Programs do not usually ask for HTML. */
export function acceptsHtml(request: IncomingRequest): boolean {
  return request.header("accept")?.includes("text/html") === true;
}

/** `session` is present if the control plane needs a token. */
export function createControlPage(mock: Mock, session: ExamineSession | undefined): ControlPage {
  // The server of the current issuer has the stylesheet of the page.
  const basePath = () => new URL(mock.issuer).pathname.replace(/\/$/, "");
  let examinePage: Promise<ExaminePage> | undefined;

  // Loaded at the first use, because most tests never open the page.
  async function loadPages(): Promise<ControlPages> {
    const { createControlPages } = await import("../pages/control_pages.ts");
    const assets = basePath() + assetsPath;
    return createControlPages({ assetUrl: (name) => assets + name });
  }

  async function createExaminePage(): Promise<ExaminePage> {
    const { createExaminePage } = await import("./examine/examine_page.ts");
    return createExaminePage(mock, { pages: await loadPages(), homeUrl: () => `${basePath()}/` });
  }

  async function showCalls({ address: { origin, query } }: IncomingRequest): Promise<Answer> {
    const url = origin + controlPath;
    const groups = describeCalls({ url, needsToken: session !== undefined });
    const pages = await loadPages();
    const chosen = groups.find(({ name }) => name === new URLSearchParams(query).get("calls"))?.name;
    return page(pages.calls({
      ...{ groups, url, documentPath, examinePath, path: controlPath, homeUrl: `${basePath()}/` },
      ...(chosen === undefined ? {} : { chosen }),
    }));
  }

  async function askForToken(
    request: IncomingRequest,
    { error, terms: { headers = {} } }: ControlRefused,
    session: ExamineSession,
  ): Promise<Answer> {
    const given = request.method === "POST" ? (await readExamineForm(request)).get("token") : null;
    const cookie = session.open(given ?? "");
    if (cookie !== undefined) return withCookie(redirect(examinePath), cookie);
    const pages = await loadPages();
    const html = pages.examineToken({
      path: examinePath,
      isWrong: given !== null,
      homeUrl: `${basePath()}/`,
    });
    return withHeaders(ownFormPage(html, statusOf[error]), headers);
  }

  return {
    async answer(request) {
      if (!isExaminePath(request.address.path)) return await showCalls(request);
      examinePage ??= createExaminePage();
      return await (await examinePage).answer(request);
    },
    async refuse(request, refusal) {
      const { address: { origin, path } } = request;
      const { error, message, terms: { expected, headers } } = refusal;
      // The guard checks the token last, so the request has passed its other checks.
      if (session !== undefined && error === "invalid_token" && path === examinePath) {
        return await askForToken(request, refusal, session);
      }
      // The Host of a refused request may be that of an attacker, but a request without the token has passed its check.
      const commands = error === "invalid_token" ? listCommands(origin) : undefined;
      const pages = await loadPages();
      const html = pages.refusal({
        status: statusOf[error],
        description: message,
        ...(expected === undefined ? {} : { expected }),
        ...(commands === undefined ? {} : { commands }),
        homeUrl: `${basePath()}/`,
      });
      return page(html, { status: statusOf[error], ...(headers === undefined ? {} : { headers }) });
    },
  };
}

function listCommands(origin: string): string {
  return [
    `curl ${origin}${documentPath} ${tokenHeader}`,
    `curl ${origin}${controlPath} ${tokenHeader} -H 'accept: text/html' -o calls.html`,
  ].join("\n");
}

/** Answers a browser at `/_postern` with a page of all calls. The page only describes them. */

import { writeCall } from "../../../server/client/write_request.ts";
import { acceptsHtml, type Answer, type IncomingRequest } from "../../../server/http/message.ts";
import { page } from "../../../server/http/respond.ts";
import type { Mock } from "../../../kit/mock/mock.ts";
import type { Page, PageFile } from "../../../server/pages/document.tsx";
import type { Frame } from "../../../server/pages/pages_terms.ts";
import { type ControlRefused, statusOf } from "../../guard/control_refused.ts";
import type { ControlDashboard } from "../../guard/control_dashboard.ts";
import { findAsset } from "../../guard/assets.ts";
import { controlPath, documentPath } from "../../guard/control_paths.ts";
import { controlTokenVariable } from "../../guard/control_token.ts";
import { describeCalls } from "../describe_calls.ts";
import { present } from "../../../server/values/present.ts";
import { assetsPath } from "../../../server/oauth/paths.ts";

export interface ControlPage {
  /** Answers a request that the guard has allowed. */
  answer(request: IncomingRequest): Promise<Answer>;
  refuse(request: IncomingRequest, refusal: ControlRefused): Promise<Answer>;
}

/** Whether the request is for the page of the calls. */
export function wantsPage(request: IncomingRequest): boolean {
  const { method, address: { path } } = request;
  return (method === "GET" || method === "HEAD") && (path === controlPath || path === `${controlPath}/`) &&
    acceptsHtml(request);
}

export interface ControlPageTerms {
  readonly needsToken: boolean;
  readonly dashboard: ControlDashboard | undefined;
}

export function createControlPage(mock: Mock, { needsToken, dashboard }: ControlPageTerms): ControlPage {
  // The server of the current issuer has the stylesheet of the page.
  const basePath = () => new URL(mock.issuer).pathname.replace(/\/$/, "");

  // Loaded at the first use, because most tests never open the page.
  async function loadDocument(frame?: Frame) {
    const { createDocument } = await import("../../../server/pages/document.tsx");
    const { english } = await import("../../../server/pages/words/english.ts");
    // The server without a dashboard does not have the files of the tools.
    const baseOf = (name: string) => findAsset(assetsPath + name) === undefined ? basePath() : controlPath;
    const assetUrl = (name: string) => baseOf(name) + assetsPath + name;
    const document = createDocument({ assetUrl, frame: () => frame });
    return (shown: Page<PageFile>) => document(shown, english);
  }

  async function showCalls(request: IncomingRequest): Promise<Answer> {
    const { address: { origin, query } } = request;
    const url = origin + controlPath;
    const groups = describeCalls({ url, needsToken });
    const { controlPage } = await import("./calls_page.tsx");
    const document = await loadDocument(await dashboard?.frame());
    const wanted = new URLSearchParams(query);
    const chosen = groups.find(({ name }) => name === wanted.get("calls"))?.name;
    const unfolded = wanted.get("call") ?? undefined;
    return page(document(controlPage({
      groups,
      url,
      documentPath,
      path: controlPath,
      homeUrl: `${basePath()}/`,
      ...(dashboard === undefined ? {} : { byHand: dashboard.pagesByHand() }),
      ...present({ chosen, unfolded }),
    })));
  }

  return {
    answer: showCalls,
    async refuse(request, { error, message, terms: { expected, headers } }) {
      // The Host of a refused request may be that of an attacker, but a request without the token has passed its check.
      const commands = error === "invalid_token" ? listCommands(request.address.origin) : undefined;
      const tokenUrl = error === "invalid_token" ? dashboard?.tokenUrl() : undefined;
      const { controlRefusalPage } = await import("../../guard/refusal_page.tsx");
      // A refusal has no frame, because it also answers people who may see nothing of the server.
      const document = await loadDocument();
      const html = document(controlRefusalPage({
        status: statusOf[error],
        description: message,
        ...present({ expected, commands, tokenUrl }),
        homeUrl: `${basePath()}/`,
      }));
      return page(html, { status: statusOf[error], ...present({ headers }) });
    },
  };
}

function listCommands(origin: string): string {
  return [
    writeCall({ url: origin + documentPath, tokenVariable: controlTokenVariable }),
    writeCall({ url: origin + controlPath, tokenVariable: controlTokenVariable }) +
    " -H 'accept: text/html' -o calls.html",
  ].join("\n");
}

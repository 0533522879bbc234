/** Answers a browser at `/_postern` with a page of all calls. Beside a dashboard, each call has a form. */

import { writeCall } from "../../../server/client/write_request.ts";
import type { Answer, IncomingRequest } from "../../../ground/http/message.ts";
import { page } from "../../../ground/http/respond.ts";
import type { Mock } from "../../../kit/mock/mock.ts";
import { createDocument, type Page, type PageFile } from "../../../server/pages/document.tsx";
import { type ControlRefused, statusOf } from "../../guard/control_refused.ts";
import type { ControlDashboard, ControlVisit } from "../../guard/control_dashboard.ts";
import { requireMethod } from "../../guard/guard.ts";
import { findAsset } from "../../guard/asset_names.ts";
import { controlPath, documentPath } from "../../guard/control_paths.ts";
import { controlTokenVariable } from "../../guard/control_token.ts";
import { describeCalls } from "../describe_calls.ts";
import { present } from "../../../ground/values/present.ts";
import { assetsPath } from "../../../server/oauth/contracts/paths.ts";
import { controlRefusalPage } from "../../guard/refusal_page.tsx";
import { controlPage } from "./calls_page.tsx";
import { type SendCall, sendForm } from "./send_form.ts";

interface ControlPage {
  /** Answers a request that the guard has allowed. */
  answer(request: IncomingRequest): Promise<Answer>;
  refuse(request: IncomingRequest, refusal: ControlRefused): Answer;
}

interface ControlPageOptions {
  readonly needsToken: boolean;
  readonly dashboard: ControlDashboard | undefined;
  /** Answers a call as if a program had sent it. */
  readonly send: SendCall;
}

export function createControlPage(
  mock: Mock,
  { needsToken, dashboard, send }: ControlPageOptions,
): ControlPage {
  // The server of the current issuer has the stylesheet of the page.
  const basePath = () => new URL(mock.issuer).pathname.replace(/\/$/, "");

  // A refusal has no frame, because it also answers people who may see nothing of the server.
  function openDocument(): (shown: Page<PageFile>) => string {
    // The server without a dashboard does not have the files of the tools.
    const baseOf = (name: string) => findAsset(assetsPath + name) === undefined ? basePath() : controlPath;
    const assetUrl = (name: string) => baseOf(name) + assetsPath + name;
    return createDocument({ assetUrl });
  }

  async function showCalls(request: IncomingRequest, visit?: ControlVisit): Promise<Answer> {
    const { address: { origin, query } } = request;
    const url = origin + controlPath;
    const groups = describeCalls({ url, needsToken });
    const sent = visit?.request.method === "POST" ? await sendForm(visit, send) : undefined;
    const wanted = new URLSearchParams(query);
    const chosen = groups.flatMap(({ calls }) => calls).find(({ name }) => name === wanted.get("call"));
    const shown = controlPage({
      groups,
      url,
      documentPath,
      path: controlPath,
      homeUrl: `${basePath()}/`,
      ...present({ chosen, visit, sent }),
    });
    return visit === undefined ? page(openDocument()(shown)) : visit.show(shown);
  }

  return {
    async answer(request) {
      if (dashboard !== undefined) {
        return await dashboard.answer(request, (visit) => showCalls(visit.request, visit));
      }
      requireMethod(request, ["GET", "HEAD"]);
      return await showCalls(request);
    },
    refuse(request, { error, message, terms: { expected, headers } }) {
      // The Host of a refused request may be that of an attacker, but a request without the token has passed its check.
      const commands = error === "invalid_token" ? listCommands(request.address.origin) : undefined;
      const tokenUrl = error === "invalid_token" ? dashboard?.tokenUrl() : undefined;
      const html = openDocument()(controlRefusalPage({
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

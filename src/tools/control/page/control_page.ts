/** Answers a browser at `/_postern` with a page of all calls. The page only describes them. */

import { writeCall } from "../../../server/client/write_request.ts";
import type { Answer, IncomingRequest } from "../../../server/http/message.ts";
import { page } from "../../../server/http/respond.ts";
import type { Mock } from "../../../kit/mock/mock.ts";
import { createDocument, type Page, type PageFile } from "../../../server/pages/document.tsx";
import type { Frame } from "../../../server/pages/pages_options.ts";
import { type ControlRefused, statusOf } from "../../guard/control_refused.ts";
import type { ControlDashboard } from "../../guard/control_dashboard.ts";
import { findAsset } from "../../guard/assets.ts";
import { controlPath, documentPath } from "../../guard/control_paths.ts";
import { controlTokenVariable } from "../../guard/control_token.ts";
import { describeCalls } from "../describe_calls.ts";
import { present } from "../../../server/values/present.ts";
import { assetsPath } from "../../../server/oauth/paths.ts";
import { controlRefusalPage } from "../../guard/refusal_page.tsx";
import { controlPage } from "./calls_page.tsx";

interface ControlPage {
  /** Answers a request that the guard has allowed. */
  answer(request: IncomingRequest): Promise<Answer>;
  refuse(request: IncomingRequest, refusal: ControlRefused): Answer;
}

interface ControlPageOptions {
  readonly needsToken: boolean;
  readonly dashboard: ControlDashboard | undefined;
}

export function createControlPage(mock: Mock, { needsToken, dashboard }: ControlPageOptions): ControlPage {
  // The server of the current issuer has the stylesheet of the page.
  const basePath = () => new URL(mock.issuer).pathname.replace(/\/$/, "");

  function openDocument(frame?: Frame): (shown: Page<PageFile>) => string {
    // The server without a dashboard does not have the files of the tools.
    const baseOf = (name: string) => findAsset(assetsPath + name) === undefined ? basePath() : controlPath;
    const assetUrl = (name: string) => baseOf(name) + assetsPath + name;
    return createDocument({ assetUrl, frame: () => frame });
  }

  async function showCalls(request: IncomingRequest): Promise<Answer> {
    const { address: { origin, query } } = request;
    const url = origin + controlPath;
    const groups = describeCalls({ url, needsToken });
    const document = openDocument(await dashboard?.frame());
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
    refuse(request, { error, message, terms: { expected, headers } }) {
      // The Host of a refused request may be that of an attacker, but a request without the token has passed its check.
      const commands = error === "invalid_token" ? listCommands(request.address.origin) : undefined;
      const tokenUrl = error === "invalid_token" ? dashboard?.tokenUrl() : undefined;
      // A refusal has no frame, because it also answers people who may see nothing of the server.
      const document = openDocument();
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

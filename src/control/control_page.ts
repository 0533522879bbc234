/** Answers a browser at `/_postern` with a page of all calls. A page has no form and no call of its own. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import { page } from "../http/respond.ts";
import { assetsPath } from "../oauth/endpoints/asset_endpoints.ts";
import type { ControlPages } from "../pages/control_pages.ts";
import { type ControlRefused, statusOf } from "./control_refused.ts";
import { describeCalls, tokenHeader } from "./describe_calls.ts";
import { controlPath, documentPath } from "./route.ts";

export interface ControlPageTerms {
  /** Returns the current issuer, whose server has the stylesheet of the page. */
  readonly issuer: () => string;
  readonly needsToken: boolean;
}

export interface ControlPage {
  show(request: IncomingRequest): Promise<Answer>;
  refuse(request: IncomingRequest, refusal: ControlRefused): Promise<Answer>;
}

/** Whether a browser opens the address of the control plane. Programs do not usually ask for HTML. */
export function wantsPage(request: IncomingRequest): boolean {
  const { method, address: { path } } = request;
  return (method === "GET" || method === "HEAD") && (path === controlPath || path === `${controlPath}/`) &&
    request.header("accept")?.includes("text/html") === true;
}

export function createControlPage({ issuer, needsToken }: ControlPageTerms): ControlPage {
  const basePath = () => new URL(issuer()).pathname.replace(/\/$/, "");

  // Loaded at the first use, because most tests never open the page.
  async function loadPages(): Promise<ControlPages> {
    const { createControlPages } = await import("../pages/control_pages.ts");
    const assets = basePath() + assetsPath;
    return createControlPages({ assetUrl: (name) => assets + name });
  }

  return {
    async show({ address: { origin } }) {
      const url = origin + controlPath;
      const groups = describeCalls({ url, needsToken });
      const pages = await loadPages();
      return page(pages.calls({ groups, url, documentPath, homeUrl: `${basePath()}/` }));
    },
    async refuse({ address: { origin } }, { error, message, terms: { expected, headers } }) {
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

/** Prepares a request to a page of the dashboard: what the person may see and change, and how the page is shown. */

import { createGuard } from "../control/guard.ts";
import type { IncomingRequest } from "../http/message.ts";
import { ownFormPage } from "../http/respond.ts";
import { chooseLanguage } from "../oauth/choose_language.ts";
import { assetsPath } from "../oauth/endpoints/asset_endpoints.ts";
import type { Rehearse } from "../oauth/endpoints/rehearse.ts";
import type { Forms } from "./forms.ts";
import { describeFrame } from "./frame.ts";
import type { PageCall, Sessions } from "./page.ts";
import { findPermission, requirePermission } from "./permission.ts";
import type { DashboardTerms } from "./terms.ts";
import type { Watched } from "./watched.ts";

export interface PageCallTerms {
  readonly rest: string;
  readonly watched: Watched;
  readonly terms: DashboardTerms;
  readonly forms: Forms;
  readonly sessions: Sessions;
  readonly rehearse: Rehearse;
  readonly streams: Set<() => void>;
}

export async function createPageCall(
  request: IncomingRequest,
  { rest, watched, terms, forms, sessions, rehearse, streams }: PageCallTerms,
): Promise<PageCall> {
  const { services, services: { settings: { basePath, issuer } } } = watched;
  const frame = describeFrame(watched, terms);
  // Loaded with the first page, because most servers never show one.
  const { createDocument } = await import("../pages/document.tsx");
  const { wordsIn } = await import("../pages/words/words_in.ts");
  const words = wordsIn(chooseLanguage({ request, uiLocales: undefined }, services));
  const document = createDocument({
    assetUrl: (name) => basePath + assetsPath + name,
    frame: () => frame,
  });
  const mayChange = findPermission(request, watched, { terms, sessions });

  return {
    ...{ request, rest, watched, frame, forms, sessions, rehearse, streams, mayChange, words },
    program: terms.program ?? "npx postern",
    neverShown: [terms.key, terms.control?.token].filter((each) => each !== undefined),
    query: new URLSearchParams(request.address.query),
    seesSecrets: sessions.inspector.isOpen(request, services),
    pathOf: (name, more = "") => `${basePath}/${name}${more}`,
    async readChange() {
      requirePermission(mayChange);
      // The session stands for the token, because a browser cannot send the header with a form.
      createGuard({ issuer: () => issuer, token: undefined, open: terms.control?.open === true })(request);
      return await forms.read(request);
    },
    show: (page, status) => ownFormPage(document(page(words), words), status),
  };
}

/** Prepares a request to a page of the dashboard: what the person may see and change, and how the page is shown. */

import { createGuard } from "../guard/guard.ts";
import { pathAndQuery } from "../http/address.ts";
import { ownFormPage } from "../http/respond.ts";
import { assetsPath } from "../server/asset_endpoints.ts";
import type { Rehearse } from "../server/rehearse.ts";
import type { PagePass } from "../pages/pass.tsx";
import type { Forms } from "./forms.ts";
import { describeFrame } from "./frame.ts";
import type { PageCall } from "./page.ts";
import { type Permission, requireChange, type Sessions } from "./permission.ts";
import type { DashboardTerms } from "./terms.ts";
import type { Visit } from "./visit.ts";
import type { Watched } from "./watched.ts";
import { present } from "../present.ts";

export interface PageCallTerms {
  readonly rest: string;
  readonly watched: Watched;
  readonly permission: Permission;
  readonly terms: DashboardTerms;
  readonly forms: Forms;
  readonly sessions: Sessions;
  readonly rehearse: Rehearse;
  readonly streams: Set<() => void>;
  readonly enter: PageCall["enter"];
}

export async function createPageCall(visit: Visit, given: PageCallTerms): Promise<PageCall> {
  const { watched, permission, terms, forms } = given;
  const { request, form } = visit;
  const { services: { settings: { basePath, issuer } } } = watched;
  const frame = describeFrame(watched, terms);
  // Loaded with the first page, because most servers never show one.
  const { createDocument } = await import("../pages/document.tsx");
  const { english } = await import("../pages/words/english.ts");
  const pass = describePass(visit, permission);
  const document = createDocument({
    assetUrl: (name) => basePath + assetsPath + name,
    frame: () => frame,
    ...present({ pass }),
  });
  const { rest, sessions, rehearse, streams, enter } = given;
  const { seesSecrets, mayChange } = permission;
  const { path, query } = request.address;
  const pathOf: PageCall["pathOf"] = (name, more = "") => `${basePath}/${name}${more}`;

  return {
    request,
    rest,
    form,
    watched,
    frame,
    forms,
    sessions,
    rehearse,
    streams,
    pathOf,
    enter,
    seesSecrets,
    mayChange,
    program: terms.program ?? "npx postern",
    neverShown: [terms.key, terms.control?.token].filter((each) => each !== undefined),
    query: new URLSearchParams(query),
    secretUrl: (purpose, next = pathAndQuery(request.address)) =>
      pathOf("session", `?${new URLSearchParams({ purpose, next })}`),
    readChange() {
      requireChange(permission);
      // The pass stands for the token, because a browser cannot send the header with a form.
      createGuard({ issuer: () => issuer, token: undefined, open: terms.control?.open === true })(request);
      forms.requireToken(form, path);
      watched.kit?.keep();
      return form;
    },
    show: (page, status) =>
      ownFormPage(document({ homeUrl: frame.links[0]!.href, ...page }, english), status),
  };
}

/** Says what the page knows of passes: only an answer to a request with a right one contains it. */
function describePass(
  { request, isCarried }: Visit,
  { passes, lacksPass }: Permission,
): PagePass | undefined {
  if (lacksPass) return { kind: "missing" };
  if (passes.length === 0) return undefined;
  return isCarried
    ? { kind: "carried", values: passes, address: pathAndQuery(request.address) }
    : { kind: "given", values: passes };
}

/** Prepares a request to a page of the dashboard: what the person may see and change, and how the page is shown. */

import { createGuard } from "../guard/guard.ts";
import { isLoopbackHost, pathAndQuery, withoutBrackets } from "../../ground/http/address.ts";
import { ownFormPage } from "../../ground/http/respond.ts";
import type { PagePass } from "./parts/pass.tsx";
import type { PageCall } from "./page.ts";
import { type Permission, requireChange } from "./permission.ts";
import { type DashboardOptions, listNeverShown } from "./dashboard_options.ts";
import type { Visit } from "./visit.ts";
import { assetsPath } from "../../server/oauth/contracts/paths.ts";
import { importFrame } from "./frame/import_frame.ts";

interface PageCallOptions
  extends Pick<PageCall, "rest" | "watched" | "forms" | "sessions" | "rehearse" | "streams" | "enter"> {
  readonly permission: Permission;
  readonly terms: DashboardOptions;
}

export async function createPageCall(
  visit: Visit,
  { permission, terms, ...shared }: PageCallOptions,
): Promise<PageCall> {
  const { watched, forms } = shared;
  const { request, form } = visit;
  const { services: { settings: { basePath, issuer } } } = watched;
  const { describeFrame, showPage } = await importFrame();
  const pass = describePass(visit, permission);
  const { seesSecrets, mayChange } = permission;
  const { path, query } = request.address;
  const pathOf: PageCall["pathOf"] = (name, more = "") => `${basePath}/${name}${more}`;
  const clockForm = mayChange === "yes" ? forms.target(pathOf("misbehaviours", "/clock")) : undefined;
  const frame = describeFrame(watched, terms, { maySee: permission.maySee, clockForm });
  const around = { assetUrl: (name: string) => basePath + assetsPath + name, frame, pass };
  const secretUrl: PageCall["secretUrl"] = (purpose, next = pathAndQuery(request.address)) =>
    pathOf("session", `?${new URLSearchParams({ purpose, next })}`);

  return {
    ...shared,
    request,
    form,
    frame,
    pathOf,
    seesSecrets,
    mayChange,
    program: frame.program,
    neverShown: listNeverShown(terms),
    query: new URLSearchParams(query),
    secretUrl,
    describeChange(next) {
      if (mayChange === "needs_token") return { may: mayChange, href: secretUrl("control", next) };
      if (mayChange === "needs_key") return { may: mayChange, href: secretUrl("inspector", next) };
      return mayChange === "needs_flag"
        ? { may: mayChange, command: writeStart(frame.program, issuer) }
        : { may: mayChange };
    },
    readChange(target = path) {
      requireChange(permission);
      // The pass stands for the token, because a browser cannot send the header with a form.
      createGuard({ issuer: () => issuer, token: undefined, open: terms.control?.open === true })(request);
      forms.requireToken(form, target);
      watched.kit?.keep();
      return form;
    },
    show: (page, status) => ownFormPage(showPage({ homeUrl: frame.links[0]!.href, ...page }, around), status),
  };
}

/** The command that starts a server at the same port whose pages can change it. */
function writeStart(program: string, issuer: string): string {
  const { hostname, port } = new URL(issuer);
  const isOther = isLoopbackHost(withoutBrackets(hostname)) && port !== "" && port !== "9000";
  return `${program} start --control${isOther ? ` --port ${port}` : ""}`;
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

/** Opens a client's authorization URL as a browser would. */

import { withoutQuery } from "../../../ground/http/address.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { usernameIn } from "../terms/username_in.ts";
import { createBrowser } from "./browser.ts";
import { requireCallback, requireForm, requireReturn } from "./callback.ts";
import { type PersonTerms, readDecision } from "./person_terms.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { type Visit, visit } from "./visit.ts";

/** Options of `authorize`: which person answers the authorization request, and how. */
export interface AuthorizeTerms extends PersonTerms {
  /**
   * The username. Default: the person of `nextSignIn`, the person signed in at `browser`, the person of automatic
   * sign-in, or the first person.
   */
  readonly username?: string;
  /** @deprecated Use `username`. */
  readonly as?: string;
}

const doing = "authorize";

/** Resolves to the URL to which the server redirects the browser, after an authorization request or a sign-out. */
export async function authorize(
  url: string | URL,
  terms: AuthorizeTerms,
  running: RunningTenant,
): Promise<URL> {
  const visited = await visitAt(url, terms, running);
  const { baseUrl, paths } = (await running.servicesAt(`${url}`)).settings;
  const isSignOut = withoutQuery(`${url}`) === baseUrl + paths.logout;
  return isSignOut ? requireReturn("sign out", visited) : requireCallback(doing, visited);
}

/** Thrown for a URL that is neither of this server nor of the provider that it looks like. */
export class ForeignUrl extends TypeError {
  /** `isAtProvider` says whether the host is that of the provider, which may have another tenant there. */
  constructor(message: string, readonly isAtProvider: boolean) {
    super(message);
  }
}

/** Resolves to the request that the browser sends to the client with `response_mode=form_post`. */
export async function authorizeForm(
  url: string | URL,
  terms: AuthorizeTerms,
  running: RunningTenant,
): Promise<Request> {
  return requireForm(doing, await visitAt(url, terms, running));
}

async function visitAt(
  url: string | URL,
  terms: AuthorizeTerms,
  running: RunningTenant,
): Promise<Visit> {
  running.requireOpen();
  requireTerms(doing, terms, types.AuthorizeTerms);
  const services = await running.servicesAt(`${url}`);
  const { settings: { baseUrl, issuer, leads = [], optionalInPath }, slots: { endpoints } } = services;
  const address = withoutQuery(`${url}`);
  const isEndpoint = () => {
    if (!URL.canParse(address)) return false;
    const { origin, pathname } = new URL(address);
    const named = origin + pathname.replace(optionalInPath ?? "", "");
    return endpoints.some((each) => each.url === named);
  };
  // A provider may have an address beside its base: that of all tenants has two names.
  const bases = [baseUrl, ...leads];
  if (!bases.some((base) => `${url}`.startsWith(`${base}/`)) && !isEndpoint()) {
    const isAtProvider = services !== running.services && new URL(url).origin === new URL(baseUrl).origin;
    const tenant = isAtProvider
      ? ". If the provider has another tenant there, name its host: as.lookLike(name, { host })"
      : "";
    throw new ForeignUrl(
      `Cannot ${doing}: expected a URL below as.issuer (${issuer}), or at a host of a look-alike that is on, but got ${address}${tenant}`,
      isAtProvider,
    );
  }
  const decision = readDecision(usernameIn(terms), terms, running);
  return await visit(terms.browser ?? createBrowser(), { url: `${url}`, decision }, { ...running, services });
}

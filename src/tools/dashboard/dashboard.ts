/** The dashboard of a server: the pages on which a developer watches the server and, with `--control`, changes it. */

import { acceptsHtml, type Answer, type IncomingRequest, withHeaders } from "../../ground/http/message.ts";
import { answerProblem, ControlRefused, statusOf } from "../guard/control_refused.ts";
import { findAsset } from "../guard/asset_names.ts";
import { answerAsset, answerIcon, iconPath } from "../guard/assets.ts";
import { createRehearsal } from "../../server/rehearse.ts";
import type { Services } from "../../server/oauth/contracts/feature.ts";
import { hidden } from "../../server/oauth/secrets/redaction.ts";
import { createForms } from "./forms.ts";
import { importFrame } from "./frame/import_frame.ts";
import { requireOwnRequest } from "./guard.ts";
import type { AnswerPage, PageCall } from "./page.ts";
import { createPageCall } from "./page_call.ts";
import { type DashboardPage, findPage, findPageAt, type FoundPage } from "./page_table.ts";
import { findPermission } from "./permission.ts";
import { createSession } from "./session.ts";
import { type DashboardOptions, listNeverShown } from "./dashboard_options.ts";
import { followRedirect, readVisit, type Visit } from "./visit.ts";
import type { Watched } from "./watched.ts";
import { present } from "../../ground/values/present.ts";
import { remember } from "../../ground/values/remember.ts";

export interface Dashboard {
  /** Answers a request to a page of the dashboard. Returns `undefined` for any other request. */
  answer(request: IncomingRequest, watched: Watched): Promise<Answer> | undefined;
  /** Answers with a page that is not below the issuer, and decides itself who may open it. */
  answerWith(page: AnswerPage, request: IncomingRequest, watched: Watched): Promise<Answer>;
  /** Whether the browser has shown the token of the control plane. It proves nothing about who sends the request. */
  hasToken(request: IncomingRequest, services: Services): boolean;
  /** Ends the streams of events. */
  close(): void;
}

/** Creates the dashboard of a server and all its tenants. Each tenant has pages of its own. */
export function createDashboard(terms: DashboardOptions): Dashboard {
  const { key, isReached, control } = terms;
  const forms = createForms(terms.formSecret);
  const rehearse = createRehearsal();
  const streams = new Set<() => void>();
  const neverShown = listNeverShown(terms);
  const sessions = {
    inspector: createSession("inspector", key),
    ...present({
      control: control?.token === undefined ? undefined : createSession("control", control.token),
    }),
  };
  // A page is created once for each dashboard, because it may have state.
  const pages = new WeakMap<DashboardPage, Promise<AnswerPage>>();

  const load = (page: DashboardPage) => remember(pages, page, () => page.load());

  async function answer(request: IncomingRequest, found: FoundPage, watched: Watched): Promise<Answer> {
    requireOwnRequest(request, { issuer: watched.services.settings.issuer, isReached });
    const visit = await readVisit(request);
    const answered = hideSecrets(await answerVisit(visit, found, watched));
    if (!visit.isCarried || answered.status !== 303) return answered;
    // The GET after the redirect would not carry the passes.
    const next = followRedirect(visit, `${answered.headers["location"]}`);
    const page = findAt(next, watched);
    return page === undefined ? answered : hideSecrets(await answerVisit(next, page, watched));
  }

  /** A page can repeat any text of a request, also where a value is not expected, such as in a name. */
  function hideSecrets(answered: Answer): Answer {
    const { body } = answered;
    if (typeof body !== "string") return answered;
    return { ...answered, body: neverShown.reduce((text, each) => text.replaceAll(each, hidden), body) };
  }

  async function answerVisit(
    visit: Visit,
    { page: wanted, rest }: FoundPage,
    watched: Watched,
  ): Promise<Answer> {
    const { request } = visit;
    const permission = findPermission(visit, watched.services, { terms, sessions });
    const needsKey = !/^(session|control)$/.test(wanted.name) && !permission.maySee;
    const page = await load(needsKey ? findPage("session")! : wanted);
    const call = await createPageCall(visit, {
      rest,
      watched,
      permission,
      terms,
      forms,
      sessions,
      rehearse,
      streams,
      enter(address, opened) {
        const next = followRedirect(visit, address, opened);
        // The page of the control plane is no page of the dashboard, so this one leads to it.
        return answerVisit(next, findAt(next, watched) ?? findPageAt("/session")!, watched);
      },
    });
    try {
      if (visit.problem !== undefined) throw visit.problem;
      return await page(call);
    } catch (error) {
      if (error instanceof ControlRefused && acceptsHtml(request)) return await dashboardRefusal(error, call);
      throw error;
    }
  }

  function begin(request: IncomingRequest, watched: Watched): Promise<Answer> | undefined {
    const { basePath } = watched.services.settings;
    const { path } = request.address;
    if (!path.startsWith(`${basePath}/`)) return undefined;
    const below = path.slice(basePath.length);
    if (below === iconPath) return answerIcon(request);
    const asset = findAsset(below);
    if (asset !== undefined) return answerAsset(request, asset);
    const found = findPageAt(below);
    return found && answer(request, found, watched);
  }

  return {
    answerWith: (page, request, watched) =>
      answer(request, { page: { name: "control", load: () => Promise.resolve(page) }, rest: "" }, watched),
    hasToken: (request, services) => sessions.control?.isOpen(request, services) === true,
    answer: (request, watched) => begin(request, watched)?.catch(answerProblem),
    close: () => streams.forEach((end) => end()),
  };
}

function findAt({ request: { address: { path } } }: Visit, { services }: Watched): FoundPage | undefined {
  return findPageAt(path.slice(services.settings.basePath.length));
}

async function dashboardRefusal(
  { error, message, terms: { expected, headers = {} } }: ControlRefused,
  { show, frame }: PageCall,
): Promise<Answer> {
  const { controlRefusalPage } = await importFrame();
  const props = {
    status: statusOf[error],
    description: message,
    ...present({ expected }),
    homeUrl: frame.links[0]!.href,
  };
  return withHeaders(show(controlRefusalPage(props), statusOf[error]), headers);
}

/** The dashboard of a server: the pages on which a developer watches the server and, with `--control`, changes it. */

import { acceptsHtml } from "../control/control_page.ts";
import { answerProblem, ControlRefused, statusOf } from "../control/control_refused.ts";
import { createGuard } from "../control/guard.ts";
import { chooseLanguage } from "../oauth/choose_language.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";
import { withHeaders } from "../http/message.ts";
import { ownFormPage } from "../http/respond.ts";
import { assetsPath } from "../oauth/endpoints/asset_endpoints.ts";
import { answerAsset, findAsset } from "./assets.ts";
import { createForms } from "./forms.ts";
import { describeFrame } from "./frame.ts";
import { requireOwnRequest } from "./guard.ts";
import type { AnswerPage, MayChange, PageCall, PageName } from "./page.ts";
import { findPage } from "./page_table.ts";
import { createSession } from "./session.ts";
import type { DashboardTerms } from "./terms.ts";
import type { Watched } from "./watched.ts";

export interface Dashboard {
  /** Answers a request to a page of the dashboard. Returns `undefined` for any other request. */
  answer(request: IncomingRequest, watched: Watched): Promise<Answer> | undefined;
}

/** Creates the dashboard of a server and all its tenants. Each tenant has pages of its own. */
export function createDashboard(terms: DashboardTerms): Dashboard {
  const { key, isReached, control } = terms;
  const forms = createForms();
  const sessions = {
    inspector: createSession("inspector", key),
    ...(control?.token === undefined ? {} : { control: createSession("control", control.token) }),
  };
  const loaded = new Map<() => Promise<AnswerPage>, Promise<AnswerPage>>();

  function load(loader: () => Promise<AnswerPage>): Promise<AnswerPage> {
    const found = loaded.get(loader) ?? loader();
    loaded.set(loader, found);
    return found;
  }

  function mayChange(request: IncomingRequest, { services }: Watched): MayChange {
    if (control === undefined) return "needs_flag";
    return sessions.control?.isOpen(request, services) === false ? "needs_token" : "yes";
  }

  async function createCall(
    request: IncomingRequest,
    rest: string,
    watched: Watched,
  ): Promise<PageCall> {
    const { services, services: { settings: { basePath, issuer } } } = watched;
    const frame = describeFrame(watched, terms);
    const assets = basePath + assetsPath;
    // Loaded with the first page, because most servers never show one.
    const { createDocument } = await import("../pages/document.tsx");
    const { wordsIn } = await import("../pages/words/words_in.ts");
    const words = wordsIn(chooseLanguage({ request, uiLocales: undefined }, services));
    const document = createDocument({ assetUrl: (name) => assets + name, frame: () => frame });
    const permission = mayChange(request, watched);
    return {
      ...{ request, rest, watched, frame, forms, sessions },
      query: new URLSearchParams(request.address.query),
      seesSecrets: sessions.inspector.isOpen(request, services),
      mayChange: permission,
      pathOf: (name, more = "") => `${basePath}/${name}${more}`,
      async readChange() {
        if (permission === "needs_flag") {
          throw new ControlRefused(
            "access_denied",
            "Only a server with --control can be changed by its pages",
            {
              expected: "a server that was started with --control",
            },
          );
        }
        // The session stands for the token, because a browser cannot send the header with a form.
        createGuard({ issuer: () => issuer, token: undefined, open: control?.open === true })(request);
        if (permission === "needs_token") {
          throw new ControlRefused("invalid_token", "This change needs the token of --control");
        }
        return await forms.read(request);
      },
      show: (page, status) => ownFormPage(document(page(words), words), status),
    };
  }

  async function answer(
    request: IncomingRequest,
    { loader, name, rest }: Found,
    watched: Watched,
  ): Promise<Answer> {
    const { services, services: { settings: { issuer } } } = watched;
    requireOwnRequest(request, { issuer, isReached });
    const needsKey = isReached && name !== "session" && !sessions.inspector.isOpen(request, services);
    const page = await load(needsKey ? findPage("session")! : loader);
    const call = await createCall(request, needsKey ? "" : rest, watched);
    try {
      return await page(call);
    } catch (error) {
      if (error instanceof ControlRefused && acceptsHtml(request)) return await refuse(error, call);
      throw error;
    }
  }

  function begin(request: IncomingRequest, watched: Watched): Promise<Answer> | undefined {
    const { basePath } = watched.services.settings;
    const { path } = request.address;
    if (!path.startsWith(`${basePath}/`)) return undefined;
    const below = path.slice(basePath.length);
    const asset = findAsset(below);
    if (asset !== undefined) return answerAsset(request, asset);
    const found = find(below);
    return found && answer(request, found, watched);
  }

  return {
    answer(request, watched) {
      const answering = begin(request, watched);
      return answering?.catch(answerProblem).then((answered) =>
        request.method === "HEAD" ? { ...answered, body: "" } : answered
      );
    },
  };
}

/** A page that the path of a request names. */
interface Found {
  readonly loader: () => Promise<AnswerPage>;
  readonly name: PageName;
  readonly rest: string;
}

/** Finds the page at a path below the path of the issuer. */
function find(path: string): Found | undefined {
  const [, name = "", rest = ""] = /^\/([a-z_]+)(\/.*)?$/.exec(path) ?? [];
  const loader = findPage(name);
  return loader && { loader, name: name as PageName, rest };
}

async function refuse(
  { error, message, terms: { expected, headers = {} } }: ControlRefused,
  { show, frame }: PageCall,
): Promise<Answer> {
  const { controlRefusalPage } = await import("../pages/control.tsx");
  const page = controlRefusalPage({
    status: statusOf[error],
    description: message,
    ...(expected === undefined ? {} : { expected }),
    homeUrl: frame.links[0]!.href,
  });
  return withHeaders(show(() => page, statusOf[error]), headers);
}

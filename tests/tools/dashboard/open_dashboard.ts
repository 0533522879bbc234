/** A server with a dashboard for tests, and a browser that keeps its cookies and, in one tab, its passes. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createDashboard } from "../../../src/tools/dashboard/dashboard.ts";
import type { DashboardOptions } from "../../../src/tools/dashboard/dashboard_options.ts";
import { createControl } from "../../../src/tools/control/control.ts";
import { createWatchedServer, linkControl, watchMock } from "../../../src/tools/dashboard/watched_server.ts";
import {
  type Answer,
  fromRequest,
  type IncomingRequest,
  toResponse,
} from "../../../src/ground/http/message.ts";
import { createRecorder, type Recorder } from "../../../src/kit/mock/journal/recorder.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { createStartedMock, type StartedMockTerms } from "../../../src/kit/mock/started_mock.ts";
import type { MockOptions } from "../../../src/kit/mock/terms/mock_options.ts";
import type { ServerOptions } from "../../../src/server/setup/server_options.ts";
import { type Element, readHtml } from "../../server/pages/read_html.ts";
import { sampleKey } from "../../world.ts";
import { requireWhole } from "./require_whole.ts";

export const origin = "http://localhost:9000";
export const key = "the-key-of-the-inspector";

export interface OpenedDashboard {
  /** Sends a request like a browser that a person drives, which keeps its cookies and does not follow redirects. */
  send(path: string, init?: SendOptions): Promise<Response>;
  /** Sends a form from the page of this server. */
  post(path: string, form: Readonly<Record<string, string>>, init?: SendOptions): Promise<Response>;
  /** Types a secret. From then on, each request has the pass, as a script sends it. Returns the answer. */
  enter(secret: string, terms?: EnterOptions): Promise<Response>;
  /** The cookies of the browser, as it sends them to each port of its host. */
  cookies(): string;
  /** Answers a request as the listener does. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Forgets the passes, as a new tab has none. */
  openTab(): void;
  /** Forgets the cookies and the passes. */
  forget(): void;
}

export interface EnterOptions {
  readonly purpose?: "inspector" | "control";
  /** The path of a tenant. */
  readonly base?: string;
  readonly next?: string;
  readonly peer?: string;
}

export interface SendOptions extends RequestInit {
  readonly peer?: string;
  /** The origin of the request's URL. */
  readonly at?: string;
}

const navigation = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

/** Opens the dashboard of `postern start` without `--control`. */
export function openPlain(
  options: ServerOptions = {},
  terms: Partial<DashboardOptions> = {},
  recorder: Recorder = createRecorder(),
): OpenedDashboard {
  const all: DashboardOptions = { key, isReached: false, ...terms };
  const server = createWatchedServer(
    { issuer: origin, alg: "ES256", signingKeys: [sampleKey], ...options },
    { dashboard: createDashboard(all), terms: all, recorder },
  );
  return drive(server.answer);
}

/** Opens the dashboard of `postern start --control`. */
export async function openControlled(
  options: MockOptions = {},
  terms: Partial<DashboardOptions> = {},
  started: StartedMockTerms = {},
): Promise<OpenedDashboard & AsyncDisposable & { readonly as: Mock }> {
  const all: DashboardOptions = { key, isReached: false, control: { open: false }, ...terms };
  const dashboard = createDashboard(all);
  const kit = await createStartedMock({ issuer: origin, alg: "ES256", ...options }, {
    demoClients: [],
    ...started,
  });
  watchMock(kit, { dashboard, terms: all });
  const { mock } = kit;
  const plane = createControl(kit, { ...all.control, dashboard: linkControl(kit, dashboard) });
  return {
    ...drive((request) => plane.answer(request) ?? mock.answer(request)),
    as: mock,
    [Symbol.asyncDispose]: mock.close,
  };
}

/** Drives a browser. `answer` answers as a listener does. */
export function drive(answer: OpenedDashboard["answer"]): OpenedDashboard {
  const cookies = new Map<string, string>();
  let passes: readonly string[] = [];
  const writeCookies = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  async function send(path: string, { peer = "127.0.0.1", at = origin, ...init }: SendOptions = {}) {
    const cookie = writeCookies();
    const headers = new Headers({
      ...navigation,
      ...(cookie === "" ? {} : { cookie }),
      ...(passes.length === 0 ? {} : { "postern-pass": passes.join(" ") }),
    });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const response = toResponse(
      await answer(fromRequest(new Request(at + path, { ...init, headers }), peer)),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  const post: OpenedDashboard["post"] = (path, form, init = {}) =>
    send(path, {
      method: "POST",
      body: new URLSearchParams(form),
      ...init,
      headers: { origin, "sec-fetch-site": "same-origin", ...init.headers as Record<string, string> },
    });

  return {
    send,
    post,
    async enter(secret, { base = "", peer = "127.0.0.1", ...terms } = {}) {
      const response = await post(`${base}/session`, { ...terms, key: secret }, { peer });
      const given = passesOf(await response.clone().text());
      assertEquals(given.length > 0, true, "the answer to the right secret has the pass");
      passes = [...new Set([...passes, ...given])];
      return response;
    },
    cookies: writeCookies,
    answer,
    openTab: () => void (passes = []),
    forget() {
      cookies.clear();
      passes = [];
    },
  };
}

/** Opens a page that exists, and returns its HTML. */
export async function load({ send }: Pick<OpenedDashboard, "send">, path: string): Promise<string> {
  const response = await send(path);
  const html = await response.text();
  assertEquals(response.status, 200, `${path}: ${html.slice(0, 500)}`);
  requireWhole(html);
  return html;
}

/** Sends a form of a page with the token of the form, and returns the answer. `action`: where the form goes. */
export async function submit(
  dashboard: OpenedDashboard,
  page: string,
  fields: Readonly<Record<string, string>>,
  action: string = page,
): Promise<Response> {
  const token = formTokenOf(await (await dashboard.send(page)).text(), action);
  assert(token !== "", `${page} has no form for ${action}`);
  return await dashboard.post(action, { form_token: token, ...fields });
}

/** Presses a button of a page, and returns the page that follows, or the page with the problem. */
export async function press(
  dashboard: OpenedDashboard,
  page: string,
  fields: Readonly<Record<string, string>>,
  status: 303 | 400 = 303,
): Promise<Element> {
  const response = await submit(dashboard, page, fields);
  const html = await response.text();
  assertEquals(response.status, status, html.slice(0, 500));
  return readHtml(status === 303 ? await load(dashboard, response.headers.get("location")!) : html);
}

/** Returns the passes that a page contains. */
export function passesOf(html: string): readonly string[] {
  return [...html.matchAll(/name="pass" value="([^"]+)"/g)].map(([, value = ""]) => value);
}

/** Returns the token of the form on a page that is sent to this path. */
export function formTokenOf(html: string, action: string): string {
  const form = html.split("<form").find((each) => each.includes(`action="${action}"`)) ?? "";
  return /name="form_token" value="([^"]+)"/.exec(form)?.[1] ?? "";
}

/** Requires that each link and form of a page leads to this server, or to a standard. */
export function requireOwnLinks(html: string): void {
  const own = /^(\/(?!\/)|#|https:\/\/(www\.rfc-editor\.org|datatracker\.ietf\.org|openid\.net)\/)/;
  for (const [, href = ""] of html.matchAll(/(?:href|action)="([^"]*)"/g)) assertMatch(href, own);
}

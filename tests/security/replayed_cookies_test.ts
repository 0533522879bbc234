/** Cookies know no port: what an application on another port of this host can do with the cookies of the dashboard. */

import { assert, assertEquals, assertFalse } from "@std/assert";
import { createControl } from "../../src/tools/control/control.ts";
import { createDashboard } from "../../src/tools/dashboard/dashboard.ts";
import type { DashboardOptions } from "../../src/tools/dashboard/dashboard_options.ts";
import { linkControl, watchMock } from "../../src/tools/dashboard/watched_server.ts";
import type { Mock } from "../../src/kit/mock/mock.ts";
import { createStartedMock } from "../../src/kit/mock/started_mock.ts";
import {
  drive,
  key,
  type OpenedDashboard,
  openPlain,
  origin,
  passesOf,
} from "../tools/dashboard/open_dashboard.ts";
import { findAll, readHtml, textOf } from "../server/pages/read_html.ts";
import { test } from "../runner.ts";
import { challenge } from "../world.ts";
import { jwtText } from "./jwt_text.ts";
import { replay, type Replayed } from "./replayer.ts";

const token = "correct-horse-battery";

interface Situation {
  readonly as: Mock;
  /** The browser of the person, who has typed all secrets. */
  readonly browser: OpenedDashboard;
  /** The codes and tokens that the server has issued. */
  readonly secrets: readonly string[];
}

const situations: Readonly<Record<string, Omit<DashboardOptions, "key">>> = {
  "postern start --control TOKEN": { isReached: false, control: { token, open: false } },
  "openDashboard with change: true": { isReached: true, embedded: "mock", control: { open: true } },
};

async function withSituation(
  terms: Omit<DashboardOptions, "key">,
  work: (situation: Situation) => Promise<void>,
): Promise<void> {
  const all: DashboardOptions = { key, ...terms };
  const started = await createStartedMock({ issuer: origin, registration: true }, { demoClients: [] });
  await using as = started.mock;
  as.clock.freeze();
  const dashboard = createDashboard(all);
  watchMock(started, { dashboard, terms: all });
  const { control, embedded } = terms;
  const plane = control === undefined || embedded !== undefined
    ? undefined
    : createControl(started, { ...control, dashboard: linkControl(started, dashboard) });
  const browser = drive((request) => plane?.answer(request) ?? as.answer(request));
  const { access_token, refresh_token, id_token } = await as.login("bob", { scope: "openid offline_access" });
  const url = new URL(`${as.issuer}/oauth2/authorize`);
  url.search = `${new URLSearchParams({
    ...{ client_id: "app", redirect_uri: "http://localhost/callback", response_type: "code" },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  })}`;
  const code = (await as.authorize(url)).searchParams.get("code");
  await browser.enter(key);
  if (control?.token !== undefined) await browser.enter(token, { purpose: "control" });
  const secrets = [access_token, refresh_token, id_token, code].map((each) => each!);
  assertFalse(secrets.some((each) => each === undefined || each === null));
  await work({ as, browser, secrets });
}

const pages = ["inspector", "playground", "people", "clients", "misbehaviours", "search", "session"];
const files = ["/inspector/export?form=html&secrets=true", "/inspector/export?form=har", "/people/export"];
const starts = ["/", "/_postern", ...pages.map((name) => `/${name}`), ...files, "/clients/export"];

/** The pages of the dashboard and of the control plane, and no start of a login. One area and one fault are enough. */
function isOfDashboard(path: string): boolean {
  if (/^\/session\?|\barea=(?!userinfo|1)\w|^\/misbehaviours\/(?!userinfo\.sub_other)\w+\./.test(path)) {
    return false;
  }
  return new RegExp(`^/(_postern(\\?call=(login|removePerson|reset))?|(${pages.join("|")})([/?].*)?)?$`).test(
    path,
  );
}

/** What the server would not be any more after a change. */
async function describeState({ as, browser }: Situation): Promise<string> {
  const read = async (path: string) => await (await browser.send(path)).text();
  const { now, frozen } = as.clock;
  return JSON.stringify([await read("/people/export"), await read("/clients/export"), now, frozen]);
}

/** The application has the cookies of the browser, and no pass. */
function replayTo({ browser }: Situation, sendsForms: boolean): Promise<Replayed[]> {
  const program = drive(browser.answer);
  return replay(program.send, {
    ...{ cookie: browser.cookies(), origin, starts, sendsForms, isOf: isOfDashboard },
  });
}

function requireNoSecrets(answers: readonly Replayed[], secrets: readonly string[]): void {
  for (const { request, headers, text } of answers) {
    assertEquals(headers.get("content-disposition"), null, request);
    assertEquals(passesOf(text), [], request);
    // Elements may divide a token.
    for (const each of [text, text.replace(/<[^>]*>/g, "")]) {
      for (const secret of secrets) assertFalse(each.includes(secret), request);
      assertFalse(jwtText.test(each), request);
    }
  }
  const opened = answers.filter(({ request, status }) => request.startsWith("GET") && status === 200);
  assert(opened.length > 20, `${opened.length} pages, of ${answers.length} answers`);
}

for (const [name, terms] of Object.entries(situations)) {
  test(`replayed cookies: they show no code and no token, give no file, and change nothing: ${name}`, () =>
    withSituation(terms, async (situation) => {
      const before = await describeState(situation);
      const answers = await replayTo(situation, true);
      requireNoSecrets(answers, situation.secrets);
      for (const { request, status } of answers) {
        // The playground only says what the server would answer.
        if (/^POST (?!\/playground)/.test(request)) assert(status >= 400, `${request}: ${status}`);
      }
      assertEquals(await describeState(situation), before);
    }));
}

test("replayed cookies: the person sees codes and tokens with a script, and without one", () =>
  withSituation(situations["postern start --control TOKEN"]!, async ({ browser, secrets }) => {
    const withScript = await (await browser.send("/inspector")).text();
    const ids = [...withScript.matchAll(/href="(\/inspector\/[\w-]{12})"/g)].map(([, path]) => path!);
    const shown = await Promise.all(ids.map(async (path) => await (await browser.send(path)).text()));
    for (const secret of secrets) {
      assert(shown.map((html) => textOf(readHtml(html))).join().includes(secret));
    }
    // Each page has the form of its links, and each answer to it has the form again.
    browser.openTab();
    let html = await (await browser.post("/session", { key, next: "/inspector" })).text();
    const found = new Set<string>();
    for (const path of ids) {
      const button = findAll(readHtml(html), "button").find((each) =>
        each.attributes.get("formaction") === path
      );
      if (button === undefined) continue;
      const page = await browser.post(path, fieldsOf(html, "carry"));
      const exchange = await page.text();
      for (const secret of secrets) if (textOf(readHtml(exchange)).includes(secret)) found.add(secret);
      html = await (await browser.post("/inspector", fieldsOf(exchange, "carry"))).text();
    }
    assertEquals(found.size, secrets.length);
  }));

test("replayed cookies: without a control token, they show no code and no token either", () =>
  withSituation({ isReached: false, control: { open: false } }, async (situation) => {
    // Every program on this machine may change such a server.
    requireNoSecrets(await replayTo(situation, false), situation.secrets);
  }));

test("replayed cookies: that of the walk finds neither its code nor its tokens, and presses no button", async () => {
  const browser = openPlain({ login: "auto" });
  let path = "/start?client_id=demo";
  const open = async () => {
    const response = await browser.send(path);
    path = pathOf(response.headers.get("location") ?? path);
    return response;
  };
  let response = await open();
  while (response.status === 303) response = await open();
  const authorized = await response.text();
  const code = new URL(path, origin).searchParams.get("code")!;
  const [, walk = ""] = /name="walk" value="([^"]+)"/.exec(authorized) ?? [];
  const pressed = await browser.post("/authorized/walk", { walk, step: "exchange" });
  path = pathOf(pressed.headers.get("location")!);
  const shown = await (await browser.send(path)).text();
  const tokens = shown.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? [];
  assert(tokens.length > 0);
  assert(/_browser_/.test(browser.cookies()));

  const answers = await replay(drive(browser.answer).send, {
    ...{ cookie: browser.cookies(), origin, sendsForms: true },
    starts: [...starts, "/authorized", "/authorized/walk", "/search?q=walk"],
    isOf: (each) => isOfDashboard(each) || /^\/authorized/.test(each),
  });
  requireNoSecrets(answers, [code, ...tokens]);
  const taken = answers.filter(({ request, status }) => /^POST \/authorized/.test(request) && status < 400);
  assertEquals(taken, []);
  assertEquals(await (await browser.send(path)).text().then((html) => html.includes(tokens[0]!)), true);
});

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, origin);
  return pathname + search;
}

/** The hidden fields of the form with this id. */
function fieldsOf(html: string, id: string): Record<string, string> {
  const form = findAll(readHtml(html), "form").find(({ attributes }) => attributes.get("id") === id)!;
  return Object.fromEntries(
    findAll(form, "input").map(({ attributes }) => [attributes.get("name")!, attributes.get("value")!]),
  );
}

/** Every page of a server, in each state that people see, with what it is for. Tests and pictures take their pages here. */

import type { Page } from "playwright-core";
import { challenge, encodeForm, type Params } from "../world.ts";
import { hostileJwt } from "./hostile_jwt.ts";
import { logIn, runClients } from "./run_clients.ts";
import { giveKey } from "./sign_in.ts";
import type { SiteName } from "./sites.ts";
import { inspectorKey } from "./start_server.ts";

/** Where the clients of the table are. */
export const clientOrigin = "http://localhost:3000";

/** A browser without cookies at a new server. */
export interface Visitor {
  readonly page: Page;
  readonly issuer: string;
  /** Parameters that each address gets besides its own. */
  readonly params?: Readonly<Record<string, string>>;
}

export interface PageState {
  readonly name: string;
  /** The server on which the page is opened. Default: demo. */
  readonly site?: SiteName;
  /** What the page is for. */
  readonly purpose: string;
  /** An element that only this page has. */
  readonly has: string;
  /** The script that would leave the page. People see the page only without it. */
  readonly without?: string;
  /** The state at whose page this one begins. */
  readonly from?: string;
  /** A state after which this one can be opened at the same server, although it needs none. */
  readonly beside?: string;
  open(visitor: Visitor): Promise<void>;
}

async function go({ page, issuer, params = {} }: Visitor, path: string): Promise<void> {
  const url = new URL(issuer + path);
  for (const [name, value] of Object.entries(params)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  }
  await page.goto(url.href);
}

async function start(visitor: Visitor, client = "demo"): Promise<void> {
  await go(visitor, `/start?client_id=${client}`);
}

/** Opens an authorization request of a client with its own redirect URI. */
async function authorize(visitor: Visitor, changed: Params = {}): Promise<void> {
  const params = {
    response_type: "code",
    client_id: "shop",
    redirect_uri: "http://localhost:3000/callback",
    scope: "openid profile email orders",
    state: "af0ifjsldkj",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changed,
  };
  await go(visitor, `/oauth2/authorize?${encodeForm(params)}`);
}

/** Loads the page again. The script of a page that changed its stage may do so first, and then this load is aborted. */
async function reload({ page }: Visitor): Promise<void> {
  await page.reload().catch((error: Error) => {
    if (!error.message.includes("ERR_ABORTED")) throw error;
  });
}

async function press({ page }: Visitor, selector: string): Promise<void> {
  await page.locator(selector).first().click();
}

/** Begins a device login, and returns its user code. */
async function beginDevice({ issuer }: Visitor): Promise<string> {
  const body = new URLSearchParams({ client_id: "my-cli", scope: "openid profile read" });
  const response = await fetch(`${issuer}/oauth2/device_authorization`, { method: "POST", body });
  return (await response.json()).user_code;
}

async function typeCode(visitor: Visitor, code: string): Promise<void> {
  await go(visitor, "/device");
  await visitor.page.locator("#user-code").fill(code);
  await press(visitor, "#continue");
}

async function choose(visitor: Visitor, username: string): Promise<void> {
  await press(visitor, `button[name=person][value=${username}]`);
}

/** Goes through a flow that ends on this server. */
async function approve(visitor: Visitor): Promise<void> {
  await start(visitor);
  await choose(visitor, "alice");
  await press(visitor, "#approve");
}

/** Takes a step with the tokens of a flow. */
async function step(visitor: Visitor, name: string, number: number): Promise<void> {
  await press(visitor, `#${name}`);
  await visitor.page.waitForURL(`**/authorized/walk?id=*&step=${number}`);
}

/** Takes a text apart in the playground. */
async function read(visitor: Visitor, text: string): Promise<void> {
  await go(visitor, "/playground/read");
  await visitor.page.locator("#pasted").fill(text);
  await press(visitor, "#take-apart");
}

const front: readonly PageState[] = [
  {
    name: "home-signed-in",
    purpose: "Says who is signed in at this browser",
    has: "#signed-in",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/");
    },
  },
  {
    name: "home-configured",
    site: "shop",
    purpose: "Lists the clients and people of the configuration, and says why one cannot start",
    has: "#clients",
    open: (visitor) => go(visitor, "/"),
  },
  {
    name: "resource",
    purpose: "Says what the small API of this server is, and how to call it",
    has: "#challenge",
    open: (visitor) => go(visitor, "/resource"),
  },
  {
    name: "resource-called",
    from: "resource",
    purpose: "Shows a call of the API with a new token, and its answer",
    has: "#trial-response",
    open: (visitor) => press(visitor, "#try"),
  },
  {
    name: "not-found",
    beside: "resource-called",
    purpose: "Says that nothing is at this address",
    has: "#home",
    open: (visitor) => go(visitor, "/nowhere?state=secret"),
  },
];

const people: readonly PageState[] = [
  {
    name: "sign-in",
    purpose: "Asks who signs in to the client",
    has: "button[name=person]",
    open: (visitor) => start(visitor),
  },
  {
    name: "sign-in-new-client",
    beside: "not-found",
    purpose: "Asks who signs in, and warns about a client that is used for the first time",
    has: "#unverified",
    open: (visitor) => authorize(visitor, { client_id: "my-app" }),
  },
  {
    name: "sign-in-mixed",
    beside: "refused-long",
    site: "shop",
    purpose: "Asks who signs in; one person has a password, one a long name",
    has: "#password",
    open: (visitor) => authorize(visitor),
  },
  {
    name: "sign-up",
    beside: "sign-in-mixed",
    site: "shop",
    purpose: "Asks a new person for a username and a password",
    has: "#sign-up",
    open: (visitor) => authorize(visitor, { prompt: "create", login_hint: "erin@example.com" }),
  },
  {
    name: "sign-in-crowd",
    site: "crowd",
    purpose: "Asks who of many people signs in",
    has: "button[name=person]",
    open: (visitor) => start(visitor),
  },
  {
    name: "accounts",
    from: "client",
    purpose: "Asks with which of two signed-in accounts to go on",
    has: "#another-person",
    async open(visitor) {
      await start(visitor);
      await press(visitor, "#change-person");
      await choose(visitor, "bob");
      await start(visitor);
    },
  },
  {
    name: "second-factor",
    purpose: "Asks for the code of the second factor",
    has: "[autocomplete=one-time-code]",
    async open(visitor) {
      await authorize(visitor, { client_id: "my-app", acr_values: "mfa" });
      await choose(visitor, "alice");
    },
  },
  {
    name: "consent",
    from: "sign-in",
    purpose: "Asks whether the client may have what it asks for",
    has: "#approve",
    open: (visitor) => choose(visitor, "alice"),
  },
  {
    name: "consent-long",
    beside: "sign-in-mixed",
    site: "shop",
    purpose: "Asks for consent with long names, many scopes, resources and single claims",
    has: "#approve",
    async open(visitor) {
      await authorize(visitor, {
        client_id: "procurement-and-expenses-workspace-production",
        redirect_uri:
          "https://procurement.extraordinarily-long-subdomain.internal.example.org/workspace/callback",
        scope: "openid profile email orders orders:write offline_access " +
          "urn:example:northern-europe:procurement:expenses:approve",
        resource: "https://api.example.com/orders",
        claims: JSON.stringify({ userinfo: { given_name: null, phone_number: { essential: true } } }),
      });
      await choose(visitor, "wolfeschlegelsteinhausenbergerdorff");
    },
  },
  {
    name: "consent-payments",
    site: "shop",
    purpose: "Asks for consent to two payments, which can be left out",
    has: '#authorization_details input[name="line"]',
    async open(visitor) {
      const creditorName = "The extraordinarily long name of a company in northern Europe ".repeat(3);
      await authorize(visitor, {
        client_id: "walk",
        redirect_uri: `${visitor.issuer}/authorized`,
        scope: "openid orders",
        authorization_details: JSON.stringify([
          { type: "payment_initiation", euros: 5, creditorName: "The shop" },
          { type: "payment_initiation", euros: 6000, creditorName },
        ]),
      });
      await choose(visitor, "dave");
    },
  },
  {
    name: "consent-again",
    from: "consent-payments",
    site: "shop",
    purpose: "Asks again for what the person left out, and says so",
    has: "#left-out",
    async open(visitor) {
      await start(visitor, "walk");
      await press(visitor, '#scopes input[value="orders:write"]');
      await press(visitor, "#approve");
      await visitor.page.locator("#code").waitFor();
      await start(visitor, "walk");
    },
  },
  {
    name: "device-code-wrong",
    purpose: "Says that no device waits with this code",
    has: "#problem",
    open: (visitor) => typeCode(visitor, "WDJB-MJHT"),
  },
  {
    name: "device-consent",
    from: "device-code-wrong",
    purpose: "Asks whether the device may have what it asks for, and shows its code again",
    has: "#device-warning",
    async open(visitor) {
      await typeCode(visitor, await beginDevice(visitor));
      await choose(visitor, "alice");
    },
  },
  {
    name: "sign-out",
    from: "accounts",
    purpose: "Asks before it signs a person out",
    has: "#stay",
    async open(visitor) {
      await go(visitor, "/");
      await press(visitor, "#sign-out");
    },
  },
  {
    name: "signed-out",
    from: "sign-out",
    purpose: "Says that the person is signed out",
    has: "#outcome",
    open: (visitor) => press(visitor, "#sign-out"),
  },
  {
    name: "form-post",
    from: "authorized-jwt",
    without: "form_post.js",
    purpose: "Sends the answer to the client where no script can",
    has: "#form-post",
    async open(visitor) {
      await authorize(visitor, { client_id: "another-app", response_mode: "form_post" });
      await press(visitor, "#approve");
    },
  },
  {
    name: "web-message",
    from: "form-post",
    purpose: "Says that the application continues in another window",
    has: "#web-message",
    async open(visitor) {
      await authorize(visitor, { client_id: "another-app", response_mode: "web_message" });
      await press(visitor, "#approve");
    },
  },
];

const outcomes: readonly PageState[] = [
  {
    name: "authorized-jwt",
    from: "client-first-use",
    purpose: "Shows a code that came in a JWT, and takes the JWT apart",
    has: "#response-jwt",
    async open(visitor) {
      const redirect_uri = `${visitor.issuer}/authorized`;
      await authorize(visitor, { client_id: "demo", redirect_uri, response_mode: "jwt", scope: "openid" });
      await press(visitor, "#approve");
    },
  },
  {
    name: "authorized-jwt-refused",
    beside: "sign-in-new-client",
    purpose: "Says why a client must refuse a JWT",
    has: "#response-jwt[open] table",
    async open(visitor) {
      const claims = { iss: "https://as.example", aud: "demo", exp: 1, code: "a.foreign-code", state: "s" };
      const [header, payload] = [{ alg: "RS256", kid: "k" }, claims].map((part) =>
        btoa(JSON.stringify(part)).replaceAll("=", "")
      );
      await go(visitor, `/authorized?response=${header}.${payload}.AAAA`);
    },
  },
  {
    name: "exchanged",
    from: "consent",
    purpose: "Shows the token request and its response, and explains and checks the tokens",
    has: "#decoded-id_token",
    async open(visitor) {
      await press(visitor, "#approve");
      await step(visitor, "exchange", 1);
    },
  },
  {
    name: "walk-replayed",
    from: "walk-refused",
    purpose: "Shows that a used code is refused, and which tokens ended",
    has: "#ended-tokens",
    async open(visitor) {
      await step(visitor, "refresh", 3);
      await step(visitor, "replay_code", 4);
    },
  },
  {
    name: "walk-refused",
    from: "exchanged",
    purpose: "Explains why the server refuses a step",
    has: "#meaning",
    async open(visitor) {
      const response = await visitor.page.locator("#act-response").innerText();
      await call(visitor, "/expire", { token: /"access_token":\s*"([^"]+)"/.exec(response)![1] });
      await step(visitor, "userinfo", 2);
    },
  },
  {
    name: "authorized-elsewhere",
    from: "consent-again",
    site: "shop",
    purpose: "Asks for the verifier of a flow that another application began",
    has: "#verifier",
    async open(visitor) {
      const { page, issuer } = visitor;
      await authorize(visitor, { client_id: "walk", redirect_uri: `${issuer}/authorized`, scope: "openid" });
      await page.locator("#approve").or(page.locator("#code")).first().waitFor();
      if (await page.locator("#approve").count() > 0) await press(visitor, "#approve");
    },
  },
  {
    name: "failed-challenge",
    beside: "authorized-jwt-refused",
    purpose: "Says what was wrong with the request",
    has: "#change",
    open: (visitor) =>
      authorize(visitor, {
        client_id: "walk",
        redirect_uri: `${visitor.issuer}/authorized`,
        code_challenge: "short",
      }),
  },
];

const refusals: readonly PageState[] = [
  {
    name: "refused-pkce",
    beside: "failed-challenge",
    purpose: "Says that the request of a new client lacks PKCE, and where the answer would have gone",
    has: "#would-have-gone-to",
    open: (visitor) =>
      authorize(visitor, {
        client_id: "my-app",
        code_challenge: undefined,
        code_challenge_method: undefined,
      }),
  },
  {
    name: "refused-long",
    beside: "clients",
    site: "shop",
    purpose: "Shows a received value that is much too long",
    has: "#received",
    open: (visitor) => authorize(visitor, { redirect_uri: `https://app.example/${"segment/".repeat(200)}` }),
  },
  {
    name: "answered-before",
    purpose: "Says that this request has been answered",
    has: "#start-again",
    async open(visitor) {
      await approve(visitor);
      await visitor.page.waitForURL("**/authorized?**");
      await visitor.page.goBack();
    },
  },
  {
    name: "wrong-method-program",
    beside: "refused-pkce",
    purpose: "Says that applications send their requests to this address",
    has: "#programs",
    open: (visitor) => go(visitor, "/oauth2/token"),
  },
];

const control: readonly PageState[] = [
  {
    name: "control-calls",
    beside: "session-wrong",
    purpose: "Explains a call, and sends it",
    has: "#send",
    open: (visitor) => go(visitor, "/_postern?call=login"),
  },
  {
    name: "control-locked",
    site: "locked",
    purpose: "Says that the control plane needs its token",
    has: "#commands",
    open: (visitor) => go(visitor, "/_postern"),
  },
  {
    name: "examine",
    purpose: "Examines a client that a person signs in to",
    has: "#choose",
    open: (visitor) => go(visitor, "/misbehaviours/examine"),
  },
  {
    name: "examine-running",
    from: "examine",
    purpose: "Shows what a client did with a wrong answer",
    has: "#proven",
    async open(visitor) {
      await press(visitor, "#choose");
      await call(visitor, "/login", { client: "demo" });
      await press(visitor, "#success");
      const current = visitor.page.locator("#current");
      while (!(await current.innerText()).includes("iss_wrong")) await press(visitor, "#skip");
      await press(visitor, "#switch_on");
      await call(visitor, "/login", { client: "demo" });
      await reload(visitor);
    },
  },
  {
    name: "examine-offer",
    from: "examine-running",
    purpose: "Offers the next misbehaviour, and shows what came of each so far",
    has: "#verdicts",
    open: (visitor) => press(visitor, "#proven"),
  },
  {
    name: "card",
    from: "examine-offer",
    purpose: "Shows the verdicts about a client, each with the requests that show it",
    has: "#downloads",
    open: (visitor) => press(visitor, "#open-card"),
  },
];

const dashboard: readonly PageState[] = [
  {
    name: "playground",
    beside: "wrong-method-program",
    purpose: "Builds a request, and says what the server would answer",
    has: "#start",
    open: (visitor) => go(visitor, "/playground"),
  },
  {
    name: "playground-refused",
    site: "plain",
    purpose: "Says what is wrong with a request before it is sent",
    has: "#check[data-outcome=refused]",
    open: (visitor) =>
      go(visitor, "/playground?kind=authorize&client_id=demo&redirect_uri=http://localhost:3000/callbakc"),
  },
  {
    name: "playground-tokens-shown",
    from: "entry-tokens",
    purpose: "Shows the tokens themselves to a person with the key",
    has: "#pasted-id_token-token-raw",
    async open(visitor) {
      await read(visitor, JSON.stringify(await logIn(visitor.issuer)));
    },
  },
  {
    name: "playground-hostile-token",
    beside: "playground",
    purpose: "Shows a JWT that fails, with many, long, deep and hidden members",
    has: "[data-check=signature][data-result=failed]",
    open: (visitor) => read(visitor, hostileJwt()),
  },
  {
    name: "inspector",
    purpose: "Shows what clients have asked for, and what was refused and why",
    has: "#requests",
    async open(visitor) {
      await runClients(visitor.issuer);
      await approve(visitor);
      await go(visitor, "/inspector");
    },
  },
  {
    name: "inspector-from-elsewhere",
    beside: "playground-hostile-token",
    purpose: "Says that a link of another site led here",
    has: "#show-journal",
    async open(visitor) {
      await visitor.page.goto(`data:text/html,<a href="${visitor.issuer}/inspector">The journal</a>`);
      await press(visitor, "a");
      await visitor.page.waitForURL(`${visitor.issuer}/inspector`);
    },
  },
  {
    name: "exchange-of-login",
    from: "compared",
    purpose: "Says why a step of a login was refused, among the other steps",
    has: ".entry",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector");
      await press(visitor, ".band:has(.refused) summary");
      await press(visitor, ".band tr.refused td:nth-child(7) > a:visible");
    },
  },
  {
    name: "exchange-again",
    from: "search",
    purpose: "Asks what to change in a request before it is sent again",
    has: "#send-again",
    async open(visitor) {
      await go(visitor, "/inspector?q=reason:secret_wrong");
      await press(visitor, ".requests a[href*='/inspector/']:visible");
      await press(visitor, "[role=tab] >> text=As curl");
      await press(visitor, "#edit");
    },
  },
  {
    name: "entry-tokens",
    from: "exchange-of-login",
    purpose: "Explains the tokens of a request, with their checks, owners and states",
    has: "#entry-tokens [data-check=signature]",
    async open(visitor) {
      await giveKey(visitor.page, visitor.issuer, inspectorKey);
      await go(visitor, "/inspector?q=endpoint:token+outcome:ok&open=all");
      await press(visitor, ".requests td:nth-child(5) > a:visible");
      await press(visitor, "#entry-tokens-tab");
    },
  },
  {
    name: "compared",
    from: "exchange-again",
    purpose: "Shows the tokens of two requests side by side, with their difference",
    has: "tr[data-difference=changed] ins",
    open: (visitor) => go(visitor, "/inspector/compare?token=access_token"),
  },
  {
    name: "diagram",
    from: "inspector",
    purpose: "Draws a flow as a sequence of arrows",
    has: "main a",
    async open(visitor) {
      await go(visitor, "/inspector?open=all");
      await press(visitor, ".band a[href*=diagram]");
    },
  },
  {
    name: "session-wrong",
    beside: "inspector-from-elsewhere",
    purpose: "Says that the key is another one",
    has: "#key-problem",
    async open(visitor) {
      await go(visitor, "/session");
      await visitor.page.locator("#key").fill("a wrong key");
      await press(visitor, "#send-key");
    },
  },
  {
    name: "search",
    from: "diagram",
    purpose: "Finds clients, people, rules and requests",
    has: "#q",
    open: (visitor) => go(visitor, "/search?q=demo"),
  },
];

const directory: readonly PageState[] = [
  {
    name: "people",
    beside: "home-configured",
    site: "shop",
    purpose: "Shows who can sign in",
    has: "#add",
    open: (visitor) => go(visitor, "/people"),
  },
  {
    name: "people-crowd",
    beside: "sign-in-crowd",
    site: "crowd",
    purpose: "Shows the first of many people",
    has: "#people",
    open: (visitor) => go(visitor, "/people"),
  },
  {
    name: "person",
    from: "home-signed-in",
    purpose: "Shows where a person is signed in, and what clients may do for them",
    has: "#grants",
    open: (visitor) => go(visitor, "/people/person?username=alice"),
  },
  {
    name: "person-edit",
    beside: "people",
    site: "shop",
    purpose: "Says why the changes of a person were not accepted",
    has: "#problem",
    async open(visitor) {
      await go(visitor, "/people/person?username=carol");
      await press(visitor, "#edit > summary");
      await visitor.page.locator("#claims").fill("{ roles: admin }");
      await press(visitor, "#save");
    },
  },
  {
    name: "clients",
    beside: "person-edit",
    site: "shop",
    purpose: "Shows which applications can request tokens, and why some cannot start",
    has: "#clients",
    open: (visitor) => go(visitor, "/clients"),
  },
  {
    name: "client",
    from: "person",
    purpose: "Shows how a client authenticates, where its answers go, and whose grants it has",
    has: "#grants",
    open: (visitor) => go(visitor, "/clients/client?id=demo"),
  },
  {
    name: "client-first-use",
    from: "answered-before",
    purpose: "Shows a client that a person has approved, and the configuration that keeps it",
    has: "#remedy",
    async open(visitor) {
      await authorize(visitor, { client_id: "my-app", redirect_uri: `${visitor.issuer}/authorized` });
      await press(visitor, "#approve");
      await visitor.page.waitForURL("**/authorized?**");
      await go(visitor, "/clients/client?id=my-app");
    },
  },
];

/** Switches things on over HTTP, as a test does. */
async function call(
  { page, issuer }: Visitor,
  path: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await page.request.post(`${issuer}/_postern${path}`, { data });
}

const wrong: readonly PageState[] = [
  {
    name: "misbehaviours-on",
    beside: "look-alikes",
    site: "wrong",
    purpose: "Shows what is on, each with its verdict, and ends it",
    has: "#restore",
    async open(visitor) {
      await call(visitor, "/gates", { endpoint: "token", kind: "hold" });
      await call(visitor, "/clock", { advance: "1h" });
      await go(visitor, "/misbehaviours");
    },
  },
  {
    name: "misbehaviours-found",
    beside: "control-calls",
    purpose: "Lists the misbehaviours of the largest area, by level",
    has: "#found tbody",
    open: (visitor) => go(visitor, "/misbehaviours?area=access_token"),
  },
  {
    name: "misbehaviours-read-only",
    beside: "playground-refused",
    site: "plain",
    purpose: "Explains the misbehaviours, and names the flag that lets the page switch them on",
    has: "#read-only",
    open: (visitor) => go(visitor, "/misbehaviours"),
  },
  {
    name: "misbehaviour-on",
    beside: "misbehaviour-of-api",
    purpose: "Shows that a client was fooled, with the requests that prove it",
    has: "[data-outcome=fooled]",
    async open(visitor) {
      await call(visitor, "/misbehaviours", { name: "authorization_response.iss_wrong", client: "demo" });
      await call(visitor, "/login", { client: "demo" });
      await go(visitor, "/misbehaviours/authorization_response.iss_wrong");
    },
  },
  {
    name: "misbehaviour-refused",
    beside: "misbehaviours-found",
    purpose: "Says why the form was not obeyed",
    has: "#problem",
    async open(visitor) {
      await go(visitor, "/misbehaviours/id_token.nonce_wrong");
      await visitor.page.locator("#times").fill("soon");
      await press(visitor, "#switch_on");
    },
  },
  {
    name: "misbehaviour-of-api",
    beside: "misbehaviour-refused",
    purpose: "Explains a fault of a request to an API, with the command that sends it",
    has: "#elsewhere",
    open: (visitor) => go(visitor, "/misbehaviours/proof.replayed"),
  },
  {
    name: "clock",
    beside: "misbehaviour-on",
    purpose: "Shows the time of the server, and turns it",
    has: "#server-time",
    async open(visitor) {
      await call(visitor, "/clock", { freeze: "2030-01-01T12:00:00Z" });
      await go(visitor, "/misbehaviours/clock");
    },
  },
  {
    name: "gates",
    beside: "clock",
    purpose: "Shows which requests wait, come late, fail or get lost, and closes a gate",
    has: "#gate-1",
    async open(visitor) {
      await call(visitor, "/gates", { endpoint: "token", kind: "hold" });
      await call(visitor, "/gates", {
        endpoint: "userinfo",
        kind: "fail",
        status: 500,
        retryAfter: "2s",
        count: 3,
      });
      await go(visitor, "/misbehaviours/gates");
    },
  },
  {
    name: "look-alikes",
    site: "wrong",
    purpose: "Says which provider the server answers like now, and how each differs",
    has: "#look_alike-1",
    open: (visitor) => go(visitor, "/misbehaviours/look_alikes?provider=github"),
  },
];

export const everyPage: readonly PageState[] = [
  ...front,
  ...people,
  ...outcomes,
  ...refusals,
  ...dashboard,
  ...directory,
  ...wrong,
  ...control,
];

/** The states in the order in which one person can open them at one server, for each server. */
export function listTours(): readonly (readonly PageState[])[] {
  const follow = (state: PageState): readonly PageState[] => {
    const next = everyPage.find(({ from, beside }) => (from ?? beside) === state.name);
    return [state, ...next === undefined ? [] : follow(next)];
  };
  return everyPage.filter(({ from, beside }) => from === undefined && beside === undefined).map(follow);
}

/** Opens the page of a visitor who has seen nothing, and makes sure that it is the right one. */
export async function openPage(state: PageState, visitor: Visitor): Promise<void> {
  const before = everyPage.find(({ name }) => name === state.from);
  if (before !== undefined) await openPage(before, visitor);
  await openNext(state, visitor);
}

/** Opens the page at the end of a tour that has come to the state before. */
export async function openNext({ open, has, name, without }: PageState, visitor: Visitor): Promise<void> {
  // the application of the client, which no state needs
  await visitor.page.route(`${clientOrigin}/**`, (route) => route.fulfill({ body: "The client" }));
  if (without !== undefined) {
    await visitor.page.route(`**/${without}`, (route) => route.fulfill({ contentType: "text/javascript" }));
  }
  await open(visitor);
  await visitor.page.waitForLoadState();
  await visitor.page.locator(has).first().waitFor({ state: "attached", timeout: 10_000 }).catch(() => {
    throw new Error(`The page ${name} has no ${has} at ${visitor.page.url()}`);
  });
}

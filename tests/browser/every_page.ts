/** Every page of a server, in each state that people see, with what it is for. Tests and pictures take their pages here. */

import type { Page } from "playwright-core";
import { challenge, encodeForm, type Params } from "../world.ts";
import { hostileJwt } from "./hostile_jwt.ts";
import { logIn, runClients } from "./run_clients.ts";
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
  /** What a person does next. */
  readonly next: string;
  /** An element that only this page has. */
  readonly has: string;
  /** The script that would leave the page. People see the page only without it. */
  readonly without?: string;
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

async function openDeviceConsent(visitor: Visitor): Promise<void> {
  await typeCode(visitor, await beginDevice(visitor));
  await choose(visitor, "alice");
}

async function choose(visitor: Visitor, username: string): Promise<void> {
  await press(visitor, `button[name=person][value=${username}]`);
}

async function signIn(visitor: Visitor, username: string, password: string): Promise<void> {
  await visitor.page.locator("#username").fill(username);
  await visitor.page.locator("#password").fill(password);
  await press(visitor, "#sign-in");
}

/** Goes through a flow that ends on this server. */
async function approve(visitor: Visitor, { client = "demo", as = "alice" } = {}): Promise<void> {
  await start(visitor, client);
  await choose(visitor, as);
  await press(visitor, "#approve");
}

/** Exchanges the code of a flow, and presses these buttons. */
async function walk(visitor: Visitor, steps: readonly string[]): Promise<void> {
  await approve(visitor);
  for (const [at, step] of ["exchange", ...steps].entries()) {
    await press(visitor, `#${step}`);
    await visitor.page.waitForURL(`**/authorized/walk?id=*&step=${at + 1}`);
  }
}

/** Takes a text apart in the playground. */
async function read(visitor: Visitor, text: string): Promise<void> {
  await go(visitor, "/playground/read");
  await visitor.page.locator("#pasted").fill(text);
  await press(visitor, "#take-apart");
}

async function readTokens(visitor: Visitor): Promise<void> {
  await read(visitor, JSON.stringify(await logIn(visitor.issuer)));
}

async function giveKey(visitor: Visitor): Promise<void> {
  await go(visitor, `/inspector#key=${inspectorKey}`);
  await visitor.page.locator("#key").waitFor({ state: "detached" });
}

async function turnClock({ page, issuer }: Visitor, advance: string): Promise<void> {
  await page.request.post(`${issuer}/_postern/clock`, { data: { advance } });
}

const front: readonly PageState[] = [
  {
    name: "home",
    purpose: "Says which server this is, and offers its clients and addresses",
    next: "Start a flow, or copy the issuer",
    has: "#clients",
    open: (visitor) => go(visitor, "/"),
  },
  {
    name: "home-signed-in",
    purpose: "Says who is signed in at this browser",
    next: "Sign out, or start another flow",
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
    next: "Start a flow of a client",
    has: "#clients",
    open: (visitor) => go(visitor, "/"),
  },
  {
    name: "home-wrong",
    site: "wrong",
    purpose: "Warns that this server is wrong on purpose",
    next: "Read which misbehaviours are on",
    has: "#misbehaving",
    open: (visitor) => go(visitor, "/"),
  },
  {
    name: "resource",
    purpose: "Says what the small API of this server is, and how to call it",
    next: "Start a flow for a token of the API",
    has: "#challenge",
    open: (visitor) => go(visitor, "/resource"),
  },
  {
    name: "not-found",
    purpose: "Says that nothing is at this address",
    next: "Go to the front page",
    has: "#home",
    open: (visitor) => go(visitor, "/nowhere?state=secret"),
  },
];

const people: readonly PageState[] = [
  {
    name: "sign-in",
    purpose: "Asks who signs in to the client",
    next: "Press the button of a person",
    has: "button[name=person]",
    open: (visitor) => start(visitor),
  },
  {
    name: "sign-in-new-client",
    purpose: "Asks who signs in, and warns about a client that is used for the first time",
    next: "Press the button of a person, or deny",
    has: "#unverified",
    open: (visitor) => authorize(visitor, { client_id: "my-app" }),
  },
  {
    name: "sign-in-mixed",
    site: "shop",
    purpose: "Asks who signs in; one person has a password, one a long name",
    next: "Press the button of a person, or type a name and a password",
    has: "#password",
    open: (visitor) => authorize(visitor),
  },
  {
    name: "sign-in-password",
    site: "passwords",
    purpose: "Asks for a name and a password",
    next: "Type them",
    has: "#password",
    open: (visitor) => start(visitor),
  },
  {
    name: "wrong-password",
    site: "passwords",
    purpose: "Says that the name or the password is not right",
    next: "Type them again",
    has: "#problem",
    async open(visitor) {
      await start(visitor);
      await signIn(visitor, "carol", "wrong");
    },
  },
  {
    name: "sign-in-crowd",
    site: "crowd",
    purpose: "Asks who of many people signs in",
    next: "Find the person and press the button",
    has: "button[name=person]",
    open: (visitor) => start(visitor),
  },
  {
    name: "accounts",
    purpose: "Asks with which of two signed-in accounts to go on",
    next: "Press an account, or use another one",
    has: "#another-person",
    async open(visitor) {
      await approve(visitor);
      await start(visitor);
      await press(visitor, "#change-person");
      await choose(visitor, "bob");
      await start(visitor);
    },
  },
  {
    name: "consent",
    purpose: "Asks whether the client may have what it asks for",
    next: "Approve or deny",
    has: "#approve",
    async open(visitor) {
      await start(visitor);
      await choose(visitor, "alice");
    },
  },
  {
    name: "consent-new-client",
    purpose: "Asks for consent, and says where the answer goes and that the client is new",
    next: "Check the address, then approve or deny",
    has: "#approve",
    async open(visitor) {
      await authorize(visitor, { client_id: "my-app", scope: "read" });
      await choose(visitor, "alice");
    },
  },
  {
    name: "consent-long",
    site: "shop",
    purpose: "Asks for consent with long names, many scopes, resources and single claims",
    next: "Approve or deny",
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
    next: "Check each payment, then approve or deny",
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
    site: "shop",
    purpose: "Asks again for what the person left out, and says so",
    next: "Check what the client may have, then approve or deny",
    has: "#left-out",
    async open(visitor) {
      await start(visitor, "walk");
      await choose(visitor, "dave");
      await press(visitor, '#scopes input[value="orders:write"]');
      await press(visitor, "#approve");
      await visitor.page.locator("#code").waitFor();
      await start(visitor, "walk");
    },
  },
  {
    name: "device-code",
    purpose: "Asks for the code that a device shows",
    next: "Type the code",
    has: "#user-code",
    open: (visitor) => go(visitor, "/device"),
  },
  {
    name: "device-code-filled",
    purpose: "Shows the code of the address that a device shows, for example as a QR code",
    next: "Compare the code, then continue",
    has: "#user-code",
    open: async (visitor) => await go(visitor, `/device?user_code=${await beginDevice(visitor)}`),
  },
  {
    name: "device-code-wrong",
    purpose: "Says that no device waits with this code",
    next: "Type it again",
    has: "#problem",
    open: (visitor) => typeCode(visitor, "WDJB-MJHT"),
  },
  {
    name: "device-sign-in",
    purpose: "Asks who signs in to the device",
    next: "Press the button of a person",
    has: "button[name=person]",
    open: async (visitor) => await typeCode(visitor, await beginDevice(visitor)),
  },
  {
    name: "device-consent",
    purpose: "Asks whether the device may have what it asks for, and shows its code again",
    next: "Compare the code, then approve or deny",
    has: "#device-warning",
    open: openDeviceConsent,
  },
  {
    name: "device-approved",
    purpose: "Says that the device goes on",
    next: "Go back to the device",
    has: "#outcome",
    async open(visitor) {
      await openDeviceConsent(visitor);
      await press(visitor, "#approve");
    },
  },
  {
    name: "device-denied",
    purpose: "Says that the device gets nothing",
    next: "Go back to the device, or close the page",
    has: "#outcome",
    async open(visitor) {
      await openDeviceConsent(visitor);
      await press(visitor, "#deny");
    },
  },
  {
    name: "sign-out",
    purpose: "Asks before it signs a person out",
    next: "Sign out or stay",
    has: "#stay",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/");
      await press(visitor, "#sign-out");
    },
  },
  {
    name: "signed-out",
    purpose: "Says that the person is signed out",
    next: "Go to the front page",
    has: "#outcome",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/");
      await press(visitor, "#sign-out");
      await visitor.page.locator("#stay").waitFor();
      await press(visitor, "#sign-out");
    },
  },
  {
    name: "still-signed-in",
    purpose: "Says that nothing has changed",
    next: "Go to the front page",
    has: "#outcome",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/");
      await press(visitor, "#sign-out");
      await press(visitor, "#stay");
    },
  },
  {
    name: "form-post",
    without: "form_post.js",
    purpose: "Sends the answer to the client where no script can",
    next: "Press the button",
    has: "#form-post",
    async open(visitor) {
      await authorize(visitor, { client_id: "my-app", response_mode: "form_post" });
      await choose(visitor, "alice");
      await press(visitor, "#approve");
    },
  },
];

const outcomes: readonly PageState[] = [
  {
    name: "authorized",
    purpose: "Shows the code, and the request that changes it into tokens",
    next: "Exchange the code",
    has: "#code",
    open: (visitor) => approve(visitor),
  },
  {
    name: "authorized-confidential",
    purpose: "Shows the code of a client with a secret",
    next: "Exchange the code",
    has: "#code",
    open: (visitor) => approve(visitor, { client: "demo-confidential", as: "bob" }),
  },
  {
    name: "authorized-configured",
    site: "shop",
    purpose: "Shows the code of a configured client",
    next: "Exchange the code",
    has: "#code",
    open: (visitor) => approve(visitor, { client: "walk", as: "dave" }),
  },
  {
    name: "authorized-foreign",
    purpose: "Shows a code that this server has not issued",
    next: "Start a new authorization",
    has: "#foreign-issuer",
    open: (visitor) => go(visitor, "/authorized?code=a.foreign-code&state=s&iss=https%3A%2F%2Fas.example"),
  },
  {
    name: "authorized-jwt",
    purpose: "Shows a code that came in a JWT, and takes the JWT apart",
    next: "Exchange the code",
    has: "#response-jwt",
    async open(visitor) {
      const terms = {
        client_id: "demo",
        redirect_uri: `${visitor.issuer}/authorized`,
        response_mode: "jwt",
      };
      await authorize(visitor, { ...terms, scope: "openid" });
      await choose(visitor, "alice");
      await press(visitor, "#approve");
    },
  },
  {
    name: "authorized-jwt-refused",
    purpose: "Says why a client must refuse a JWT",
    next: "Start a new authorization",
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
    name: "authorized-expired",
    purpose: "Shows a code that has expired",
    next: "Start again",
    has: "#code",
    async open(visitor) {
      await approve(visitor);
      await turnClock(visitor, "1h");
      await reload(visitor);
    },
  },
  {
    name: "exchanged",
    purpose: "Shows the token request and its response, and explains and checks the tokens",
    next: "Use the tokens, or see a rule hold",
    has: "#decoded-id_token",
    open: (visitor) => walk(visitor, []),
  },
  {
    name: "walk-userinfo",
    purpose: "Shows what userinfo says about the person",
    next: "Press another button",
    has: "#userinfo",
    open: (visitor) => walk(visitor, ["userinfo"]),
  },
  {
    name: "walk-replayed",
    purpose: "Shows that a used code is refused, and which tokens ended",
    next: "Read the rule, or start again",
    has: "#ended-tokens",
    open: (visitor) => walk(visitor, ["refresh", "replay_code"]),
  },
  {
    name: "walk-tampered",
    purpose: "Shows that a wrong verifier is refused, and that the tokens still work",
    next: "Read the rule, or press another button",
    has: "#proofs",
    open: (visitor) => walk(visitor, ["tamper_verifier"]),
  },
  {
    name: "walk-refused",
    purpose: "Explains why the server refuses a step",
    next: "Start again",
    has: "#meaning",
    async open(visitor) {
      await walk(visitor, []);
      const response = await visitor.page.locator("#act-response").innerText();
      await call(visitor, "/expire", { token: /"access_token":\s*"([^"]+)"/.exec(response)![1] });
      await press(visitor, "#userinfo");
    },
  },
  {
    name: "walk-revoked",
    purpose: "Says that the tokens have ended, and offers only what still shows something",
    next: "See a refusal on purpose, or start again",
    has: "#ended-tokens",
    open: (visitor) => walk(visitor, ["revoke"]),
  },
  {
    name: "authorized-elsewhere",
    site: "shop",
    purpose: "Asks for the verifier of a flow that another application began",
    next: "Give the verifier, and exchange the code",
    has: "#verifier",
    async open(visitor) {
      const { page, issuer } = visitor;
      await authorize(visitor, { client_id: "walk", redirect_uri: `${issuer}/authorized`, scope: "openid" });
      await choose(visitor, "dave");
      await page.locator("#approve").or(page.locator("#code")).first().waitFor();
      if (await page.locator("#approve").count() > 0) await press(visitor, "#approve");
    },
  },
  {
    name: "failed-denied",
    purpose: "Explains that the person said no",
    next: "Start again",
    has: "#error",
    async open(visitor) {
      await start(visitor);
      await choose(visitor, "alice");
      await press(visitor, "#deny");
    },
  },
  {
    name: "failed-scope",
    purpose: "Explains an error of the request",
    next: "Change the request",
    has: "#error",
    open: (visitor) =>
      go(
        visitor,
        `/authorized?${
          encodeForm({
            error: "invalid_scope",
            error_description: "The scope pay is not supported",
            state: "s",
          })
        }`,
      ),
  },
  {
    name: "failed-empty",
    purpose: "Says that this address was opened without an answer",
    next: "Start a flow",
    has: "#meaning",
    open: (visitor) => go(visitor, "/authorized"),
  },
];

const refusals: readonly PageState[] = [
  {
    name: "refused-redirect-uri",
    site: "shop",
    purpose: "Says that the client has another redirect URI, and what to configure",
    next: "Copy the configuration, or correct the client",
    has: "#received",
    open: (visitor) => authorize(visitor, { redirect_uri: "http://localhost:3000/callback/" }),
  },
  {
    name: "refused-client",
    site: "shop",
    purpose: "Says that the client is not configured",
    next: "Copy the configuration, or correct the client_id",
    has: "#received",
    open: (visitor) => authorize(visitor, { client_id: "shopp" }),
  },
  {
    name: "refused-first-use",
    purpose: "Says why a client with a foreign redirect URI is not accepted",
    next: "Copy the configuration",
    has: "#expected",
    open: (visitor) => authorize(visitor, { client_id: "newcomer", redirect_uri: "https://app.example/cb" }),
  },
  {
    name: "refused-pkce",
    purpose: "Says that the request of a new client lacks PKCE, and where the answer would have gone",
    next: "Send a code_challenge",
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
    site: "shop",
    purpose: "Shows a received value that is much too long",
    next: "Correct the client",
    has: "#received",
    open: (visitor) => authorize(visitor, { redirect_uri: `https://app.example/${"segment/".repeat(200)}` }),
  },
  {
    name: "answered-before",
    purpose: "Says that this request has been answered",
    next: "Start the same request again",
    has: "#start-again",
    async open(visitor) {
      await approve(visitor);
      await visitor.page.waitForURL("**/authorized?**");
      await visitor.page.goBack();
    },
  },
  {
    name: "tampered-form",
    purpose: "Says that the form was changed on its way",
    next: "Start again from the application",
    has: "#description",
    async open(visitor) {
      await start(visitor);
      await visitor.page.evaluate(() => {
        for (const input of document.querySelectorAll<HTMLInputElement>("input[name=request]")) {
          input.value = `${input.value.startsWith("x") ? "y" : "x"}${input.value.slice(1)}`;
        }
      });
      await choose(visitor, "alice");
    },
  },
  {
    name: "expired-form",
    purpose: "Says that the form is too old",
    next: "Start again from the application",
    has: "#description",
    async open(visitor) {
      await start(visitor);
      await turnClock(visitor, "2h");
      await choose(visitor, "alice");
    },
  },
  {
    name: "wrong-method",
    purpose: "Says that this address is only for the form of a page",
    next: "Start again from the application",
    has: "#description",
    open: (visitor) => go(visitor, "/oauth2/sign_in"),
  },
  {
    name: "wrong-method-program",
    purpose: "Says that applications send their requests to this address",
    next: "Send the request from the application",
    has: "#programs",
    open: (visitor) => go(visitor, "/oauth2/token"),
  },
];

/** Examines an application that accepts everything, until its requests prove that. */
async function examineUntilProven(visitor: Visitor): Promise<void> {
  await go(visitor, "/misbehaviours/examine");
  await press(visitor, "#choose");
  await call(visitor, "/login", { client: "demo" });
  await press(visitor, "#success");
  const current = visitor.page.locator("#current");
  while (!(await current.innerText()).includes("iss_wrong")) await press(visitor, "#skip");
  await press(visitor, "#switch_on");
  await call(visitor, "/login", { client: "demo" });
  await reload(visitor);
}

async function examineOne(visitor: Visitor): Promise<void> {
  await examineUntilProven(visitor);
  await press(visitor, "#proven");
}

const control: readonly PageState[] = [
  {
    name: "control",
    purpose: "Lists the calls of the control plane",
    next: "Open a call",
    has: "#rule",
    open: (visitor) => go(visitor, "/_postern"),
  },
  {
    name: "control-calls",
    purpose: "Explains the calls of a group",
    next: "Copy the example of a call",
    has: "#login",
    open: (visitor) => go(visitor, "/_postern?calls=sign_in&call=login#login"),
  },
  {
    name: "control-locked",
    site: "locked",
    purpose: "Says that the control plane needs its token",
    next: "Copy a command with the token",
    has: "#commands",
    open: (visitor) => go(visitor, "/_postern"),
  },
  {
    name: "examine",
    purpose: "Examines an application that a person logs in to",
    next: "Choose what to examine",
    has: "#choose",
    open: (visitor) => go(visitor, "/misbehaviours/examine"),
  },
  {
    name: "examine-running",
    purpose: "Shows what an application did with a wrong answer",
    next: "Take the verdict, or say what the application showed",
    has: "#proven",
    open: examineUntilProven,
  },
  {
    name: "examine-offer",
    purpose: "Offers the next misbehaviour, and shows what came of each so far",
    next: "Sign out of the application, and switch the next one on",
    has: "#verdicts",
    open: examineOne,
  },
  {
    name: "examine-stopped",
    purpose: "Says how far the examination is, while the server is right",
    next: "Go on",
    has: "#go_on",
    async open(visitor) {
      await examineOne(visitor);
      await press(visitor, "#stop");
    },
  },
  {
    name: "examine-ended",
    purpose: "Says that a reset of the server ended the examination, and after how many",
    next: "Open the card, or start over",
    has: "#restart",
    async open(visitor) {
      await examineOne(visitor);
      await call(visitor, "/reset", {});
      await reload(visitor);
    },
  },
  {
    name: "card",
    purpose: "Shows the verdicts about an application, each with the requests that show it",
    next: "Read what failed, or download the card",
    has: "#downloads",
    async open(visitor) {
      await examineOne(visitor);
      await press(visitor, "#open-card");
    },
  },
  {
    name: "examine-locked",
    site: "locked",
    purpose: "Says what an examination is, and that it needs the token of the control plane",
    next: "Follow the link, and type the token",
    has: "#give-token",
    open: (visitor) => go(visitor, "/misbehaviours/examine"),
  },
  {
    name: "token",
    site: "locked",
    purpose: "Asks for the token of the control plane",
    next: "Type the token",
    has: "#key",
    async open(visitor) {
      await go(visitor, "/_postern");
      await press(visitor, "#give-token");
    },
  },
];

const dashboard: readonly PageState[] = [
  {
    name: "playground",
    purpose: "Builds a request, and says what the server would answer",
    next: "Change a field, or start it",
    has: "#start",
    open: (visitor) => go(visitor, "/playground"),
  },
  {
    name: "playground-refused",
    site: "plain",
    purpose: "Says what is wrong with a request before it is sent",
    next: "Make the one change, or copy the configuration",
    has: "#check[data-outcome=refused]",
    open: (visitor) =>
      go(visitor, "/playground?kind=authorize&client_id=demo&redirect_uri=http://localhost:3000/callbakc"),
  },
  {
    name: "playground-read",
    purpose: "Takes a pasted callback URL apart, and checks it",
    next: "Open the requests of the login, or paste another text",
    has: "[data-check=alive][data-result=passed]",
    async open(visitor) {
      await approve(visitor);
      const callback = visitor.page.url();
      await read(visitor, callback);
    },
  },
  {
    name: "playground-tokens",
    purpose: "Takes a token response apart: what each claim means, and what a reader checks",
    next: "Read what a claim means, or paste another text",
    has: "[data-check=at_hash][data-result=passed]",
    open: readTokens,
  },
  {
    name: "playground-tokens-shown",
    purpose: "Shows the tokens themselves to a person with the key",
    next: "Copy a token or its payload",
    has: "#pasted-id_token-token-raw",
    async open(visitor) {
      await giveKey(visitor);
      await readTokens(visitor);
    },
  },
  {
    name: "playground-compared",
    purpose: "Shows two pasted tokens side by side, with their difference",
    next: "Read which claims differ",
    has: "tr[data-difference=changed] ins",
    async open(visitor) {
      const [first, second] = [await logIn(visitor.issuer), await logIn(visitor.issuer, "openid")];
      await go(visitor, "/playground/read");
      await visitor.page.locator("#pasted").fill(first.access_token);
      await press(visitor, "form summary");
      await visitor.page.locator("#other").fill(second.access_token);
      await press(visitor, "#take-apart");
    },
  },
  {
    name: "playground-hostile-token",
    purpose: "Shows a JWT that fails, with many, long, deep and hidden members",
    next: "Read which check fails",
    has: "[data-check=signature][data-result=failed]",
    open: (visitor) => read(visitor, hostileJwt()),
  },
  {
    name: "playground-unreadable",
    site: "plain",
    purpose: "Says why a pasted text cannot be taken apart",
    next: "Paste the whole text",
    has: "#problem",
    open: (visitor) => read(visitor, "eyJhbGciOi"),
  },
  {
    name: "inspector-empty",
    site: "plain",
    purpose: "Shows the recorded requests, of which there are none yet",
    next: "Start a flow",
    has: "#rows",
    open: (visitor) => go(visitor, "/inspector"),
  },
  {
    name: "inspector",
    purpose: "Shows what clients have asked for, and what was refused and why",
    next: "Open an exchange, or filter",
    has: "#requests",
    async open(visitor) {
      await runClients(visitor.issuer);
      await approve(visitor);
      await go(visitor, "/inspector");
    },
  },
  {
    name: "inspector-plain",
    site: "plain",
    purpose: "Shows the requests of one login at a server without --control",
    next: "Open an exchange",
    has: "#requests",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/inspector");
    },
  },
  {
    name: "inspector-filtered",
    purpose: "Shows only what was refused",
    next: "Open an exchange",
    has: "#requests",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector?q=outcome:refused");
    },
  },
  {
    name: "inspector-wrong-filter",
    purpose: "Says what is wrong with the filter",
    next: "Correct the filter",
    has: "#filter-problem",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector?q=clint:shop+status:teapot");
    },
  },
  {
    name: "inspector-many-words",
    purpose: "Says that the filter has too many words",
    next: "Shorten the filter",
    has: "#filter-problem",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, `/inspector?q=${Array.from({ length: 21 }, (_, at) => `word${at}`).join("+")}`);
    },
  },
  {
    name: "inspector-from-elsewhere",
    purpose: "Says that a link of another site led here",
    next: "Show the journal",
    has: "#show-journal",
    async open(visitor) {
      await visitor.page.goto(`data:text/html,<a href="${visitor.issuer}/inspector">The journal</a>`);
      await press(visitor, "a");
      await visitor.page.waitForURL(`${visitor.issuer}/inspector`);
    },
  },
  {
    name: "inspector-full",
    purpose: "Shows the latest of very many requests",
    next: "Filter, or see older ones",
    has: "#requests",
    async open(visitor) {
      for (let runs = 0; runs < 30; runs++) await runClients(visitor.issuer);
      await go(visitor, "/inspector");
    },
  },
  {
    name: "exchange-refused",
    purpose: "Says why one request was refused, and what would have been accepted",
    next: "Change the client, or send it again",
    has: ".entry",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector?q=outcome:refused");
      await press(visitor, ".requests a[href*='/inspector/']:visible");
    },
  },
  {
    name: "exchange-of-login",
    purpose: "Says why a step of a login was refused, among the other steps",
    next: "Follow the steps, or change the client",
    has: ".entry",
    async open(visitor) {
      for (let runs = 0; runs < 2; runs++) {
        await logIn(visitor.issuer);
        await runClients(visitor.issuer);
      }
      await go(visitor, "/inspector");
      await press(visitor, ".band:has(.refused) summary");
      await press(visitor, ".band tr.refused a[href*='/inspector/']:visible");
    },
  },
  {
    name: "exchange-tokens",
    purpose: "Explains a token request that was answered, without its secrets",
    next: "Read the claims, or give the key",
    has: ".entry",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector?q=endpoint:token+outcome:ok&open=all");
      await press(visitor, ".requests a[href*='/inspector/']:visible");
    },
  },
  {
    name: "exchange-with-key",
    purpose: "Shows the same with its secrets",
    next: "Copy the request, or send it again",
    has: "#secrets-shown",
    async open(visitor) {
      await runClients(visitor.issuer);
      await giveKey(visitor);
      await go(visitor, "/inspector?q=endpoint:token+outcome:ok&open=all");
      await press(visitor, ".requests a[href*='/inspector/']:visible");
    },
  },
  {
    name: "exchange-again",
    purpose: "Asks what to change in a request before it is sent again",
    next: "Change a parameter, and send it",
    has: "#send-again",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector?q=reason:secret_wrong");
      await press(visitor, ".requests a[href*='/inspector/']:visible");
      await press(visitor, "[role=tab] >> text=As curl");
      await press(visitor, "#edit");
    },
  },
  {
    name: "entry-tokens",
    purpose: "Explains the tokens of a request, with their checks, owners and states",
    next: "Read a claim, copy it, or compare the token with the one before",
    has: "#entry-tokens [data-check=signature]",
    async open(visitor) {
      await runClients(visitor.issuer);
      await giveKey(visitor);
      await go(visitor, "/inspector?q=endpoint:token+outcome:ok&open=all");
      await press(visitor, ".requests a[href*='/inspector/']:visible");
      await press(visitor, "#entry-tokens-tab");
    },
  },
  {
    name: "compared",
    purpose: "Shows the tokens of two requests side by side, with their difference",
    next: "Read which claims differ, or choose other requests",
    has: "tr[data-difference=changed] ins",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector/compare?token=access_token");
    },
  },
  {
    name: "diagram",
    purpose: "Draws a flow as a sequence of arrows",
    next: "Follow an arrow to its exchange",
    has: "main a",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/inspector?open=all");
      await press(visitor, ".band a[href*=diagram]");
    },
  },
  {
    name: "session",
    purpose: "Asks for the key of the inspector",
    next: "Type the key that the start printed",
    has: "#key",
    open: (visitor) => go(visitor, "/session"),
  },
  {
    name: "session-wrong",
    purpose: "Says that the key is another one",
    next: "Type the key that the start printed",
    has: "#key-problem",
    async open(visitor) {
      await go(visitor, "/session");
      await visitor.page.locator("#key").fill("a wrong key");
      await press(visitor, "#send-key");
    },
  },
  {
    name: "search",
    purpose: "Finds clients, people, rules and requests",
    next: "Open what was found",
    has: "#q",
    async open(visitor) {
      await runClients(visitor.issuer);
      await go(visitor, "/search?q=demo");
    },
  },
  {
    name: "search-nothing",
    purpose: "Says that nothing was found",
    next: "Type another word",
    has: "#nothing",
    open: (visitor) => go(visitor, "/search?q=unheard-of"),
  },
];

const directory: readonly PageState[] = [
  {
    name: "people",
    site: "shop",
    purpose: "Shows who can sign in",
    next: "Open a person, or add one",
    has: "#add",
    open: (visitor) => go(visitor, "/people"),
  },
  {
    name: "people-here",
    purpose: "Shows who is signed in at this browser, and who allowed which client",
    next: "Open a grant to revoke it",
    has: "#people strong",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/people");
    },
  },
  {
    name: "people-read-only",
    site: "plain",
    purpose: "Shows who can sign in, and names the flag that lets the page change it",
    next: "Open a person",
    has: "#read-only",
    open: (visitor) => go(visitor, "/people"),
  },
  {
    name: "people-crowd",
    site: "crowd",
    purpose: "Shows the first of many people",
    next: "Find a person, or turn the page",
    has: "#people",
    open: (visitor) => go(visitor, "/people"),
  },
  {
    name: "person",
    purpose: "Shows where a person is signed in, and what clients may do for them",
    next: "Revoke something, or edit the person",
    has: "#grants",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/people/person?username=alice");
    },
  },
  {
    name: "person-revoked",
    purpose: "Says whose grant was revoked, and keeps its row in its place",
    next: "Revoke another one, or go back",
    has: "#done",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/people/person?username=alice");
      await press(visitor, "#grants button");
    },
  },
  {
    name: "person-edit",
    site: "shop",
    purpose: "Says why the changes of a person were not accepted",
    next: "Correct the claims",
    has: "#problem",
    async open(visitor) {
      await go(visitor, "/people/person?username=carol");
      await press(visitor, "summary");
      await visitor.page.locator("#claims").fill("{ roles: admin }");
      await press(visitor, "#save");
    },
  },
  {
    name: "person-add",
    purpose: "Asks who the new person is",
    next: "Type a username, and press Add",
    has: "#save",
    open: (visitor) => go(visitor, "/people/add"),
  },
  {
    name: "clients",
    site: "shop",
    purpose: "Shows which applications can request tokens, and why some cannot start",
    next: "Open a client",
    has: "#clients",
    open: (visitor) => go(visitor, "/clients"),
  },
  {
    name: "client",
    purpose: "Shows how a client authenticates, where its answers go, and whose grants it has",
    next: "Start a sign-in, or revoke a grant",
    has: "#grants",
    async open(visitor) {
      await approve(visitor);
      await go(visitor, "/clients/client?id=demo");
    },
  },
  {
    name: "client-first-use",
    purpose: "Shows a client that a person has approved, and the configuration that keeps it",
    next: "Copy the configuration, or remove the client",
    has: "#remedy",
    async open(visitor) {
      await authorize(visitor, { client_id: "my-app", redirect_uri: `${visitor.issuer}/authorized` });
      await choose(visitor, "alice");
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
    name: "misbehaviours",
    purpose: "Lists the areas in which the server can be wrong, and what is on",
    next: "Search, or open an area",
    has: "#areas",
    open: (visitor) => go(visitor, "/misbehaviours"),
  },
  {
    name: "misbehaviours-on",
    site: "wrong",
    purpose: "Shows what is on, each with its verdict, and ends it",
    next: "Switch something off, or make everything right",
    has: "#restore",
    async open(visitor) {
      await call(visitor, "/gates", { endpoint: "token", kind: "hold" });
      await turnClock(visitor, "1h");
      await go(visitor, "/misbehaviours");
    },
  },
  {
    name: "misbehaviours-found",
    purpose: "Lists the misbehaviours of an area",
    next: "Open one",
    has: "#found tbody",
    open: (visitor) => go(visitor, "/misbehaviours?area=id_token"),
  },
  {
    name: "misbehaviours-read-only",
    site: "plain",
    purpose: "Explains the misbehaviours, and names the flag that lets the page switch them on",
    next: "Start the server with --control",
    has: "#read-only",
    open: (visitor) => go(visitor, "/misbehaviours"),
  },
  {
    name: "misbehaviour",
    purpose: "Explains a misbehaviour, and switches it on",
    next: "Switch it on",
    has: "#switch_on",
    open: (visitor) => go(visitor, "/misbehaviours/authorization_response.iss_wrong"),
  },
  {
    name: "misbehaviour-on",
    purpose: "Shows that a client was fooled, with the requests that prove it",
    next: "Read the requests, and switch it off",
    has: "[data-outcome=fooled]",
    async open(visitor) {
      await call(visitor, "/misbehaviours", { name: "authorization_response.iss_wrong", client: "demo" });
      await call(visitor, "/login", { client: "demo" });
      await go(visitor, "/misbehaviours/authorization_response.iss_wrong");
    },
  },
  {
    name: "misbehaviour-off",
    purpose: "Still shows what the client did, after the misbehaviour was switched off",
    next: "Read the requests, or switch it on again",
    has: "#ended",
    async open(visitor) {
      await call(visitor, "/misbehaviours", { name: "authorization_response.iss_wrong", client: "demo" });
      await call(visitor, "/login", { client: "demo" });
      await go(visitor, "/misbehaviours/authorization_response.iss_wrong");
      await press(visitor, "[id^=switch_off]");
    },
  },
  {
    name: "misbehaviour-refused",
    purpose: "Says why the form was not obeyed",
    next: "Correct the field",
    has: "#problem",
    async open(visitor) {
      await go(visitor, "/misbehaviours/id_token.nonce_wrong");
      await visitor.page.locator("#times").fill("soon");
      await press(visitor, "#switch_on");
    },
  },
  {
    name: "misbehaviour-of-api",
    purpose: "Explains a fault of a request to an API, with the command that sends it",
    next: "Copy the command",
    has: "#elsewhere",
    open: (visitor) => go(visitor, "/misbehaviours/proof.replayed"),
  },
  {
    name: "misbehaviour-of-client",
    purpose: "Explains a fault of a client's logins, with the command that judges them",
    next: "Copy the command",
    has: "#elsewhere",
    open: (visitor) => go(visitor, "/misbehaviours/login.state_repeated"),
  },
  {
    name: "clock",
    purpose: "Shows the time of the server, and turns it",
    next: "Move the clock forward",
    has: "#server-time",
    async open(visitor) {
      await call(visitor, "/clock", { freeze: "2030-01-01T12:00:00Z" });
      await go(visitor, "/misbehaviours/clock");
    },
  },
  {
    name: "gates",
    purpose: "Shows which requests wait, come late, fail or get lost, and closes a gate",
    next: "Close a gate, or open one",
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
    name: "gates-waiting",
    purpose: "Shows how many requests wait at a gate",
    next: "Release one, or all",
    has: "#release_all-gate-1",
    async open(visitor) {
      await call(visitor, "/gates", { endpoint: "jwks", kind: "hold" });
      const { page, issuer } = visitor;
      for (let waiting = 0; waiting < 2; waiting++) {
        page.request.get(`${issuer}/oauth2/jwks`).catch(() => {});
      }
      // The script of the page would move its rows if the second request came later than the page.
      let held = "";
      do held = await (await page.request.get(`${issuer}/_postern/gates`)).text(); while (
        !held.includes(`"waiting":2`)
      );
      await go(visitor, "/misbehaviours/gates");
    },
  },
  {
    name: "look-alikes-off",
    purpose: "Lists the providers that the server can answer like",
    next: "Switch one on",
    has: "#switch_on-github",
    open: (visitor) => go(visitor, "/misbehaviours/look_alikes"),
  },
  {
    name: "look-alikes",
    site: "wrong",
    purpose: "Says which provider the server answers like now, and how each differs",
    next: "Switch it off",
    has: "#look_alike-1",
    open: (visitor) => go(visitor, "/misbehaviours/look_alikes"),
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

/** Opens the page, and makes sure that it is the right one. */
export async function openPage({ open, has, name, without }: PageState, visitor: Visitor): Promise<void> {
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

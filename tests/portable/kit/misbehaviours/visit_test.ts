/** Examines a web application that listens on a port: `visit` opens its pages as a browser does. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { examine, type MisbehaviourName, type Scenario } from "../../../../src/kit/mod.ts";
import { findFreePort } from "../../../free_port.ts";
import { test } from "../../../runner.ts";
import { challenge, verifier } from "../../../world.ts";
import { present } from "../../../../src/ground/values/present.ts";

interface Habits {
  /** Compares `state` and `iss`, and reads `error`. */
  readonly checks: boolean;
  /** Begins another login after one that failed, instead of showing a page. */
  readonly beginsAgain?: boolean;
  /** Where it keeps a new state of each login. Absent: all logins have one state. */
  /** Returns the page after a login, by the one that the link to the login names, and by the state. Absent: the home page. */
  readonly choosePage?: (asked: string, state: string) => string;
  /** Writes the text of an error on a page, which has the status 400. */
  readonly writeError?: (text: string, error: string) => string;
  /** The claim of a person by which it finds the account. */
  readonly accountBy?: "sub" | "email";
  readonly keeps?: "in a cookie" | "in a cache of all browsers";
}

/** Lives as long as the application, and not as long as one run. */
const cache = new Set<string>();

type Application = Pick<Scenario, "issuer" | "clientId" | "redirectUri">;

/** Answers the requests of a browser. Like many applications, it also redirects after a refused login. */
async function answer(
  request: IncomingMessage,
  { issuer, clientId, redirectUri }: Application,
  { checks, beginsAgain, keeps, writeError, accountBy, choosePage = () => "/" }: Habits,
): Promise<{ readonly location: string; readonly cookie?: string } | { readonly page: string }> {
  const { pathname, searchParams } = new URL(request.url!, redirectUri);
  const cookie = request.headers.cookie ?? "";
  if (pathname === "/") return { page: /person=([^;]+)/.exec(cookie)?.[1] ?? "nobody" };
  const [, hops] = /^\/hops\/(\d+)$/.exec(pathname) ?? [];
  if (hops !== undefined) return { location: hops === "1" ? "/" : `/hops/${Number(hops) - 1}` };
  if (pathname === "/nothing") return { page: "" };
  if (pathname === "/failed") return { page: "the login failed" };
  if (pathname === "/script") return { location: "javascript:location='https://decoy.test/script'//" };
  // A browser that is signed in needs no other login.
  if (pathname === "/login" && /person=/.test(cookie)) return { location: "/" };
  if (pathname === "/login") {
    const state = keeps === undefined ? "s1" : crypto.randomUUID();
    cache.add(state);
    const query = new URLSearchParams({
      ...{
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: "openid email",
        state,
      },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
    });
    return {
      location: `${issuer}/oauth2/authorize?${query}`,
      // A browser may have begun several logins.
      cookie: `login_${state}=state=${state} page=${
        encodeURIComponent(searchParams.get("returnTo") ?? "/")
      }; Path=/`,
    };
  }
  const description = searchParams.get("error_description");
  if (writeError !== undefined && description !== null) {
    return { page: `<!doctype html><p>${writeError(description, `${searchParams.get("error")}`)}` };
  }
  const failed = { location: beginsAgain ? "/login" : "/failed" };
  const isRight = !searchParams.has("error") && searchParams.get("iss") === issuer &&
    (keeps === "in a cache of all browsers"
      ? cache.delete(`${searchParams.get("state")}`)
      : cookie.includes(`state=${searchParams.get("state")}`));
  if (checks && !isRight) return failed;
  const body = new URLSearchParams({
    ...{ grant_type: "authorization_code", code: `${searchParams.get("code")}` },
    ...{ client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier },
  });
  const tokens = await fetch(`${issuer}/oauth2/token`, { method: "POST", body });
  const { access_token: token } = await tokens.json();
  const asked = decodeURIComponent(/page=(\S+)/.exec(cookie)?.[1] ?? "/");
  const page = choosePage(asked, `${searchParams.get("state")}`);
  const person = accountBy === undefined ? "alice" : await readClaim(issuer, token, accountBy);
  return tokens.ok ? { location: page, cookie: `person=${person}; Path=/` } : failed;
}

async function readClaim(issuer: string, token: string, name: string): Promise<string> {
  const answer = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json())[name];
}

/** Runs the application once for each run, always on the same port. */
async function examineApplication(names: readonly MisbehaviourName[], habits: Habits) {
  const redirectUri = `http://localhost:${await findFreePort()}/callback`;
  const accounts: string[] = [];
  const { rows } = await examine({
    only: names,
    listen: true,
    jobs: 1,
    within: 60,
    options: { clients: [{ client_id: "shop", redirect_uris: [redirectUri] }] },
    async client(_as, { issuer, clientId, visit }) {
      const close = await startApplication({ issuer, clientId, redirectUri }, habits);
      try {
        const answered = await visit(new URL("/login", redirectUri));
        const page = answered.status === 204 ? "alice" : await answered.text();
        if (habits.accountBy !== undefined) {
          if (!accounts.includes(page)) accounts.push(page);
          return { account: accounts.indexOf(page) };
        }
        if (page !== "alice") throw new Error(`the page says: ${page}`);
      } finally {
        await close();
      }
    },
  });
  return rows.map(({ outcome, because }) => ({ outcome, because }));
}

async function startApplication(application: Application, habits: Habits): Promise<() => Promise<void>> {
  const server = createServer((request, response) => void send(request, response));
  const send = async (request: IncomingMessage, response: ServerResponse) => {
    const answered = await answer(request, application, habits);
    if ("page" in answered) {
      if (answered.page === "") response.writeHead(204);
      if (answered.page.startsWith("<")) response.writeHead(400, { "content-type": "text/html" });
      return void response.end(answered.page);
    }
    const { location, cookie } = answered;
    response.writeHead(302, { location, ...(cookie === undefined ? {} : { "set-cookie": cookie }) }).end();
  };
  const { port } = new URL(application.redirectUri);
  await new Promise<void>((resolve) => server.listen(Number(port), "localhost", resolve));
  return () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
}

const faults: readonly MisbehaviourName[] = [
  "authorization_response.error_denied",
  "authorization_response.iss_wrong",
];

test("visit: an application that redirects after a refused login is seen to refuse it (RFC 9207 §2.4)", async () => {
  const refused = {
    outcome: "noticed",
    because: "The client refused: Error: the page says: the login failed",
  };
  assertEquals(await examineApplication(faults, { checks: true }), [refused, refused]);
});

test("visit: an application without checks is fooled (RFC 6749 §4.1.3; RFC 9207 §2.4)", async () => {
  const [denied, iss] = await examineApplication(faults, { checks: false });
  assertEquals([denied?.outcome, iss?.outcome], ["fooled", "fooled"]);
  // The verdict also says how the run ended.
  assertMatch(
    denied!.because,
    /^Afterwards the client sent POST token .*It ended later with Error: the page says:/,
  );
});

for (
  const [keeps, outcome] of [
    ["in a cookie", "noticed"],
    ["in a cache of all browsers", "fooled"],
    [undefined, "fooled"],
  ] as const
) {
  test(`visit: a login of another browser, and an application whose state is ${keeps ?? "always the same"} (RFC 9700 §2.1)`, async () => {
    const only = ["authorization_response.state_of_another_browser"] as const;
    const [row] = await examineApplication(only, { checks: true, ...present({ keeps }) });
    assertEquals(row?.outcome, outcome, row?.because);
  });
}

for (const [accountBy, outcome] of [["sub", "noticed"], ["email", "fooled"]] as const) {
  test(`visit: each person has a browser, and an application finds the account by ${accountBy} (OpenID Connect Core §5.7)`, async () => {
    const only = ["login.email_of_another_person"] as const;
    const [row] = await examineApplication(only, { checks: true, accountBy });
    assertEquals(row?.outcome, outcome, row?.because);
  });
}

const own = "http://localhost";

const pages: Readonly<
  Record<string, readonly [choose: (asked: string, state: string) => string, outcome: string]>
> = {
  "is always the home page": [() => "/", "unharmed"],
  "has no body": [() => "/nothing", "unharmed"],
  "is a page of its own": [
    (asked) => URL.canParse(asked, own) && new URL(asked, own).origin === own ? asked : "/",
    "unharmed",
  ],
  "begins with one slash": [(asked) => /^\/(?!\/)/.test(asked) ? asked : "/", "fooled"],
  "begins with one slash and a character of a name": [
    (asked) => /^\/[^/\\]/.test(asked) ? asked : "/",
    "fooled",
  ],
  "begins with one slash and is decoded afterwards": [
    (asked) => /^\/[^/\\\s]/.test(asked) ? decodeURIComponent(asked) : "/",
    "fooled",
  ],
  "begins with the address of the application": [
    (asked) => /^http:\/\/localhost:\d+(?!\d)/.test(asked) ? asked : "/",
    "fooled",
  ],
  "is the one that the link names": [(asked) => asked, "fooled"],
  "begins with a slash": [(asked) => asked.startsWith("/") ? asked : "/", "fooled"],
  "is in the state": [(_asked, state) => URL.canParse(state) ? state : "/", "fooled"],
};

for (const [title, [choosePage, outcome]] of Object.entries(pages)) {
  test(`visit: an application whose page after a login ${title} (RFC 9700 §4.11.1)`, async () => {
    const only = ["authorization_response.return_page_foreign"] as const;
    const [row] = await examineApplication(only, { checks: false, choosePage });
    assertEquals(row?.outcome, outcome, row?.because);
  });
}

test("visit: a client that opens no page is not judged by the page after its login", async () => {
  const { rows } = await examine({
    client: async (as) => void await as.login("alice"),
    only: ["authorization_response.return_page_foreign"],
  });
  assertEquals(rows[0]?.because, "The client opens no page with visit (pages).");
});

test("visit: no browser runs the script of a redirect (Fetch Standard §4.4)", async () => {
  const redirectUri = `http://localhost:${await findFreePort()}/callback`;
  const thrown: string[] = [];
  await examine({
    listen: true,
    only: ["login.verifier_repeated"],
    within: 60,
    options: { clients: [{ client_id: "shop", redirect_uris: [redirectUri] }] },
    async client(_as, { issuer, clientId, visit }) {
      const close = await startApplication({ issuer, clientId, redirectUri }, { checks: true });
      await visit(new URL("/login", redirectUri));
      await visit(new URL("/script", redirectUri)).catch((error) => void thrown.push(`${error}`));
      await close();
    },
    jobs: 1,
  });
  assertMatch(
    `${thrown[0]}`,
    /^NotCalled: No browser follows the redirect of http:\/\/localhost:\d+ to an address with javascript:$/,
  );
});

const escape = (text: string) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

const errorPages: Readonly<
  Record<string, readonly [write: (text: string, error: string) => string, outcome: string, because: RegExp]>
> = {
  "as it is": [(text) => text, "fooled", /^With the variant text: /],
  "with its first character of each kind escaped": [
    (text) => text.replace("<", "&lt;").replace(">", "&gt;"),
    "fooled",
    /^With the variant text: /,
  ],
  "as it is if it has a quotation mark": [
    (text) => text.includes('"') ? text : escape(text),
    "fooled",
    /^With the variant attribute: /,
  ],
  "with all of it escaped, and its code as it is": [
    (text, error) => error + escape(text),
    "fooled",
    /^With the variant error: /,
  ],
  "with all of it escaped": [escape, "noticed", /^The page of the client shows the text/],
  "not at all": [() => "The login failed", "unknown", /this does not prove that it is right/],
};

for (const [title, [writeError, outcome, because]] of Object.entries(errorPages)) {
  test(`visit: an application whose page shows the text of an error ${title} (RFC 6749 §10.14)`, async () => {
    const only = ["authorization_response.error_markup"] as const;
    const [row] = await examineApplication(only, { checks: true, writeError });
    assertEquals(row?.outcome, outcome, row?.because);
    assertMatch(row!.because, because);
  });
}

test("visit: a login that begins again and again is no refusal", async () => {
  const [row] = await examineApplication(["authorization_response.iss_wrong"], {
    checks: true,
    beginsAgain: true,
  });
  assertEquals(row?.outcome, "unknown");
  assertMatch(row!.because, /HarnessError: http:\/\/localhost:\d+ sends the browser from one address/);
});

test("visit: as many redirects are followed as by browsers, and no more", async () => {
  const redirectUri = `http://localhost:${await findFreePort()}/callback`;
  const told: string[] = [];
  const ended = examine({
    only: ["authorization_response.iss_wrong"],
    listen: true,
    jobs: 1,
    within: 60,
    options: { clients: [{ client_id: "shop", redirect_uris: [redirectUri] }] },
    async client(_as, { issuer, clientId, visit }) {
      const close = await startApplication({ issuer, clientId, redirectUri }, { checks: true });
      try {
        for (const hops of [20, 21]) {
          told.push(await visit(new URL(`/hops/${hops}`, redirectUri)).then((page) => page.text(), String));
        }
      } finally {
        await close();
      }
    },
  });
  // The client has not logged in.
  await assertRejects(() => ended, Error, "Cannot examine the client");
  assertEquals(told[0], "nobody");
  assertMatch(told[1] ?? "", /sends the browser from one address to the next again and again$/);
});

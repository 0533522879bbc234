/** The service worker: foreign clients sign in at an issuer of a static site, and nothing is lost when the worker ends. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import project from "../../deno.json" with { type: "json" };
import { readPage } from "../documentation/blocks.ts";
import { assertWeight, most, weigh } from "./in_page.ts";
import { browserTest } from "./visit.ts";
import { makeWorker, runWithWorker, workerTest as it } from "./worker_site.ts";

/** Leaves the page for the server. */
const leave = `
  const worker = await startWorker(options);
  const server = await discover(worker.issuer);
  const verifier = oauth.generateRandomCodeVerifier();
  sessionStorage.verifier = verifier;
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    ...client, redirect_uri: redirectUri, response_type: "code", scope: "openid profile offline_access", state: "s",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
  });
  return url.href;
`;

const redeem = `
  const server = await discover(location.origin + "/idp");
  const params = oauth.validateAuthResponse(server, client, new URL(location.href), "s");
  const response = await oauth.authorizationCodeGrantRequest(
    server, client, oauth.None(), params, redirectUri, sessionStorage.verifier, insecure);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  sessionStorage.refresh = tokens.refresh_token;
  sessionStorage.access = tokens.access_token;
  await oauth.validateApplicationLevelSignature(server, response, insecure);
  return oauth.getValidatedIdTokenClaims(tokens).sub;
`;

const refresh = `
  const server = await discover(location.origin + "/idp");
  const tokens = await oauth.processRefreshTokenResponse(server, client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), sessionStorage.refresh, insecure));
  const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, insecure);
  return [userinfo.status, (await userinfo.json()).name];
`;

async function signIn(page: Page, between: () => Promise<void> = async () => {}): Promise<string> {
  const url = await runWithWorker<string>(page)`${leave}`;
  await between();
  await page.goto(url);
  await between();
  await page.getByRole("button", { name: /Alice/ }).click();
  await page.locator("#approve").waitFor();
  await between();
  await page.locator("#approve").click();
  await page.waitForURL(/\/callback\?/);
  await between();
  return await runWithWorker<string>(page)`${redeem}`;
}

it("worker: it ends between any two requests of a flow, and nothing is lost", async ({ page, stopWorker }) => {
  await signIn(page, stopWorker);
  const before = await runWithWorker(page)`return await (await fetch("/idp/oauth2/jwks")).json();`;
  await stopWorker();
  assertEquals(await runWithWorker(page)`${refresh}`, [200, "Alice Adams"]);
  await stopWorker();
  // Still signed in, with the same keys, and the journal has the requests before.
  assertEquals(await runWithWorker(page)`return await (await fetch("/idp/oauth2/jwks")).json();`, before);
  const url = await runWithWorker<string>(page)`${leave}`;
  await stopWorker();
  await page.goto(`${url}&prompt=none`);
  assertMatch(page.url(), /\/callback\?.*code=/);
  await stopWorker();
  const endpoints = await runWithWorker<readonly string[]>(page)`
    const { control } = await startWorker(options);
    const { requests } = await control("GET /requests");
    return requests.map(({ endpoint }) => endpoint);
  `;
  assertEquals(["authorize", "token", "jwks", "userinfo"].filter((each) => !endpoints.includes(each)), []);
});

it("worker: people, clock and misbehaviours that a page has set outlive the worker", async ({ page, stopWorker }) => {
  await runWithWorker(page)`
    const { control } = await startWorker(options);
    await control("POST /people", { username: "zoe", claims: { name: "Zoe" } });
    await control("POST /clock", { advance: "2h" });
    await control("POST /misbehaviours", { name: "id_token.aud_wrong", times: 2 });
  `;
  await stopWorker();
  const [names, ahead, misbehaviours] = await runWithWorker<readonly [string[], number, unknown]>(page)`
    const { control } = await startWorker(options);
    const { people } = await control("GET /people");
    const { now } = await control("GET /clock");
    const { misbehaviours } = await control("GET /misbehaviours");
    return [people.map(({ username }) => username), Math.round((now - Date.now() / 1000) / 60),
      misbehaviours.map(({ name, times }) => [name, times])];
  `;
  assertEquals([names.includes("zoe"), ahead, misbehaviours], [true, 120, [["id_token.aud_wrong", 2]]]);
});

it("worker: it leaves the requests outside of the issuer's path alone", async ({ page, served, origin }) => {
  const issuers = await runWithWorker<readonly string[]>(page)`
    const { issuer } = await startWorker(options);
    const paths = ["/idp/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/idp"];
    return [issuer, ...await Promise.all(paths.map(async (path) => (await (await fetch(path)).json()).issuer))];
  `;
  assertEquals(issuers, [`${origin}/idp`, `${origin}/idp`, `${origin}/idp`]);
  served.length = 0;
  const outside = [
    "/idpx",
    "/api/idp/",
    "/oauth2/token",
    "/.well-known/openid-configuration",
    "/_postern/clock",
  ];
  const titles = await runWithWorker<readonly string[]>(page)`return await Promise.all(${
    JSON.stringify(outside)
  }.map(async (path) => (await (await fetch(path)).text()).slice(0, 15)));`;
  assertEquals(titles, outside.map(() => "<!doctype html>"));
  assertEquals(outside.filter((path) => !served.includes(path)), []);
  assertEquals(served.filter((path) => path.startsWith("/idp/")), []);
});

it("worker: two tabs sign in at once", async ({ page, context, origin }) => {
  const other = await context.newPage();
  await other.goto(origin);
  const [first, second] = [
    await runWithWorker<string>(page)`${leave}`,
    await runWithWorker<string>(other)`${leave}`,
  ];
  // The first page gets the cookie of the browser.
  await page.goto(first);
  await other.goto(second);
  await page.getByRole("button", { name: /Alice/ }).click();
  await page.locator("#approve").waitFor();
  await other.getByRole("button", { name: /Bob/ }).click();
  await Promise.all([page.locator("#approve").click(), other.locator("#approve").click()]);
  await Promise.all([page.waitForURL(/\/callback\?/), other.waitForURL(/\/callback\?/)]);
  const subjects = await Promise.all([runWithWorker(page)`${redeem}`, runWithWorker(other)`${redeem}`]);
  assertEquals(new Set(subjects).size, 2);
});

it("worker: a page says which version answers, also after an update", async ({ page, change, origin }) => {
  const version = await runWithWorker(page)`return (await startWorker(options)).version;`;
  assertEquals(version, project.version);
  await page.goto(`${origin}/idp/_postern/worker`);
  assertEquals(JSON.parse(await page.locator("body").innerText()).version, project.version);
  change("// postern", "// a later postern");
  await page.goto(origin);
  await page.evaluate(`(async () => {
    const registration = await navigator.serviceWorker.ready;
    const taken = new Promise((resolve) => navigator.serviceWorker.oncontrollerchange = resolve);
    await registration.update();
    await taken;
  })()`);
  assertEquals(await runWithWorker(page)`return (await startWorker(options)).version;`, project.version);
});

it("worker: a page that was loaded past the worker gets it", async ({ page, context }) => {
  await runWithWorker(page)`await startWorker(options);`;
  const session = await context.newCDPSession(page);
  const loaded = page.waitForEvent("load");
  await session.send("Page.reload", { ignoreCache: true });
  await loaded;
  assertEquals(await page.evaluate("navigator.serviceWorker.controller"), null);
  const [isControlled, message] = await runWithWorker<readonly [boolean, string]>(page)`
    await startWorker(options);
    const isControlled = navigator.serviceWorker.controller !== null;
    Object.defineProperty(navigator.serviceWorker, "controller", { value: null });
    return [isControlled, await startWorker(options).catch(({ message }) => message)];
  `;
  assertEquals(isControlled, true);
  assertMatch(message, /forced reload\. Load the page again without Shift/);
});

it("worker: what a page cannot do is said", async ({ page }) => {
  const messages = await runWithWorker<readonly string[]>(page)`
    const messageOf = (terms) => startWorker(terms).then(() => "nothing", ({ message }) => message);
    const messages = [
      await messageOf({ script: "/missing.js" }),
      await messageOf({ issuer: "/" }),
      await messageOf({ issuer: "https://other.test/idp" }),
      await messageOf({ people: [{ username: "zoe", claims: () => 1 }] }),
      await messageOf({ clients: [{ client_id: "" }] }),
      await messageOf({ scope: "/elsewhere/" }),
    ];
    const { control } = await startWorker(options);
    messages.push(await control("POST /misbehaviours", { name: "unknown" }).catch(({ message }) => message));
    Object.defineProperty(navigator, "serviceWorker", { value: undefined });
    messages.push(await messageOf({}));
    return messages;
  `;
  const expected = [
    /^Cannot start the worker \/missing\.js .*[^.]\. Copy postern-worker\.js and the folder postern-worker\//,
    /^Cannot start the worker for the issuer \/: expected a path of http/,
    /^Cannot start the worker for the issuer https:\/\/other\.test\/idp: expected a path/,
    /^Cannot start the worker with claims: a function cannot be sent/,
    /client_id/,
    /this page is not below its scope/,
    /^There is no misbehaviour "unknown"/,
    /this browser has no service workers here\. Some have none in private windows/,
  ];
  for (const [index, pattern] of expected.entries()) assertMatch(messages[index] ?? "", pattern);
}, { tolerates: /missing\.js|MIME type|status of 4/ });

/** What a page of another site can make a browser send by a click: forms of each kind, for each kind of address. */
const foreignForms = [
  '<form method="post" action="ADDRESS/reset"><button>Send</button></form>',
  // Nothing tells the worker where this form comes from.
  '<meta name="referrer" content="no-referrer"><form method="post" action="ADDRESS/reset"><button>Send</button></form>',
  `<form method="post" enctype="text/plain" action="ADDRESS/misbehaviours">
     <input name='{"name":"id_token.alg_none","x":"' value='"}'><button>Send</button></form>`,
  '<form method="post" action="ADDRESS/worker"><button>Send</button></form>',
  '<form action="ADDRESS/people"><button>Send</button></form>',
];

it("worker: a form of another site never reaches the control plane", async ({ page, site, origin }) => {
  const read = `const { control } = await startWorker(options); return await control("GET /misbehaviours");`;
  await runWithWorker(
    page,
  )`await (await startWorker(options)).control("POST /misbehaviours", { name: "id_token.aud_wrong" });`;
  const before = await runWithWorker(page)`${read}`;
  assertStringIncludes(JSON.stringify(before), "id_token.aud_wrong");
  for (const form of foreignForms) {
    await page.goto(site.otherSite);
    await page.setContent(form.replace("ADDRESS", `${origin}/idp/_postern`));
    await page.getByRole("button").click();
    await page.waitForURL(/_postern/);
    assertMatch(await page.locator("body").innerText(), /"access_denied".*takes no navigation/, form);
  }
  await page.goto(origin);
  assertEquals(await runWithWorker(page)`${read}`, before);
}, { tolerates: /status of 403/ });

it(
  "worker: a link of another site has its cookies, and a form of another site has none",
  async ({ page, site, origin }) => {
    await signIn(page);
    const url = await runWithWorker<string>(page)`${leave}`;
    await page.goto(site.otherSite);
    await page.setContent(`<a href="${url.replaceAll("&", "&amp;")}&amp;prompt=none">Link</a>`);
    await page.getByRole("link").click();
    await page.waitForURL(/\/callback\?/);
    assertMatch(page.url(), /code=/);
    await page.goto(site.otherSite);
    await page.setContent(
      `<form method="post" action="${origin}/idp/oauth2/sign_in"><input name="username" value="bob"><button>Send</button></form>`,
    );
    await page.getByRole("button").click();
    await page.waitForURL(/sign_in/);
    assertMatch(await page.locator("main").innerText(), /another site/);
  },
  { tolerates: /status of 4/ },
);

const refusals = [
  ["SecurityError", "the browser refuses storage to this site"],
  ["UnknownError", '<b>no</b> & "so"'],
] as const;
for (const [name, reason] of refusals) {
  it(
    `worker: a browser that refuses storage with ${name} gets a page that says so`,
    async ({ page, change, origin, served }) => {
      const error = `new DOMException('<b>no</b> & "so"', "${name}")`;
      change(
        "const posternLoaded",
        `IDBFactory.prototype.open = () => { throw ${error}; };\nconst posternLoaded`,
      );
      const message = await runWithWorker<string>(
        page,
      )`return await startWorker(options).catch(({ message }) => message);`;
      assertMatch(message, /^This browser gives the server no storage\. /);
      assertStringIncludes(message, reason);
      await page.goto(`${origin}/idp/`);
      assertStringIncludes(await page.locator("p").first().innerText(), reason);
      assertEquals(await page.locator("h1").innerText(), "This browser gives the server no storage");
      assert(!served.includes("/idp/"));
    },
    { tolerates: /status of 503/ },
  );
}

it("worker: an answer that a gate makes fail is none about the storage", async ({ page }) => {
  const [status, text] = await runWithWorker<readonly [number, string]>(page)`
    const { control } = await startWorker(options);
    await control("POST /gates", { endpoint: "jwks", kind: "fail", status: 503 });
    const answer = await fetch("/idp/oauth2/jwks");
    return [answer.status, await answer.text()];
  `;
  assertEquals(status, 503);
  assertMatch(text, /temporarily_unavailable/);
  assert(!text.includes("storage"), text);
}, { tolerates: /status of 503/ });

it(
  "worker: a record that the storage does not take is said, also if it takes others",
  async ({ page, change }) => {
    change(
      "const posternLoaded",
      `const { put } = IDBObjectStore.prototype;
     IDBObjectStore.prototype.put = function (row) {
       if (row.kind.includes("pushed_request")) throw new DOMException("no", "QuotaExceededError");
       return put.call(this, row);
     };
     const posternLoaded`,
    );
    const [status, text] = await runWithWorker<readonly [number, string]>(page)`
    await startWorker(options);
    const body = new URLSearchParams({
      ...client, redirect_uri: redirectUri, response_type: "code",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256",
    });
    const answer = await fetch("/idp/oauth2/par", { method: "POST", body });
    return [answer.status, await answer.text()];
  `;
    assertEquals(status, 503);
    assertStringIncludes(text, "This browser gives the server no storage. ");
  },
  { tolerates: /status of 503|QuotaExceededError/ },
);

it("worker: a full storage is said, and nothing is half-written", async ({ page, context, origin }) => {
  const session = await context.newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 8_000_000 });
  const [message, kept, listed] = await runWithWorker<readonly unknown[]>(page)`
    const { control } = await startWorker(options);
    // Chromium compresses a text that repeats itself.
    const formatted = Array.from({ length: 40_000 }, () => Math.random()).join();
    for (let count = 0; count < 20; count++) {
      const refused = await control("POST /people", { username: "p" + count, claims: { address: { formatted } } })
        .then(() => undefined, ({ message }) => message);
      if (refused === undefined) continue;
      const { people } = await control("GET /people");
      return [refused, count, people.filter(({ username }) => /^p/.test(username)).length];
    }
    return ["nothing"];
  `;
  assertMatch(`${message}`, /^This browser gives the server no storage\. .*the storage of this site is full/);
  assertEquals(listed, kept);
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  assertMatch(await signIn(page), /./);
}, { tolerates: /status of 503/ });

it("worker: a window stays tied to a page of its site, and not to one of another site", async ({ page, site, origin }) => {
  const url = `${await runWithWorker<string>(page)`${leave}`}&prompt=login`;
  for (const [opener, isTied] of [[origin, true], [site.otherSite, false]] as const) {
    await page.goto(opener);
    const opening = page.waitForEvent("popup");
    await page.evaluate(`globalThis.opened = open(${JSON.stringify(url)}, "_blank", "width=500"); undefined`);
    const popup = await opening;
    await popup.getByRole("button", { name: /Alice/ }).waitFor();
    assertEquals(await popup.evaluate("opener !== null"), isTied);
    assertEquals(await page.evaluate("!opened.closed"), isTied);
    await popup.close();
  }
});

it("worker: in a private window it works, and another window finds nothing of it", async ({ page, context, origin }) => {
  assertMatch(await signIn(page), /./);
  const countRequests = `
      const { control } = await startWorker(options);
      return (await control("GET /requests")).requests.length;
    `;
  assert(await runWithWorker<number>(page)`${countRequests}` > 0);
  // As private windows of Chromium are, each context of the tests is apart, and in memory only.
  const other = await context.browser()!.newContext();
  const private_ = await other.newPage();
  await private_.goto(origin);
  assertEquals(await runWithWorker(private_)`${countRequests}`, 0);
  await private_.goto(await runWithWorker<string>(private_)`${leave}`);
  await private_.getByRole("button", { name: /Alice/ }).waitFor();
  await other.close();
});

browserTest("worker: its files weigh at most 531 kB compressed, without the control plane", async () => {
  const files = await weighWorker();
  const [control, others] = [
    [...files.keys()].filter(isControl),
    [...files.keys()].filter((name) => !isControl(name)),
  ];
  assertEquals(control.length, 1);
  assertWeight(files, others, most.ofAll);
  assertWeight(files, control, most.ofControl);
});

const isControl = (name: string) => name.includes("/worker_control-");

it("worker: at most 259 kB are evaluated before the first sign-in page", async ({ page, change }) => {
  change(
    "// postern",
    `addEventListener("fetch", (event) => {
        if (new URL(event.request.url).pathname !== "/evaluated") return;
        event.respondWith(new Response(JSON.stringify([...posternLoaded.keys()])));
      });
      // postern`,
  );
  await page.goto(await runWithWorker<string>(page)`${leave}`);
  await page.getByRole("button", { name: /Alice/ }).waitFor();
  await page.goBack();
  const names = await page.evaluate<string[]>(`fetch("/evaluated").then((answer) => answer.json())`);
  const files = await weighWorker();
  const paths = [...files.keys()].filter((path) => {
    const [, name = "postern-worker"] = /^postern-worker\/(\w+)-\w+\.js$/.exec(path) ?? [];
    return name === "postern-worker" || names.includes(name);
  });
  assertWeight(files, paths, most.beforeFirstPage);
  assert(paths.length < files.size);
});

async function weighWorker(): Promise<ReadonlyMap<string, { readonly gzipped: number }>> {
  return new Map([...await makeWorker()].map(([name, text]) => [name, { gzipped: weigh(text) }]));
}

it("docs/in_a_worker.md: its program signs a person in", async ({ page, origin }) => {
  const { text } = readPage("docs/in_a_worker.md").find(({ name }) => name === "app.js")!;
  const content = text.replace(
    /import .* from "oidc-client-ts";/,
    'import "/oidc-client-ts.js"; const { UserManager } = oidc;',
  )
    .replace('"postern/browser"', '"/browser.js"');
  const run = () => page.addScriptTag({ type: "module", content });
  await run();
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("button", { name: /Alice/ }).click();
  await page.locator("#deny").click();
  await page.waitForURL(/\?error=access_denied/);
  await run();
  await page.getByText(/^Not logged in: /).waitFor();
  await page.waitForURL(`${origin}/`);
  await page.reload();
  await run();
  await page.getByRole("button", { name: "Log in" }).click();
  await page.locator("#approve").click();
  await page.waitForURL(/\?code=/);
  await run();
  await page.getByText("Hello, alice").waitFor();
  await page.waitForURL(`${origin}/`);
});

it("worker: the dashboard opens in a frame of the site, shows codes, and its forms outlive the worker", async ({ page, origin, stopWorker }) => {
  await signIn(page);
  await page.evaluate(() => {
    const frame = document.createElement("iframe");
    frame.src = "/idp/inspector";
    document.body.append(frame);
  });
  await page.frameLocator("iframe").locator("#requests summary").first().waitFor();
  await stopWorker();
  await page.goto(`${origin}/idp/inspector?q=endpoint:token`);
  await page.locator("#requests td a", { hasText: "code" }).first().click();
  await page.locator(".entry", { hasText: /code_verifier.*[\w-]{43}/s }).waitFor();
  await page.goto(`${origin}/idp/misbehaviours/clock`);
  await stopWorker();
  await page.locator("#step-1h").click();
  await page.locator("#clock-state", { hasText: "turned" }).waitFor();
});

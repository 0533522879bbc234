/** The sign-in pages in an application's page: `as.window()` in a dialog, in a frame and in a window of the browser. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { pageTest as it, runInPage } from "./in_page.ts";
import { findAccessProblems, overflow, pressAndLeave } from "./visit.ts";

/** Programs of the page have a mock with a client, the URL of an authorization request, and what a promise rejects with. */
const start = `
  const redirect_uri = "https://app.test/callback";
  const client = { client_id: "app", redirect_uris: [redirect_uri] };
  const create = (options) => createMock({ clients: [client], ...options });
  const urlOf = (as, more) => as.issuer + "/oauth2/authorize?" + new URLSearchParams({ client_id: "app", redirect_uri, response_type: "code", scope: "openid", state: "one", code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256", ...more });
  const messageOf = (coming) => coming.then(({ href }) => href, ({ message }) => message);
  const until = async (isSo) => { while (!isSo()) await new Promise((done) => setTimeout(done, 5)); };
  const find = (selector) => document.querySelector("iframe")?.contentDocument?.querySelector(selector);
  const shown = (selector = "button[value=alice]") => until(() => find(selector));
  const addFrame = () => document.body.appendChild(document.createElement("iframe"));
  const wrong = { redirect_uri: "https://other.test/" };
  const elsewhere = location.origin.replace("localhost", "127.0.0.1") + "/other";
`;

const run = <Result>(page: Page) => runInPage<Result>(page, start);

const closed = "The window was closed before the server sent an authorization response";

async function signIn(page: Pick<Page, "getByRole" | "locator">): Promise<void> {
  await page.locator("button[value=alice]").click();
  await page.locator("#approve").click();
}

const frameOf = (page: Page) => page.frameLocator("iframe") as unknown as Page;

it("window: a dialog shows the pages, hands the callback over, and leaves nothing", async ({ page }) => {
  const running = run(page)`
    const timers = new Set(), { setInterval: set, clearInterval: clear } = window;
    window.setInterval = (...args) => { const id = set(...args); timers.add(id); return id; };
    window.clearInterval = (id) => { timers.delete(id); clear(id); };
    const stop = new AbortController(), listening = new Set();
    const { signal } = stop;
    signal.addEventListener = (name, listener) => listening.add(listener);
    signal.removeEventListener = (name, listener) => listening.delete(listener);
    await using as = await create();
    const before = document.body.outerHTML, opening = as.window(urlOf(as), { signal });
    await shown();
    const during = [timers.size, listening.size, document.querySelector("dialog span").textContent];
    const { origin, searchParams } = await opening;
    return [origin, searchParams.get("state"), document.body.outerHTML === before, during, [timers.size, listening.size]];
  `;
  await signIn(frameOf(page));
  assertEquals(await running, ["https://app.test", "one", true, [1, 1, "https://as.test"], [0, 0]]);
});

it("window: a window of the browser shows the pages, and is closed afterwards", async ({ page }) => {
  const opening = page.waitForEvent("popup");
  const running = run(page)`
    await using as = await create();
    const popup = open("", "", "width=500,height=700");
    const { searchParams } = await as.window(urlOf(as), { popup });
    return [searchParams.has("code"), popup.closed];
  `;
  const popup = await opening;
  await popup.locator("button[value=alice]").click();
  await pressAndLeave(popup.locator("#approve"));
  assertEquals(await running, [true, true]);
});

it("window: a frame of the application shows the pages, and is empty afterwards", async ({ page }) => {
  const running = run(page)`
    await using as = await create();
    const frame = addFrame();
    const { searchParams } = await as.window(urlOf(as), { frame });
    const text = frame.contentDocument.body.innerHTML;
    const again = await as.window(urlOf(as), { frame });
    return [searchParams.has("code"), text, frame.isConnected, again.searchParams.has("code")];
  `;
  await signIn(frameOf(page));
  assertEquals(await running, [true, "", true, true]);
});

for (const path of ["/authorized", "/oauth2/token", "/callback?of=shop"]) {
  it(`window: a response at ${path} of the mock itself is handed over`, async ({ page }) => {
    const running = run<string>(page)`
      const own = "https://as.test${path}";
      await using as = await create({ clients: [{ client_id: "app", redirect_uris: [own] }] });
      const opening = messageOf(as.window(urlOf(as, { redirect_uri: own })));
      await shown("#approve");
      const next = until(() => document.querySelector("iframe") && !find("#approve"));
      return await Promise.race([opening, next.then(() => "https://as.test/shown-to-the-person")]);
    `;
    await signIn(frameOf(page));
    const { origin, pathname, searchParams } = new URL(await running);
    const expected = new URL(path, "https://as.test");
    assertEquals(origin + pathname, expected.origin + expected.pathname);
    assertEquals(searchParams.get("of"), expected.searchParams.get("of"));
    assertEquals([searchParams.has("code"), searchParams.get("state")], [true, "one"]);
  });
}

it("window: a person who denies is a response", async ({ page }) => {
  const running = run<string>(
    page,
  )`await using as = await create(); return (await as.window(urlOf(as))).href;`;
  await frameOf(page).locator("#deny").press("Enter");
  assertEquals(new URL(await running).searchParams.get("error"), "access_denied");
});

for (
  const [name, program, act, expected] of [
    ["the button of the dialog", "", (page) => page.getByRole("button", { name: "Close" }).click(), closed],
    ["Escape in the page of the server", "", async (page) => {
      await frameOf(page).locator("button[value=alice]").focus();
      await page.keyboard.press("Escape");
    }, closed],
    ["Escape in the dialog", "", async (page) => {
      await page.getByRole("button", { name: "Close" }).focus();
      await page.keyboard.press("Escape");
    }, closed],
  ] as readonly (readonly [string, string, (page: Page) => Promise<void>, string])[]
) {
  it(`window: the person closes it with ${name}`, async ({ page }) => {
    const running = run(page)`
      await using as = await create();
      const button = document.body.appendChild(document.createElement("button"));
      button.focus();
      const opening = messageOf(as.window(urlOf(as)));
      await shown();
      const inside = document.activeElement.tagName;
      ${program}
      return [inside, await opening, document.querySelectorAll("dialog, iframe").length, document.activeElement === button];
    `;
    await frameOf(page).locator("button[value=alice]").waitFor();
    await act(page);
    assertEquals(await running, ["IFRAME", expected, 0, true]);
  });
}

it("window: the person closes the window of the browser", async ({ page }) => {
  const opening = page.waitForEvent("popup");
  const running = run(
    page,
  )`await using as = await create(); return await messageOf(as.window(urlOf(as), { popup: open("", "") }));`;
  await (await opening).close();
  assertEquals(await running, closed);
});

const before = " before the server sent an authorization response";

for (
  const [name, program, expected] of [
    [
      "the page removes the dialog",
      `const opening = as.window(urlOf(as)); await shown(); document.body.replaceChildren();`,
      `The frame was removed from the page${before}`,
    ],
    [
      "the page closes the dialog",
      `const opening = as.window(urlOf(as)); await shown(); document.querySelector("dialog").close();`,
      closed,
    ],
    [
      "the page removes its frame",
      `const frame = addFrame(); const opening = as.window(urlOf(as), { frame }); await shown(); frame.remove();`,
      `The frame was removed from the page${before}`,
    ],
    [
      "the page loads something else into its frame",
      `const frame = addFrame(); const opening = as.window(urlOf(as), { frame }); await shown(); frame.src = "/other";`,
      `The frame went to another page${before}`,
    ],
    [
      "the window of the browser is loaded again",
      `const popup = open("", ""); const opening = as.window(urlOf(as), { popup });
       await until(() => popup.document?.querySelector("form")); popup.location.href = "/other";`,
      `The window went to another page${before}`,
    ],
    [
      "the window of the browser was closed before",
      `const popup = open("", ""); popup.close(); await until(() => popup.closed); const opening = as.window(urlOf(as), { popup });`,
      closed,
    ],
    [
      "the mock is closed",
      `const opening = as.window(urlOf(as)); await shown(); await as.close();`,
      `The mock was closed${before}`,
    ],
    [
      "the signal is aborted",
      `const stop = new AbortController(); const opening = as.window(urlOf(as), { signal: stop.signal });
       await shown(); stop.abort(new Error("The story has ended"));`,
      "The story has ended",
    ],
    [
      "the signal was aborted before",
      `const opening = as.window(urlOf(as), { signal: AbortSignal.abort(new Error("The story has ended")) });`,
      "The story has ended",
    ],
  ] as const
) {
  it(`window: it rejects when ${name}`, async ({ page }) => {
    const [message, left] = await run<readonly [string, number]>(
      page,
    )`await using as = await create(); ${program}
       return [await messageOf(opening), document.querySelectorAll("dialog").length];`;
    if (typeof expected === "string") assertEquals(message, expected);
    else assertMatch(message, expected);
    assertEquals(left, 0);
  });
}

for (
  const [name, program, expected] of [
    [
      "the window of the browser goes to another site",
      `const popup = open("", ""); const opening = as.window(urlOf(as), { popup });
       await until(() => popup.document?.querySelector("form"));
       popup.location.href = elsewhere; const read = () => popup.document;`,
      "The window went to another page",
    ],
    [
      "the page loads another site into its frame",
      `const frame = addFrame(); const opening = as.window(urlOf(as), { frame }); await shown();
       frame.src = elsewhere; const read = () => frame.contentDocument.body;`,
      "The frame went to another page",
    ],
  ] as const
) {
  it(`window: it rejects when ${name}`, async ({ page }) => {
    const message = await run(page)`
      let looks = 0;
      const set = window.setInterval;
      window.setInterval = (look, pause) => set(() => { look(); looks++; }, pause);
      await using as = await create();
      ${program}
      const looking = until(() => { try { read(); return false; } catch { return true; } })
        .then(() => { const lost = looks; return until(() => looks > lost + 1); });
      return await Promise.race([messageOf(opening), looking.then(() => "nothing")]);
    `;
    assertEquals(message, expected + before);
  });
}

it("window: an answer that comes after the abort is not shown", async ({ page }) => {
  const result = await run(page)`
    await using as = await create();
    const gate = as.hold("authorize"), frame = addFrame(), stop = new AbortController();
    const opening = messageOf(as.window(urlOf(as), { frame, signal: stop.signal }));
    await gate.arrived();
    stop.abort(new Error("The story has ended"));
    const message = await opening;
    gate.release();
    // A later answer is shown in the next frame.
    const next = addFrame();
    const later = messageOf(as.window(urlOf(as), { frame: next }));
    await until(() => next.contentDocument.querySelector("form"));
    next.remove();
    await later;
    return [message, frame.contentDocument.body?.innerHTML ?? ""];
  `;
  assertEquals(result, ["The story has ended", ""]);
});

const places = [
  ["a dialog", "{}", (page) => Promise.resolve(frameOf(page))],
  ["a frame", "{ frame: addFrame() }", (page) => Promise.resolve(frameOf(page))],
  ["a window", '{ popup: open("", "") }', (page) => page.waitForEvent("popup")],
] as readonly (readonly [string, string, (page: Page) => Promise<Page>])[];
for (const [name, terms, place] of places) {
  it(`window: a person reads a refusal in ${name}, and closes it with its reason`, async ({ page }) => {
    const placing = place(page);
    const running = run(page)`
      await using as = await create();
      const error = await as.window(urlOf(as, wrong), ${terms}).catch((error) => error);
      return [error.name, error.reason, error.message.split("\\n")[0], error instanceof postern.Refused];
    `;
    const shown = await placing;
    await shown.locator("h1").waitFor();
    assertEquals(await shown.locator("#received").innerText(), "https://other.test/");
    await pressAndLeave(shown.locator("button#close", { hasText: "Close" }));
    assertEquals(await running, [
      "Refused",
      "redirect_uri_unregistered",
      "Cannot show the pages: invalid_request (redirect_uri_unregistered): This redirect URI is not registered for the client",
      true,
    ]);
  });
}

it("window: after a refusal, the person may go on", async ({ page }) => {
  const running = run<string>(page)`
    await using as = await create();
    const opening = messageOf(as.window(urlOf(as)));
    await shown();
    as.clock.advance("1d");
    return await opening;
  `;
  const frame = frameOf(page);
  await frame.locator("button[value=alice]").click();
  await frame.locator("#start-again").click();
  await frame.locator("button[value=alice]").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  assertEquals(await running, closed);
});

it("window: two at once do not disturb each other", async ({ page }) => {
  const running = run(page)`
    await using as = await create();
    const [frame, other] = [addFrame(), addFrame()];
    frame.id = "first", other.id = "second";
    const browser = as.browser();
    const first = as.window(urlOf(as, { state: "first" }), { frame });
    const second = as.window(urlOf(as, { state: "second" }), { frame: other, browser });
    const refused = await messageOf(as.window(urlOf(as), { frame }));
    const callback = await second;
    const dialog = messageOf(as.window(urlOf(as, { state: "third", prompt: "login" })));
    return [refused, callback.searchParams.get("state"), (await first).searchParams.get("state"), await dialog, browser.cookies.size > 0];
  `;
  await page.frameLocator("#first").locator("button[value=alice]").click();
  await signIn(page.frameLocator("#second") as unknown as Page);
  // The dialog covers the frame of the first until it is closed.
  await page.getByRole("button", { name: "Close" }).click();
  await page.frameLocator("#first").locator("#approve").click();
  assertEquals(await running, [
    "Cannot show the pages where another call shows its own: wait for that one, or give another frame or popup",
    ...["second", "first", closed, true],
  ]);
});

it("window: a browser keeps a person signed in, and another one does not know of it", async ({ page }) => {
  const running = run(page)`
    await using as = await create();
    const errorOf = async (terms) => (await as.window(urlOf(as, { prompt: "none" }), terms)).searchParams.get("error");
    const browser = as.browser();
    await as.login("alice", { client: "app", browser });
    const before = [await errorOf(), await errorOf({ browser })];
    await as.window(urlOf(as));
    return [...before, await errorOf(), await errorOf({ browser: as.browser() })];
  `;
  await frameOf(page).locator("button[value=alice]").click();
  assertEquals(await running, ["login_required", null, null, "login_required"]);
});

it("window: no dialog appears if the server shows no page", async ({ page }) => {
  const result = await run(page)`
    await using as = await create();
    let opened = 0;
    const show = HTMLDialogElement.prototype.showModal;
    HTMLDialogElement.prototype.showModal = function () { opened++; show.call(this); };
    const { searchParams } = await as.window(urlOf(as, { prompt: "none" }));
    return [searchParams.get("error"), opened];
  `;
  assertEquals(result, ["login_required", 0]);
});

for (
  const [name, program, expected] of [
    [
      "another server",
      `await as.window("https://other.test/?code=secret")`,
      /^Cannot show the pages of https:\/\/other\.test\/: expected a URL of https:\/\/as\.test$/,
    ],
    [
      "no URL",
      "await as.window()",
      /^Cannot show the pages of undefined: expected a URL of https:\/\/as\.test$/,
    ],
    [
      "a frame that is not in the document",
      `await as.window(urlOf(as), { frame: document.createElement("iframe") })`,
      /^Cannot show a page in this frame: expected a frame in the document, without src and sandbox$/,
    ],
    [
      "a window that the browser has blocked",
      "await as.window(urlOf(as), { popup: null })",
      /^The browser blocked the window: call open\(\) in the click, without noopener$/,
    ],
    [
      "an address in place of a window",
      `await as.window(urlOf(as), { popup: "/popup" })`,
      /^Cannot show the pages: expected popup to be what open\(\) has returned$/,
    ],
    [
      "both a frame and a window",
      "await as.window(urlOf(as), { frame: addFrame(), popup: window })",
      /^Cannot show the pages: expected frame or popup, but got both$/,
    ],
    [
      "an option that it does not know",
      "await as.window(urlOf(as), { pop: 1 })",
      /^Cannot show the pages: pop /,
    ],
    [
      "what is not a browser of the mock",
      `await as.window(urlOf(as), { browser: "chrome" })`,
      /^Cannot show the pages: browser must be the return value of as\.browser\(\)/,
    ],
    [
      "a response in a message",
      `await as.window(urlOf(as, { response_mode: "web_message" }))`,
      /^The response for https:\/\/app\.test\/callback comes in a message .*: use another response_mode$/,
    ],
    [
      "a response in a form",
      `await as.window(urlOf(as, { response_mode: "form_post" }))`,
      /^The response for https:\/\/app\.test\/callback comes in a form .*: use as\.authorizeForm\(\)/,
    ],
  ] as const
) {
  it(`window: it refuses ${name}`, async ({ page }) => {
    const said = await run<string>(
      page,
    )`await using as = await create(); try { ${program}; return "nothing"; } catch (error) { return error.message; }`;
    assertMatch(said, expected);
  });
}

it("window: it refuses a form that only the last page shows", async ({ page }) => {
  const running = run<string>(page)`
    await using as = await create();
    const body = new URL(urlOf(as, { response_mode: "form_post" })).searchParams;
    const { request_uri } = await (await as.fetch(as.issuer + "/oauth2/par", { method: "POST", body })).json();
    return await messageOf(as.window(as.issuer + "/oauth2/authorize?" + new URLSearchParams({ client_id: "app", request_uri })));
  `;
  await signIn(frameOf(page));
  assertMatch(await running, /^The response for https:\/\/app\.test\/callback comes in a form/);
});

it("window: a link to another site opens in a tab, and the pages stay", async ({ page, site }) => {
  const opening = page.waitForEvent("popup");
  const running = run(page)`
    await using as = await create({ clients: [{ ...client, policy_uri: location.origin + "/policy" }] });
    return await messageOf(as.window(urlOf(as)));
  `;
  const frame = frameOf(page);
  await frame.locator("summary").click();
  await frame.locator("#client-policy").click();
  assertEquals((await opening).url(), `${site.sameSite}/policy`);
  await page.getByRole("button", { name: "Close" }).click();
  assertEquals(await running, closed);
});

/** Where the dialog is, and how high the page of the server is beside its frame. */
const measure = `(() => {
  const dialog = document.querySelector("dialog"), frame = dialog.querySelector("iframe");
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return { left, right: innerWidth - right, top, bottom: innerHeight - bottom, frame: frame.clientHeight, page: frame.contentDocument.documentElement.scrollHeight };
})()`;

interface Measured {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly frame: number;
  readonly page: number;
}

it("window: the dialog is in the middle, as high as its page, and grows with it", async ({ page }) => {
  const running = run(page)`await using as = await create(); return await messageOf(as.window(urlOf(as)));`;
  await frameOf(page).locator("button[value=alice]").waitFor();
  const small = await page.evaluate<Measured>(measure);
  await page.setViewportSize({ width: 1280, height: 1600 });
  await frameOf(page).locator("summary").click();
  await page.waitForFunction(`${measure}.frame > ${small.frame}`);
  const large = await page.evaluate<Measured>(measure);
  for (const { left, right, top, bottom, frame, page } of [small, large]) {
    assertEquals([left, Math.round(top), frame], [right, Math.round(bottom), page]);
    assert(left > 0 && top > 0 && frame > 300, `${left} ${top} ${frame}`);
  }
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.waitForFunction(`${measure}.bottom === 0`);
  const cut = await page.evaluate<Measured>(measure);
  assert(cut.top === 0 && cut.frame < 400 && cut.page > 400, JSON.stringify(cut));
  await page.getByRole("button", { name: "Close" }).click();
  assertEquals(await running, closed);
});

it("window: the dialog has the width of a telephone, dark, without a mistake that axe finds", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.emulateMedia({ colorScheme: "dark" });
  const running = run(page)`await using as = await create(); return await messageOf(as.window(urlOf(as)));`;
  await frameOf(page).locator("button[value=alice]").waitFor();
  const { left, right } = await page.evaluate<Measured>(measure);
  const wide = await page.evaluate(
    "document.querySelector('iframe').contentDocument.documentElement.scrollWidth",
  );
  assertEquals([left, right, wide, await overflow(page)], [0, 0, 390, 0]);
  const colors = await page.evaluate(
    `[document.querySelector("dialog"), document.querySelector("iframe").contentDocument.body]
    .map((each) => getComputedStyle(each).backgroundColor.match(/\\d+/g).every((part) => part < 64))`,
  );
  assertEquals(colors, [true, true]);
  await page.evaluate("document.documentElement.lang = 'en'");
  assertEquals(await findAccessProblems(page), []);
  await page.getByRole("button", { name: "Close" }).click();
  assertEquals(await running, closed);
});

const strictPage = `<!doctype html><html lang="en"><title>A page with a policy</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'">`;

it("window: a strict policy of the page changes nothing", async ({ page, site }) => {
  await page.goto(`${site.sameSite}/strict`);
  const running = run(
    page,
  )`await using as = await create(); return (await as.window(urlOf(as))).searchParams.has('code');`;
  const button = frameOf(page).locator("button[value=alice]");
  assertEquals(await button.evaluate((each) => getComputedStyle(each).display), "grid");
  assertEquals(await frameOf(page).locator("header svg path").count(), 3);
  const size = ({ attributes }: Element) =>
    ["width", "height"].map((name) => attributes.getNamedItem(name)?.value);
  assertEquals(await frameOf(page).locator("header svg").evaluate(size), ["32", "32"]);
  assertEquals(await frameOf(page).locator("script, link, base").count(), 0);
  const { left, right } = await page.evaluate<Measured>(measure);
  assert(left > 0 && left === right, `${left} ${right}`);
  await signIn(frameOf(page));
  assertEquals(await running, true);
}, { findFile: (path) => path === "/strict" ? Promise.resolve(strictPage) : undefined });

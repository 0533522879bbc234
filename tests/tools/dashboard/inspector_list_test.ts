/** The list of the inspector: its logins, what it folds, its order and its pages. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { EndpointName } from "../../../src/kit/mock/endpoints.ts";
import { indexEntries } from "../../../src/kit/mock/journal/journal_index.ts";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import type { JournalEntry } from "../../../src/server/oauth/contracts/journal.ts";
import { present } from "../../../src/ground/values/present.ts";
import { flowNamed } from "../../kit/mock/journal/journal_entries.ts";
import { attribute, byId, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { readListOptions, writeWord } from "../../../src/tools/dashboard/inspector/list_options.ts";
import { test } from "../../runner.ts";
import { openControlled, type OpenedDashboard, openPlain, origin } from "./open_dashboard.ts";
import { isListedGroup, type ListedGroup, listIds, readItems, readRows } from "./read_rows.ts";
import { getCode, redeem, spa, spaOptions } from "./spa.ts";

// 2027-01-15 08:00:00 UTC
const start = 1_800_000_000;
const keySet = { endpoint: "jwks", path: "/oauth2/jwks", method: "GET" } as const;
const call = { endpoint: "resource", path: "/resource", method: "GET" } as const;

interface Sent {
  readonly id?: string;
  readonly at?: number;
  readonly duration?: number;
  readonly flow?: string;
  readonly client?: string;
  readonly person?: string;
  readonly method?: string;
  readonly path?: string;
  readonly endpoint?: EndpointName;
  readonly grant?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly error?: string;
  readonly advice?: string;
}

interface Filled extends OpenedDashboard {
  /** Records a request. Returns its id. */
  add(sent?: Sent): string;
  show(query?: string): Promise<string>;
}

/** Opens a dashboard whose journal a test fills. */
function openFilled(limit?: number): Filled {
  const recorder = createRecorder(limit === undefined ? {} : { limit });
  const opened = openPlain({ now: () => start + 20_000 }, {}, recorder);
  return {
    ...opened,
    add(sent = {}) {
      const entry = describeEntry(recorder.written, sent);
      recorder.write(entry, { endpoint: sent.endpoint ?? "token", isLost: false });
      return entry.id;
    },
    async show(query = "") {
      const response = await opened.send(`/inspector${query}`);
      assertEquals(response.status, 200, query);
      return await response.text();
    },
  };
}

function describeEntry(number: number, sent: Sent): JournalEntry {
  const { id, at = start + number, duration = 0.25, method = "POST", path, status = 200, reason, error } =
    sent;
  const { flow, client, person, grant, advice } = sent;
  return {
    ...{ id: id ?? `entry-${`${number}`.padStart(6, "0")}`, receivedAt: at, duration },
    request: { method, path: path ?? "/oauth2/token", query: "", headers: [] },
    response: { status: reason === undefined ? status : 400, headers: [] },
    facts: {
      ...present({ flow, clientId: client, subject: person, grantType: grant }),
      ...(advice === undefined ? {} : { advice: { reason: "some_reason", description: advice } }),
      ...(reason === undefined ? {} : {
        refusal: {
          ...present({ error }),
          reason,
          description: "The code is not valid",
          spec: "RFC 6749 §5.2",
        } as never,
      }),
    },
  };
}

function addLogin({ add }: Filled, number: number, refused = false): readonly string[] {
  const login = { flow: flowNamed(number), client: "shop", person: "alice" };
  return [
    add({ ...login, endpoint: "authorize", method: "GET", path: "/oauth2/authorize", status: 303 }),
    add({ ...login, ...(refused ? { reason: "code_unknown" } : {}) }),
    add({ ...login, endpoint: "userinfo", method: "GET", path: "/userinfo" }),
  ];
}

function groupsOf(html: string): readonly ListedGroup[] {
  return readItems(html).filter(isListedGroup);
}

/** Returns the address of a link. */
function hrefOf(html: string, id: string): string | undefined {
  const link = findById(readHtml(html), id);
  return link && attribute(link, "href");
}

/** Follows "Older" until the end. Returns the ids of each page. */
async function followOlder(
  { show }: Filled,
  query: string,
  between: () => void = () => {},
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let next: string | undefined = query;
  while (next !== undefined && pages.length < 500) {
    const html: string = await show(next);
    pages.push(listIds(html));
    next = hrefOf(html, "older")?.replace("/inspector", "");
    between();
  }
  return pages;
}

test("list: a login is one line, and its refusal is readable while it is folded", async () => {
  const filled = openFilled();
  addLogin(filled, 1);
  const [, refused] = addLogin(filled, 2, true);
  const [second, first] = groupsOf(await filled.show());
  assertEquals([second?.isOpen, second?.outcome, second?.rows.length], [false, "refused", 3]);
  assertEquals(second!.line, "shop · alice · Login · 3 steps ▲ 1 refused");
  // The status is that of the request whose time the line shows. The reason names the one that was refused.
  assertEquals([second!.status, second!.reason], ["200", "Token request: The code is not valid"]);
  assertEquals([second!.client, second!.person], ["shop", "alice"]);
  assertEquals(second?.rows.find(({ outcome }) => outcome === "refused")?.id, refused);
  assertEquals(first!.line, "shop · alice · Login · 3 steps");
  assertEquals([first?.outcome, first?.status, first?.reason], ["ok", "200", "tokens to the client"]);
});

test("list: a login that ends with the Deny of a person has that mark on its line, twice", async () => {
  const filled = openFilled();
  const login = { flow: flowNamed(1), client: "shop", person: "alice" };
  filled.add({ ...login, endpoint: "authorize", method: "GET", path: "/oauth2/authorize", status: 303 });
  filled.add({ ...login, endpoint: "authorize", path: "/oauth2/authorize", reason: "user_denied" });
  const [group] = groupsOf(await filled.show());
  assertEquals([group?.outcome, group?.line], ["denied", "shop · alice · Login · 2 steps ○ 1 refused"]);
  assertEquals(group?.rows.map(({ outcome }) => outcome), ["ok", "denied"]);
});

test("list: the line of a login shows the latest of its requests that was refused or has failed", async () => {
  const { add, show } = openFilled();
  const refused = { reason: "code_unknown" }, failed = { status: 500 };
  for (const [flow, all] of [[refused, failed], [failed, refused]].entries()) {
    for (const each of all) add({ flow: flowNamed(flow), ...each });
  }
  assertEquals(groupsOf(await show()).map(({ status }) => status), ["400", "500"]);
});

test("list: the line of a login leads to its latest tokens, if nothing was refused", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "shop" };
  const linkOf = async () =>
    findAll(readHtml(await show("?q=client:shop")), "a")
      .find((each) => textOf(each) === "tokens to the client");
  add({ ...login, endpoint: "authorize", method: "GET", path: "/oauth2/authorize" });
  assertEquals(await linkOf(), undefined);
  const exchanged = add(login);
  add({ ...login, endpoint: "userinfo", method: "GET", path: "/userinfo" });
  assertEquals(attribute((await linkOf())!, "href"), `/inspector/${exchanged}?q=client:shop`);
  const refreshed = add({ ...login, grant: "refresh_token" });
  assertEquals(attribute((await linkOf())!, "href"), `/inspector/${refreshed}?q=client:shop`);
  // What was said of the last request says less of the login.
  add({ ...login, endpoint: "introspect", path: "/oauth2/introspect", advice: "The token is inactive" });
  assertEquals(attribute((await linkOf())!, "href"), `/inspector/${refreshed}?q=client:shop`);
  add({ ...login, reason: "code_unknown" });
  assertEquals(await linkOf(), undefined);
});

test("list: the line of a login says how many of its requests the filter selects", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "shop" };
  add({ ...login, endpoint: "authorize", method: "GET", path: "/oauth2/authorize" });
  add({ ...login, person: "alice" });
  add({ ...login, person: "alice", grant: "refresh_token" });
  // No page lists a preflight that was answered.
  add({ ...login, method: "OPTIONS" });
  const readLogin = async (query: string) => {
    const [group] = groupsOf(await show(query));
    return [group?.line, group?.rows.map(({ number }) => number).join()];
  };
  assertEquals(await readLogin("?q=person:alice"), ["shop · alice · Login · 2 of 3 steps", "2,3"]);
  assertEquals(await readLogin(""), ["shop · alice · Login · 3 steps", "1,2,3"]);
});

const poll = "urn:ietf:params:oauth:grant-type:device_code";

// Each row: a name, and the first request of which it is made.
const firsts: readonly (readonly [name: string, first: Sent])[] = [
  ["Login", { endpoint: "authorize" }],
  ["Login", { endpoint: "par" }],
  ["Login", { endpoint: "userinfo" }],
  ["Login", { grant: "authorization_code" }],
  ["Login", {}],
  ["Device login", { endpoint: "device_authorization" }],
  ["Device login", { endpoint: "device_verification" }],
  ["Device login", { grant: poll }],
  ["Refresh", { grant: "refresh_token" }],
  ["Client credentials", { grant: "client_credentials" }],
  ["Token exchange", { grant: "urn:ietf:params:oauth:grant-type:token-exchange" }],
];

for (const [name, first] of firsts) {
  test(`list: a login that begins with ${JSON.stringify(first)} is called ${name}`, async () => {
    const { add, show } = openFilled();
    const login = { flow: flowNamed(1), client: "shop" };
    add({ ...login, ...first });
    for (const grant of ["refresh_token", "client_credentials"]) add({ ...login, grant });
    assertEquals(groupsOf(await show())[0]?.line, `shop · ${name} · 3 steps`);
    // The filter leaves out the first request.
    add({ ...login, grant: "client_credentials" });
    const [some] = groupsOf(await show("?q=grant:client_credentials"));
    assertEquals(some?.line.replace(/\d of/, "some of"), `shop · ${name} · some of 4 steps`);
  });
}

test("list: a device login that waits for its person has no tokens yet", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "tv" };
  add({ ...login, endpoint: "device_authorization", path: "/oauth2/device_authorization" });
  const pending = { error: "authorization_pending", reason: "device_login_pending" };
  add({ ...login, ...pending });
  const waiting = groupsOf(await show())[0];
  const unfinished = ["unfinished", "400", "The code is not valid"];
  assertEquals([waiting?.outcome, waiting?.status, waiting?.reason], unfinished);
  assertEquals(waiting?.rows.map(({ outcome }) => outcome), ["ok", "unfinished"]);
  add(login);
  const [ended] = groupsOf(await show());
  assertEquals([ended?.outcome, ended?.reason], ["ok", "tokens to the client"]);
});

test("list: a device login is one line, which folds its polls, and waiting is no refusal (RFC 8628 §3.5)", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "tv" };
  const pending = { ...login, error: "authorization_pending", reason: "device_login_pending" };
  add({ ...login, endpoint: "device_authorization", path: "/oauth2/device_authorization" });
  for (let poll = 0; poll < 12; poll++) add(pending);
  const page = { ...login, endpoint: "device_verification", path: "/oauth2/device_verification" } as const;
  add({ ...page, person: "alice" });
  add(pending);
  add({ ...login, person: "alice" });
  const [group] = groupsOf(await show());
  assertEquals([group?.outcome, group?.rows.length], ["ok", 5]);
  assertEquals(group!.line, "tv · alice · Device login · 16 steps");
  assertEquals(group!.rows.map(({ number }) => number), ["1", "2", "14", "15", "16"]);
  const { fold, target, status } = group!.rows[1]!;
  assertMatch(fold!.text, /^12 ×/);
  assertEquals([target, status], ["POST /oauth2/token", "400"]);
  assertEquals(readRows(await show("?q=outcome:refused")).length, 0);
  // The client does not keep the interval.
  add({ ...login, error: "slow_down", reason: "device_poll_too_early" });
  assertEquals(groupsOf(await show())[0]?.outcome, "refused");
});

for (const order of ["newest", "oldest"]) {
  test(`list: the steps of a login are numbered in the order of time, in the list with the ${order} first`, async () => {
    const filled = openFilled();
    const ids = addLogin(filled, 1, true);
    const [group] = groupsOf(await filled.show(`?order=${order}`));
    assertEquals(group?.rows.map(({ number, id }) => [number, id]), ids.map((id, at) => [`${at + 1}`, id]));
    assertEquals(group?.time, "08:00:02.000");
  });
}

test("list: the line of a login leads to what was refused", async () => {
  const filled = openFilled();
  const [, refused] = addLogin(filled, 1, true);
  const link = findAll(readHtml(await filled.show()), "a")
    .find((each) => textOf(each) === "Token request: The code is not valid");
  assertEquals(attribute(link!, "href"), `/inspector/${refused}`);
});

test("list: a request that was answered after a later one stands at its arrival", async () => {
  const filled = openFilled();
  const login = { flow: flowNamed(1), client: "shop" };
  const now = Date.now() / 1000;
  const inner = filled.add({ ...login, at: now - 1, duration: 0.5 });
  const outer = filled.add({ ...login, at: now - 2, duration: 2, path: "/authorized", endpoint: "page" });
  assertEquals(listIds(await filled.show("?order=oldest")), [outer, inner]);
  assertEquals(listIds(await filled.show(`?q=flow:${flowNamed(1)}`)), [inner, outer]);
  const [row] = readRows(await filled.show("?order=oldest"));
  assertEquals(row?.name, "Callback page");
  const page = await (await filled.send(`/inspector/${inner}`)).text();
  assertMatch(page, />1 Callback page<.*>2 Token request</s);
});

test("list: the row of a token request says what the client got", async () => {
  const { add, show } = openFilled();
  add({ client: "shop" });
  add({ client: "shop", status: 500 });
  add({ client: "shop", endpoint: "userinfo", path: "/userinfo" });
  assertEquals(readRows(await show()).map(({ reason }) => reason), [
    "claims to the client",
    "",
    "tokens to the client",
  ]);
});

test("list: the requests of a login have the step since the one before", async () => {
  const filled = openFilled();
  addLogin(filled, 1);
  const [group] = groupsOf(await filled.show("?order=oldest"));
  assertEquals(group?.rows.map(({ time }) => time), ["08:00:00.000", "08:00:01.000", "08:00:02.000"]);
  assertEquals(group?.rows[0]?.step, undefined);
  assertMatch(group?.rows[1]?.step ?? "", /\b1 s\b/);
});

test("list: a login of one request is a row, and requests without a login stand alone", async () => {
  const { add, show } = openFilled();
  add({ flow: flowNamed(1), client: "shop", person: "alice" });
  add({ client: "shop", reason: "code_unknown" });
  add({ client: "shop", reason: "code_unknown" });
  const items = readItems(await show());
  assertEquals(items.map(isListedGroup), [false, false, false]);
  assertEquals(readRows(await show()).map(({ client, person }) => [client, person]), [
    ["shop", ""],
    ["shop", ""],
    ["shop", "alice"],
  ]);
});

test("list: a filter that selects one request of a login shows it as a row", async () => {
  const filled = openFilled();
  const [, refused] = addLogin(filled, 1, true);
  const items = readItems(await filled.show("?q=outcome%3Arefused"));
  assertEquals(items.map((item) => isListedGroup(item) ? "group" : item.id), [refused]);
});

// Each row: what differs, and the request between equal ones or after them.
const different: readonly (readonly [what: string, between: Sent])[] = [
  ["of another client", { ...call, client: "other" }],
  ["with another method", { ...call, method: "HEAD" }],
  ["to another path", { ...call, path: "/resource/" }],
  ["with another status", { ...call, status: 304 }],
  ["of another endpoint", { ...call, endpoint: "introspect" }],
  ["about another person", { ...call, person: "alice" }],
  ["with an advice", { ...call, advice: "The key is old" }],
  ["that was refused", { ...call, reason: "code_unknown" }],
  ["of a login", { ...call, flow: flowNamed(1) }],
];

for (const [what, between] of different) {
  test(`list: a request ${what} does not fold, and ends a repetition`, async () => {
    const { add, show } = openFilled();
    add(call);
    add(call);
    add(between);
    add(call);
    for (const order of ["newest", "oldest"]) {
      const times = readRows(await show(`?order=${order}`)).map(({ fold }) => fold?.text.slice(0, 3));
      assertEquals(times, order === "newest" ? [undefined, undefined, "2 ×"] : ["2 ×", undefined, undefined]);
    }
  });
}

test("list: requests that were refused or have failed are rows of their own", async () => {
  const { add, show } = openFilled();
  for (const sent of [{ status: 500 }, { status: 503 }, { status: 401 }, { reason: "code_unknown" }]) {
    for (let times = 0; times < 2; times++) add({ ...call, ...sent });
    add({ ...keySet, status: 500 });
  }
  const rows = readRows(await show());
  assertEquals([rows.length, rows.filter(({ fold }) => fold !== undefined)], [12, []]);
});

for (const [place, flow] of [["a login", { flow: flowNamed(1) }], ["no login", {}]] as const) {
  test(`list: requests with other grant types do not fold, in ${place}`, async () => {
    const { add, show } = openFilled();
    const sent = { ...flow, client: "shop", person: "alice" };
    for (const grant of ["authorization_code", "refresh_token", "refresh_token"]) add({ ...sent, grant });
    const rows = readRows(await show("?order=oldest"));
    assertEquals(rows.map(({ name, fold }) => [name, fold?.text.slice(0, 3)]), [
      ["Code exchange", undefined],
      ["Refresh", "2 ×"],
    ]);
  });
}

test("list: a repetition unfolds by its address, and stays so while further requests arrive", async () => {
  const { add, show } = openFilled();
  const oldest = add(call);
  for (let count = 0; count < 3; count++) add(call);
  const [folded] = readRows(await show());
  assertEquals(folded?.fold?.href, `/inspector?open=${oldest}`);
  const query = folded!.fold!.href.replace("/inspector", "");
  const unfolded = readRows(await show(query));
  assertEquals([unfolded.length, unfolded[0]?.fold?.href], [4, "/inspector"]);
  add(call);
  const longer = readRows(await show(query));
  assertEquals([longer.length, longer[0]?.fold?.text, longer.at(-1)?.id], [5, "Fold 5 requests", oldest]);
  assertEquals(readRows(await show(`${query}&order=oldest`)).length, 5);
});

for (const order of ["newest", "oldest"]) {
  test(`list: a repetition that a page cuts stays unfolded on the next, the ${order} first`, async () => {
    const filled = openFilled();
    // It has the same row, and is no part of the repetition.
    const ofLogin = filled.add({ ...call, flow: flowNamed(1) });
    const oldest = filled.add(call);
    for (let count = 1; count < 80; count++) filled.add(call);
    const pages = await followOlder(filled, `?order=${order}&open=${oldest}`);
    assertEquals([pages.length, new Set(pages.flat()).size], [2, 81]);
    const second = pages[1]!.filter((id) => id !== ofLogin);
    const query = `?order=${order}&open=${oldest}&after=${pages[0]!.at(-1)}`;
    const [first] = readRows(await filled.show(query));
    assertEquals(first?.fold?.text, `Fold ${second.length} requests`);
    assertEquals(new URL(first!.fold!.href, origin).searchParams.has("open"), false);
  });
}

test("list: a login unfolds by its address, and all do", async () => {
  const filled = openFilled();
  addLogin(filled, 1);
  addLogin(filled, 2);
  const states = async (query: string) => groupsOf(await filled.show(query)).map(({ isOpen }) => isOpen);
  assertEquals(await states(""), [false, false]);
  assertEquals(await states(`?open=${flowNamed(1)}`), [false, true]);
  assertEquals(await states(`?open=${flowNamed(1)},${flowNamed(2)}`), [true, true]);
  const link = hrefOf(await filled.show(`?open=${flowNamed(1)}`), "fold");
  assertEquals(link, "/inspector?open=all");
  assertEquals(await states("?open=all"), [true, true]);
  assertEquals(hrefOf(await filled.show("?open=all"), "fold"), "/inspector");
});

test("list: the newest stand first, and a link in the heading of the time turns the order", async () => {
  const { add, show } = openFilled();
  const ids = [1, 2, 3].map((at) => add({ client: `client-${at}` }));
  const sortOf = (html: string) =>
    findAll(readHtml(html), "th").map((each) => attribute(each, "aria-sort")).filter(Boolean);
  const newest = await show("?q=outcome%3Aok");
  assertEquals([listIds(newest), sortOf(newest)], [ids.toReversed(), ["descending"]]);
  const turned = hrefOf(newest, "turn")!;
  assertEquals(turned, "/inspector?q=outcome:ok&order=oldest");
  const oldest = await show(turned.replace("/inspector", ""));
  assertEquals([listIds(oldest), sortOf(oldest)], [ids, ["ascending"]]);
  assertEquals(hrefOf(oldest, "turn"), "/inspector?q=outcome:ok");
});

test("list: a link in the heading of Took lists each request by itself, the slowest first, on all pages", async () => {
  const filled = openFilled();
  const took = new Map<string, number>();
  const add = (duration: number, sent: Sent) => took.set(filled.add({ ...sent, duration }), duration);
  // Equal requests of no login, and two logins.
  for (let at = 0; at < 70; at++) add((at * 37 % 70) / 100, call);
  add(9, { flow: flowNamed(1), client: "shop" });
  add(0.001, { flow: flowNamed(1), client: "shop" });
  add(8, { flow: flowNamed(2), client: "spa" });
  const link = hrefOf(await filled.show("?q=outcome:ok"), "slowest")!;
  assertEquals(link, "/inspector?q=outcome:ok&order=slowest");
  const [query] = link.match(/[?].*/)!;
  const html = await filled.show(query);
  const sorted = findAll(readHtml(html), "th").find((each) => attribute(each, "aria-sort") !== undefined)!;
  assertEquals([textOf(sorted), attribute(sorted, "aria-sort")], [
    "Took: Show the newest first",
    "descending",
  ]);
  assertEquals([hrefOf(html, "slowest"), hrefOf(html, "turn")], Array(2).fill("/inspector?q=outcome:ok"));
  const pages = await followOlder(filled, query);
  assertEquals(pages.length, 2);
  assertEquals(
    pages.flat().map((id) => took.get(id)!),
    [...took.values()].toSorted((one, other) => other - one),
  );
});

test("list: the slowest of all requests stands first, however long ago it was", async () => {
  const { add, show } = openFilled();
  const slowest = add({ ...call, duration: 9 });
  for (let at = 0; at < 600; at++) add({ ...call, path: `/resource/${at}`, duration: 1 });
  assertEquals(listIds(await show("?order=slowest&q=outcome:ok"))[0], slowest);
});

test("list: the requests of one login have the slowest first, too", async () => {
  const { add, show } = openFilled();
  const [fast, slow, middle] = [0.2, 0.9, 0.4].map((duration) =>
    add({ flow: flowNamed(1), client: "shop", duration })
  );
  add({ flow: flowNamed(2), client: "spa", duration: 5 });
  const html = await show(`?q=flow:${flowNamed(1)}&order=slowest`);
  assertEquals(listIds(html), [slow!, middle!, fast!]);
});

test("list: the link of each row carries on the filter and the order", async () => {
  const filled = openFilled();
  const id = filled.add({ client: "shop" });
  const [row] = readRows(await filled.show("?q=client%3Ashop&order=oldest"));
  assertEquals(row?.href, `/inspector/${id}?q=client:shop&order=oldest`);
  assertEquals(readRows(await filled.show())[0]?.href, `/inspector/${id}`);
  // A longer one would make each row long.
  for (const [length, carries] of [[70, true], [71, false]] as const) {
    const client = "x".repeat(length);
    const other = filled.add({ client });
    const [row] = readRows(await filled.show(`?q=client%3A${client}`));
    assertEquals(row?.href, `/inspector/${other}${carries ? `?q=client:${client}` : ""}`);
  }
});

const many = 260;

test("list: each link of a further page keeps the filter, and the page only if it folds or unfolds a row", async () => {
  const filled = openFilled();
  const fold = filled.add(call);
  filled.add(call);
  addLogin(filled, 1);
  for (let at = 0; at < 60; at++) filled.add({ ...call, path: `/resource/${at}` });
  const usual = "?q=outcome:ok";
  for (const [order, turned] of [["", "&order=oldest"], ["&order=oldest", ""]] as const) {
    const first = await filled.show(usual + order);
    const second = hrefOf(first, "older")!;
    const html = await filled.show(second.replace("/inspector", "") + `&open=${flowNamed(1)}`);
    const link = (rel: string) => findAll(readHtml(html), "a").find((each) => attribute(each, "rel") === rel);
    assertEquals(attribute(link("prev")!, "href"), `/inspector${usual}${order}&open=${flowNamed(1)}`);
    assertEquals(hrefOf(html, "turn"), `/inspector${usual}${turned}&open=${flowNamed(1)}`);
    assertEquals(hrefOf(html, "slowest"), `/inspector${usual}&order=slowest&open=${flowNamed(1)}`);
    if (order !== "") continue;
    assertEquals(hrefOf(html, "fold"), `/inspector${usual}&open=all`);
    const after = second.replace(`/inspector${usual}`, "");
    assertEquals(
      readRows(html).flatMap((row) => row.fold?.href ?? []),
      [`/inspector${usual}&open=${flowNamed(1)}%2C${fold}${after}`],
    );
    assertEquals(new Set(readRows(html).map(({ href }) => new URL(href, origin).search)), new Set([usual]));
  }
});

test("list: an address has so many characters, keys and known words, and a word of the filter is one word", () => {
  const read = (query: Record<string, string>) => readListOptions(new URLSearchParams(query));
  const keys = Array.from({ length: 51 }, (_, at) => `key-${at}`);
  assertEquals(read({ q: "x".repeat(1001), open: keys.join(), order: "oldest", after: keys[0]! }), {
    ...{ line: "x".repeat(1000), order: "oldest", open: keys.slice(0, 50), after: keys[0]! },
  });
  assertEquals(read({ open: "a,,b c,<,d", order: "x", after: "a b" }), {
    ...{ line: "", order: "newest", open: ["a", "d"] },
  });
  const words = {
    "a.b:c/d-e_1": "client:a.b:c/d-e_1",
    "//a": 'client:"//a"',
    'a"b c': 'client:"ab c"',
    [`${"x".repeat(99)}\u{1f4bb}`]: `client:"${"x".repeat(99)}\ufffd"`,
  };
  for (const [value, word] of Object.entries(words)) assertEquals(writeWord("client", value), word);
});

for (const order of ["newest", "oldest"]) {
  test(`list: with many requests, its pages have each exactly once, the ${order} first`, async () => {
    const filled = openFilled();
    const added: string[] = [];
    for (let at = 0; added.length < many; at++) {
      if (at % 3 === 0) added.push(...addLogin(filled, at, at % 9 === 0));
      else added.push(filled.add({ client: `client-${at % 7}` }));
    }
    const pages = await followOlder(filled, `?order=${order}`);
    assert(pages.every((ids) => ids.length <= 50), "a page has at most 50 rows");
    assert(pages.length < added.length / 30, `${pages.length} pages`);
    const listed = pages.flat();
    assertEquals([listed.length, new Set(listed).size], [added.length, added.length]);
    if (order === "oldest") assertEquals(listed, added);
  });

  test(`list: while requests come and go, its pages miss none that stays, the ${order} first`, async () => {
    const limit = 160;
    const filled = openFilled(limit);
    let number = 0;
    const add = () => filled.add({ client: `client-${number++}` });
    const added = Array.from({ length: limit }, add);
    const pages = await followOlder(filled, `?order=${order}`, () => {
      if (number < limit + 40) { for (let count = 0; count < 10; count++) add(); }
    });
    const listed = pages.flat();
    assertEquals(new Set(listed).size, listed.length, "none is listed twice");
    const staying = added.slice(number - limit);
    assertEquals(staying.filter((id) => !listed.includes(id)), []);
  });
}

test("list: keys and metadata between two logins are one row, which unfolds, and a value beside the filter hides it", async () => {
  const filled = openFilled();
  const { add, show } = filled;
  const discovery = {
    endpoint: "metadata",
    path: "/.well-known/openid-configuration",
    method: "GET",
  } as const;
  addLogin(filled, 1);
  const ids = [discovery, keySet, keySet, { ...keySet, client: "shop", status: 304 }].map(add);
  add({ ...keySet, reason: "code_unknown" });
  add({ ...keySet, advice: "The keys change soon" });
  add(discovery);
  addLogin(filled, 2);
  for (const order of ["newest", "oldest"]) {
    const items = readItems(await show(`?order=${order}`));
    const [fold] = items.flatMap((item) => isListedGroup(item) ? [] : item.fold ?? []);
    assertEquals([items.length, fold?.text], [6, "3 × keys, 1 × discovery. Unfold these requests"]);
    const unfolded = listIds(await show(fold!.href.replace("/inspector", "")));
    assertEquals(unfolded.filter((id) => ids.includes(id)), order === "newest" ? ids.toReversed() : ids);
  }
  const [hide] = chipsOf(await show()).filter(({ text }) => text.startsWith("Hide"));
  assertEquals([hide!.text, hide!.href], [
    "Hide keys, discovery 7",
    "?q=-endpoint:jwks+-endpoint:metadata",
  ]);
  const hidden = await show(`${hide!.href.replace("?q=", "?q=client:shop+")}`);
  assertEquals(readItems(hidden).map(isListedGroup), [true, true]);
  const again = chipsOf(hidden).find(({ text }) => text.startsWith("Hide"));
  assertEquals([again!.isActive, again!.href], [true, "?q=client:shop"]);
});

// Each row: a client and a person with text that a filter could misread.
const names = ["my shop", "-shop", "outcome:refused", "日本", "https://app.example/client"];

for (const name of names) {
  test(`list: a click on ${name} shows the requests with it`, async () => {
    const { add, show } = openFilled();
    const id = add({ client: name, person: name, flow: flowNamed(1), reason: "code_unknown" });
    add({ client: "another", person: "another", flow: flowNamed(2), reason: "code_replayed" });
    const rows = findAll(byId(readHtml(await show()), `r-${id}`), "td");
    for (const [what, cell] of [["client", rows[2]!], ["person", rows[3]!]] as const) {
      const [link] = findAll(cell, "a");
      assertEquals(textOf(link!).replaceAll("\u2060", ""), name);
      const address = attribute(link!, "href")!.replace("/inspector", "");
      assertEquals(listIds(await show(address)), [id], `${what}: ${address}`);
    }
  });
}

test("list: a reason opens its request, which leads to others with the same reason", async () => {
  const { add, show } = openFilled();
  const id = add({ client: "shop", reason: "code_unknown" });
  const [, , , , , , reason] = findAll(byId(readHtml(await show("?order=oldest")), `r-${id}`), "td");
  const [link] = findAll(reason!, "a");
  assertEquals(textOf(link!), "The code is not valid");
  assertEquals(attribute(link!, "href"), `/inspector/${id}?order=oldest`);
  assertStringIncludes(await show(`/${id}`), 'href="/inspector?q=reason:code_unknown"');
});

test("list: times of another day have their date", async () => {
  const { add, show } = openFilled();
  add({ client: "yesterday", at: start - 9 * 3600 });
  add({ client: "today", at: start + 0.0625 });
  assertEquals(readRows(await show()).map(({ client, time }) => [client, time]), [
    ["today", "08:00:00.063"],
    ["yesterday", "01-14 23:00:00.000"],
  ]);
});

const hostile = [
  ...[
    "%00",
    "%ff",
    "%F0%9F%98%80".repeat(300),
    "%22%3E%3Csvg%20onload%3Dalert(1)%3E",
    "../../x",
    "a".repeat(9000),
  ],
  ...["__proto__", "constructor", ",".repeat(5000), "%0d%0ax", "all,all", "-1", "NaN", "%u202e"],
];

for (const name of ["q", "open", "order", "after", "counts"]) {
  test(`list: hostile values of ${name} are answered with a page of the usual size`, async () => {
    const filled = openFilled();
    for (let at = 0; at < 4; at++) addLogin(filled, at, at % 2 === 0);
    for (const value of hostile) {
      const html = await filled.show(`?${name}=${value}&order=oldest`);
      assert(html.length < 60_000, `${value.slice(0, 40)}: ${html.length}`);
      assertEquals(findAll(readHtml(html), "svg").length, 0);
      readItems(html);
    }
  });
}

test("list: long and hostile clients and paths make no page fail, and none is larger than usual", async () => {
  const filled = openFilled();
  const texts = [
    ...["x".repeat(5000), `${"x".repeat(99)}😀`, "😀".repeat(2000), `"><svg onload=alert(1)>`.repeat(100)],
    ...["\u202e".repeat(500), '"'.repeat(3000), "&".repeat(3000), "\u0000\n\r\t"],
  ];
  const ids = texts.flatMap((text) => [
    filled.add({ client: text, person: text, flow: flowNamed(0), path: `/${text}` }),
    filled.add({ client: text, path: `/${text}`, reason: "code_unknown" }),
  ]);
  const pages = await followOlder(filled, "");
  assertEquals(new Set(pages.flat()), new Set(ids));
  for (const query of ["", "?open=all", "?order=oldest"]) {
    const html = await filled.show(query);
    assert(html.length < 40_000, `${query}: ${html.length}`);
    assertEquals(findAll(readHtml(html), "svg").length, 0);
  }
});

test("list: a login with many requests leads to all of them", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "shop" };
  const ids = Array.from({ length: 40 }, (_, at) => add({ ...login, path: `/oauth2/token/${at}` }));
  const [group] = groupsOf(await show());
  assertMatch(group!.line, /40 steps/);
  assertEquals([group?.rows[0]?.number, group?.rows.at(-1)?.id], ["11", ids.at(-1)]);
  assertEquals(groupsOf(await show("?order=oldest"))[0]?.rows.at(-1)?.id, ids.at(-1));
  const [link] = findAll(group!.earlier!, "a");
  assertEquals(textOf(link!), "10 earlier steps");
  const whole = await show(attribute(link!, "href")!.replace("/inspector", ""));
  assertEquals(new Set(listIds(whole)), new Set(ids));
});

test("list: a long login says how many requests it leaves out, and counts each of a folded row", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "shop" };
  for (let at = 0; at < 40; at++) add({ ...login, path: `/oauth2/token/${Math.max(at, 4)}` });
  const [group] = groupsOf(await show());
  assertEquals(group?.rows.length, 30);
  assertEquals([textOf(group!.earlier!), group?.rows[0]?.number], ["10 earlier steps", "11"]);
});

test("list: a turn of the clock stands between the two requests of a login", async () => {
  const opened = await openControlled(spaOptions);
  await using as = opened.as;
  const code = await getCode(opened);
  as.clock.set(as.clock.now - 3600);
  await redeem(opened, code, { code_verifier: "wrong" });
  for (const order of ["newest", "oldest"]) {
    const [group] = groupsOf(await (await opened.send(`/inspector?order=${order}`)).text());
    assertEquals(group?.rows.map(({ outcome, turned }) => [outcome, turned]), [
      ["ok", undefined],
      ["refused", "The clock was turned back by 1 h."],
    ]);
    assertStringIncludes(group!.line, "1 refused");
  }
});

interface Chip {
  readonly text: string;
  readonly isActive: boolean;
  readonly href: string;
}

function chipsOf(html: string): readonly Chip[] {
  const strip = findAll(readHtml(html), "span").find((each) => attribute(each, "class") === "facets")!;
  return findAll(strip, "a").map((each) => ({
    text: textOf(each).replace(/\s+/g, " ").trim(),
    isActive: attribute(each, "aria-current") === "true",
    href: attribute(each, "href")!.replace("/inspector", ""),
  }));
}

test("list: values beside the filter combine, a second press takes one away, and All keeps its place", async () => {
  const { add, show } = openFilled();
  add({ client: "shop", person: "bob", reason: "code_unknown" });
  for (let times = 0; times < 3; times++) add({ client: "shop" });
  add({ client: "bank", reason: "code_unknown" });
  const press = async (query: string, text: string) => {
    const chip = chipsOf(await show(query)).find((each) => each.text.startsWith(text));
    return chip!.href;
  };
  const shown = async (query: string) =>
    chipsOf(await show(query)).map(({ text, isActive }) => isActive ? `[${text}]` : text);
  assertEquals(await shown(""), ["[All]", "refused 2", "shop 4", "bank 1", "bob 1"]);
  const refused = await press("", "refused");
  assertEquals(await shown(refused), ["All", "[refused 2]", "shop 1", "bank 1", "bob 1"]);
  const both = await press(refused, "shop");
  assertEquals(both, "?q=client:shop+outcome:refused");
  assertEquals(await shown(both), ["All", "[refused 1]", "[shop 1]", "bank", "bob 1"]);
  const other = await shown("?q=person:bob");
  assertEquals(other, ["All", "refused 1", "shop 1", "[bob 1]"], "of another name, none without a request");
  assertEquals(listIds(await show(both)), ["entry-000000"]);
  assertEquals(await press(both, "refused"), "?q=client:shop");
  assertEquals(await press(both, "All"), "");
  // A person may have typed the rest, with other cases and with what is not wanted.
  assertEquals(await press('?q=CLIENT:"SHOP" -client:bank two', "shop"), "?q=-client:bank+two");
});

test("list: a press on a client or a person of a row keeps the rest of the filter", async () => {
  const { add, show } = openFilled();
  add({ client: "shop", person: "bob" });
  const links = findAll(readHtml(await show("?q=outcome:ok+person:BOB&order=oldest")), "a");
  const hrefOf = (text: string) =>
    attribute(links.find((each) => textOf(each) === text && !attribute(each, "aria-current"))!, "href");
  assertEquals(hrefOf("shop"), "/inspector?q=client:shop+outcome:ok+person:BOB&order=oldest");
  assertEquals(hrefOf("bob"), "/inspector?q=person:bob+outcome:ok&order=oldest");
});

test("list: after the key, the list has the filter that it had", async () => {
  const { show } = openFilled();
  const field = findAll(readHtml(await show("?q=outcome:refused&order=oldest")), "input")
    .find((each) => attribute(each, "name") === "next");
  assertEquals(attribute(field!, "value"), "/inspector?q=outcome:refused&order=oldest");
});

for (const count of [20, 21]) {
  test(`search: of ${count} requests it shows 20, and leads to the inspector only if there are more`, async () => {
    const { add, send } = openFilled();
    for (let at = 0; at < count; at++) add({ client: "shop", path: `/oauth2/token/${at}` });
    const html = await (await send("/search?q=shop")).text();
    assertEquals(listIds(html).length, 20);
    assertEquals(html.includes('id="filter-requests"'), count > 20);
  });
}

test("list: a press that hides keys and metadata adds the words that the filter lacks", async () => {
  const { add, show } = openFilled();
  for (const endpoint of ["jwks", "metadata", "token"] as const) add({ endpoint });
  for (const line of ["", "-endpoint:jwks", "outcome:ok -endpoint:metadata"]) {
    const chips = chipsOf(await show(`?${new URLSearchParams({ q: line })}`));
    const links = chips.map(({ href }) => new URL(href, origin).searchParams.get("q") ?? "");
    const hiding = links.filter((q) => q.includes("-endpoint:jwks") && q.includes("-endpoint:metadata"));
    const words = hiding.map((q) => q.split(" ").toSorted());
    const expected = ["-endpoint:jwks", "-endpoint:metadata", ...(line.includes("ok") ? ["outcome:ok"] : [])];
    assertEquals(words, [expected], line);
  }
});

test("list: a value that begins like an address selects its requests", async () => {
  const { add, show } = openFilled();
  for (const client of ["//shop", "shop"]) add({ client });
  const chip = chipsOf(await show("")).find(({ text }) => text.startsWith("//shop"));
  assertEquals(listIds(await show(chip!.href)), ["entry-000000"]);
});

test("list: a login took as long as its client needed, however late a person ended it", async () => {
  const { add, show } = openFilled();
  const login = { flow: flowNamed(1), client: "shop" };
  add({
    ...login,
    at: start,
    duration: 0.7,
    endpoint: "authorize",
    method: "GET",
    path: "/oauth2/authorize",
    status: 303,
  });
  add({ ...login, at: start + 2 });
  add({ ...login, at: start + 663, duration: 40, endpoint: "page", path: "/people/end", status: 303 });
  const [, , , , , , , took] = findAll(byId(readHtml(await show()), `f-${login.flow}`), "td");
  assertEquals(textOf(took!), "2.3 s");
});

test("list: a login of which the journal has pages alone took as long as these", async () => {
  const { add, show } = openFilled();
  const page = { flow: flowNamed(1), client: "shop", endpoint: "page", path: "/people/end" } as const;
  for (const at of [start, start + 2]) add({ ...page, at, duration: 0.5 });
  const [, , , , , , , took] = findAll(byId(readHtml(await show()), `f-${page.flow}`), "td");
  assertEquals(textOf(took!), "2.5 s");
});

test("list: the page that starts a login is its first step, also if logins start together and the list was shown between", async () => {
  const recorder = createRecorder();
  const opened = openPlain({ clients: [spa] }, {}, recorder);
  const list = async (query = "") => await (await opened.send(`/inspector${query}`)).text();
  const follow = async (address: string) => {
    const response = await opened.send(address);
    await response.body?.cancel();
    await list();
    return response.headers.get("location")?.replace(origin, "") ?? "";
  };
  const start = `/start?client_id=${spa.client_id}`;
  const [first, second] = [await follow(start), await follow(start)];
  await list("?q=client:spa");
  const [latest, ...others] = readRows(await list());
  assertEquals([latest?.fold?.text, others], ["2 ×. Unfold these requests", []]);
  // The second one is answered first. One request more with the same challenge is a login by itself.
  for (const address of [second, first, first]) await follow(address);
  const items = readItems(await list("?order=oldest"));
  const whole = ["Start of a login", "Authorization request"];
  for (const listed of [items, readItems(await list("?order=oldest&q=client:spa"))]) {
    const steps = listed.map((item) => isListedGroup(item) ? item.rows.map(({ name }) => name) : [item.name]);
    assertEquals(steps, [whole, whole, ["Authorization request"]]);
  }
  const [login, other] = items.filter(isListedGroup);
  assertEquals([login!, other!].map(({ rows }) => rows[0]!.id === latest!.id), [true, false]);
  // Another index of the same journal, as for a file.
  assertEquals(indexEntries(recorder.kept).listFlow(login!.flow).length, 2);
  const flow = `?q=flow:${login!.flow}`;
  assertEquals(readRows(await list(flow)).map(({ name }) => name), whole.toReversed());
  assertMatch(await list(`/${login!.rows[1]!.id}`), />1 Start of a login<.*>2 Authorization request</s);
});

test("list: a login without tokens is unfinished where it waits, until its code is exchanged", async () => {
  const opened = openPlain(spaOptions);
  const list = async (query = "") =>
    readItems(await (await opened.send(`/inspector${query}`)).text())
      .map((item) => [isListedGroup(item), item.outcome, item.reason]);
  const code = await getCode(opened);
  assertEquals(await list(), [[false, "unfinished", "code not exchanged"]]);
  await redeem(opened, code);
  assertEquals(await list(), [[true, "ok", "tokens to the client"]]);
  // The code of this row was exchanged.
  assertEquals(await list("?q=endpoint:authorize"), [[false, "ok", "code to the client"]]);
  const start = await opened.send(`/start?client_id=${spa.client_id}`);
  await opened.send(start.headers.get("location")!.replace(origin, ""));
  assertEquals((await list())[0], [true, "unfinished", "code not exchanged"]);
  const [started] = groupsOf(await (await opened.send("/inspector")).text());
  assertEquals(started?.rows.map(({ outcome, reason }) => [outcome, reason]), [
    ["ok", "goes on"],
    ["ok", "code to the client"],
  ]);
});

for (
  const [name, mark] of [
    // A client goes on after this one.
    ["authorization_response.parameters_unknown", "unfinished"],
    ["authorization_response.state_missing", "wrong"],
  ] as const
) {
  test(`list: a login whose answer has ${name} and no tokens is ${mark}`, async () => {
    await using opened = await openControlled(spaOptions);
    opened.as.misbehave(name);
    await getCode(opened);
    assertEquals(readItems(await (await opened.send("/inspector")).text())[0]?.outcome, mark);
  });
}

test("list: a journal that forgets the start of a login keeps the rest of it", async () => {
  const opened = openPlain({ clients: [spa] }, {}, createRecorder({ limit: 4 }));
  const list = async () => await (await opened.send("/inspector")).text();
  const follow = async (address: string) => {
    const response = await opened.send(address);
    await response.body?.cancel();
    return response.headers.get("location")?.replace(origin, "") ?? "";
  };
  const address = await follow(`/start?client_id=${spa.client_id}`);
  await list();
  await follow(address);
  assertEquals(groupsOf(await list())[0]?.rows.length, 2);
  for (let at = 0; at < 3; at++) await follow("/userinfo");
  const names = readRows(await list()).map(({ name }) => name);
  assertEquals(names.includes("Start of a login"), false);
  assert(names.includes("Authorization request"));
});

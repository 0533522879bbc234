/** What the pages leave out: beyond which length or number, and what they say instead. */

import { assertEquals } from "@std/assert";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import { sliceOf } from "../../../src/tools/dashboard/directory/lists.ts";
import { endConsents } from "../../../src/tools/dashboard/directory/records.ts";
import { fitExchange } from "../../../src/tools/dashboard/inspector/fit_exchange.ts";
import { buildRequest } from "../../../src/tools/dashboard/playground/build_request.ts";
import { test } from "../../runner.ts";
import { key, openPlain, origin } from "./open_dashboard.ts";

test("bounds: a part of a list has ten entries, and a link to another part forgets what was done", () => {
  const at = (query: string, count: number) => {
    const call = { query: new URLSearchParams(query), request: { address: { path: "/people" } } } as never;
    const { entries, turns: { from, to, next, previous } } = sliceOf(
      "grants:web",
      Array(count).fill(0),
      call,
    );
    return [entries.length, from, to, previous ?? "", next ?? ""];
  };
  const part = (number: number) => `/people?grants%3Aweb=${number}#grants-heading`;
  assertEquals(at("done=ended", 10), [10, 1, 10, "", ""]);
  assertEquals(at("done=ended", 11), [10, 1, 10, "", part(2)]);
  for (const typed of ["2", "9", "2.5"]) {
    assertEquals(at(`grants:web=${typed}`, 11), [1, 11, 11, part(1), ""]);
  }
});

test("bounds: a message has 12,000 characters of HTML, and the first remark is always there", () => {
  const fit = (lengths: readonly number[], remarks: readonly number[]) => {
    const empty = { parameters: [], body: [], headers: [] };
    const texts = (all: readonly number[]) => all.map((length) => ({ name: "n", text: "x".repeat(length) }));
    const { request, ...shown } = fitExchange(
      {
        ...{ copies: [], request: { ...empty, parameters: texts(lengths) }, response: empty },
        remarks: texts(remarks),
      } as never,
    );
    return [request.parameters.map(({ text }) => text?.length), request.omitted ?? 0, shown.remarks.length];
  };
  assertEquals(fit([11_739], [397, 1]), [[11_739], 0, 2]);
  assertEquals(fit([11_740], [398, 1]), [[1956], 0, 1]);
  assertEquals(fit([10_278, 2000], [9000]), [[10_278, 200], 0, 1]);
  assertEquals(fit([10_284, 2000], []), [[10_284], 1, 0]);
});

test("bounds: the copies of a request have fewer than 6,000 characters of HTML together", () => {
  const message = { parameters: [], body: [], headers: [] };
  const fit = (lengths: readonly number[]) => {
    const copies = lengths.map((length) => ({ text: "x".repeat(length) }));
    return fitExchange({ copies, request: message, response: message, remarks: [] } as never).copies.length;
  };
  assertEquals([[5_999], [6_000], [2_999, 2_999], [3_000, 10]].map(fit), [1, 0, 2, 1]);
});

test("bounds: the latest requests are looked for among 1,000", async () => {
  const recorder = createRecorder();
  const { send } = openPlain({}, {}, recorder);
  for (const path of ["/oauth2/authorize", "/start?client_id=demo"]) await send(path);
  const { entry } = recorder.kept[1]!;
  const showPages = async (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      recorder.write({ ...entry, id: `page-${at}` }, { endpoint: "page", isLost: false });
    }
    return (await (await send("/")).text()).includes('id="requests"');
  };
  assertEquals([await showPages(1, 999), await showPages(999, 1000)], [true, false]);
});

test("bounds: a file says how many requests the journal has lost, unless a filter selects some", async () => {
  const dashboard = openPlain({}, {}, createRecorder({ limit: 2 }));
  await dashboard.enter(key);
  for (let at = 0; at < 5; at++) await dashboard.send("/oauth2/jwks");
  const says = async (query: string) =>
    /^\(3 earlier requests were dropped\)/.test(
      await (await dashboard.send(`/inspector/export?form=text${query}`)).text(),
    );
  assertEquals([await says(""), await says("&q=endpoint:jwks")], [true, false]);
});

test("playground: a form sends the parameters for which its choices ask, and no others", () => {
  const build = (names: string, changed: Readonly<Record<string, string>>) => {
    const values = new Map(Object.entries({ client_id: "web", code_challenge: "own", ...changed }));
    const fields = names.split(" ").map((name) => ({ name, ...(name === "pkce" ? { role: "choice" } : {}) }));
    return buildRequest({ parametersIn: "form", fields } as never, values, undefined).body;
  };
  const basic = { client_authentication: "client_secret_basic" };
  assertEquals(build("client_id client_authentication", basic), "");
  // RFC 9126 §2.1
  assertEquals(build("client_id response_type", basic), "client_id=web");
  const sent = ["page", "own", "none"].map((pkce) => build("client_id pkce code_challenge", { pkce }));
  assertEquals(sent, ["client_id=web", "client_id=web&code_challenge=own", "client_id=web"]);
});

test("bounds: a form has 200,000 octets at most, is UTF-8, and comes from a page of this server", async () => {
  const { send } = openPlain();
  const headers = {
    origin,
    "sec-fetch-site": "same-origin",
    "content-type": "application/x-www-form-urlencoded",
  };
  const statusOf = async (body: BodyInit, changed = {}) =>
    (await send("/session", { method: "POST", headers: { ...headers, ...changed }, body })).status;
  const bodies = ["x".repeat(200_000), "x".repeat(200_001), new Uint8Array([255])];
  assertEquals(await Promise.all(bodies.map((body) => statusOf(body))), [401, 413, 400]);
  const right = new URLSearchParams({ key });
  assertEquals(await statusOf(right), 200);
  // The page of another application that knows the key.
  for (const changed of [{ origin: "http://localhost:3000" }, { "sec-fetch-site": "same-site" }]) {
    assertEquals(await statusOf(right, changed), 403);
  }
});

test("people: a consent is forgotten before the answer, however slow the store is", async () => {
  const deleted: string[] = [];
  const value = { subject: "alice", clientId: "web" };
  const store = {
    list: async function* () {
      for (const id of ["one", "two"]) yield await Promise.resolve({ id, value });
    },
    delete: (_: string, id: string) =>
      new Promise<void>((resolve) => setTimeout(() => resolve(void deleted.push(id)))),
  };
  await endConsents(value, { store } as never);
  assertEquals(deleted, ["one", "two"]);
});

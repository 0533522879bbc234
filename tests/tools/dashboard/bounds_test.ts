/** What the pages leave out: beyond which length or number, and what they say instead. */

import { assertEquals } from "@std/assert";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import { sliceOf } from "../../../src/tools/dashboard/directory/lists.ts";
import { listRecent } from "../../../src/tools/dashboard/frame/list_recent.ts";
import { fitExchange } from "../../../src/tools/dashboard/inspector/fit_exchange.ts";
import { buildRequest } from "../../../src/tools/dashboard/playground/build_request.ts";
import { test } from "../../runner.ts";
import { key, openPlain } from "./open_dashboard.ts";

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
  const fit = (lengths: readonly number[], remarks: readonly number[] = []) => {
    const message = {
      parameters: lengths.map((length) => ({ name: "n", text: "x".repeat(length) })),
      body: [],
      headers: [],
    };
    const shown = fitExchange({
      ...{ copies: [], request: message, response: { ...message, parameters: [] } },
      remarks: remarks.map((length) => ({ server: "x".repeat(length) })),
    } as never);
    return [
      shown.request.parameters.map(({ text }) => text?.length),
      shown.request.omitted ?? 0,
      shown.remarks.length,
    ];
  };
  assertEquals(fit([11_739]), [[11_739], 0, 0]);
  assertEquals(fit([11_740]), [[1956], 0, 0]);
  assertEquals(fit([10_278, 2000], [900, 0]), [[10_278, 200], 0, 1]);
  assertEquals(fit([10_284, 2000], [899, 1]), [[10_284], 1, 1]);
  assertEquals(fit([], [400, 0]), [[], 0, 2]);
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

test("playground: a form with a response type sends client_id also beside HTTP Basic (RFC 9126 §2.1)", () => {
  const values = new Map([["client_id", "web"], ["client_authentication", "client_secret_basic"]]);
  const build = (...names: readonly string[]) =>
    buildRequest(
      { parametersIn: "form", fields: names.map((name) => ({ name })) } as never,
      values,
      undefined,
    ).form;
  const usual = ["client_id", "client_authentication"];
  assertEquals(build(...usual), []);
  assertEquals(build(...usual, "response_type"), [["client_id", "web"]]);
});

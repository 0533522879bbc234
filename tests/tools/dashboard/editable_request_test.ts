/** A recorded request, as a person changes it before the server answers it again. */

import { assertEquals } from "@std/assert";
import { createRecorder } from "../../../src/kit/mock/journal/recorder.ts";
import type { KeptEntry } from "../../../src/kit/mock/journal/request_list.ts";
import { describeEditable, editRequest } from "../../../src/tools/dashboard/inspector/editable_request.ts";
import { test } from "../../runner.ts";
import { origin } from "./open_dashboard.ts";

const headers = {
  host: "localhost:9000",
  authorization: "Basic YTpi",
  dpop: "a.b.c",
  accept: "*/*",
  "content-type": "application/x-www-form-urlencoded",
  origin,
  "content-length": "7",
  cookie: "a=b",
};
const form = { method: "POST", path: "/oauth2/token", query: "", headers, body: "a=1&b=2" };
const json = { ...form, headers: { ...headers, "content-type": "application/json" }, body: '{"a":1}' };

function keep({ headers, ...request }: typeof form): KeptEntry {
  const recorder = createRecorder();
  recorder.write({
    ...{ id: "entry-1", receivedAt: 0, duration: 0, facts: {} },
    request: { ...request, headers: Object.entries(headers) },
    response: { status: 200, headers: [], body: "" },
  }, { endpoint: "token", isLost: false });
  return recorder.kept[0]!;
}

/** What differs from the recorded request, which has no other length. A header without a value is left out. */
async function changesOf(request: typeof form, fields: Readonly<Record<string, string>>) {
  const edited = editRequest(keep(request), new URLSearchParams(fields), origin)!;
  const { method, address: { path, query } } = edited;
  const read = await edited.readBody(1000);
  const sent = { method, path, query, body: "text" in read ? read.text : read.problem };
  const all = { ...request.headers, "content-length": undefined };
  const changed = Object.entries(all).filter(([name, value]) => edited.header(name) !== value);
  assertEquals(
    Object.fromEntries(edited.headers()),
    Object.fromEntries(
      Object.keys(all).map((name) => [name, edited.header(name)]).filter(([, value]) => value !== undefined),
    ),
  );
  return {
    ...Object.fromEntries(
      Object.entries(sent).filter(([name, value]) => Reflect.get(request, name) !== value),
    ),
    ...Object.fromEntries(changed.map(([name]) => [name, edited.header(name)])),
  };
}

const rows: readonly (readonly [request: typeof form, fields: Record<string, string>, changes: object])[] = [
  [form, {}, {}],
  [json, {}, {}],
  [form, { "header.0": "Basic eDp5", "header.2": "text/html" }, {
    authorization: "Basic eDp5",
    accept: "text/html",
  }],
  [form, { "header.1": "", "header.3": "text/plain" }, { "content-type": "text/plain" }],
  [form, { "header.1.without": "on", "header.4.without": "on" }, { dpop: undefined, origin: undefined }],
  [form, { "header.2": "a\r\nx: y\0" }, { accept: "a  x: y " }],
  [form, { "header.5": "x", "header.6": "x" }, {}],
  [form, { "query.name": "c", "query.value": "3 4" }, { query: "c=3+4" }],
  [{ ...form, query: "x=%20" }, { "query.name": "c" }, { query: "x=%20&c=" }],
  [form, { "form.0": "", "form.1": "", "form.1.hidden": "1" }, { body: "a=&b=2" }],
  [form, { "form.0.without": "on", "form.name": "c", "form.value": "3" }, { body: "b=2&c=3" }],
  [{ ...form, body: "p1=%zz&X%5B%5D=1&a=1" }, { "form.2": "2 3" }, { body: "p1=%zz&X%5B%5D=1&a=2+3" }],
  [form, { body: "x" }, {}],
  [json, { body: "" }, {}],
  [json, { body: "{}" }, { body: "{}" }],
  [json, { body: "x".repeat(1000) }, { body: "x".repeat(1000) }],
  [json, { body: "x".repeat(1001) }, { body: "too_large" }],
  [json, { body: "é".repeat(501) }, { body: "too_large" }],
];

for (const [request, fields, changes] of rows) {
  const name = JSON.stringify(fields).slice(0, 60);
  test(`edited request: ${name} changes what it names in ${request.headers["content-type"]}`, async () => {
    assertEquals(await changesOf(request, fields), changes);
  });
}

test("edited request: the page has the first thirty fields, and shows whole values that are no secret", () => {
  const body = [
    `scope=${"x".repeat(300)}`,
    "code=secret",
    ...Array.from({ length: 30 }, (_, at) => `p${at}=1`),
  ].join("&");
  const options = { issuer: origin, secrets: false, neverShown: [], journal: createRecorder() } as never;
  const { form: fields, headers: kinds, ...rest } = describeEditable(
    keep({ ...form, query: "prompt=none", body }),
    options,
  );
  assertEquals(rest, { query: [{ name: "prompt", text: "none" }], body: "form" });
  assertEquals([fields.length, fields[1]], [30, { name: "code" }]);
  assertEquals(kinds.map(({ name }) => name), ["authorization", "dpop", "accept", "content-type", "origin"]);
  const textOf = (length: number) =>
    describeEditable(keep({ ...form, body: `scope=${"x".repeat(length)}` }), options).form[0]!.text?.length;
  assertEquals([textOf(1000), textOf(1001)], [1000, undefined]);
  const bodyOf = (request: typeof form) => describeEditable(keep(request), options).body;
  assertEquals([bodyOf(json), bodyOf({ ...json, body: "" })], ["text", "none"]);
});

/** Tests how a request body is read: its limit, its encoding, and bodies that are cut off. */

import { assertEquals } from "@std/assert";
import { type Body, readBody } from "../../../../src/ground/http/body.ts";
import { fromRequest, readCookies } from "../../../../src/ground/http/message.ts";
import { test } from "../../../runner.ts";

/** Creates a request whose body comes in these pieces, without a Content-Length. */
function streamed(
  pieces: readonly (string | Uint8Array)[],
  headers: HeadersInit = {},
  fails = false,
): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      }
      if (fails) controller.error(new Error("cut off"));
      else controller.close();
    },
  });
  return new Request("https://as.test/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

const cases: readonly (readonly [name: string, request: () => Request, result: Body])[] = [
  ["no body", () => new Request("https://as.test/", { method: "POST" }), { text: "" }],
  ["a body within the limit", () => streamed(["12345", "67890"]), { text: "1234567890" }],
  ["a character in two pieces", () => streamed([Uint8Array.of(0xe2, 0x82), Uint8Array.of(0xac)]), {
    text: "€",
  }],
  ["a body that is one octet too long", () => streamed(["12345", "678901"]), { problem: "too_large" }],
  ["few characters with too many octets", () => streamed(["€€€€"]), { problem: "too_large" }],
  ["octets that are not UTF-8", () => streamed([Uint8Array.of(0x61, 0xff)]), { problem: "not_utf8" }],
  ["a character that is cut off", () => streamed([Uint8Array.of(0xe2, 0x82)]), { problem: "not_utf8" }],
  ["an encoded surrogate", () => streamed([Uint8Array.of(0xed, 0xa0, 0x80)]), { problem: "not_utf8" }],
  ["a compressed body", () => streamed(["x"], { "content-encoding": "gzip" }), { problem: "encoded" }],
  ["the encoding identity", () => streamed(["x"], { "content-encoding": "Identity" }), { text: "x" }],
  ["a body that is cut off", () => streamed(["x"], {}, true), { problem: "interrupted" }],
  ["a byte order mark", () => streamed(["\ufeffx"]), { text: "\ufeffx" }],
];

for (const [name, request, result] of cases) {
  test(`body: ${name} is ${"text" in result ? "read" : result.problem}`, async () => {
    assertEquals(await readBody(request(), 10, false), result);
  });
}

/** Requests of Firefox have no stream, and those of Safari one that a loop does not read. */
for (const [name, body] of [["no stream", undefined], ["a stream without iteration", {}]] as const) {
  const read = (text: string) =>
    readBody(
      Object.defineProperty(new Request("https://as.test/", { method: "POST", body: text }), "body", {
        value: body,
      }),
      10,
      false,
    );
  test(`body: of a browser whose requests have ${name}, it is read as a whole`, async () => {
    assertEquals(await read("1234567890"), { text: "1234567890" });
    assertEquals(await read(""), { text: "" });
    assertEquals(await read("12345678901"), { problem: "too_large" });
  });
}

/** A page cannot set the headers that browsers set themselves. */
const withHeader = new Request("https://as.test/", { headers: { cookie: "a=1" } }).headers.has("cookie")
  ? test
  : (name: string) => test.skip(name, "a page cannot set this header");

const bodies = [
  ["a declared length that is too long", "1", "11"],
  ["a declared length that is too short", "12345678901", "1"],
] as const;
for (const [name, body, length] of bodies) {
  withHeader(`body: ${name} is too_large`, async () => {
    const request = streamed([body], { "content-length": length });
    assertEquals(await readBody(request, 10, false), { problem: "too_large" });
  });
}

/** Creates a request with a Content-Length, as it comes from a socket. */
function framed(body: string | Uint8Array<ArrayBuffer>, declared?: string): Request {
  const octets = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const headers = { "content-length": declared ?? `${octets.byteLength}` };
  return new Request("https://as.test/", { method: "POST", headers, body: octets });
}

const framedCases: readonly (readonly [name: string, request: Request, result: Body])[] = [
  ["a body within the limit", framed("1234567890"), { text: "1234567890" }],
  ["a body one octet too long", framed("12345678901"), { problem: "too_large" }],
  ["octets that are not UTF-8", framed(Uint8Array.of(0x61, 0xff)), { problem: "not_utf8" }],
  ["a byte order mark", framed("\ufeffx"), { text: "\ufeffx" }],
  ["a replacement character that was sent", framed("\ufffd"), { text: "\ufffd" }],
  ["a length declared twice", framed("12345678901", "11, 11"), { problem: "too_large" }],
  ["a short length declared twice", framed("1", "1, 1"), { problem: "too_large" }],
  ["a length that is not a number", framed("1", "1e0"), { problem: "too_large" }],
  ["a negative length", framed("1", "-1"), { problem: "too_large" }],
  ["a body longer than declared", framed("12345678901", "1"), { problem: "too_large" }],
  ["a body without a declared length", streamed(["12345", "678901"]), { problem: "too_large" }],
];

for (const [name, request, result] of framedCases) {
  withHeader(`body: over a socket, ${name} is ${"text" in result ? "read" : result.problem}`, async () => {
    assertEquals(await readBody(request, 10, true), result);
  });
}

const cookies: readonly (readonly [header: string, values: readonly string[]])[] = [
  ["", []],
  ["a=1", ["1"]],
  ["b=2; a=1", ["1"]],
  ["a=1;a=2", ["1", "2"]],
  ["a=", [""]],
  ["a", []],
  ["A=1", []],
  ["xa=1; ax=2", []],
  ["a=b=c", ["b=c"]],
  [" a = 1 ", ["1"]],
];

for (const [header, values] of cookies) {
  withHeader(`cookies: ${JSON.stringify(header)} holds ${values.length} values of the name`, () => {
    const request = new Request("https://as.test/", header === "" ? {} : { headers: { cookie: header } });
    assertEquals(readCookies(fromRequest(request, undefined), "a"), values);
  });
}

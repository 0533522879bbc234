/** What the journal shows of hostile requests takes little effort, however long their values are. */
import { assert } from "@std/assert";
import { createMock, type Mock } from "../../../../src/kit/mod.ts";
import { measureEffort } from "../../../effort.ts";
import { test } from "../../../runner.ts";

const length = 15_000;
const line = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

/** Texts in which a search that begins again and again finds nothing. */
const hostile: Readonly<Record<string, string>> = {
  "word characters with another one behind them": `${line("a")}!`,
  "blanks": `${line(" ")}!`,
  "line breaks": `${line("\n")}!`,
  "dots": `${line("a.")}!`,
  "equals signs": line("="),
  "at signs": `https://${line("@")}`,
  "colons and slashes": line("://"),
  "quotation marks": line('"'),
  "backslashes": line("\\"),
  "opening braces": line("{"),
  "JSON in JSON": line('{"a":"'),
  "private members of keys": `{"kty":"EC",${line('"d":"x",')}`,
  "braces that are percent-encoded again and again": Array.from(
    { length: 110 },
    (_, level) => `%${"25".repeat(level)}7b`,
  ).join(""),
  "percent signs": line("%7"),
  "beginnings of JWTs": line("eyJ."),
  "credentials": line(`${"a".repeat(22)}.`),
  "escapes of terminals": line("\x1b["),
};

type Send = (as: Mock, text: string) => Promise<Response>;

const post = (as: Mock, path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  as.fetch(`${as.issuer}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
  });

const redeem = (
  as: Mock,
  params: Readonly<Record<string, string>>,
  headers?: Readonly<Record<string, string>>,
) =>
  post(
    as,
    "/oauth2/token",
    `${new URLSearchParams({ grant_type: "authorization_code", ...params })}`,
    headers,
  );

// A value of a header has no line breaks and no control characters.
const headerOf = (text: string) => text.replace(/[^\t -~]/g, "\t");

const places: Readonly<Record<string, Send>> = {
  "a code": (as, code) => redeem(as, { client_id: "app", code }),
  "a client id": (as, id) => redeem(as, { client_id: id, code: "x" }),
  "the name of a parameter": (as, text) => redeem(as, { client_id: "app", code: "x", [text]: "1" }),
  "a body without a form": (as, text) => post(as, "/oauth2/token", text),
  "a body of JSON": (as, text) =>
    post(as, "/connect/register", JSON.stringify({ client_name: text, [text]: text }), {
      "content-type": "application/json",
    }),
  "an authorization": (as, text) => redeem(as, { code: "x" }, { authorization: `Bearer ${headerOf(text)}` }),
  "a cookie": (as, text) => redeem(as, { code: "x" }, { cookie: `a=b;${headerOf(text)}` }),
  "a content type": (as, text) => redeem(as, { code: "x" }, { "content-type": headerOf(text) }),
  "a query": (as, text) =>
    as.fetch(`${as.issuer}/oauth2/authorize?client_id=app&state=${encodeURIComponent(text)}`),
  "a path": (as, text) => as.fetch(`${as.issuer}/${encodeURIComponent(text)}`),
};

const forms = ["text", "jsonl", "har", "mermaid"] as const;

// A request may take about twenty milliseconds of processor time, and what is shown of it twenty more.
const count = 5;

for (const [what, send] of Object.entries(places)) {
  test(`journal: ${what} of 15,000 characters is answered and shown with little effort, whatever it has`, async () => {
    const slow: string[] = [];
    for (const [name, text] of Object.entries(hostile)) {
      let least = Infinity;
      for (let round = 0; round < 4 && least > 4 * count; round++) {
        await using as = await createMock({ clients: [{ client_id: "app" }] });
        least = Math.min(
          least,
          await measureEffort(async () => {
            for (let request = 0; request < count; request++) await (await send(as, text)).text();
            for (const form of forms) as.timeline(form);
            as.explain();
            await as.timeline("html");
          }),
        );
      }
      if (least > 4 * count) slow.push(`${name}: ${least.toFixed(1)}`);
    }
    assert(slow.length === 0, slow.join("\n"));
  });
}

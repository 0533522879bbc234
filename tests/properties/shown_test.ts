/** What is shown of strangers' text: no secret, nothing hidden, no other line, and no other host. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { mayRefuse, property } from "./property.ts";
import * as from from "./strangers.ts";
import * as address from "../../src/ground/http/address.ts";
import { attempt } from "../../src/ground/values/attempt.ts";
import { escapeHidden, hiddenCharacters } from "../../src/ground/values/hidden_characters.ts";
import { hidePassword } from "../../src/ground/values/hide_password.ts";
import { formatBasic } from "../../src/server/client/client_request.ts";
import * as redirects from "../../src/server/oauth/clients/metadata/redirect_uri.ts";
import { formatChallenge } from "../../src/server/oauth/requests/refuse.ts";
import { isCredential } from "../../src/server/oauth/secrets/credential.ts";
import { redact, redactText, redactTexts } from "../../src/server/oauth/secrets/redaction.ts";
import { readPostgresUrl } from "../../src/server/store/postgres/read_postgres_url.ts";
import { readRedisUrl } from "../../src/server/store/redis/redis_url.ts";
import { escapeMarkup } from "../../src/kit/examine/card/escape_markup.ts";
import * as filters from "../../src/kit/mock/journal/filter.ts";
import { recordRequest } from "../../src/kit/mock/journal/recorded_request.ts";
import { KeptEntry } from "../../src/kit/mock/journal/request_list.ts";
import { formatTimeline, type TextTimelineForm } from "../../src/kit/mock/journal/timeline.ts";
import { parseJsonc } from "../../src/tools/cli/configuration/parse_jsonc.ts";
import { readOutput } from "../../src/tools/cli/examine/read_output.ts";
import { learnHar } from "../../src/tools/cli/learn/learn_har.ts";
import { createContext } from "../../src/tools/cli/learn/learn_parts.ts";
import { listValues } from "../../src/tools/cli/learn/list_values.ts";
import { readHar } from "../../src/tools/cli/learn/read_har.ts";
import { readHead } from "../../src/tools/cli/proxy/read_head.ts";
import { recordRequest as recordJson } from "../../src/tools/cli/start/log.ts";
import { describeRequest } from "../../src/tools/cli/start/request_line.ts";
import { createColours } from "../../src/tools/cli/terminal/colours.ts";
import { writeWord } from "../../src/tools/dashboard/inspector/list_options.ts";
import { measureEffort } from "../effort.ts";
import { entryOf } from "../kit/mock/journal/journal_entries.ts";

const { text, url, secretToken, written } = from;
const secret = from.lettersOf("abcXYZ0189", 16);
const encode = (text: string) => encodeURIComponent(text.toWellFormed());
const isShown = (text: string) => text.replaceAll("\n", "").search(hiddenCharacters) === -1;

property("addresses: the parts are those of the platform (WHATWG URL §4.4)", [url], (given) => {
  const found = address.parseAddress(given);
  const isPlain = /^https?:\/\/[a-z0-9.]+\/[a-z/]*(\?[a-z=&]*)?$/.test(given) && URL.canParse(given);
  if (found === undefined) return assert(!isPlain);
  const { origin, host, pathname, username, searchParams } = new URL(given);
  assertEquals([found.origin, found.host, found.path, username], [origin, host, pathname, ""]);
  assertEquals([...new URLSearchParams(`&${found.query}`)], [...searchParams]);
  assertEquals(address.parseAddress(origin + address.pathAndQuery(found))?.path, pathname);
});

property("addresses: a Host header changes no path (RFC 9112 §3.2)", [from.host], (host) => {
  if (!address.isHost(host) || !URL.canParse(`http://${host}/x`)) return;
  const { username, pathname, search, hash } = new URL(`http://${host}/x`);
  assertEquals([username, pathname, search, hash], ["", "/x", "", ""]);
});

property("addresses: equal URLs have one spelling (RFC 9449 §4.3)", [url], (given) => {
  const normal = address.normaliseUrl(given);
  if (normal === undefined) return;
  assertEquals([address.normaliseUrl(normal), address.normaliseUrl(`${normal}?a#b`)], [normal, normal]);
});

property("JSON: people see each character, and it keeps its meaning", [from.json], (value) => {
  const shown = escapeHidden(JSON.stringify(value, null, 1));
  assertEquals([JSON.parse(shown), isShown(shown)], [JSON.parse(JSON.stringify(value)), true]);
});

property("markup: text makes no tag and no entity", [text], (given) => {
  assert(!/[<>"']|&(?!(amp|lt|gt|quot|#39);)/.test(escapeMarkup(given)));
});

property("challenges: a parameter stays inside of its quotes (RFC 9110 §11.6.1)", [text, text], (a, b) => {
  const challenge = formatChallenge({ scheme: "Bearer", params: { a, b } });
  assert(/^Bearer a="[ !#-[\]-~]*", b="[ !#-[\]-~]*"$/.test(challenge), challenge);
});

const marks = fc.constantFrom(..." \n(,<=|");
property(
  "tokens are hidden (RFC 9700 §4.9)",
  [text, secretToken, marks, text],
  (before, token, mark, after) => {
    const shown = redactText(before + mark + token.text + mark + after);
    const members = redactTexts({ [`a ${token.text}`]: [`${before} ${token.text}`] });
    assert(!(shown + JSON.stringify(members)).includes(token.hidden), shown);
    assertEquals([redactText(shown), isCredential(`${token.text}\n`)], [shown, false]);
  },
);

property("keys are hidden (RFC 7517 §9.2)", [text, from.privateKey, fc.nat(7)], (before, key, times) => {
  const odd = before.replace(/["\\{}[\]]/g, "");
  const encoded = Array.from({ length: times }).reduce<string>(
    (inner) => encodeURIComponent(inner),
    key.text,
  );
  const all = [`${odd} ${key.text}`, `https://a.test/?x=${encoded}`, JSON.stringify({ [odd]: key.text })];
  for (const each of all) assert(!redactText(each).includes(key.hidden), each);
  assert(!JSON.stringify(redactTexts([{ [odd]: JSON.parse(key.text) }])).includes(key.hidden));
});

const secretName = fc.constantFrom("code", "state", "access_token", "password");
property("secrets in addresses are hidden", [secretName, secret, text], (name, secret, odd) => {
  const urls = [
    `https://a.test/?x=${encode(odd)}&${name}=${secret}#a`,
    `https://user:${secret}@a.test/`,
  ];
  for (const given of urls) {
    assert(!redactText(`${odd} ${given} ${odd}`).includes(secret), given);
  }
  assertEquals(redactText(odd.replace(/\W/g, " ")), odd.replace(/\W/g, " "));
});

const pieces = written(": / // @ ? # & = % a.test [::1] , 1 cluster=true sslmode");
const scheme = fc.constantFrom("postgres", "redis", "redis+unix");
property("database URLs: no password is shown", [scheme, pieces, secret, pieces], (scheme, a, secret, b) => {
  for (const given of [`${a}:${secret}@${b}`, `a.test/${a}?password=@${secret}`]) {
    const all = `${scheme}://${given}`;
    assert(!hidePassword(all).includes(secret), all);
    try {
      (scheme === "postgres" ? readPostgresUrl : readRedisUrl)(all);
    } catch (error) {
      assert(
        /^TypeError: Cannot open the store/.test(`${error}`) && !`${error}`.includes(secret),
        `${error}`,
      );
    }
  }
});

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;
const local = fc.constantFrom("http://127.0.0.1/cb", "http://[::1]:80/?a", "http://localhost:1");
const uris = [fc.oneof(url, local), fc.nat(), text, fc.nat(99_999)] as const;
property("redirect URIs: only ports differ (OAuth 2.1 §8.4.2)", [...uris], (uri, at, put, port) => {
  const cut = at % (uri.length + 1);
  const other = uri.slice(0, cut) + put + uri.slice(cut);
  const withoutPort = (each: string) => each.replace(loopback, "$1");
  if (redirects.matchesRedirectUri(uri, other)) assertEquals(withoutPort(other), withoutPort(uri));
  if (redirects.unfitForRegistration(uri) !== undefined) return;
  const moved = uri.replace(loopback, `$1:${port}`);
  assertEquals(redirects.matchesRedirectUri(uri, moved), moved === uri || port <= 65_535);
  const { protocol, hostname, username } = new URL(uri);
  assertEquals([username, uri.includes("#")], ["", false]);
  assert(new URL(redirects.withQuery(uri, "code=a")).searchParams.has("code"), uri);
  if (protocol === "http:") assert(/^(127\.0\.0\.1|\[::1\]|(.+\.)?localhost)$/.test(hostname), uri);
});

const status = fc.constantFrom(200, 303, 400);
const recorded = [fc.nat(8), secretToken, text, from.form, from.headers, status] as const;
const forms: readonly TextTimelineForm[] = ["text", "jsonl", "har", "mermaid"];
property(
  "recorded requests: no form has a secret",
  [...recorded],
  (place, { text: token, hidden }, odd, form, given, status) => {
    const at = (each: number) => each === place ? `${odd} ${token}` : odd;
    const path = `/${encode(at(0))}`;
    const query = `${form}&state=${encode(at(1))}&client_id=${encode(at(1))}`;
    const headers = [...given, ["user-agent", at(3)], ["authorization", `Bearer ${at(3)}`]] as const;
    const location = `https://a.test/?${form}&state=${encode(at(4))}`;
    const answered = [["content-type", "application/json"], ["location", location]] as const;
    const refusal = { error: "invalid_request", reason: "x", description: at(7), received: at(8) };
    const entry = entryOf({
      request: { method: "POST", path, query, headers, body: `${form}&code=${encode(at(2))}` },
      response: { status, headers: answered, body: JSON.stringify({ [odd]: at(5), sub: [at(5)] }) },
      facts: { clientId: at(6), scope: [at(6)], ...(status < 400 ? {} : { refusal }) },
    });
    const requests = [recordRequest(entry, "token"), recordRequest(entry, "token")];
    const written = forms.map((each) => formatTimeline(requests, each, { origin: "https://as.test" }));
    for (const shown of [...written, describeRequest(entry, createColours({ isTTY: false }))]) {
      assertEquals([shown.includes(hidden), isShown(shown)], [false, true], shown);
    }
    assert(!JSON.stringify([recordJson(entry), redact(entry)]).includes(hidden));
    const [plain, lines, har, mermaid] = written as [string, string, string, string];
    assertEquals([plain, lines].map((each) => each.split("\n").length), [2, 2]);
    for (const { request } of JSON.parse(har).log.entries) {
      const { origin, searchParams } = new URL(request.url);
      const names = request.queryString.map((each: { name: string }) => each.name);
      assertEquals([origin, ...searchParams.keys()], ["https://as.test", ...names]);
    }
    const arrow = /^ {2}(participant|\w+(->>|-->>|--x)\w+:) [^;#`"<>{}$\\%^]*$/u;
    for (const each of mermaid.replaceAll(/#\d+;/g, "").split("\n").slice(1)) assert(arrow.test(each), each);
  },
  2,
);

property("filters: the word of a value finds the requests with it", [text], (id) => {
  const entry = new KeptEntry(entryOf({ facts: { clientId: id } }), "token", false);
  const word = writeWord("client", id);
  assertEquals(filters.parseFilter(word).problems, []);
  if (id === "" || id.length > 100 || id.includes('"') || !id.isWellFormed()) return;
  assert(filters.parseFilter(word).matches(entry) && !filters.parseFilter(`-${word}`).matches(entry), word);
  assertEquals(filters.splitByName(`a ${word} b`, "client"), { values: [id], others: ["a", "b"] });
});

const har = [fc.nat(5), secret, text, from.json, url] as const;
property("HARs: no text with a secret of one is kept", [...har], (place, secret, odd, value, address) => {
  const at = (each: number) => each === place ? secret : "x";
  const login = new URLSearchParams({ client_id: "a", response_type: "code", state: at(0), scope: odd });
  const form = `${new URLSearchParams({ grant_type: "x", password: at(4), [odd]: odd })}`;
  const named = {
    "X-Auth-Token": `a ${at(1)}`,
    cookie: `a=${at(2)}; b`,
    Authorization: formatBasic("a", at(3)),
  };
  const headers = Object.entries(named).map(([name, value]) => ({ name, value }));
  const postData = { mimeType: "application/x-www-form-urlencoded", text: form };
  const answer = { content: { text: JSON.stringify({ access_token: at(5), odd: value }) } };
  const oddParts = { mimeType: value, text: value, encoding: value, params: [{ name: value, value }] };
  const entries = [
    { request: { url: `https://a.test/?${login}`, headers }, response: { content: { text: odd } } },
    { request: { url: "https://a.test/token", postData }, response: answer },
    {
      request: { url: address, headers: oddParts.params, postData: oddParts },
      response: { content: oddParts },
    },
    value,
  ];
  const context = createContext({ origin: "https://as.test", keepsSecrets: false, usual: {} });
  const { keepOpen } = readHar({ log: { entries } }, context);
  assertEquals(keepOpen([secret, `read:${secret}`, `a/${secret}`], "A scope"), []);
  mayRefuse(() => learnHar({ log: { entries } }, context));
}, 2);

const asked = fc.oneof(url, from.host);
const fieldName = fc.constantFrom("Host", "Proxy-Authorization", "TE", "a", "a b");
const fields = fc.array(fc.tuple(fieldName, text), { maxLength: 3 });
property("proxy: no head brings another line (RFC 9112 §3.2)", [asked, fields], (asked, fields) => {
  for (const method of ["GET", "CONNECT"]) {
    const head = [`${method} ${asked} HTTP/1.1`, ...fields.map((field) => field.join(": "))].join("\r\n");
    const read = readHead(head);
    if (read === undefined || read === "origin") continue;
    const { target: { host, port }, plain } = read;
    assert(port >= 1 && port <= 65_535 && /^[^\s/?#@[\]]+(?<!\.)$/.test(host), host);
    if (plain === undefined) continue;
    const { host: own, pathname } = new URL(asked);
    const [first, ...lines] = plain.head.split("\r\n");
    const expected = [`GET ${pathname} HTTP/1.1`, `host: ${own}`, "connection: close"];
    assertEquals([first!.replace(/\?\S*/, ""), lines[0], lines[1], method], [...expected, "GET"]);
    assert(lines.length <= head.split("\r\n").length + 1, plain.head);
    assert(!lines.slice(2).some((line) => /^(host|te|proxy-auth.*):|[\r\n\0]/i.test(line)), plain.head);
  }
});

/** The readers of long texts. The regular expressions have a test of their own. */
const readers: readonly ((text: string) => unknown)[] = [
  ...[redactText, hidePassword, escapeMarkup, readHead, readOutput, filters.parseFilter, listValues],
  (text) => attempt(() => parseJsonc(text)),
];
const odd = fc.oneof(text, pieces, from.jsonText);
property("effort: it follows the length of a text", [odd, fc.nat(readers.length - 1)], async (odd, index) => {
  const repeated = (length: number) => odd.repeat(Math.ceil(length / Math.max(1, odd.length)));
  const measure = (length: number) => measureEffort(async () => await readers[index]!(repeated(length)));
  // Less than 20 ms is too little to compare. A square would be 64 times as much.
  for (let round = 0; round < 5; round++) {
    const long = await measure(32_000);
    if (long < 2 || long < 24 * await measure(4_000)) return;
  }
  throw new Error(`the reader ${index} takes too long`);
}, 2);

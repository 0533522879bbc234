/**
 * The regular expressions of the sources take linear time, whatever text they see. Those that are beyond a proof have
 * their reasons here. New ones are judged anew, which takes up to a minute for each. This keeps the verdicts:
 *
 *     deno run --config dev.json --allow-all tests/security/expressions/keep.ts
 */

import { assert, assertEquals } from "@std/assert";
import { readSources } from "../architecture/sources.ts";
import { test } from "../runner.ts";
import { judgeExpression, keptVerdicts, mayRepeat } from "./expressions/judge_expression.ts";
import { readExpressions } from "./expressions/read_expressions.ts";

/** Why an expression takes linear time that recheck can only try: it looks around, refers back, or has large bounds. */
const reasons: readonly (readonly [reason: string, ...expressions: RegExp[]])[] = [
  [
    "it begins at the beginning only, and each repetition ends at a character that it does not have",
    /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/,
    /^\/(?![/\\])[\w~!$&'()*+,;=:@%./?-]*$/,
    /^::ffff:(?=\d+\.)/i,
    /^(?=.{43,128}$)[A-Za-z0-9._~+/-]+={0,2}$/,
    /^.*?\.(?= |$)/,
    /^\w+\.(?=[\w-]+\.)/,
    /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#@]+(?=[/?#]|$))?/i,
    /^\s*(?:Uncaught )?(?:\[cause\]: )?(?=[A-Z][\w$]*(?: \[\w+\])*: )/,
    /^(?:E\s+(?!\+)|\s+\S+\.go:\d+: )(?=\S)/,
    /^(?!https?:)[a-z][\w+.-]*:/i,
    /^(https?:\/\/(?:\[[^\]]*\]|[^/?#:@]+))(?::(\d+))?(?=[/?#]|$)/,
  ],
  [
    "it begins at the beginning only, and what follows its last slash is no slash, so each slash is tried once",
    /^(?!https:\/\/(?:graph\.microsoft\.com|management\.(?:azure\.com|core\.windows\.net))\/)(?:api:\/\/)?(.+)\/([^/]*)$/,
  ],
  [
    "each segment begins with a sign that no segment has, and the look-ahead sees at most three characters",
    /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/,
    /^(https?:\/\/[^/?#@]+)?(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/,
    /^spiffe:\/\/[a-z0-9._-]{1,255}(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)*$/,
  ],
  [
    "labels have at most 63 characters and end at a dot, and the look-ahead follows a dot: one at a time",
    /^(?:[\w-]{1,63}\.)*(?!\d+$)[\w-]{1,63}$/,
    /^([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d-]+$/i,
    /^http:\/\/(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+localhost(?::\d{1,5})?(?:[/?].*)?$/,
  ],
  [
    "it begins at the beginning of a line only, and each repetition ends at a character that it does not have",
    /^([^\S\n\r\u2028\u2029]*):(?=\p{VS}*:)/gmu,
  ],
  [
    "its alternatives begin with different characters, and the look-ahead sees two characters",
    /(?:[\s"'<>=;,&{}()[\]]|:(?!\/\/))+/,
  ],
  [
    "it is sticky, and its alternatives begin with different characters",
    /((?!#)(?:\\[\dA-Fa-f]{2}|\\[ "#+,;<=>\\]|[^\\"+,;<>])*)/y,
  ],
  [
    "a run of its characters has one place to begin, or ends at a character that no other run has",
    /(?:(?<![\w:@%+=.~/\\-])|(?<=:\\)|(?<=@)(?=file:))((?:file:\/\/)?[\w@%+=.~/\\-]+\.(?:[cm]?[jt]sx?|py|go|java|kt|rb|rs|php|cs)):(\d+)/g,
    /(?<![a-z\d-])[sS]\d+[.-]((as|api|AS|API)[.-](test?|TEST?))\b/g,
    /(#\p{VS}*)#(?=[\w\p{VS}]*\[)/gu,
    /(?<=urn:ietf:params:oauth:request_uri:)[\w.-]+/g,
    /(?<=[^/])\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|consumers|[\w-]+(?:\.[\w-]+)+)(?=\/v2\.0$)/i,
    /(?<!\/admin)\/realms\/[^/]+$/,
    /(?<=\/applications)\/[^/]+(?=\/(?:token|grant)$)|(?<=\/app\/installations)\/\d+|(?<=^(?:\/api\/v3)?)\/(?:orgs|users|repos\/[^/]+)\/[^/]+(?=\/installation$)|(?<=^(?:\/api\/v3)?\/(?:orgs|repos|teams|user\/(?:installations|memberships\/orgs))\/).+$|(?<=^(?:\/api\/v3)?\/users)\/[^/]+(?=\/|$)|(?<=^(?:\/api\/v3)?\/user\/)\d+$/,
    /(?<=^\/api)\/v\d+(?=\/)|(?<=^\/api(?:\/v\d+)?)\/(?=\/)|(?<=\/users|\/users\/(?:@|%40)me\/guilds)\/\d+(?=\/member$|$)|(?<=^\/api(?:\/v\d+)?\/guilds)\/.+$/g,
    /(?<=^\/common\/[Uu]ser[Rr]ealm\/)[^/]+$|(?<=^\/(?:v1\.0|beta)\/me)\/$|(?<=^\/(?:v1\.0|beta))\/(?=\/)|(?<=^\/(?:v1\.0|beta)\/)[0-9a-f-]{36}\/(?=(?:users|groups)\b)|\/(?=\/v2\.0\/\.well-known\/)(?<=^\/[^/]+\/)|(?<=\/(?:me|users\/[^/]+)\/photo)(?:s\/\d{2,3}x\d{2,3})?\/\$value$|(?<=^\/(?:v1\.0|beta)\/(?:[0-9a-f-]{36}\/|\/)?(?:users|groups)\/)[^/]+(?:$|\/(?=photo|manager|directReports|getMember|checkMember|\w*ember(?:Of|s)))|(?<=ember(?:Of|s))\/(?:microsoft\.)?graph\.\w+$/g,
    /(?<=^\/)v\d{1,3}\.\d{1,3}(?:\/|$)|(?<=\/)(?:me|\d{1,20})\/(?=(?:permissions|picture)\/?$)|(?<=^\/(?:v[\d.]+\/)?)(?:me|\d{1,20})\/?$|(?<=\w)\/$/g,
    /(?<=^\/admin\/directory\/v1\/(?:users|groups)\/)[^/]+(?:$|\/(?=members|hasMember))|(?<=\/(?:members|hasMember)\/)[^/]+$|(?<=^\/v1\/projects\/)\d+$|(?<=^\/v1\/projects\/-\/serviceAccounts\/)[^/:]+(?=:\w+$)/g,
    /(?<=^\/api\/v[12]\/users\/)[^/]+(?:$|\/(?=[a-z]+$))/,
    /(?<=\/admin\/realms\/[^/]+\/users\/)(?!count$)[^/]+(?:$|\/(?=[a-z-]+(?:\/realm)?$))|(?<=\w)\/$/,
    /(?<=^\/api\/v4\/users\/)\d+(?:$|\/(?=\w+$))|(?<=^\/api\/v4\/(?:groups|projects)\/).+$/,
  ],
  [
    "it begins at the beginning of the text or of a word, and its bounds are between different characters",
    /^(?:[a-z]+(?:[_-][a-z]+){0,4}|urn:ietf:[\w:.-]{1,80})$/i,
    /^\s*([^=;\s]{1,100})=/,
    /eyJ|[\w-]{80}|\b(?:gh[a-z]_|github_pat_|gl[a-z]{2,}-|xox[a-z][.-]|xapp-|ya29\.|1\/\/0|GOCSPX-|EAA\w{20})/,
  ],
  ["the first place that fits is followed by all of the rest", /(?<=[?#]).+$/s],
  [
    "it begins at the beginning only, and each group has one end, or the same end for all beginnings",
    /^(["'])([^]*)\1$/,
    /^(['"`])(.*)\1$/,
    /^-----BEGIN ([A-Z0-9 ]+)-----[^]*?-----END \1-----/,
    /^\s+(["'`])(?:(?!\1).)*\1(?: \+)?,?$|^\s*[[\]{}()]+,?$|^\s*\^+$/,
    /^(?:\s+|\s*[{[]\s*)(?:\[[\w() ]+\]|["']?([\w$-]+)["']?): (?:(["'`])(?:(?!\2).)*\2(?: \+)?|-?[\d.]+n?|true|false|null|undefined|(?:[\w$()]+ )*[[{<].*),?$/,
  ],
  [
    "a block ends at the next line that begins one of the same indent, and the output has 20,000 characters",
    /^( *)---\n((?:(?!\1---$).*\n)*?)\1\.\.\.$/gm,
  ],
];

/** Expressions of parts that are no constants: where the parts come from. */
const ofOthers: Readonly<Record<string, string>> = {
  "src/server/features/authorization_details/detail_types.ts: new RegExp(text)":
    "only compiled, at the start",
  "src/ground/schema/check_schema.ts: new RegExp(pattern)":
    "patterns of schemas are judged here; those of the developer's own authorization_details see 6,000 characters",
  "src/server/setup/claim_options.ts: new RegExp(pattern)": "only compiled, at the start",
  "src/server/setup/claim_options.ts: new RegExp(`^(?:${pattern})$`)":
    "the developer writes it in tokenClaims",
  "src/tools/cli/configuration/navikt/translate_mapping.ts: new RegExp(match)": "only compiled",
  "src/tools/cli/configuration/navikt/translate_mapping.ts: new RegExp(`^(?:${pattern})$`)":
    "a file of the developer has it, and the texts too",
};

const all = readExpressions(readSources("src"));
const expressions = [...new Set(all.flatMap(({ expression }) => expression ?? []))].sort();
const explained = reasons.flatMap(([, ...each]) => each.map(String));

test("expressions: no text makes a regular expression of the sources slow", () => {
  const slow: string[] = [];
  const tried: string[] = [];
  for (const expression of expressions) {
    const verdict = judgeExpression(expression);
    if (typeof verdict !== "string") {
      const { path } = all.find((each) => each.expression === expression)!;
      slow.push(`${path}: ${expression} is slow for ${verdict.slowFor}`);
    } else if (verdict === "tried") tried.push(expression);
  }
  assertEquals(slow, []);
  assertEquals(explained.toSorted(), tried, "each needs a reason that it takes linear time");
});

test("expressions: those that the sources build from other texts have a reason", () => {
  const built = all.filter(({ expression }) => expression === undefined);
  assertEquals(
    built.map(({ path, written }) => `${path}: ${written.replace(/\s+/g, " ")}`).sort(),
    Object.keys(ofOthers).sort(),
  );
});

test("expressions: almost all verdicts are kept, because judging takes long", () => {
  const isKept = (expression: string) => Object.hasOwn(keptVerdicts, expression);
  const fresh = expressions.filter((expression) => mayRepeat(expression) && !isKept(expression));
  assert(fresh.length < 20, `keep the verdicts about ${fresh.length} expressions by expressions/keep.ts`);
  const gone = Object.keys(keptVerdicts).filter((each) => !expressions.includes(each));
  assert(gone.length < 40, `forget the verdicts about ${gone.length} expressions by expressions/keep.ts`);
});

test("expressions: what begins again and again is found, wherever the sources have it", () => {
  const found = (text: string, ...more: readonly string[]) =>
    readExpressions([text, ...more].map((text, at) => ({ path: `src/${at}.ts`, text })))
      .map(({ expression }) => expression);
  assertEquals(found("const a = /a+$/gi;"), ["/a+$/gi"]);
  assertEquals(found("const part = String.raw`\\s`; const a = new RegExp(`${part}+` + '$', 'm');"), [
    "/\\s+$/m",
  ]);
  assertEquals(found("const part = /a/; f(() => RegExp(`^${part.source}+$`));"), ["/a/", "/^a+$/"]);
  assertEquals(found("import { part } from './1.ts'; new RegExp(part);", "export const part = 'a*b';"), [
    "/a*b/",
  ]);
  assertEquals(found("text.match('a+$'); text.match(pattern); text.search(/b/);"), ["/a+$/", "/b/"]);
  assertEquals(found("const schema = { type: 'string', pattern: '^a+$' };"), ["/^a+$/"]);
  assertEquals(found("new RegExp(given);"), [undefined]);
  for (const expression of [/a+$/, /^(a+)+$/, /(?<!b)a+$/, /<x[^>]*y/]) {
    assert(typeof judgeExpression(String(expression)) !== "string", String(expression));
  }
});

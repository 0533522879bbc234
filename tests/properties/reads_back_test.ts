/** Each printer with its reader: what is printed reads back. And each reader with odd text: it reads it, or refuses it. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { type Body, test } from "../runner.ts";
import { mayRefuse, same, total } from "./property.ts";
import * as from from "./strangers.ts";
import { readUnverified } from "../../src/ground/crypto/jwt.ts";
import * as jwts from "../../src/ground/crypto/jwt_parts.ts";
import { readCertificate } from "../../src/ground/crypto/x509/certificate_contents.ts";
import * as der from "../../src/ground/crypto/x509/der.ts";
import * as names from "../../src/ground/crypto/x509/distinguished_name.ts";
import { readCertificates, toPem } from "../../src/ground/crypto/x509/pem.ts";
import * as read from "../../src/ground/crypto/x509/read_der.ts";
import { parseAuthorization } from "../../src/ground/http/authorization.ts";
import { formatParams } from "../../src/ground/http/form.ts";
import { fromRequest, readCookies } from "../../src/ground/http/message.ts";
import { formatTraceparent, readTraceparent } from "../../src/ground/http/trace.ts";
import { splitJson } from "../../src/ground/schema/json_lines.ts";
import { placeOfMember, splitPlace } from "../../src/ground/schema/json_object.ts";
import * as ip from "../../src/ground/values/ip_address.ts";
import { parseJson } from "../../src/ground/values/parse_json.ts";
import { formatBasic } from "../../src/server/client/client_request.ts";
import { formatUserCode, normaliseUserCode } from "../../src/server/features/device_login/user_code.ts";
import { parseRefreshToken } from "../../src/server/features/refresh_token/refresh_chain.ts";
import { parseScope } from "../../src/server/oauth/clients/metadata/scope.ts";
import type { Exchange } from "../../src/server/oauth/contracts/exchange.ts";
import { readQuery } from "../../src/server/oauth/contracts/params.ts";
import { formatCredential, parseCredential } from "../../src/server/oauth/secrets/credential.ts";
import { readPostgresUrl } from "../../src/server/store/postgres/read_postgres_url.ts";
import * as records from "../../src/server/store/redis/redis_record.ts";
import { readRedisUrl } from "../../src/server/store/redis/redis_url.ts";
import { readName, writeName } from "../../src/server/store/sql.ts";
import { readCard } from "../../src/kit/examine/card/kept_card.ts";
import * as parts from "../../src/kit/mock/journal/exchange_parts.ts";
import { type JsonError, parseJsonc } from "../../src/tools/cli/configuration/parse_jsonc.ts";
import { writePart } from "../../src/tools/cli/learn/part.ts";
import { readBasic } from "../../src/tools/cli/learn/read_har.ts";
import * as pasted from "../../src/tools/dashboard/playground/pasted_text.ts";

const { text, written, lettersOf, word } = from;
const part = (length: number) => lettersOf(from.base64url, length);
const pairs = fc.array(fc.tuple(word, from.wellFormed), { minLength: 1, maxLength: 8 });
const json = from.json.map((value) => JSON.parse(JSON.stringify(value)));
const claims = from.jsonObject.map((value) => JSON.parse(JSON.stringify(value)));
const some = fc.uint8Array({ minLength: 1, maxLength: 60 });
const address = fc.uint8Array({ minLength: 16, maxLength: 16 });
const dotted = fc.array(fc.nat(2 ** 31), { maxLength: 5 }).map((all) => [2, 5, ...all].join("."));
const second = fc.integer({ min: -631_152_000, max: 253_402_300_799 });
const scope = fc.uniqueArray(from.visible.map((each) => each.replace(/[ "\\]/g, "x")), { minLength: 1 });
const refreshToken = fc.tuple(part(22), fc.integer({ min: 1, max: 999_999_999 }), part(32), part(22));
const nameText = written(', + " \\ < ; = # a é', " ").map((each) => each.toWellFormed());
const nameValue = fc.oneof(nameText, from.octets.map((each) => new Uint8Array(der.octetString(each))));
const name = fc.array(fc.array(fc.tuple(fc.constantFrom("2.5.4.3", "1.2.3"), nameValue), { minLength: 1 }), {
  minLength: 1,
  maxLength: 3,
});
const login = fc.tuple(fc.nat(9), from.wellFormed, fc.constantFrom("a.test", "::1"), fc.nat(65_535));

const asPairs = (all: Iterable<readonly string[]>) => [...all].map((pair) => [...pair]);
const encode = (all: readonly (readonly string[])[]) =>
  `${new URLSearchParams(asPairs(all) as [string, string][])}`;
const readForm = (query: string) => asPairs(readQuery({ request: { address: { query } } } as Exchange).pairs);
const readOne = (octets: Uint8Array) => read.readOneDer(octets);
const toName = (all: [string, string | Uint8Array][][]) =>
  all.map((part) => part.map(([type, value]) => ({ type, value })));
const fromName = (all: names.DistinguishedName = []) =>
  all.map((part) =>
    part.map(({ type, value }) => [type, typeof value === "string" ? value : Uint8Array.from(value)])
  );
const writeLogin = ([user, password, host, port]: readonly [number, string, string, number]) =>
  `://${user}:${encodeURIComponent(password)}@${host.replace("::1", "[::1]")}:${port}/${user}`;
const writeComments = (value: unknown) =>
  `// x\n${JSON.stringify(value, null, 2).replaceAll(/(?<=[^[{])(?=\n *[\]}])/g, ',/* a ** " */')}// "`;
const asPart = (value: unknown) => ({ value, from: "the test" });

const backs: Readonly<Record<string, Body>> = {
  "forms (OAuth 2.1 appendix B)": same(pairs, (all) => asPairs(new URLSearchParams(formatParams(all)))),
  "queries of others": same(pairs, (all) => readForm(encode(all))),
  "pasted addresses": same(pairs, (all) => {
    return asPairs(pasted.readParams(`com.app:/#${encode(all)}&z=1`)!.pairs).slice(0, -1);
  }),
  "pasted tokens": same(from.secretToken.map((each) => each.text), (token) => {
    return pasted.unwrap(`Authorization: Bearer ${token.slice(0, 9)}\n${token.slice(9)} `);
  }),
  "tokens in a header": same(lettersOf("Aa09-._~+/", 1, 20), (token) => {
    return parseAuthorization(`bearer ${token}`, ["DPoP", "Bearer"])?.text;
  }),
  "Basic credentials": same(fc.tuple(from.wellFormed, from.wellFormed), (both) => {
    return readBasic({ url: "", params: new Map(), authorization: formatBasic(...both), answer: {} });
  }),
  "cookies": same(lettersOf("az-_09=", 0, 9), (value) => {
    const request = new Request("https://as.test/", { headers: { cookie: `b=1;  a=${value} ; c` } });
    return readCookies(fromRequest(request, undefined), "a")[0];
  }),
  "traces (W3C Trace Context §3.2)": same(fc.nat().map((id) => `${id}1`.padStart(32, "0")), (traceId) => {
    const trace = { traceId, parentId: "", isSampled: true };
    return readTraceparent(formatTraceparent(trace, new Uint8Array(8).fill(1)))?.traceId;
  }),
  "places": same(fc.array(text, { minLength: 1 }), (all) => splitPlace(all.reduce(placeOfMember, ""))),
  "lines of JSON": same(json, (value) => {
    const lines = [...splitJson(JSON.stringify(value))];
    return JSON.parse(lines.map(({ label, value, end }) => label + value + end).join("\n"));
  }),
  "IP addresses (RFC 5952)": same(address, (all) => Uint8Array.from(ip.ipOctets(ip.formatIp(all)!)!)),
  "JWTs": same(claims, (claims) => {
    return jwts.parseJwt(jwts.joinJwt({ header: {}, claims, signature: "" }))?.claims;
  }),
  "DER (X.690 §10.1)": same(fc.array(from.octets), (all) => {
    const { content } = readOne(der.sequence(...all.map(der.octetString)));
    return read.readDer(content).map((each) => each.content);
  }),
  "object identifiers": same(dotted, (id) => read.readObjectIdentifier(readOne(der.objectIdentifier(id)))),
  "times of certificates (RFC 5280 §4.1.2.5)": same(second, (time) => read.readTime(readOne(der.time(time)))),
  "names of subjects (RFC 4514 §3)": same(
    name,
    (all) => fromName(names.parseName(names.formatName(toName(all)))),
  ),
  "PEM (RFC 7468)": same(fc.array(some, { maxLength: 3 }), (all) => {
    const blocks = all.map((each) => `${toPem("CERTIFICATE", each)}a ${toPem("KEY", each)}`);
    return readCertificates(blocks.join("\n"));
  }),
  "credentials": same(fc.tuple(part(22), part(43)), ([id, secret]) => {
    return Object.values(parseCredential(formatCredential({ id, secret })) ?? {});
  }),
  "refresh tokens": same(refreshToken, (all) => Object.values(parseRefreshToken(all.join(".")) ?? {})),
  "scope (RFC 6749 appendix A.4)": same(scope, (all) => parseScope([...all, ...all].join(" "))),
  "user codes (RFC 8628 §6.1)": same(lettersOf("BCDFGHJKLMNPQRSTVWXZ", 8), (code) => {
    return normaliseUserCode(` ${formatUserCode(code).toLowerCase()}.\n`);
  }),
  "names in databases": same(text, (each) => readName(writeName(each))),
  "ids in Redis": same(text, (each) => readName(records.writeId(each))),
  "records in Redis": same(json, (value) => {
    return records.readRecord(`v ${records.writeRecord(value, { expiresAt: 9, now: 0 }).text}`)?.value;
  }),
  "URLs of Postgres": same(login.filter(([, , , port]) => port > 0), (all) => {
    const { user, password, database, hosts: [host] } = readPostgresUrl(`postgres${writeLogin(all)}`);
    return user === database && [Number(user), password, host!.name, host!.port];
  }),
  "URLs of Redis": same(login.filter(([, , , port]) => port > 0), (all) => {
    const { user, password, database, addresses: [first] } = readRedisUrl(`redis${writeLogin(all)}`);
    return Number(user) === database && [database, password, first!.host, first!.port];
  }),
  "parts of an address": same(fc.oneof(from.url, text), (given) => {
    const { address, query, fragment } = parts.splitLocation(given);
    const search = query === undefined ? "" : `?${query}`;
    return address + search + (fragment === undefined ? "" : `#${fragment}`);
  }),
  "JSON with comments and commas": same(json, (value) => parseJsonc(writeComments(value))),
  "learned parts": same(claims, (all: Record<string, unknown>) => {
    const members = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, asPart(value)]));
    return parseJsonc(writePart({ members, from: "the test" }).join("\n"));
  }),
};

for (const [name, work] of Object.entries(backs)) test(`reads back: ${name}`, work);

const certificate = readCertificates(readFileSync("tests/certificates/localhost.crt", "utf8"))[0]!;
const smallDer = from.octets.map((each) => der.sequence(der.setOf(der.sequence(der.octetString(each)))));
const jsonc = from.damaged(fc.constant('{"a": [1, -2.5e+3, true, "\\n", {}], "b": {"c": ""}}'));

const totals: Readonly<Record<string, Body>> = {
  "certificates": total(from.damagedOctets(fc.constant(certificate)), readCertificate),
  "DER": total(from.damagedOctets(smallDer), (given) => {
    const values = read.readDer(given, 1);
    assertEquals(values.reduce((sum, { whole }) => sum + whole.length, 0), given.length);
    for (const each of [names.readName, read.readText, read.readTime]) mayRefuse(() => each(values[0]!));
  }),
  "names of subjects": total(from.damaged(name.map((all) => names.formatName(toName(all)))), (given) => {
    const parsed = names.parseName(given);
    if (parsed !== undefined) assert(names.isSameName(names.parseName(names.formatName(parsed))!, parsed));
  }),
  "JWTs": total(from.jwt, (given) => {
    return [jwts.parseJwt(given), readUnverified(given), jwts.openResponse([["response", given]])];
  }),
  "forms": total(from.form, (given) => {
    const expected = asPairs(new URLSearchParams(`&${given}`));
    assertEquals(readForm(given).map((pair) => pair.map((each) => each.toWellFormed())), expected);
  }),
  "scope": total(written('a b " \\ é \x7f', " "), (given) => {
    const isScope = given.split(" ").every((name) => /^[!#-[\]-~]+$/.test(name));
    assertEquals(parseScope(given) !== undefined, isScope);
  }),
  "IP addresses": total(written("1 255 256 00 . : :: f % ::ffff:"), (given) => {
    const found = ip.readIpAddress(given);
    if (found !== undefined) {
      assertEquals([ip.readIpAddress(found), ip.ipOctets(found) !== undefined], [found, true]);
    }
    ip.networkOf(given);
  }),
  "cards": total(from.jsonText, readCard),
  "JSON with comments": total(fc.oneof(from.jsonText, jsonc), (given) => {
    const value = parseJson(given);
    try {
      const parsed = parseJsonc(given);
      if (value !== undefined || !/\/[/*]|,\s*[\]}]/.test(given)) assertEquals(parsed, value);
    } catch (error) {
      const { position: { line, column }, message } = error as JsonError;
      assert(column <= given.split("\n")[line - 1]!.length + 1);
      assert(value === undefined || message.startsWith("expected another name"), message);
    }
  }),
};

for (const [name, work] of Object.entries(totals)) {
  test(`odd text: ${name} are read, or refused in a sentence`, work);
}

/**
 * Mutants that change no behaviour, with the reason. `deno task mutants` leaves them out. A test fails when the line is gone.
 */
import type { Mutant } from "./mutant.ts";

export interface Unnoticeable {
  readonly file: string;
  /** The text of the line, without the spaces around it. */
  readonly line: string;
  /** What is replaced in it, and by what. */
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const laterThanOne =
  "No request can show the difference, because every point in time is later than 1 s after 1970.";

export const unnoticeable: readonly Unnoticeable[] = [
  {
    file: "src/ground/crypto/bytes.ts",
    line: "length > largestPool ? toBase64url(octets(length)) : readPool(length, encode);",
    before: "length > largestPool",
    after: "true",
    reason: "Both ways write the same octets of the same pool as the same text. One of them is faster.",
  },
  {
    file: "src/ground/crypto/jwk.ts",
    line: "if (wholeKeys.has(jwk)) return true;",
    before: "wholeKeys.has(jwk)",
    after: "false",
    reason:
      "The proof has the same result for a frozen key. It saves two signatures for each tenant of a kit.",
  },
  {
    file: "src/ground/values/is_same.ts",
    line: "return left === right || JSON.stringify(left) === JSON.stringify(right);",
    before: "left === right",
    after: "false",
    reason: "Equal values have equal JSON. It saves writing it.",
  },
  {
    file: "src/server/oauth/tokens/prepare_tokens.ts",
    line: "const tokenClaims = otherToken === undefined && settings.tokenClaims.length > 0",
    before: "settings.tokenClaims.length > 0",
    after: "true",
    reason: "Of no entries, none is found. It saves looking, as the test of allocations shows.",
  },
  {
    file: "src/server/oauth/tokens/prepare_tokens.ts",
    line: "const tokenClaims = otherToken === undefined && settings.tokenClaims.length > 0",
    before: "settings.tokenClaims.length > 0",
    after: "settings.tokenClaims.length >= 0",
    reason: "Of no entries, none is found. It saves looking, as the test of allocations shows.",
  },
  {
    file: "src/server/oauth/clients/metadata/scope.ts",
    line: "return distinct.size === names.length ? names : [...distinct];",
    before: "distinct.size === names.length",
    after: "false",
    reason: "The list has the same names. It saves a copy.",
  },
  {
    file: "src/server/oauth/clients/metadata/scope.ts",
    line: "return granted.every(remains) ? granted : granted.filter(remains);",
    before: "granted.every(remains)",
    after: "false",
    reason: "The list has the same names. It saves a copy, and comparing the copy.",
  },
  {
    file: "src/server/oauth/people/claims.ts",
    line: "if (names.length === 0) return {};",
    before: "names.length === 0",
    after: "false",
    reason: "Without a name, no claim is selected below. It saves the way there.",
  },
  {
    file: "src/server/oauth/tokens/access_token.ts",
    line: "if (names.length === 0 && tokenClaims === undefined) return claims;",
    before: "names.length === 0 && tokenClaims === undefined",
    after: "false",
    reason:
      "The usual token has no such claims, and the lines below add none. It saves looking for its person.",
  },
  {
    file: "src/tools/dashboard/session.ts",
    line: "const seed = randomText(createRandomBytes(), 32);",
    before: "32",
    after: "64",
    reason: "No request can show the difference, because the key only signs: no answer has it.",
  },
  {
    file: "src/tools/dashboard/parts/request_table.tsx",
    line: "<tr class={classOf(mark)}>",
    before: "classOf(mark)",
    after: "mark",
    reason:
      "No sheet and no script knows a class ok. Rows without it keep a long list below its limit of octets.",
  },
  {
    file: "src/tools/control/named_schemas.ts",
    line: '.map(([name, schema]) => [toTypeName(`client_${name.replace(/^client_/, "")}`), schema]);',
    before: "/^client_/",
    after: "/client_/",
    reason: "No member of a client that is an object or an enum has client_ behind its beginning.",
  },
  {
    file: "src/server/features/client_documents/keep_document_client.ts",
    line: "aliveUntil: Math.max(entry?.value.aliveUntil ?? 0, codeEnd),",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/features/client_documents/keep_document_client.ts",
    line: "if (hasTime && (value.aliveUntil ?? 0) >= livesUntil) return true;",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/features/client_documents/keep_document_client.ts",
    line: "const aliveUntil = Math.max(value.aliveUntil ?? 0, livesUntil + Math.ceil(livesUntil - now()));",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/features/first_use/keep_client.ts",
    line: "if (authentication === undefined && (value.aliveUntil ?? 0) >= livesUntil) return true;",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/oauth/tokens/prepare_tokens.ts",
    line:
      "keepUntil: Math.max(change.keepUntil ?? 0, token.expiresAt, ...added.map((each) => each.expiresAt ?? 0)),",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/oauth/tokens/prepare_tokens.ts",
    line: "livesUntil: Math.max(token.expiresAt, ...added.map((each) => each.livesUntil ?? 0)),",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/features/dpop/used_proofs.ts",
    line: "if (minute * 60 <= now) counts.delete(minute);",
    before: "counts.delete(minute);",
    after: "{}",
    reason:
      "No request can show the difference, because a minute that is over counts nothing. The call frees memory.",
  },
  {
    file: "src/server/features/par/pushing_client.ts",
    line: "if (!acceptsUnknownClients(services.slots)) return undefined;",
    before: "!acceptsUnknownClients(services.slots)",
    after: "false",
    reason:
      "No request can show the difference, because without such a source there is no candidate. It saves look-ups.",
  },
  {
    file: "src/server/features/refresh_token/refresh_chain.ts",
    line: "key: randomText(random, 32),",
    before: "32",
    after: "64",
    reason: "No request can show the difference, because the key only signs: no answer has it.",
  },
  {
    file: "src/server/features/second_factor/codes.ts",
    line: "const step = stepAt(now()) + offset;",
    before: "stepAt(now()) + offset",
    after: "stepAt(now()) - offset",
    reason: "The offsets have both signs, so the same steps are tried in another order.",
  },
  {
    file: "src/server/features/second_factor/prove_factor.ts",
    line: "return Math.abs(ahead) > stepLength ? ahead : undefined;",
    before: "Math.abs(ahead) > stepLength",
    after: "Math.abs(ahead) >= stepLength",
    reason: "The difference is one instant of real time, which no test can hit.",
  },
  {
    file: "src/server/oauth/endpoints/describe_server.ts",
    line: "void prepareAnnouncedKeys(services);",
    before: "prepareAnnouncedKeys(services)",
    after: "services",
    reason: "The JWK Set makes the keys if they are missing. It saves its first reader the time.",
  },
  {
    file: "src/server/features/authorization_details/narrow_details.ts",
    line: "const members = Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1);",
    before: "left < right",
    after: "left <= right",
    reason: "No request can show the difference, because no two members of an object have one name.",
  },
  {
    file: "src/server/oauth/authorization/asking/narrow_request.ts",
    line: 'return scope.length < 2 ? [] : scope.filter((name) => name !== "openid");',
    before: "[]",
    after: '["Stryker was here"]',
    reason: "No request can show the difference, because no request has such a scope.",
  },
  {
    file: "src/server/features/device_login/begin_login.ts",
    line: "function requirePages(prompt: readonly string[] = []): void {",
    before: "[]",
    after: '["Stryker was here"]',
    reason: "No request can show the difference, because the list is only searched for none.",
  },
  {
    file: "src/server/oauth/secrets/throttle.ts",
    line:
      'return sha256(JSON.stringify([purpose, account, network, ...(fromAnotherSite ? ["cross-site"] : [])]));',
    before: "[]",
    after: '["Stryker was here"]',
    reason: "No request can show the difference, because the two texts still differ.",
  },
  {
    file: "src/ground/http/message.ts",
    line: "return new FetchedRequest(request, address, peer !== undefined, () => peer, certificate);",
    before: "peer !== undefined",
    after: "false",
    reason: "A body of known length has the same octets when it is read as a stream. It is read more slowly.",
  },
  {
    file: "src/kit/faults/needs.ts",
    line: "const anyWith = (matches: (seen: Seen) => boolean): Find => (later) => later.filter(matches);",
    before: "later.filter(matches)",
    after: "later.filter(matches).slice(0, 1)",
    reason: "A need asks only whether a request shows it.",
  },
  {
    file: "src/kit/mock/client/login.ts",
    line: "const codeVerifier = randomText(random, 32);",
    before: "32",
    after: "64",
    reason: "A longer verifier is as good (RFC 7636 §4.1), and what is recorded hides it.",
  },
  {
    file: "src/kit/mock/client/html.ts",
    line: 'const tags = /<(form|input)((?:\\s+[\\w:-]+(?:="[^"]*")?)*)\\s*\\/?>/g;',
    before: '/<(form|input)((?:\\s+[\\w:-]+(?:="[^"]*")?)*)\\s*\\/?>/g',
    after: '/<(form|input)((?:\\s[\\w:-]+(?:="[^"]*")?)*)\\s*\\/?>/g',
    reason: "The pages of a server have one space before each attribute.",
  },
  {
    file: "src/kit/mock/conditions/gates.ts",
    line: "let clearCount = 0;",
    before: "0",
    after: "1",
    reason: "The count is only compared with an earlier one.",
  },
  {
    file: "src/kit/mock/refused_hosts.ts",
    line: "hasJournal: true,",
    before: "true",
    after: "false",
    reason: "Only endpoints read it, and what the proxy refuses reaches none.",
  },
  {
    file: "src/kit/mock/server/running_requests.ts",
    line: "if (running.size === 0 || await within(closeTimeout, Promise.allSettled(running.keys()))) return;",
    before: "running.size === 0",
    after: "false",
    reason: "Without a request, there is nothing to wait for either. It saves a timer.",
  },
  {
    file: "src/server/features/par/push_bound.ts",
    line: "const blocks = entry?.value.blocks.filter(({ endsAt }) => endsAt > now()) ?? [];",
    before: "[]",
    after: '["Stryker was here"]',
    reason: "A block that has no octets and no end refuses nothing, and is gone at the next reading.",
  },
  {
    file: "src/kit/mock/resources/answer_recorded.ts",
    line: 'if (cookies.length > 0) headers["set-cookie"] = cookies;',
    before: "0",
    after: "1",
    reason: "The headers have the text of a single cookie already. Only of several, they have one text.",
  },
  {
    file: "src/kit/mock/conditions/derived_key.ts",
    line: "if (primes.every((prime) => number % prime !== 0)) primes.push(number);",
    before: "primes.every((prime) => number % prime !== 0)",
    after: "primes.some(prime => number % prime !== 0)",
    reason: "A number that is divisible by a composite one is no prime either. It saves dividing by these.",
  },
  {
    file: "src/kit/mock/conditions/derived_key.ts",
    line: "if (primes.every((prime) => number % prime !== 0)) primes.push(number);",
    before: "(prime) => number % prime !== 0",
    after: "() => undefined",
    reason: "The search finds the same numbers. The list saves it slow checks of many others.",
  },
  {
    file: "src/tools/dashboard/search/search.ts",
    line: "const words = wanted.toLowerCase().split(/\\s+/);",
    before: "/\\s+/",
    after: "/\\s/",
    reason: "An empty word is in every text.",
  },
  {
    file: "src/server/features/callback_page/show_walk.ts",
    line: "audience: walkState.readAccessToken?.audience ?? [],",
    before: "[]",
    after: '["Stryker was here"]',
    reason: "The page names the audience only where the access token that it read has one for another API.",
  },
  {
    file: "src/tools/cli/forms/application.ts",
    line: "needsSignedResponses: false,",
    before: "false",
    after: "true",
    reason: "Only the form for FAPI reads it, which is written for a configured client.",
  },
  {
    file: "src/tools/dashboard/own_port.ts",
    line: "return await createPorts({ answer, signsWithTestKeys: true, requireOpen: () => {} }).open({});",
    before: "true",
    after: "false",
    reason: "The port is at localhost, where test keys are never refused.",
  },
  {
    file: "src/server/features/dpop/used_proofs.ts",
    line: "if (minute * 60 <= now) counts.delete(minute);",
    before: "counts.delete(minute);",
    after: "{}",
    reason: "A count that is over is never added. The map would only grow by an entry a minute.",
  },
  {
    file: "src/server/features/device_login/begin_login.ts",
    line: "const page = services.slots.endpoints.find(({ path }) => path === paths.device);",
    before: "services.slots.endpoints.find(({ path }) => path === paths.device)",
    after: "services.slots.endpoints.findLast(({\n  path\n}) => path === paths.device)",
    reason: "The endpoints of one path, which differ by their methods, have one URL.",
  },
  {
    file: "src/server/features/token.ts",
    line: "for (const change of services.slots.changesRedemption) {",
    before:
      "for (const change of services.slots.changesRedemption) {\n    redemption = await change({ redemption, form, client }, services);\n  }",
    after:
      "for (const change of services.slots.changesRedemption) {\n  redemption = await change({\n    redemption,\n    form,\n    client\n  }, services);\n  break;\n}",
    reason: "Only authorization details change what the client gets, so there is one.",
  },
  {
    file: "src/server/features/callback_page/walk_steps.ts",
    line: "isFull: walk.steps.length >= mostSteps || JSON.stringify(walk).length > longestWalk,",
    before: "JSON.stringify(walk).length > longestWalk",
    after: "JSON.stringify(walk).length >= longestWalk",
    reason: "The limit is one character less. It only keeps walks from filling the store.",
  },
  {
    file: "src/kit/mock/tokens/mint.ts",
    line: "const exchange = createExchange(request, { receivedAt: now(), random, hasJournal: true });",
    before: "true",
    after: "false",
    reason: "Only endpoints read it, and minting reaches none.",
  },
  {
    file: "src/kit/mock/resources/resources.ts",
    line: "return here.find((route) => route.method === method) ??",
    before: "here.find((route) => route.method === method)",
    after: "here.findLast(route => route.method === method)",
    reason: "An address has one route of each method.",
  },
  {
    file: "src/kit/mock/resources/resources.ts",
    line: 'here.find((route) => method === "OPTIONS" || method === "HEAD" && route.method === "GET");',
    before: 'here.find((route) => method === "OPTIONS" || method === "HEAD" && route.method === "GET")',
    after: 'here.findLast(route => method === "OPTIONS" || method === "HEAD" && route.method === "GET")',
    reason: "An address has one route of GET, and all its routes answer a preflight alike.",
  },
  {
    file: "src/server/features/callback_page/answer_step.ts",
    line: "const begun = { ...walk, begun: walk.begun + 1 };",
    before: "1",
    after: "2",
    reason: "The number is only compared with an earlier one.",
  },
  {
    file: "src/server/oauth/tokens/find_token.ts",
    line: "function hasBegun({ startsAt = 0, claims: { iat } }: ReadToken, now: number): boolean {",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/pages/parts.tsx",
    line:
      '<span key={at} class={`line${isLengthy(line) ? " lengthy" : ""}${depth > 0 ? ` n-${depth}` : ""}`}>',
    before: "depth > 0",
    after: "true",
    reason: "No style sheet and no script reads the class n-0. The condition only saves octets of the page.",
  },
  {
    file: "src/server/store/contract.ts",
    line: 'if (!without.has("sweep")) await rejects(() => sweep(store, 1, now), /closed/);',
    before: "1",
    after: "2",
    reason: "A closed store refuses the call before it reads the limit.",
  },
  {
    file: "src/kit/examine/scenario.ts",
    line: "let last = 0;",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/kit/examine/api_requests.ts",
    line: "const jti = randomText(random, 16);",
    before: "16",
    after: "17",
    reason: "No API can show the difference, because the text is as new as before. It is one octet longer.",
  },
  {
    file: "src/kit/mock/journal/recorder.ts",
    line: "const isShown = written - kept.length < shown;",
    before: "written - kept.length < shown",
    after: "written - kept.length <= shown",
    reason: "No caller sees the difference: the recorder only keeps more octets from being written over.",
  },
  {
    file: "src/kit/mock/provider/face.ts",
    line: "return lookAlikeNames.find((each) =>",
    before:
      "lookAlikeNames.find((each) =>\n    each !== name && providers[each].host === host &&\n    lookAlikes[each].addresses(host).endpoints.some((at) => at.url === url)\n  )",
    after:
      "lookAlikeNames.findLast(each => each !== name && providers[each].host === host && lookAlikes[each].addresses(host).endpoints.some(at => at.url === url))",
    reason: "At most two look-alikes have one host, so there is one other at most.",
  },
  {
    file: "src/tools/control/describe_calls.ts",
    line: 'const path = [...fullPath(route).matchAll(/\\{(\\w+)\\}/g)].map(([, name = ""]) => [name, text]);',
    before: '[...fullPath(route).matchAll(/\\{(\\w+)\\}/g)].map(([, name = ""]) => [name, text])',
    after: '[...fullPath(route).matchAll(/\\{(\\w+)\\}/g)].map(([, name = ""]) => [name, text]).slice(0, 1)',
    reason: "The path of a call has one variable at most.",
  },
  {
    file: "src/tools/guard/require_numbered.ts",
    line: "const entry = entries.find((each) => each.id === id);",
    before: "entries.find((each) => each.id === id)",
    after: "entries.findLast(each => each.id === id)",
    reason: "No two entries have one id.",
  },
  {
    file: "src/tools/cli/proxy/listen_as_proxy.ts",
    line: 'client.once("close", () => clearTimeout(timer));',
    before: 'client.once("close", () => clearTimeout(timer));',
    after: "{}",
    reason:
      "The timer would destroy a closed connection, which has no effect. The line only frees it earlier.",
  },
  {
    file: "src/tools/dashboard/forms.ts",
    line: "return randomText(createRandomBytes(), 32);",
    before: "32",
    after: "64",
    reason: "No request can show the difference, because the key only signs: no answer has it.",
  },
  {
    file: "src/tools/dashboard/directory/access.tsx",
    line: "what: consentWords.endWhat(visible(client.name), visible(person.name)),",
    before: "visible(client.name)",
    after: "client.name",
    reason: "No server takes a client with a hidden character in its name, or in its id.",
  },
  {
    file: "src/tools/browser/worker/answer_fetch.ts",
    line: 'const text = message.replaceAll(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);',
    before: '/[<>&"]/g',
    after: '/[^<>&"]/g',
    reason:
      "The page shows the same text: with all other characters escaped, no tag and no entity can begin.",
  },
  {
    file: "src/tools/browser/worker/incoming.ts",
    line: "readBody: (limit) => readBody(request, limit, false),",
    before: "false",
    after: "true",
    reason: "The requests that a browser gives a worker have no Content-Length.",
  },
  {
    file: "src/server/features/first_use/keep_client.ts",
    line: "const isKept = client.approvedBy !== undefined &&",
    before: "client.approvedBy !== undefined",
    after: "true",
    reason: "A client that no person has approved has no record. The condition only saves reading the store.",
  },
  {
    file: "src/server/oauth/secrets/redaction.ts",
    line: "if (!/[.{%:@=]/.test(text)) return text;",
    before: "!/[.{%:@=]/.test(text)",
    after: "false",
    reason: "Without one of these characters, nothing below changes the text. It saves the way there.",
  },
  {
    file: "src/server/features/mtls/mtls.ts",
    line: "exchange.request.certificate === undefined ? undefined : prove(exchange, options),",
    before: "exchange.request.certificate === undefined",
    after: "false",
    reason: "No certificate proves nothing. Not to look saves a turn of the event loop in each request.",
  },
  {
    file: "src/server/features/mtls/mtls.ts",
    line:
      "return findCertificateHeaders(exchange.request, name).length > 0 ? note(exchange, name) : undefined;",
    before: "findCertificateHeaders(exchange.request, name).length > 0",
    after: "findCertificateHeaders(exchange.request, name).length >= 0",
    reason: "Of no headers, none is noted. Not to look saves a turn of the event loop in each request.",
  },
  {
    file: "src/server/features/second_factor/codes.ts",
    line: "const step = stepAt(now()) + offset;",
    before: "stepAt(now()) + offset",
    after: "stepAt(now()) - offset",
    reason: "As many steps before the present one are accepted as after it, and each is tried.",
  },
  {
    file: "src/server/pipeline/answer_request.ts",
    line: "const all = addedHeaders === undefined",
    before: "addedHeaders === undefined",
    after: "false",
    reason: "Of no headers, none is added. It saves a copy of the answer and of its headers.",
  },
  {
    file: "src/server/pipeline/answer_request.ts",
    line: "if (seams.response !== undefined || exchange.facts.altered !== undefined) {",
    before: "seams.response !== undefined || exchange.facts.altered !== undefined",
    after: "true",
    reason: "Without a hook, the answer passes as it is, and can be sent. It saves the check.",
  },
  {
    file: "src/server/setup/key_set.ts",
    line:
      "export function fixedKeySet(keys: readonly Jwk[], preferred: SigningAlgorithm, signsFrom = 0): KeySet {",
    before: "0",
    after: "1",
    reason: laterThanOne,
  },
  {
    file: "src/server/features/first_use/keep_client.ts",
    line: ": existing.redirectUris.some((registered) => matchesRedirectUri(registered, redirectUri));",
    before: "matchesRedirectUri(registered, redirectUri)",
    after: "matchesRedirectUri(redirectUri, registered)",
    reason: "The order matters only for an unfit URI, and a request with such a one is refused before.",
  },
  {
    file: "src/server/oauth/authorization/asking/consent.ts",
    line: 'row.lines.flatMap((line) => typeof line === "string" ? [nameLine(row, line)] : [])',
    before: "[]",
    after: '["Stryker was here"]',
    reason: "Consent to rows with an optional line is never complete, and no other row has such a name.",
  },
  {
    file: "src/server/features/back_channel_logout.ts",
    line: 'return status >= 200 && status < 300 ? { kind: "told" } : { kind: "refused", status };',
    before: "status < 300",
    after: "status <= 300",
    reason: "A redirect is no answer, so none has the status 300.",
  },
  {
    file: "src/server/pipeline/answer_request.ts",
    line: "if (noting !== undefined) await noting;",
    before: "noting !== undefined",
    after: "true",
    reason: "To await nothing changes nothing. It takes a turn of the event loop in each request.",
  },
];

export function isUnnoticeable(mutant: Mutant, text: string): boolean {
  const line = text.split("\n")[mutant.start.line - 1]!.trim();
  return unnoticeable.some((each) =>
    each.file === mutant.file && each.line === line && each.before === mutant.before &&
    each.after === mutant.after
  );
}

/** Describes the tokens of a request: the signature of a JWT, and what the server knows now about a code or a token. */

import { type JwtParts, parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { findTokens, type FoundToken, isCredential } from "../../../kit/mock/journal/find_tokens.ts";
import type { KeptEntry } from "../../../kit/mock/journal/request_list.ts";
import { type EntryToken, listTokens } from "../../../kit/timeline/entry_tokens.tsx";
import type { ShownExchange } from "../../../kit/timeline/exchange_props.ts";
import type { NamedValue, ShownCheck } from "../../../server/pages/token/token_props.ts";
import { englishPlayground } from "../playground/playground_english.ts";
import { englishInspector } from "./inspector_english.ts";
import { filterHref } from "../addresses.ts";
import type { PageCall } from "../page.ts";
import { takeCredentialApart } from "../playground/pasted_credential.ts";
import { nameKind } from "../playground/name_kind.ts";
import { checkSignature } from "../playground/pasted_jwt.ts";
import { isBeforeIn, writePlace } from "./compare_tokens.ts";

const { active: words } = englishInspector;

const { values } = englishPlayground.reader;

export async function describeTokens(
  shown: ShownExchange,
  kept: KeptEntry,
  call: PageCall,
): Promise<readonly EntryToken[]> {
  const found = findTokens(kept.entry, kept.endpoint);
  const listed = listTokens(
    shown,
    (value) =>
      value.jwt !== undefined || value.length !== undefined && found.some((token) => isNamed(token, value)),
  );
  const described = await Promise.all(listed.map((token) => {
    // A parameter may be sent twice. Then the page would not say which value a fact is about.
    const [source, another] = found.filter((each) =>
      each.carriedBy === token.carriedBy && isNamed(each, token)
    );
    return source === undefined || another !== undefined ? token : describeToken(token, source, kept, call);
  }));
  return described.filter(({ jwt, facts }) => jwt !== undefined || facts !== undefined);
}

/** A page names the header with a token by its scheme, too. */
function isNamed(token: FoundToken, { name, meaning }: NamedValue): boolean {
  return token.name === name || token.name === meaning;
}

async function describeToken(
  token: EntryToken,
  source: FoundToken,
  kept: KeptEntry,
  call: PageCall,
): Promise<EntryToken> {
  const { name, text } = source;
  const jwt = parseJwt(text);
  const known = isCredential(name) ? await listFacts(source, jwt !== undefined, call) : {};
  if (jwt === undefined || token.jwt === undefined) return { ...token, ...known };
  return {
    ...token,
    ...known,
    checks: [...token.checks, ...await checkSignatureOf(jwt, source, call)],
    compare: {
      href: `${call.pathOf("inspector")}/compare?${new URLSearchParams({
        right: writePlace(kept.entry.id, source),
      })}`,
      hasBefore: source.carriedBy === "response" && isBeforeIn(kept, source.name, call.watched.index),
    },
  };
}

/** The keys of the server did not sign what its clients sign. */
async function checkSignatureOf(
  jwt: JwtParts,
  { name, text, carriedBy }: FoundToken,
  { watched: { services } }: PageCall,
): Promise<readonly ShownCheck[]> {
  const kind = name === "access_token" || name === "id_token"
    ? name
    : nameKind(jwt, services.settings.issuer);
  const judged = kind === "access_token" || kind === "id_token" ? kind : "jwt";
  if (judged === "jwt" && kind !== "jwt" && kind !== "logout_token") return [];
  const isOurs = carriedBy === "response" || undefined;
  return [await checkSignature(judged, text, jwt, { services, values }, isOurs)];
}

const shownFacts: ReadonlySet<string> = new Set(["client_id", "username", "scope", "exp"]);

/** A JWT says the most itself. A header may have a token of another kind, about which the server says nothing. */
async function listFacts(
  { name, text }: FoundToken,
  isJwt: boolean,
  call: PageCall,
): Promise<Pick<EntryToken, "facts" | "ended">> {
  const known = await askServer(text, call);
  if (known === undefined && name === "authorization" || known === "unavailable") return {};
  const alive = known?.checks.find((check) => check.name === "alive");
  const ended = alive?.result === "passed" ? undefined : alive?.received ?? words.unknown;
  const shown = isJwt || known === undefined ? [] : known.parameters;
  const facts = shown.filter((each) => shownFacts.has(each.name));
  return ended === undefined ? { facts: [...facts, { name: "active", text: words.yes }] } : { facts, ended };
}

/** While the store cannot answer, the page shows what is in the journal. */
async function askServer(
  text: string,
  call: PageCall,
): Promise<Awaited<ReturnType<typeof takeCredentialApart>> | "unavailable"> {
  const { watched: { services }, neverShown } = call;
  const terms = {
    services,
    values,
    show: { secrets: false, neverShown },
    flowUrl: (flow: string) => filterHref(`flow:${flow}`, call),
  };
  return await takeCredentialApart(text, terms).catch(() => "unavailable" as const);
}

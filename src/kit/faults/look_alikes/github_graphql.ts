/** What GitHub answers a program that asks by GraphQL who the person is. */

import type { Answer } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { isJsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { fail, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import type { ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_query_unknown: {
    error: "not_found",
    status: 501,
    sentence: "This look-alike answers only a query for the viewer",
    expected: "a JSON object with a query for viewer, without directives, and with fragments on User only",
    change: "Ask for fewer fields of the viewer, or answer POST /graphql with as.route().",
  },
});

export const refused: RefusalRows = refusal.rows;

/** A field that a query asks for, with those of its value. */
interface Field {
  readonly name: string;
  readonly alias: string;
  readonly fields: readonly Field[] | undefined;
}

/** `describe` returns what the REST API says about the person. */
export function answerQuery(describe: (person: ShownPerson) => Members) {
  return async (exchange: Exchange, services: Services): Promise<Answer> => {
    const { issuer } = services.settings;
    // `requireAccessToken` reads the scheme `token` only where the request has a form, and this body is JSON.
    exchange.readOtherFormBy(() => Promise.resolve(""));
    const { grant } = await requireAccessToken(exchange, { audience: issuer }, services);
    if (grant !== undefined) exchange.note({ subject: grant.person.subject });
    const viewer = grant === undefined ? null : describeViewer(describe(grant.person));
    const { query } = parseJsonObject(await exchange.body()) ?? {};
    if (typeof query !== "string") throw refusal("provider_query_unknown");
    return json({ data: select({ viewer, rateLimit: describeLimit(services.now()) }, readQuery(query)) });
  };
}

const none = { edges: [], nodes: [], totalCount: 0, pageInfo: { hasNextPage: false, endCursor: null } };

function describeLimit(now: number): Members {
  const resetAt = new Date((now + 3600) * 1000).toISOString();
  return { limit: 5000, cost: 1, remaining: 5000, used: 0, resetAt };
}

function describeViewer(user: Members): Members {
  const { login, id, name, email, bio, company, location } = user;
  const noLists = ["organizations", "repositories", "followers", "following", "starredRepositories", "gists"];
  return {
    ...Object.fromEntries(noLists.map((list) => [list, none])),
    ...{ login, name, bio, company, location, email: email ?? "", id: user["node_id"], databaseId: id },
    ...{ avatarUrl: user["avatar_url"], url: user["html_url"], websiteUrl: user["blog"] },
    ...{ createdAt: user["created_at"], isViewer: true, __typename: "User" },
  };
}

interface Reading {
  /** The tokens of each fragment, by its name. */
  readonly fragments: ReadonlyMap<string, readonly string[]>;
  /** How many more tokens are read. A fragment may name itself, or others often. */
  left: number;
}

/** Arguments of fields change nothing, because all lists are empty. */
function readQuery(text: string): readonly Field[] {
  const definitions: string[][] = [[]];
  let depth = 0;
  for (const token of text.replace(/#.*/g, "").replace(/\([^()]*\)/g, "").match(/\w+|\.{3}|[^\s,]/g) ?? []) {
    definitions.at(-1)!.push(token);
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) definitions.push([]);
  }
  const [query = [], ...others] = definitions.filter(([first]) =>
    first !== undefined && first !== "fragment"
  );
  const ofUser = definitions.filter((each) => /^fragment \w+ on User \{$/.test(each.slice(0, 5).join(" ")));
  const start = query.indexOf("{") + 1;
  if (others.length > 0 || !/^(?:query (?:\w+ )?)?\{$/.test(query.slice(0, start).join(" "))) {
    throw refusal("provider_query_unknown");
  }
  const fragments = new Map(ofUser.map(([, name = "", ...fragment]) => [name, fragment.slice(3)]));
  return readFields(query.slice(start).values(), { fragments, left: 1000 }, "");
}

/** Reads the fields of `parent` up to the closing brace. */
function readFields(
  tokens: Iterator<string, undefined>,
  reading: Reading,
  parent: string,
): readonly Field[] {
  const read: Field[] = [];
  for (let token = tokens.next().value; token !== "}"; token = tokens.next().value) {
    const field = read.at(-1);
    if (reading.left-- === 0) throw refusal("provider_query_unknown");
    if (token === "{" && field !== undefined) {
      read[read.length - 1] = { ...field, fields: readFields(tokens, reading, field.name) };
    } else if (token === ":" && field !== undefined) {
      read[read.length - 1] = { ...field, name: tokens.next().value ?? "" };
    } else if (token === "..." && parent === "viewer") {
      const name = tokens.next().value ?? "";
      const isInline = name === "on" && tokens.next().value === "User" && tokens.next().value === "{";
      const inside = isInline ? tokens : (reading.fragments.get(name) ?? []).values();
      read.push(...readFields(inside, reading, parent));
    } else if (/^\w+$/.test(token ?? "")) read.push({ name: token!, alias: token!, fields: undefined });
    else throw refusal("provider_query_unknown");
  }
  return read;
}

/** An object is never without its fields in a query, and a text never has some. */
function select(value: unknown, fields: readonly Field[] | undefined): unknown {
  if (Array.isArray(value) && fields !== undefined) return value.map((each) => select(each, fields));
  if (value === null || !isJsonObject(value) && fields === undefined) return value;
  if (!isJsonObject(value) || fields === undefined) throw refusal("provider_query_unknown");
  return Object.fromEntries(fields.map((field) => [
    field.alias,
    Object.hasOwn(value, field.name)
      ? select(value[field.name], field.fields)
      : fail(refusal("provider_query_unknown", { received: field.name })),
  ]));
}

/** The tools of agents: most are calls of the control plane. And the resources that an agent may read. */

import pages from "../../../../static/pages.json" with { type: "json" };
import { judgeAccessToken, judgeIdToken, judgeSignature } from "../../../server/client/judge_token.ts";
import { parseJwt } from "../../../ground/crypto/jwt_parts.ts";
import { metadataPaths } from "../../../server/oauth/contracts/paths.ts";
import { accessTokenTyp } from "../../../server/oauth/tokens/access_token.ts";
import { hasAccessTokenClaims } from "../../../server/oauth/tokens/access_token_claims.ts";
import { type JsonObject, parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Schema } from "../../../ground/schema/schema.ts";
import { controlPath } from "../../guard/control_paths.ts";
import { callRoutes, controlRoutes } from "../routes.ts";
import { closedObject, oneOrMore, openObject, text } from "../../../ground/schema/schema_of.ts";

/** How tools reach a server: in its process, or over HTTP. */
export interface Reach {
  /** Sends a request to the control plane. The path may have a query. */
  send(method: string, path: string, body: string): Promise<{ status: number; text: string }>;
  /** Reads a public document of the server. */
  fetch(url: string): Promise<Response>;
}

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** Hints of the protocol. Absent: the tool only reads. */
  readonly annotations?: object;
  /** The answer has what other programs have sent to the server. */
  readonly showsStrangers?: true;
  /** Resolves to JSON. */
  call(args: JsonObject, reach: Reach, caller: Caller): unknown;
}

export interface Caller {
  /** Aborted if the agent no longer waits. */
  readonly signal: AbortSignal;
  /** Tells the agent how far the call is, if it wants to know. */
  report(message: string): void;
}

// An agent pays for each word.
const most = { refusals: 20, requests: 100, pages: 6, words: 20 };

// All members of a client are more words than all other tools have.
const usualMembers = [
  ...["client_id", "client_secret", "token_endpoint_auth_method", "client_name", "redirect_uris"],
  ...["post_logout_redirect_uris", "grant_types", "scope", "dpop_bound_access_tokens", "jwks"],
];

export const agentTools: readonly AgentTool[] = [
  ...callRoutes.map(({ name, path }) => toolOf(path.slice(1), name)),
  toolOf("show_settings", "describeEnvironment"),
  toolOf("log_in", "login"),
  toolOf("open_authorization", "authorize"),
  toolOf("refresh_tokens", "refresh"),
  toolOf("mint_token", "mint"),
  toolOf("forge_token", "forge"),
  {
    name: "judge_token",
    description: "Checks a JWT of this server as an API or a client must, and names the rule of each check.",
    schema: closedObject({
      token: text("An access token or an ID token."),
      audience: oneOrMore("The API or, for an ID token, the client id. Default: any."),
      nonce: text("The nonce that the client has sent, for an ID token."),
    }, { required: ["token"] }),
    call: judgeToken,
  },
  {
    name: "list_refusals",
    description: `Lists the last ${most.refusals} refused requests, and what makes each right.`,
    schema: closedObject({ client: text("Only requests of the client with this client id.") }),
    showsStrangers: true,
    call: listRefusals,
  },
  toolOf("explain_refusal", "explain", { showsStrangers: true }),
  toolOf("turn_clock", "moveClock"),
  toolOf("add_person", "addPerson"),
  toolOf("add_client", "addClient", { members: usualMembers }),
  toolOf("list_misbehaviours", "listCatalogue", {
    async call(args, reach) {
      const all = await listOf("misbehaviours", "listCatalogue", args, reach);
      return all.map(({ name, level, server }) => ({ name, level, server }));
    },
  }),
  toolOf("misbehave", "createMisbehaviour"),
  toolOf("read_verdict", "settleMisbehaviour", { showsStrangers: true }),
  toolOf("end_misbehaviour", "removeMisbehaviour"),
  {
    name: "find_page",
    description: "Finds pages of Postern's documentation. llms-full.txt of its package has the text of some.",
    schema: closedObject({
      words: { ...text(`Such as: refresh race, alg_none. At most ${most.words}.`), maxLength: 500 },
    }, { required: ["words"] }),
    call: findPages,
  },
];

interface AgentResource {
  readonly description: string;
  read(reach: Reach): Promise<object>;
}

/** By the names in their addresses: `postern://journal`. */
export const agentResources: Readonly<Record<string, AgentResource>> = {
  journal: {
    description: `The last ${most.requests} requests to the server, with its answers.`,
    read: async (reach) => (await listOf("requests", "listRequests", {}, reach)).slice(-most.requests),
  },
  configuration: {
    description: "The issuer, the clock, the clients and the people of the server.",
    async read(reach) {
      const names = ["showServer", "showClock", "listClients", "listPeople"];
      return Object.assign({}, ...await Promise.all(names.map((name) => callControl(name, {}, reach))));
    },
  },
  refusals: {
    description: `The last ${most.refusals} refused requests, and what makes each right.`,
    read: (reach) => listRefusals({}, reach),
  },
};

interface ToolOptions extends Partial<AgentTool> {
  /** The tool describes only these members of the call, and takes the others. */
  readonly members?: readonly string[];
}

/** Makes a tool of the call with this name. It has the members of the call, except for `raw`, which shows secrets. */
function toolOf(name: string, callName: string, { members, ...others }: ToolOptions = {}): AgentTool {
  const { method, variables, summary, query, body } = requireRoute(callName);
  const { raw: _raw, ...all } = { ...query?.properties, ...body?.properties };
  const id = text("The id that misbehave has returned."), required = [...variables, ...body?.required ?? []];
  const described = Object.entries(all).filter(([each]) => members?.includes(each) !== false);
  const properties = Object.fromEntries([...variables.map((each) => [each, id] as const), ...described]);
  const isOpen = members !== undefined || body !== undefined && body.additionalProperties !== false;
  const schema = (isOpen ? openObject : closedObject)(properties, { required });
  const call: AgentTool["call"] = (args, reach) => callControl(callName, args, reach);
  const annotations = { readOnlyHint: method === "GET", destructiveHint: method === "DELETE" };
  return { name, description: summary, schema, annotations, call, ...others };
}

async function callControl(name: string, args: JsonObject, { send }: Reach): Promise<JsonObject> {
  const { method, path, variables, body } = requireRoute(name);
  const filled = path.replace(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(`${args[each]}`));
  const sent = Object.entries(args).filter(([member]) => !variables.includes(member));
  const query = body === undefined ? `?${new URLSearchParams(sent as [string, string][])}` : "";
  const json = body === undefined ? "" : JSON.stringify(Object.fromEntries(sent));
  const { status, text } = await send(method, controlPath + filled + query, json);
  const answer = parseJsonObject(text);
  if (status < 400) return answer ?? {};
  throw new Error(
    answer ? describeProblem(answer) : `The server has no control plane, and answers ${status}`,
  );
}

/** Speaks of tools and their members, where the control plane speaks of its calls. */
function describeProblem({ error_description, place, expected }: JsonObject): string {
  const problem = `${error_description}`.replace("POST /_postern/people", "add_person")
    .replace("POST /_postern/clients", "add_client");
  const member = `${place ?? ""}`.replace("?", "");
  const whole = problem.includes(member) ? problem : `${member}: ${problem}`;
  return expected && !problem.includes(`${expected}`) ? `${whole}\n${expected}` : whole;
}

function requireRoute(name: string) {
  const route = controlRoutes.find((each) => each.name === name)!;
  return { ...route, variables: [...route.path.matchAll(/\{(\w+)\}/g)].map(([, variable = ""]) => variable) };
}

async function listOf(list: string, ...call: Parameters<typeof callControl>): Promise<readonly JsonObject[]> {
  return (await callControl(...call))[list] as readonly JsonObject[];
}

async function listRefusals(args: JsonObject, reach: Reach): Promise<object> {
  const requests = await listOf("requests", "listRequests", args, reach);
  return requests.filter(({ refusal }) => refusal !== undefined).slice(-most.refusals);
}

/** With the keys that the server publishes. */
async function judgeToken({ token, audience = [], nonce }: JsonObject, reach: Reach): Promise<object> {
  const jwt = parseJwt(`${token}`);
  if (jwt === undefined) throw new Error("The token is no JWT: only introspection says what it is");
  const read = async (url: string) => await (await reach.fetch(url)).json();
  const { issuer } = await callControl("showServer", {}, reach) as { issuer: string };
  const { serverNow: now } = await callControl("showClock", {}, reach) as { serverNow: number };
  const { jwks_uri: address } = await read(issuer.replace(/\/$/, "") + metadataPaths.openidConfiguration);
  const { header, claims } = jwt, expected = [audience].flat().map(String), [clientId] = expected;
  const isForApi = header["typ"] === accessTokenTyp || hasAccessTokenClaims(claims);
  const sent = nonce === undefined ? undefined : { nonce: `${nonce}` };
  const checks = [
    await judgeSignature(isForApi ? "access_token" : "id_token", `${token}`, jwt, (await read(address)).keys),
    ...isForApi
      ? judgeAccessToken(jwt, { issuer, now, typ: accessTokenTyp, audience: expected, needs: "one" })
      : judgeIdToken(jwt, { issuer, now, clientId, sent, accessToken: undefined, isRefresh: false }),
  ];
  return { isValid: checks.every(({ result }) => result !== "failed"), header, claims, checks };
}

function findPages({ words }: JsonObject): unknown {
  const given = `${words}`.toLowerCase().split(/\s+/);
  // A name such as alg_none is two words.
  if (Math.max(given.length, splitWords(`${words}`).length) > most.words) {
    throw new Error(`words must have at most ${most.words} words: send those that say most`);
  }
  const rated = pages.map(({ names, ...page }) => {
    const exact = given.filter((word) => /[._-]/.test(word) && ` ${names} `.includes(` ${word} `));
    const others = given.filter((word) => !exact.includes(word)).flatMap(splitWords);
    const count = (text: string) => {
      const known = splitWords(text);
      return others.filter((word) => known.some((each) => each.startsWith(word))).length;
    };
    const headings = page.headings.filter(count), weight = page.file.includes("/reference/") ? 24 : 12;
    const title = [page.title, ...page.words ?? []].join(" ");
    const score = weight * exact.length + 6 * count(title) + 3 * count(page.summary) + headings.length;
    return { page: { ...page, headings }, score: score + count(names) };
  }).filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
  return rated.slice(0, most.pages).map(({ page }) => page);
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

/** Hooks are functions of a test that change values before the server sends them. Each hook runs at a seam. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import {
  findSeams,
  type SeamContext,
  type SeamName,
  seamNames,
  type Seams,
  type SeamValues,
  type Signer,
} from "../../../server/oauth/contracts/seams.ts";
import { checkSchema } from "../../../ground/schema/check_schema.ts";
import { isJsonObject, type JsonObject } from "../../../ground/schema/json_object.ts";
import { suggestSimilar } from "../../../ground/schema/nearest.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { type EndpointName, requireEndpoint } from "../endpoints.ts";
import { usernameIn } from "../terms/username_in.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import { concerns, findConcerned, type SeamSources } from "./concerned.ts";
import {
  type AnonymousHookName,
  type EndpointHookName,
  type HookName,
  hookNames,
  hookRows,
  type HookValues,
  shapeOf,
} from "./hook_table.ts";
import { remember } from "../../../ground/values/remember.ts";
import { present } from "../../../ground/values/present.ts";

/** The second argument of a hook: the request that led to the value, with its client and person. */
export interface HookContext {
  /** The id of the client that sent the request, or that a logout token is for. */
  readonly client?: string;
  /** The username of the person that the value is about. */
  readonly person?: string;
  readonly request: IncomingRequest;
  /** The endpoint of the request. */
  readonly endpoint: EndpointName;
}

/** The second argument of a hook at `signed`. */
export interface SignedHookContext extends HookContext {
  /** Signs a changed token again. */
  readonly signer: Signer;
}

/** A hook. It returns the value that the server uses instead, or nothing to leave the value as it is. */
export type Hook<N extends HookName> = (
  value: HookValues[N],
  at: N extends "signed" ? SignedHookContext : HookContext,
) => HookValues[N] | undefined | void | Promise<HookValues[N] | undefined | void>;

/**
 * Options that limit when a hook runs. Requests for metadata or keys name no client, so hooks for these values run for
 * every request. Only the hooks `jwt`, `signed` and `response` can be for one endpoint, because the other values belong
 * to certain endpoints.
 */
export type HookTerms<N extends HookName = HookName> =
  & {
    /** The hook runs only for the first value that matches the endpoint, the client and the person. */
    readonly once?: boolean;
  }
  & ([N] extends [AnonymousHookName] ? unknown : {
    /** The id of the client that the hook runs for. Default: any client. */
    readonly client?: string;
    /** The username of the person that the hook runs for. Default: any person, or none. */
    readonly username?: string;
    /** @deprecated Use `username`. */
    readonly person?: string;
  })
  & ([N] extends [Exclude<HookName, EndpointHookName>] ? unknown : {
    /** The endpoint that the hook runs for. Default: any endpoint. */
    readonly endpoint?: EndpointName;
  });

export interface Hooks {
  /** Hooks of one name run in the order in which they were added, and each gets the result of the one before. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms<NoInfer<N>>): Disposable;
  /** The seams for the server. A seam exists only while there is a hook at it. */
  readonly seams: Seams;
  clear(): void;
}

interface AddedHook {
  readonly run: (value: unknown, at: HookContext) => unknown;
  readonly terms: HookTerms;
}

const namesAt: ReadonlyMap<SeamName, readonly HookName[]> = new Map(
  seamNames.map((seam) => [seam, hookNames.filter((name) => hookRows[name].seam === seam)]),
);

export function createHooks(sources: SeamSources): Hooks {
  const hooksByName = new Map<HookName, Set<AddedHook>>();

  const hooksOf = (name: HookName) => remember(hooksByName, name, () => new Set());

  async function runSeam(seam: SeamName, value: unknown, context: SeamContext): Promise<unknown> {
    const view = viewFor(seam, value);
    const changed = await runHooks(view, describeContext(view, context, sources));
    if (changed === view.value) return value;
    context.acted(view.name);
    return view.wrap(changed);
  }

  async function runHooks({ name, value }: HookView, at: HookContext): Promise<JsonObject> {
    const hooks = hooksOf(name);
    let current = value;
    for (const hook of [...hooks]) {
      // While an earlier hook ran, this one may have been removed, or used up by another request.
      if (!hooks.has(hook) || !matches(hook.terms, at)) continue;
      if (hook.terms.once) hooks.delete(hook);
      current = await runHook(name, hook, current, at);
    }
    return current;
  }

  function findSeam(seam: SeamName): unknown {
    const isHooked = namesAt.get(seam)!.some((name) => hooksByName.get(name)?.size);
    return isHooked ? (value: unknown, context: SeamContext) => runSeam(seam, value, context) : undefined;
  }

  return {
    on(name, hook, terms = {}) {
      requireHook(name, hook, terms);
      const hooks = hooksOf(name);
      const added: AddedHook = { run: hook as AddedHook["run"], terms };
      hooks.add(added);
      return { [Symbol.dispose]: () => void hooks.delete(added) };
    },
    seams: findSeams(findSeam),
    clear() {
      for (const hooks of hooksByName.values()) hooks.clear();
    },
  };
}

/** The part of the value at a seam that a hook gets. */
interface HookView {
  readonly name: HookName;
  readonly value: JsonObject;
  /** The kind of token that the value is about. */
  readonly token?: string;
  readonly signer?: Signer;
  wrap(changed: JsonObject): unknown;
}

function viewFor(seam: SeamName, value: unknown): HookView {
  if (seam === "claims") {
    const { token, claims } = value as SeamValues["claims"];
    return { name: token, token, value: claims, wrap: (changed) => ({ token, claims: changed }) };
  }
  if (seam === "signed") {
    const { signer, ...signed } = value as SeamValues["signed"];
    return {
      name: "signed",
      token: signed.token,
      value: signed,
      signer,
      wrap: (changed) => ({ ...changed, signer }),
    };
  }
  return {
    name: hookNames.find((name) => hookRows[name].seam === seam)!,
    ...present({ token: seam === "jwt" ? (value as SeamValues["jwt"]).token : undefined }),
    value: value as JsonObject,
    wrap: (changed) => changed,
  };
}

function describeContext(
  { token, signer }: HookView,
  context: SeamContext,
  sources: SeamSources,
): HookContext {
  const { request } = context.exchange;
  return {
    ...findConcerned(context, token, sources),
    request,
    endpoint: sources.endpointOf(request),
    ...present({ signer }),
  };
}

function matches(terms: HookTerms, at: HookContext): boolean {
  return concerns(terms, at) && (terms.endpoint === undefined || terms.endpoint === at.endpoint);
}

async function runHook(
  name: HookName,
  hook: AddedHook,
  value: JsonObject,
  at: HookContext,
): Promise<JsonObject> {
  // The hook gets a copy, because other answers may share the value.
  const ownCopy = copy(value);
  const result = await callHook(name, hook, ownCopy, at);
  if (result !== undefined && result !== ownCopy) return requireShape(name, result);
  if (JSON.stringify(ownCopy) === JSON.stringify(value)) return value;
  if (result === ownCopy) return requireShape(name, result);
  throw new TypeError(
    `The hook "${name}" changed its value and returned nothing: return the changed value, ` +
      "such as { ...value, added: true }",
  );
}

/** Other values than objects and arrays stay the same, because the body of a response can be a stream. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)])) as T;
}

async function callHook(
  name: HookName,
  { run }: AddedHook,
  value: JsonObject,
  at: HookContext,
): Promise<unknown> {
  try {
    return await run(value, at);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : describeValue(cause);
    throw new Error(`The hook "${name}" threw: ${message}`, { cause });
  }
}

function requireShape(name: HookName, result: unknown): JsonObject {
  const shape = shapeOf(name);
  const { properties } = shape;
  const expected = properties === undefined ? "a plain object" : `{ ${Object.keys(properties).join(", ")} }`;
  if (!isJsonObject(result)) {
    throw new TypeError(
      `The hook "${name}" returned ${describeValue(result)}: return ${expected}, ` +
        "or nothing to leave the value as it is",
    );
  }
  const mismatch = checkSchema(result, shape);
  if (mismatch === undefined) return result;
  throw new TypeError(
    `The hook "${name}" returned an object of another shape: ${mismatch.place} ${mismatch.problem}; return ${expected}`,
  );
}

function requireHook(name: HookName, hook: unknown, terms: HookTerms): void {
  if (!hookNames.includes(name)) {
    throw new TypeError(
      `There is no hook ${describeValue(name)}: expected one of ${hookNames.join(", ")}${suggestHook(name)}`,
    );
  }
  if (typeof hook !== "function") {
    throw new TypeError(`The hook "${name}" must be a function, but got ${describeValue(hook)}`);
  }
  requireTerms(`add the hook "${name}"`, terms, types.HookTerms);
  const { client, endpoint } = terms;
  if (hookRows[name].anonymous && (client !== undefined || usernameIn(terms) !== undefined)) {
    throw new TypeError(
      `The hook "${name}" cannot be for one client or person, because requests for it name none: ` +
        "leave client and username out",
    );
  }
  if (endpoint !== undefined) requireOneEndpoint(name, endpoint);
}

function suggestHook(name: unknown): string {
  const replacements = hookNames.filter((each) => hookRows[each].replaces?.includes(`${name}`));
  if (replacements.length === 0) return suggestSimilar(name, hookNames);
  return `. Did you mean ${replacements.join(" or ")}?`;
}

function requireOneEndpoint(name: HookName, endpoint: unknown): void {
  requireEndpoint(endpoint, `add the hook "${name}" for requests to`);
  if (hookRows[name].manyEndpoints) return;
  const possible = hookNames.filter((each) => hookRows[each].manyEndpoints).join(", ");
  throw new TypeError(
    `The hook "${name}" cannot be for one endpoint, only these hooks can: ${possible}. Leave endpoint out`,
  );
}

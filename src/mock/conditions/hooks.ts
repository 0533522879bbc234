/** Hooks: functions of a test that change what the server says, each at a seam of the server. */

import type { IncomingRequest } from "../../http/message.ts";
import {
  type SeamContext,
  type SeamName,
  seamNames,
  type Seams,
  type SeamValues,
  type Signer,
} from "../../oauth/seams.ts";
import { checkSchema } from "../../schema/check_schema.ts";
import { isJsonObject, type JsonObject } from "../../schema/json_object.ts";
import { describeValue } from "../../schema/received.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";
import { type AnonymousHookName, type HookName, hookNames, hookRows, type HookValues } from "./hook_table.ts";

/** What the server knows about the value when the hook runs. */
export interface HookContext {
  /** The id of the client that sent the request, or that a logout token is for. */
  readonly client?: string;
  /** The user name. */
  readonly person?: string;
  readonly request: IncomingRequest;
}

/** What a hook at `signed` is told besides. */
export interface SignedHookContext extends HookContext {
  /** Signs a token again. */
  readonly signer: Signer;
}

/** Returns what the server says instead. Nothing returned: the value stays as it is. */
export type Hook<N extends HookName> = (
  value: HookValues[N],
  at: N extends "signed" ? SignedHookContext : HookContext,
) => HookValues[N] | undefined | void | Promise<HookValues[N] | undefined | void>;

/** When a hook runs. A request for metadata or keys names no client, so those hooks are for every request. */
export type HookTerms<N extends HookName = HookName> =
  & {
    /** Only for the first value that client and person match. */
    readonly once?: boolean;
  }
  & ([N] extends [AnonymousHookName] ? unknown : {
    readonly client?: string;
    readonly person?: string;
  });

export interface Hooks {
  /** Hooks of one name run in the order in which they were added, each with the value that the one before made. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms<NoInfer<N>>): Disposable;
  /** For the server. A seam exists only while there is a hook at it. */
  readonly seams: Seams;
  clear(): void;
}

interface HeldHook {
  readonly run: (value: unknown, at: HookContext) => unknown;
  readonly terms: HookTerms;
}

/** `nameOf` finds the user name for the subject of a token. */
export function createHooks(nameOf: (subject: string) => string = (subject) => subject): Hooks {
  const held = new Map<HookName, Set<HeldHook>>(hookNames.map((name) => [name, new Set()]));
  const hooksOf = (name: HookName) => held.get(name)!;

  async function pass(seam: SeamName, value: unknown, context: SeamContext): Promise<unknown> {
    const view = viewFor(seam, value);
    const said = await runHooks(view, describeContext(view, context, nameOf));
    if (said === view.value) return value;
    context.acted(view.name);
    return view.wrap(said);
  }

  async function runHooks({ name, value }: HookView, at: HookContext): Promise<JsonObject> {
    const hooks = hooksOf(name);
    let said = value;
    for (const hook of [...hooks]) {
      // Meanwhile it may have been removed, or used up by another request.
      if (!hooks.has(hook) || !isMeant(hook.terms, at)) continue;
      if (hook.terms.once) hooks.delete(hook);
      said = await runHook(name, hook, said, at);
    }
    return said;
  }

  const seams: Seams = {};
  for (const seam of seamNames) {
    const names = hookNames.filter((name) => hookRows[name].seam === seam);
    const passSeam = (value: unknown, context: SeamContext) => pass(seam, value, context);
    // The server looks a seam up each time, and does nothing where there is none.
    const get = () => names.some((name) => hooksOf(name).size > 0) ? passSeam : undefined;
    Object.defineProperty(seams, seam, { get, enumerable: true });
  }

  return {
    on(name, hook, terms = {}) {
      requireHook(name, hook, terms);
      const hooks = hooksOf(name);
      const added: HeldHook = { run: hook as HeldHook["run"], terms };
      hooks.add(added);
      return { [Symbol.dispose]: () => void hooks.delete(added) };
    },
    seams,
    clear() {
      for (const hooks of held.values()) hooks.clear();
    },
  };
}

/** What a hook sees of the value at a seam. */
interface HookView {
  readonly name: HookName;
  readonly value: JsonObject;
  /** The kind of token that the value is about. */
  readonly token?: string;
  readonly signer?: Signer;
  /** The value at the seam with what the hooks made of their part. */
  wrap(said: JsonObject): unknown;
}

function viewFor(seam: SeamName, value: unknown): HookView {
  if (seam === "claims") {
    const { token, claims } = value as SeamValues["claims"];
    return { name: token, token, value: claims, wrap: (said) => ({ token, claims: said }) };
  }
  if (seam === "signed") {
    const { signer, ...signed } = value as SeamValues["signed"];
    return {
      name: "signed",
      token: signed.token,
      value: signed,
      signer,
      wrap: (said) => ({ ...said, signer }),
    };
  }
  return {
    name: hookNames.find((name) => hookRows[name].seam === seam)!,
    ...(seam === "jwt" ? { token: (value as SeamValues["jwt"]).token } : {}),
    value: value as JsonObject,
    wrap: (said) => said,
  };
}

function describeContext(
  { token, signer }: HookView,
  { exchange: { request, facts }, grant }: SeamContext,
  nameOf: (subject: string) => string,
): HookContext {
  // One sign-out can tell several clients about several people: a logout token is not about the request.
  const about = token === "logout_token" && grant !== undefined ? grant : facts;
  // Without a sign-in a client acts for itself.
  const signedIn = grant?.authTime === undefined ? undefined : grant.subject;
  const { clientId: client, subject = signedIn } = about;
  return {
    ...(client === undefined ? {} : { client }),
    ...(subject === undefined ? {} : { person: nameOf(subject) }),
    request,
    ...(signer === undefined ? {} : { signer }),
  };
}

function isMeant({ client, person }: HookTerms, at: HookContext): boolean {
  return (client === undefined || client === at.client) && (person === undefined || person === at.person);
}

async function runHook(
  name: HookName,
  hook: HeldHook,
  value: JsonObject,
  at: HookContext,
): Promise<JsonObject> {
  // A copy, because other answers may share the value.
  const shown = copy(value);
  const said = await callHook(name, hook, shown, at);
  if (said !== undefined && said !== shown) return requireShape(name, said);
  if (JSON.stringify(shown) === JSON.stringify(value)) return value;
  if (said === shown) return requireShape(name, said);
  throw new TypeError(
    `The hook "${name}" changed its value and returned nothing: return the changed value, ` +
      "such as { ...value, added: true }",
  );
}

/** Of objects and arrays. The body of an answer can be a stream, which has no copy. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)])) as T;
}

async function callHook(
  name: HookName,
  { run }: HeldHook,
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

function requireShape(name: HookName, said: unknown): JsonObject {
  const { shape } = hookRows[name];
  const { properties } = shape;
  const expected = properties === undefined ? "a plain object" : `{ ${Object.keys(properties).join(", ")} }`;
  if (!isJsonObject(said)) {
    throw new TypeError(
      `The hook "${name}" returned ${describeValue(said)}: return ${expected}, ` +
        "or nothing to leave the value as it is",
    );
  }
  const found = checkSchema(said, shape);
  if (found === undefined) return said;
  throw new TypeError(
    `The hook "${name}" returned an object of another shape: ${found.place} ${found.problem}; return ${expected}`,
  );
}

const knownTerms = termsOf<HookTerms>({ once: true, client: true, person: true });

function requireHook(name: HookName, hook: unknown, terms: HookTerms): void {
  if (!hookNames.includes(name)) {
    throw new TypeError(`There is no hook ${describeValue(name)}: expected one of ${hookNames.join(", ")}`);
  }
  if (typeof hook !== "function") {
    throw new TypeError(`The hook "${name}" must be a function, but got ${describeValue(hook)}`);
  }
  requireKnownTerms(`add the hook "${name}"`, terms, knownTerms);
  const { client, person } = terms;
  if (hookRows[name].anonymous && (client !== undefined || person !== undefined)) {
    throw new TypeError(
      `The hook "${name}" cannot be for one client or person, because requests for it name none: ` +
        "leave client and person out",
    );
  }
}

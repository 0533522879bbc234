/** Hooks: a test's own functions at the seams of the engine. Each has a name and changes what is said there. */

import { isAnswerBody } from "../../http/answer_body.ts";
import type { Answer, IncomingRequest } from "../../http/message.ts";
import type { Claims, Members } from "../../oauth/members.ts";
import type { Seam, SeamContext, SeamName, Seams, SeamValues } from "../../oauth/seams.ts";
import { isJsonObject, tagOf } from "../../schema/json_object.ts";
import { describeValue } from "../../schema/received.ts";
import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";

/** What passes through each hook. */
export interface HookValues {
  readonly metadata: Members;
  readonly jwks: { readonly keys: readonly Members[] };
  /** Successes and refusals, on their way through the browser. */
  readonly authorization_response: SeamValues["authorization_response"];
  readonly token_response: SeamValues["token_response"];
  readonly access_token: Claims;
  readonly id_token: Claims;
  readonly userinfo: Claims;
  readonly introspection: Claims;
  readonly logout_token: Claims;
  /** Whatever is about to be signed, after the hook for its claims. */
  readonly jwt: SeamValues["jwt"];
  /** Every answer, last. */
  readonly response: Answer;
}

/** Where a hook can be. */
export type HookName = keyof HookValues;

/** Whom it is about, as far as that is known by then. */
export interface HookContext {
  /** The id of the client that asks, or that a logout token is for. */
  readonly client?: string;
  /** The user name. */
  readonly person?: string;
  readonly request: IncomingRequest;
}

/** What it returns is said instead. Nothing returned: said as it was. */
export type Hook<N extends HookName> = (
  value: HookValues[N],
  at: HookContext,
) => HookValues[N] | undefined | void | Promise<HookValues[N] | undefined | void>;

/** When a hook runs. Whoever asks for metadata or keys does not say who they are: those hooks are for everybody. */
export type HookTerms<N extends HookName = HookName> =
  & {
    /** Only for the first value that client and person match. */
    readonly once?: boolean;
  }
  & ([N] extends ["metadata" | "jwks"] ? unknown : {
    readonly client?: string;
    readonly person?: string;
  });

export interface Hooks {
  /** Hooks of one name run in the order they were added, and each sees what the one before made. */
  on<N extends HookName>(name: N, hook: Hook<N>, terms?: HookTerms<NoInfer<N>>): Disposable;
  /** For the engine. A seam is there only as long as somebody has a hook at it. */
  readonly seams: Seams;
  clear(): void;
}

interface HeldHook<N extends HookName> {
  readonly hook: Hook<N>;
  readonly terms: HookTerms;
}

type HeldHooks = { readonly [N in HookName]: Set<HeldHook<N>> };

/** `nameOf`: the user name for what tokens call somebody. */
export function createHooks(nameOf: (subject: string) => string = (subject) => subject): Hooks {
  const held: HeldHooks = {
    metadata: new Set(),
    jwks: new Set(),
    authorization_response: new Set(),
    token_response: new Set(),
    access_token: new Set(),
    id_token: new Set(),
    userinfo: new Set(),
    introspection: new Set(),
    logout_token: new Set(),
    jwt: new Set(),
    response: new Set(),
  };

  async function pass<N extends HookName>(
    name: N,
    value: HookValues[N],
    context: SeamContext,
    token?: SeamValues["claims"]["token"],
  ): Promise<HookValues[N]> {
    const hooks: Set<HeldHook<N>> = held[name];
    const about = describeContext(context, token);
    const at = about.person === undefined ? about : { ...about, person: nameOf(about.person) };
    let said = value;
    for (const each of [...hooks]) {
      // Meanwhile it may have been removed, or used up by another request.
      if (!hooks.has(each) || !isMeant(each.terms, at)) continue;
      if (each.terms.once) hooks.delete(each);
      said = await run(name, each.hook, said, at);
    }
    if (said !== value) context.acted(name);
    return said;
  }

  const seams: Seams = {};

  function offer<N extends SeamName>(name: N, hooks: readonly HookName[], seam: Seam<N>): void {
    // The engine looks a seam up each time, and does nothing where there is none.
    const get = () => hooks.some((each) => held[each].size > 0) ? seam : undefined;
    Object.defineProperty(seams, name, { get, enumerable: true });
  }

  offer("metadata", ["metadata"], (value, at) => pass("metadata", value, at));
  offer("key_set", ["jwks"], (value, at) => pass("jwks", value, at));
  offer(
    "authorization_response",
    ["authorization_response"],
    (value, at) => pass("authorization_response", value, at),
  );
  offer("token_response", ["token_response"], (value, at) => pass("token_response", value, at));
  offer(
    "claims",
    ["access_token", "id_token", "userinfo", "introspection", "logout_token"],
    async (value, at) => {
      const claims = await pass(value.token, value.claims, at, value.token);
      return claims === value.claims ? value : { ...value, claims };
    },
  );
  offer("jwt", ["jwt"], (value, at) => pass("jwt", value, at, value.token));
  offer("response", ["response"], (value, at) => pass("response", value, at));

  return {
    on(name, hook, terms = {}) {
      requireHook(name, hook, terms, Object.keys(held));
      const hooks: Set<HeldHook<typeof name>> = held[name];
      const one = { hook, terms };
      hooks.add(one);
      return { [Symbol.dispose]: () => void hooks.delete(one) };
    },
    seams,
    clear() {
      for (const hooks of Object.values(held)) hooks.clear();
    },
  };
}

function isMeant({ client, person }: HookTerms, at: HookContext): boolean {
  return (client === undefined || client === at.client) && (person === undefined || person === at.person);
}

function describeContext(
  { exchange: { request, facts }, grant }: SeamContext,
  token: SeamValues["claims"]["token"] | undefined,
): HookContext {
  // One sign-out tells several clients, maybe of several people: what the request is about is not what a token is.
  const about = token === "logout_token" && grant !== undefined ? grant : facts;
  // Without a sign-in a client acts for itself.
  const signedIn = grant?.authTime === undefined ? undefined : grant.subject;
  const { clientId: client, subject: person = signedIn } = about;
  return {
    ...(client === undefined ? {} : { client }),
    ...(person === undefined ? {} : { person }),
    request,
  };
}

async function run<N extends HookName>(
  name: N,
  hook: Hook<N>,
  value: HookValues[N],
  at: HookContext,
): Promise<HookValues[N]> {
  // A copy: what is shared with other answers must not be within a hook's reach.
  const shown = structuredClone(value);
  const said: unknown = await call(name, hook, shown, at);
  if (said !== undefined && said !== shown) return requireShape(name, said);
  if (JSON.stringify(shown) === JSON.stringify(value)) return value;
  if (said === shown) return requireShape(name, said);
  throw new TypeError(
    `The hook "${name}" changed its value and returned nothing: return what is to be said, ` +
      "such as { ...value, added: true }",
  );
}

function requireShape<N extends HookName>(name: N, said: unknown): HookValues[N] {
  const { expected, fits } = shapes[name];
  if (isJsonObject(said) && fits(said)) return said as unknown as HookValues[N];
  throw new TypeError(
    tagOf(said) === "Response"
      ? `The hook "${name}" returned a Response: return a plain value, ${expected}`
      : isJsonObject(said)
      ? `The hook "${name}" returned something else than it was given: expected ${expected}`
      : `The hook "${name}" returned ${
        describeValue(said)
      }: expected an object, which is said instead, or nothing`,
  );
}

interface Shape {
  readonly expected: string;
  fits(said: Members): boolean;
}

const anyMembers: Shape = { expected: "an object with the members that are said", fits: () => true };

const shapes: Readonly<Record<HookName, Shape>> = {
  metadata: anyMembers,
  jwks: {
    expected: "{ keys } with a list of JWKs",
    fits: ({ keys }) => Array.isArray(keys) && keys.every(isJsonObject),
  },
  authorization_response: {
    expected: '{ redirectUri, mode, params }, where params is a list of pairs such as ["state", "another"]',
    fits: ({ redirectUri, mode, params }) =>
      typeof redirectUri === "string" && typeof mode === "string" && Array.isArray(params) &&
      params.every(isPair),
  },
  token_response: {
    expected: "{ status, members } with a number from 200 to 599 and an object",
    fits: ({ status, members }) => isStatus(status) && isJsonObject(members),
  },
  access_token: anyMembers,
  id_token: anyMembers,
  userinfo: anyMembers,
  introspection: anyMembers,
  logout_token: anyMembers,
  jwt: {
    expected: "{ token, header, claims } with two objects in header and claims",
    fits: ({ header, claims }) => isJsonObject(header) && isJsonObject(claims),
  },
  response: {
    expected:
      "{ status, headers, body } with a number from 200 to 599, an object with text by name, and text, bytes or a stream",
    fits: ({ status, headers, body }) =>
      isStatus(status) && isAnswerBody(body) && isJsonObject(headers) &&
      Object.values(headers).every((value) => [value].flat().every((line) => typeof line === "string")),
  },
};

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "string");
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

async function call<N extends HookName>(
  name: N,
  hook: Hook<N>,
  value: HookValues[N],
  at: HookContext,
): Promise<unknown> {
  try {
    return await hook(value, at);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : describeValue(cause);
    throw new Error(`The hook "${name}" threw: ${message}`, { cause });
  }
}

/** Whoever asks for these does not say who they are. */
const anonymous: ReadonlySet<HookName> = new Set<HookName>(["metadata", "jwks"]);

const knownTerms = termsOf<HookTerms>({ once: true, client: true, person: true });

function requireHook(
  name: HookName,
  hook: unknown,
  terms: HookTerms,
  names: readonly string[],
): void {
  if (!names.includes(name)) {
    throw new TypeError(`There is no hook ${describeValue(name)}: expected one of ${names.join(", ")}`);
  }
  if (typeof hook !== "function") {
    throw new TypeError(`The hook "${name}" must be a function, but got ${describeValue(hook)}`);
  }
  requireKnownTerms(`add the hook "${name}"`, terms, knownTerms);
  const { client, person } = terms;
  if (anonymous.has(name) && (client !== undefined || person !== undefined)) {
    throw new TypeError(
      `The hook "${name}" cannot be for one client or person: whoever asks for it does not say who they are. ` +
        "Leave client and person out",
    );
  }
}

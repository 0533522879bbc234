/** The calls of a tenant, as methods of its public object. */

import { withGetters } from "../../ground/values/with_getters.ts";
import { idJagFaults } from "../faults/id_jag_faults.ts";
import { forgeries, serverMisbehaviours } from "../faults/names.ts";
import { createClientCalls } from "./client/client_calls.ts";
import type { HookTerms } from "./conditions/hooks.ts";
import { readNextSignIn } from "./conditions/next_sign_in.ts";
import { explainLast } from "./journal/explain.ts";
import type { KeptEntry } from "./journal/request_list.ts";
import {
  formatTimeline,
  type HtmlTimelineChoice,
  readTimelineChoice,
  type TimelineChoice,
  type TimelineForm,
} from "./journal/timeline.ts";
import { closeTenant, resetTenant } from "./tenant_lifetime.ts";
import type { RunningMock } from "./running_mock.ts";
import type { RunningTenant } from "./running_tenant.ts";
import { rotateKeys } from "./server/serving.ts";
import type { Tenant } from "./tenant.ts";
import { requireClient, requirePerson } from "./terms/configured.ts";
import { describeEnvironment } from "./terms/environment.ts";
import { requireTerms, types } from "./terms/known_options.ts";
import { type NamedPerson, usernameIn } from "./terms/username_in.ts";
import { expire } from "./tokens/expire.ts";
import { mint } from "./tokens/mint.ts";
import { protect } from "./tokens/protect.ts";
import { rotateRefreshToken } from "./tokens/rotate_refresh_token.ts";

export function createTenantCalls(running: RunningTenant, mock: RunningMock): Tenant {
  const { directories: { people, clients }, recorder, firstUse } = running;
  const { resources, fetching: { fetch } } = mock;
  const close = () => closeTenant(running, mock);
  const calls: Omit<Tenant, "issuer" | "requests"> = {
    people,
    clients,
    fetch,
    ...createClientCalls(running),
    ...createTokenCalls(running),
    ...createConditionCalls(running),
    ...createJournalCalls(running, mock),
    resource: (url, terms = {}, handler) => resources.add(url, terms, handler, running),
    route: (pattern, handler) => resources.addRoute(pattern, handler, running),
    env: (id) => describeEnvironment(id, firstUse, running),
    reset: () => resetTenant(running, mock),
    close,
    [Symbol.asyncDispose]: close,
  };
  return withGetters(calls, { issuer: running.terms.issuer, requests: () => recorder.requests });
}

/** Few tests ask for one. */
function loadFaultyTokens() {
  return import("./tokens/faulty_tokens.ts");
}

function createTokenCalls(running: RunningTenant) {
  return {
    mint: (terms = {}) => mint(terms, running),
    expire: (tokens) => expire(tokens, running),
    rotateRefreshToken: (tokens) => rotateRefreshToken(tokens, running),
    protect: (terms = {}) => protect(terms, running),
    forgeries,
    forge: async (forgery, terms = {}) => (await loadFaultyTokens()).forge(forgery, terms, running),
    idJagFaults,
    idJag: async (terms) => (await loadFaultyTokens()).idJag(terms, running),
  } satisfies Partial<Tenant>;
}

function createConditionCalls(running: RunningTenant) {
  const { conditions: { clock, decisions, gates, hooks }, switchedOn } = running;

  function whileOpen<Args extends readonly unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      running.requireOpen();
      return work(...args);
    };
  }

  return {
    clock,
    rotateKeys: async (terms = {}) => {
      running.requireOpen();
      requireTerms("rotate keys", terms, types.RotateKeysTerms);
      const { atOnce = true } = terms;
      await rotateKeys({ atOnce }, running);
    },
    nextSignIn: whileOpen((next, terms = {}) => {
      requireTerms("say who signs in next", terms, types.NextSignInTerms);
      requireConcerned(terms, running);
      decisions.enqueue(readNextSignIn(next, running), terms.client);
    }),
    hold: whileOpen(gates.hold),
    delay: whileOpen(gates.delay),
    fail: whileOpen(gates.fail),
    drop: whileOpen(gates.drop),
    on(name, hook, terms) {
      requireConcerned((terms ?? {}) as HookTerms<"response">, running);
      return hooks.on(name, hook, terms);
    },
    misbehaviours: serverMisbehaviours,
    misbehave(name, terms = {}) {
      requireConcerned(terms, running);
      return switchedOn.misbehave(name, terms);
    },
    lookLike(name, terms = {}) {
      requireConcerned(terms, running);
      return switchedOn.lookLike(name, terms);
    },
  } satisfies Partial<Tenant>;
}

/** A condition for an unknown person or client would never apply. Terms of other types are refused later. */
function requireConcerned(
  { client, ...named }: NamedPerson & { readonly client?: string },
  running: RunningTenant,
): void {
  running.requireOpen();
  const username = usernameIn(named);
  if (typeof username === "string") requirePerson(username, running);
  if (typeof client === "string" && !running.firstUse) requireClient(client, running);
}

function createJournalCalls(
  running: RunningTenant,
  { resources }: RunningMock,
): Pick<Tenant, "timeline" | "explain"> {
  return {
    // The two overloads of the interface are one function here.
    timeline: writeTimeline as Tenant["timeline"],
    explain: () => explainLast(listKept(running).map(({ entry }) => entry)),
  };

  function writeTimeline(
    choice: TimelineForm | TimelineChoice | HtmlTimelineChoice = "text",
  ): string | Promise<string> {
    const { form, secrets } = readTimelineChoice(choice);
    const { requests, requests: { dropped } } = running.recorder;
    const issuer = running.terms.issuer();
    if (form === "html") return writeHtml(listKept(running), { secrets, dropped, issuer });
    const ofApis = resources.of(running).flatMap(({ resource }) => resource.requests.toArray());
    const all = ofApis.length === 0
      ? requests
      : [...requests, ...ofApis].sort((left, right) => left.at - right.at);
    return formatTimeline(all, form, { origin: new URL(issuer).origin, dropped });
  }
}

/** Loads the pages for the file, because few tests write one. */
async function writeHtml(
  kept: readonly KeptEntry[],
  terms: { readonly secrets: boolean; readonly dropped: number; readonly issuer: string },
): Promise<string> {
  const { formatHtmlTimeline } = await import("./journal/html_timeline.ts");
  return formatHtmlTimeline(kept, { ...terms, neverShown: [] });
}

/** Returns the requests to the server and to the APIs of the test, in the order of their responses. */
function listKept({ recorder, listJournals }: RunningTenant): readonly KeptEntry[] {
  const journals = listJournals();
  if (journals.length === 1) return recorder.kept;
  const endOf = ({ entry: { receivedAt, duration } }: KeptEntry) => receivedAt + duration;
  return journals.flatMap(({ kept }) => kept).sort((left, right) => endOf(left) - endOf(right));
}

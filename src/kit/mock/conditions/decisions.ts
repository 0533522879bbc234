/** Answers authorization requests in place of a person, so that the server shows no page. */

import type { IncomingRequest } from "../../../ground/http/message.ts";
import type {
  AnyFeature,
  Decision,
  PersonDecision,
  Services,
} from "../../../server/oauth/contracts/feature.ts";
import { findAccounts } from "../../../server/oauth/people/find_session.ts";

/** Either a username, for a person who signs in and approves, or a denial. */
export type SignInDecision = WithFactor & { readonly person: string } | { readonly deny: true };

/** The username to sign in with if no decision is queued and no person is signed in at the browser. */
export type FallbackDecision = WithFactor & { readonly fallback: string };

type WithFactor = Pick<PersonDecision, "secondFactor">;

export interface Decisions {
  readonly decide: NonNullable<AnyFeature["decides"]>;
  bind(request: IncomingRequest, decision: SignInDecision | FallbackDecision): void;
  /** `client` is `undefined`: any client may send the request. The oldest decision is used first. */
  enqueue(decision: SignInDecision, client: string | undefined): void;
  clear(): void;
}

export function createDecisions(): Decisions {
  const bound = new WeakMap<IncomingRequest, SignInDecision | FallbackDecision>();
  const queue: { readonly decision: SignInDecision; readonly client: string | undefined }[] = [];

  function takeQueued(clientId: string): SignInDecision | undefined {
    const index = queue.findIndex(({ client }) => client === undefined || client === clientId);
    return index === -1 ? undefined : queue.splice(index, 1)[0]?.decision;
  }

  return {
    async decide({ exchange, pending, request }, services) {
      // HEAD must not change anything (RFC 9110 §9.2.1). A request with prompt=none asks the person nothing.
      if (exchange.request.method === "HEAD" || request.prompt?.includes("none")) return undefined;
      const decision = bound.get(exchange.request);
      if (decision !== undefined && !("fallback" in decision)) return carryOut(decision, services);
      // Only its pages answer this request, unless the test decides about it and no other.
      if (pending.asked) return undefined;
      const queued = takeQueued(request.client.id);
      if (queued !== undefined) return carryOut(queued, services);
      if (decision === undefined) return undefined;
      // The person who signed in last at this browser.
      const account = (await findAccounts(exchange, services)).at(-1);
      const { fallback, ...given } = decision;
      return account === undefined
        ? carryOut({ person: fallback, ...given }, services)
        : { person: account.person, account, ...given };
    },
    bind: (request, decision) => void bound.set(request, decision),
    enqueue: (decision, client) => void queue.push({ decision, client }),
    clear: () => void (queue.length = 0),
  };
}

function carryOut(decision: SignInDecision, { settings }: Services): Decision {
  if ("deny" in decision) return { denied: true };
  const { person: username, ...given } = decision;
  const person = settings.people.find(username);
  if (person === undefined) {
    throw new Error(`Cannot sign in ${username}: this person has been removed`);
  }
  return { person, ...given };
}

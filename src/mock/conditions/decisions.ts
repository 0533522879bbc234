/** Answers authorization requests in place of a person, so that the server shows no page. */

import type { IncomingRequest } from "../../http/message.ts";
import { rememberConsent } from "../../oauth/authorization/asking/consent_record.ts";
import type { Interaction } from "../../oauth/authorization/asking/interaction.ts";
import { findNextStep, requireNamedPerson } from "../../oauth/authorization/asking/next_question.ts";
import type { AnyFeature, Decision } from "../../oauth/feature.ts";
import { findAccounts } from "../../oauth/people/find_session.ts";
import { requireEnabled } from "../../oauth/people/require_enabled.ts";
import type { Services } from "../../oauth/services.ts";

/** Either a user name, for a person who signs in and approves, or a denial. */
export type SignInDecision = { readonly person: string } | { readonly deny: true };

/** The user name to sign in with if no decision is queued and no person is signed in at the browser. */
export interface FallbackDecision {
  readonly fallback: string;
}

interface Queued {
  readonly decision: SignInDecision;
  readonly client: string | undefined;
}

export interface Decisions {
  readonly feature: AnyFeature;
  /** Sets the decision for one request. */
  bind(request: IncomingRequest, decision: SignInDecision | FallbackDecision): void;
  /**
   * Queues a decision for the next request of the client. If `client` is `undefined`, any client may send this request.
   * The oldest decision is used first.
   */
  enqueue(decision: SignInDecision, client: string | undefined): void;
  clear(): void;
}

export function createDecisions(): Decisions {
  const bound = new WeakMap<IncomingRequest, SignInDecision | FallbackDecision>();
  const queue: Queued[] = [];

  function takeQueued({ request }: Interaction): SignInDecision | undefined {
    const index = queue.findIndex(({ client }) => client === undefined || client === request.client.id);
    return index === -1 ? undefined : queue.splice(index, 1)[0]?.decision;
  }

  return {
    feature: {
      name: "test_sign_in",
      spec: "Postern",
      async decides(interaction, services) {
        const { exchange, request } = interaction;
        // HEAD must not change anything (RFC 9110 §9.2.1). A request with prompt=none asks the person nothing.
        if (exchange.request.method === "HEAD" || request.prompt?.includes("none")) return undefined;
        const decision = bound.get(exchange.request);
        if (decision !== undefined && !("fallback" in decision)) {
          return await carryOut(decision, interaction, services);
        }
        const queued = takeQueued(interaction);
        if (queued !== undefined) return await carryOut(queued, interaction, services);
        if (decision === undefined) return undefined;
        return await approveAsSignedIn(interaction, services) ??
          await signIn(decision.fallback, interaction, services);
      },
    },
    bind: (request, decision) => void bound.set(request, decision),
    enqueue: (decision, client) => void queue.push({ decision, client }),
    clear: () => void (queue.length = 0),
  };
}

async function carryOut(
  decision: SignInDecision,
  interaction: Interaction,
  services: Services,
): Promise<Decision> {
  return "deny" in decision ? { denied: true } : await signIn(decision.person, interaction, services);
}

/** Signs a person in with the same checks as the sign-in page, and stores their consent. */
async function signIn(
  username: string,
  { request }: Interaction,
  services: Services,
): Promise<Decision> {
  const person = services.settings.people.find(username);
  if (person === undefined) throw new Error(`Cannot sign in ${username}: this person has been removed`);
  await requireNamedPerson(person, request, services);
  requireEnabled(person);
  await rememberConsent(person.subject, request, services);
  return { arrival: { person } };
}

/**
 * Approves as the person who signed in last at this browser, and signs them in again if the request requires it.
 * Returns `undefined` if no person is signed in.
 */
async function approveAsSignedIn(
  interaction: Interaction,
  services: Services,
): Promise<Decision | undefined> {
  const { exchange, request, pending } = interaction;
  const account = (await findAccounts(exchange, services)).at(-1);
  if (account === undefined) return undefined;
  const { subject, username } = account.person;
  const step = await findNextStep(request, { ...pending, subject }, [account], services);
  if (step.question === "sign_in") return await signIn(username, interaction, services);
  await rememberConsent(subject, request, services);
  return { account };
}

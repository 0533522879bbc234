/** Decides authorization requests in place of a person, so that no page is shown: one request, or the next ones. */

import type { IncomingRequest } from "../../http/message.ts";
import { rememberConsent } from "../../oauth/authorization/consent_record.ts";
import type { Interaction } from "../../oauth/authorization/interaction.ts";
import { findNextStep, requireMeant } from "../../oauth/authorization/next_question.ts";
import type { AnyFeature, Decision } from "../../oauth/feature.ts";
import { findAccounts } from "../../oauth/people/find_session.ts";
import type { Services } from "../../oauth/services.ts";

/** The person signs in and approves, or denies the request. */
export type SignInDecision = { readonly person: string } | { readonly deny: true };

/** Without a name: the queued decision, else the person who is signed in at the browser, else this person. */
export interface FallbackDecision {
  readonly fallback: string;
}

interface Queued {
  readonly decision: SignInDecision;
  readonly client: string | undefined;
}

export interface Decisions {
  readonly feature: AnyFeature;
  /** Decides this request. */
  bind(request: IncomingRequest, decision: SignInDecision | FallbackDecision): void;
  /** Decides the next request of this client, or of any client: first in, first out. */
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
        // HEAD changes nothing (RFC 9110 §9.2.1), and prompt=none asks no question.
        if (exchange.request.method === "HEAD" || request.prompt?.includes("none")) return undefined;
        const given = bound.get(exchange.request);
        if (given !== undefined && !("fallback" in given)) {
          return await carryOut(given, interaction, services);
        }
        const queued = takeQueued(interaction);
        if (queued !== undefined) return await carryOut(queued, interaction, services);
        if (given === undefined) return undefined;
        return await approveAsSignedIn(interaction, services) ??
          await signIn(given.fallback, interaction, services);
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

/** The same steps as the pages take: the request may require a certain person, and consent is remembered. */
async function signIn(
  username: string,
  { request }: Interaction,
  services: Services,
): Promise<Decision> {
  const person = services.settings.people.find(username);
  if (person === undefined) throw new Error(`Cannot sign in ${username}: this person has been removed`);
  await requireMeant(person, request, services);
  await rememberConsent(person.subject, request, services);
  return { arrival: { person } };
}

/** The person who signed in last at this browser approves, and signs in again if the request requires it. */
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

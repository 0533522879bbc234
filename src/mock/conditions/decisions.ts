/** Who answers for the person at the browser, so that no page is shown: decided for one request, or for the next ones. */

import type { IncomingRequest } from "../../http/message.ts";
import { rememberConsent } from "../../oauth/authorization/consent_record.ts";
import type { Decision, Feature } from "../../oauth/feature.ts";
import type { Interaction } from "../../oauth/authorization/interaction.ts";
import { findNextStep, requireMeant } from "../../oauth/authorization/next_question.ts";
import type { Services } from "../../oauth/services.ts";
import { findAccounts } from "../../oauth/people/find_session.ts";

/** Somebody signs in and approves, or says no. */
export type SignInDecision = { readonly person: string } | { readonly deny: true };

/** Nobody was named: whoever is queued or signed in already, or else this person. */
export interface OpenDecision {
  readonly otherwise: string;
}

interface Queued {
  readonly decision: SignInDecision;
  readonly client: string | undefined;
}

export interface Decisions {
  readonly feature: Feature;
  /** For this very request. */
  bind(request: IncomingRequest, decision: SignInDecision | OpenDecision): void;
  /** For the next request of this client, or of any: first in, first out. */
  enqueue(decision: SignInDecision, client: string | undefined): void;
  clear(): void;
}

export function createDecisions(): Decisions {
  const bound = new WeakMap<IncomingRequest, SignInDecision | OpenDecision>();
  const queue: Queued[] = [];

  function takeQueued({ request }: Interaction): SignInDecision | undefined {
    const at = queue.findIndex(({ client }) => client === undefined || client === request.client.id);
    return at === -1 ? undefined : queue.splice(at, 1)[0]?.decision;
  }

  return {
    feature: {
      name: "test_sign_in",
      spec: "Postern",
      async decides(interaction, services) {
        const { exchange, request } = interaction;
        // RFC 9110 §9.2.1: HEAD looks and changes nothing. With prompt=none nobody is asked, so nobody answers.
        if (exchange.request.method === "HEAD" || request.prompt?.includes("none")) return undefined;
        const given = bound.get(exchange.request);
        if (given !== undefined && !("otherwise" in given)) {
          return await carryOut(given, interaction, services);
        }
        const queued = takeQueued(interaction);
        if (queued !== undefined) return await carryOut(queued, interaction, services);
        if (given === undefined) return undefined;
        return await goOn(interaction, services) ?? await signIn(given.otherwise, interaction, services);
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

/** The same steps as by the pages: the person is the one the request is about, and consent is remembered. */
async function signIn(
  username: string,
  { request }: Interaction,
  services: Services,
): Promise<Decision> {
  const person = services.settings.people.find(username);
  if (person === undefined) throw new Error(`${username} was to sign in, and is not there any more`);
  await requireMeant(person, request, services);
  await rememberConsent(person.subject, request, services);
  return { arrival: { person } };
}

/** Whoever signed in last at this browser says yes, unless the request wants them to sign in again. */
async function goOn(interaction: Interaction, services: Services): Promise<Decision | undefined> {
  const { exchange, request, pending } = interaction;
  const account = (await findAccounts(exchange, services)).at(-1);
  if (account === undefined) return undefined;
  const { subject, username } = account.person;
  const step = await findNextStep(request, { ...pending, subject }, [account], services);
  if (step.question === "sign_in") return await signIn(username, interaction, services);
  await rememberConsent(subject, request, services);
  return { account };
}

/** Who answers for the person at the browser, so that no page is shown: decided for one request, or for the next ones. */

import type { IncomingRequest } from "../http/message.ts";
import { rememberConsent } from "../oauth/consent_record.ts";
import type { Decision, Feature } from "../oauth/feature.ts";
import { findNextStep } from "../oauth/next_question.ts";
import type { Interaction } from "../oauth/interaction.ts";
import type { Services } from "../oauth/services.ts";
import { startSession } from "../oauth/session.ts";

/** Somebody signs in and approves, or says no. */
export type SignInDecision = { readonly person: string } | { readonly deny: true };

interface Queued {
  readonly decision: SignInDecision;
  readonly client: string | undefined;
}

export interface Decisions {
  readonly feature: Feature;
  /** For this very request. */
  bind(request: IncomingRequest, decision: SignInDecision): void;
  /** For the next request of this client, or of any: first in, first out. */
  enqueue(decision: SignInDecision, client: string | undefined): void;
  readonly queued: number;
  clear(): void;
}

export function createDecisions(): Decisions {
  const bound = new WeakMap<IncomingRequest, SignInDecision>();
  const queue: Queued[] = [];

  function take({ exchange, request }: Interaction): SignInDecision | undefined {
    // RFC 9110 §9.2.1: HEAD looks and changes nothing. With prompt=none nobody is asked, so nobody answers either.
    if (exchange.request.method === "HEAD" || request.prompt?.includes("none")) return undefined;
    const decision = bound.get(exchange.request);
    if (decision !== undefined) return decision;
    const at = queue.findIndex(({ client }) => client === undefined || client === request.client.id);
    return at === -1 ? undefined : queue.splice(at, 1)[0]?.decision;
  }

  return {
    feature: {
      name: "test_sign_in",
      spec: "Postern",
      async decides(interaction, services) {
        const decision = take(interaction);
        if (decision === undefined) return undefined;
        return "deny" in decision ? { denied: true } : await signIn(decision.person, interaction, services);
      },
    },
    bind: (request, decision) => void bound.set(request, decision),
    enqueue: (decision, client) => void queue.push({ decision, client }),
    get queued() {
      return queue.length;
    },
    clear: () => void (queue.length = 0),
  };
}

/** The same steps as by the pages: a session begins, the request's own demands are met, and consent is remembered. */
async function signIn(
  username: string,
  { exchange, request, pending }: Interaction,
  services: Services,
): Promise<Decision | undefined> {
  const person = services.settings.people.find(username);
  if (person === undefined) return undefined;
  const { signedIn, setCookie } = await startSession(person, exchange, services);
  const answered = { ...pending, subject: person.subject, signedIn: true } as const;
  await findNextStep(request, answered, [signedIn], services);
  await rememberConsent(person.subject, request, services);
  return { account: signedIn, setCookie };
}

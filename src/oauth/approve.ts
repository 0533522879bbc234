/** The yes: a grant is put under the id that the request had from the start, and the client gets its answer. */

import type { Answer } from "../http/message.ts";
import { empty } from "../http/respond.ts";
import { answerClient } from "./answer_client.ts";
import { adoptClient, type Client } from "./client.ts";
import { OAuthError } from "./error.ts";
import { grants } from "./grant.ts";
import type { Interaction } from "./interaction.ts";
import type { Person } from "./people.ts";
import { refusalPage } from "./refuse.ts";
import type { Services } from "./services.ts";
import { rememberClient, type SignedIn, type SignInTerms, startSession, withBrowser } from "./session.ts";

export type ApproveReason = "already_approved";

/** The person is signed in. */
export async function approve(
  interaction: Interaction,
  signedIn: SignedIn,
  services: Services,
): Promise<Answer> {
  return await approveAs(signedIn.person, interaction, services, async (client) => {
    await rememberClient(signedIn.session, client.id, services);
    return { signedIn };
  });
}

/** The person signs in with this approval: the session is put with its client in it. */
export async function signInAndApprove(
  interaction: Interaction,
  { person, automatic }: Arrival,
  services: Services,
): Promise<Answer> {
  return await approveAs(person, interaction, services, async ({ id }) => {
    const terms = { clientId: id, ...(automatic ? { automatic } : {}) };
    return await startSession(person, interaction.exchange, services, terms);
  });
}

/** A person who is to be signed in. */
export interface Arrival extends Pick<SignInTerms, "automatic"> {
  readonly person: Person;
}

async function approveAs(
  person: Person,
  { exchange, pending, target, request }: Interaction,
  services: Services,
  findSignIn: (client: Client) => Promise<{ readonly signedIn: SignedIn; readonly setCookie?: string }>,
): Promise<Answer> {
  const { store, now, personSecrets } = services;
  const { subject } = person;
  exchange.note({ subject });
  // RFC 9110 §9.2.1: HEAD looks and changes nothing.
  if (exchange.request.method === "HEAD") return empty(200);
  const client = await adoptClient(target.client, services);
  const { signedIn: { authTime, amr, session }, ...cookie } = await findSignIn(client);
  const { grant, expiresAt, params } = request.responseType.issue({
    grantId: pending.grantId,
    request: { ...request, client },
    ...{ subject, authTime, amr, session },
    passwordMark: await personSecrets.passwordMark(person),
  }, services);
  const version = await store.put(grants, pending.grantId, grant, { expiresAt, now: now(), if: null });
  // Two tabs, or Back and once more. Not a redirect: the client has its answer, and this is not another one.
  if (version === undefined) {
    const twice = new OAuthError("invalid_request", "This request has been approved already", {
      reason: "already_approved" satisfies ApproveReason,
      expected: "one approval for one request: start again from the application",
    });
    return withBrowser(await refusalPage(twice, exchange, services), cookie);
  }
  return withBrowser(await answerClient(target, params, exchange, services), cookie);
}

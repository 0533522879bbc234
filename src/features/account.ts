/** The form that chooses one of several signed-in people, or another person. */

import type { Answer } from "../http/message.ts";
import { deny, interact, readAnswer } from "../oauth/authorization/asking/interact.ts";
import { changePerson, proceed } from "../oauth/authorization/asking/proceed.ts";
import { paths } from "../oauth/paths.ts";
import type { Exchange } from "../oauth/exchange.ts";
import type { Feature } from "../oauth/feature.ts";
import { findAccounts } from "../oauth/people/find_session.ts";
import type { Services } from "../oauth/services.ts";

export function account(): Feature<"account"> {
  return {
    name: "account",
    spec: "OpenID Connect Core §3.1.2.1",
    endpoints: [{
      method: "POST",
      name: "account",
      path: paths.account,
      refusal: "page",
      handle: answerChooser,
    }],
  };
}

async function answerChooser(exchange: Exchange, services: Services): Promise<Answer> {
  // parse
  const { form, pending } = await readAnswer(exchange, services);
  // identify
  return await interact(pending, exchange, services, async (interaction) => {
    // validate
    if (form.get("decision") === "deny") deny();
    const accounts = await findAccounts(exchange, services);
    const chosen = accounts.find(({ person }) => person.username === form.get("account"));
    // respond
    if (chosen === undefined) return await changePerson(interaction, accounts, services);
    const { signedIn: _earlier, ...rest } = pending;
    const answered = { ...rest, subject: chosen.person.subject };
    return await proceed({ ...interaction, pending: answered }, accounts, services);
  });
}

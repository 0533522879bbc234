/** The form that chooses one of several signed-in people, or another person. */

import type { Interaction, Reply } from "../oauth/contracts/authorization_request.ts";
import { createFormEndpoint } from "../oauth/authorization/steps.ts";
import { paths } from "../oauth/contracts/paths.ts";
import type { Feature, Services } from "../oauth/contracts/feature.ts";
import type { Params } from "../oauth/contracts/params.ts";
import { findAccounts } from "../oauth/people/find_session.ts";

export function account(): Feature<"account"> {
  return {
    name: "account",
    spec: "OpenID Connect Core §3.1.2.1",
    endpoints: [createFormEndpoint("account", paths.account, readChoice)],
  };
}

async function readChoice(form: Params, { exchange }: Interaction, services: Services): Promise<Reply> {
  const accounts = await findAccounts(exchange, services);
  const chosen = accounts.find(({ person }) => person.username === form.get("account"));
  return chosen === undefined ? { changesPerson: true } : { chooses: chosen };
}

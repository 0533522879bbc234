/** Tokens for a username and a password, which a program sends at some providers. OAuth 2.1 has no such grant. */

import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { GrantType, Services } from "../../../server/oauth/contracts/feature.ts";
import { requireParam } from "../../../server/oauth/contracts/params.ts";
import { enabledAccount, type Person } from "../../../server/oauth/contracts/people.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import {
  redeemForPerson,
  requireDirectAccess,
  signInDirectly,
} from "../../../server/oauth/tokens/issue_directly.ts";
import { type ProviderRefusal, refusesByReason } from "./differences.ts";
import type { Difference, Laxness, Source } from "./look_alike.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  provider_password_wrong: {
    sentence: "Invalid user credentials",
    expected:
      "the username or the email of a person, and the password, or any password if the person has none",
    change: "Send the password that the configuration has for this person.",
  },
  provider_person_disabled: {
    sentence: "Account disabled",
    expected: enabledAccount,
    change: "Sign in as another person, or enable this one.",
  },
  provider_password_not_enough: {
    sentence: "Resolve second factor",
    expected: "a login without a second factor, because the program does not ask for it",
    change: "Let the person sign in with a browser, or ask for no second factor at each login.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** Lets the person in, or throws the refusal that providers have for it. */
export async function requireTypedPerson(
  typed: Parameters<typeof signInDirectly>[0],
  client: Client,
  exchange: Exchange,
  services: Services,
): Promise<Person> {
  const attempt = await signInDirectly(typed, exchange, services);
  if ("signsIn" in attempt) {
    const person = attempt.signsIn;
    if (services.slots.secondFactor?.findStanding(person, client, services) === undefined) return person;
    throw refusal("provider_password_not_enough", { received: person.username });
  }
  const { problem: { kind }, refusal: failed } = attempt.fails;
  if (failed.error === "temporarily_unavailable") throw failed;
  const name = kind === "disabled" ? "provider_person_disabled" : "provider_password_wrong";
  throw refusal(name, { received: failed.message });
}

const redeem: GrantType["redeem"] = async ({ exchange, form, client: { client } }, services) => {
  const typed = { username: requireParam(form, "username"), password: requireParam(form, "password") };
  const access = requireDirectAccess(form.get("scope"), form.all("resource"), client, services);
  const person = await requireTypedPerson(typed, client, exchange, services);
  exchange.note({ subject: person.subject });
  return await redeemForPerson({ person, access, nonce: undefined }, client, services);
};

export const passwordGrant: GrantType = {
  name: "password",
  params: ["username", "password", "scope"],
  redeem,
};

export function takesPasswords(source: Source): Laxness {
  return {
    server:
      "With `grant_type=password`, a program gets tokens for the username, or the email, and the password of a person. Each " +
      "client may do that, and a person without a password signs in with any.",
    source,
    sets: { grantsOfAll: [passwordGrant.name] },
  };
}

/** `others`: how the provider refuses a person who is disabled, or who needs a second factor. */
export function refusesPasswords(
  source: Source,
  status: number,
  description: string,
  others: Readonly<Record<string, ProviderRefusal>> = {},
): Difference {
  return refusesByReason(
    `The answer to a wrong password is ${status} with invalid_grant: "${description}".`,
    source,
    ["token"],
    { provider_password_wrong: ["invalid_grant", description, status], ...others },
  );
}

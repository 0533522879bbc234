/** Exchanges an access token that a client got as an API for one of another API, as the provider does that a test looks like. */

import type { Client } from "../../oauth/contracts/client.ts";
import type { ExchangeableToken } from "../../oauth/contracts/exchangeable_token.ts";
import type { Services } from "../../oauth/contracts/feature.ts";
import { type Params, requireParam } from "../../oauth/contracts/params.ts";
import type { Redemption } from "../../oauth/contracts/redemption.ts";
import { type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import { parseScope, remainingScope } from "../../oauth/clients/metadata/scope.ts";
import { createId } from "../../oauth/secrets/credential.ts";
import { present } from "../../../ground/values/present.ts";

const refusal = refusals({ error: "invalid_grant" }, {
  on_behalf_of_other_audience: {
    sentence: "The access token is not for the client that sends it",
    expected: "an access token whose aud is the client, alone or after api://",
    change:
      "Let the program that calls this API ask for a scope of this API, such as api://CLIENT_ID/access.",
  },
  on_behalf_of_without_person: {
    sentence: "The access token is about a client, and not about a person",
    expected: "a token of a person who signed in",
    change: "Send the token of a person, or use client_credentials.",
  },
  on_behalf_of_without_consent: {
    sentence: "The client may not have this scope",
    expected: "scopes of the client",
    change: "Add the scope to the configuration of the client, or ask for another one.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The new tokens have a grant of their own, so they can be refreshed, and the scope that the client asks for. */
export function redeemOnBehalf(
  { audience, issuedFor: { grant, grantId } }: ExchangeableToken,
  form: Params,
  client: Client,
  services: Services,
): Redemption {
  if (!audience.some((each) => each === client.id || each === `api://${client.id}`)) {
    throw refusal("on_behalf_of_other_audience", { expected: client.id, received: audience.join(" ") });
  }
  // A client that got its token for itself has no grant.
  if (grantId === undefined) throw refusal("on_behalf_of_without_person");
  const asked = parseScope(requireParam(form, "scope")) ?? [];
  const scope = remainingScope(asked, client, services);
  if (scope.length < Math.max(asked.length, 1)) {
    throw refusal("on_behalf_of_without_consent", {
      expected: client.scope?.join(" ") ?? "a scope",
      received: asked.join(" "),
    });
  }
  const { authTime, passwordMark, amr } = grant;
  return {
    grantId: createId(services.random),
    grant: {
      ...{ status: "active", clientId: client.id, clientEpoch: client.epoch, subject: grant.subject, scope },
      ...{ resource: [], amr, carried: {}, redeemedAt: services.now() },
      ...present({ authTime, passwordMark, issuer: services.settings.issuerInRecords }),
    },
    ...{ replaces: null, scope, resource: [] },
  };
}

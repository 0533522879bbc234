/** Takes an authorization code, or a token that is no JWT, apart: what the server knows about it, and whether it is good. */

import { checkToken, explainLoss, type LiveToken } from "../../../server/oauth/tokens/find_token.ts";
import { findGrant, type GrantByCode } from "../../../server/oauth/tokens/check_grant.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { secrecyOfClaim, showMembers, showValue } from "../../../kit/mock/journal/show_value.ts";
import type { PastedProps } from "./playground_reader.tsx";
import type { ShownCheck } from "../../../server/pages/token/token_props.ts";
import type { JsonObject } from "../../../ground/schema/json_object.ts";
import { checkClientIn, type PastedOptions } from "./pasted_check.ts";
import { findCredential } from "../find_login.ts";
import { decide } from "./shown_check.ts";
import { present } from "../../../ground/values/present.ts";

type CredentialOptions = Pick<PastedOptions, "services" | "show" | "values" | "flowUrl">;

/** Returns `undefined` if the server knows no code and no token with this text. */
export async function takeCredentialApart(
  text: string,
  options: CredentialOptions,
): Promise<PastedProps | undefined> {
  const { services, show, flowUrl } = options;
  const credential = await findCredential(text, services);
  if (credential === undefined) return undefined;
  const { flow, found } = credential;
  const shown = showValue(text, "secret", show);
  if ("code" in found) return { ...await describeCode(found.code, options), kind: "code", token: shown };
  const { token } = found;
  return {
    kind: token.kind,
    token: shown,
    checks: [await checkAlive(token, options)],
    parameters: showMembers(await describeToken(token, services), secrecyOfClaim, show),
    inner: [],
    ...present({ flowUrl: flow === undefined ? undefined : flowUrl(flow) }),
  };
}

/** The holder of the whole token may see for whom it is and how long it works. */
async function describeToken(token: LiveToken["token"], services: Services): Promise<JsonObject> {
  const { clientId, grantId, scope, audience, expiresAt, endsAt = expiresAt, claims } = token;
  const grant = grantId === undefined ? undefined : await findGrant(grantId, services);
  const person = grant && services.settings.people.findBySubject(grant.value.subject);
  return {
    client_id: clientId,
    ...present({ username: person?.username }),
    scope: scope.join(" "),
    ...present({ aud: audience.length === 0 ? undefined : audience }),
    exp: endsAt,
    ...claims,
  };
}

/** Says whether a token is good now and, if not, why. */
export async function checkAlive(
  token: LiveToken["token"],
  { services, values }: Pick<PastedOptions, "services" | "values">,
): Promise<ShownCheck> {
  const check = await checkToken(token, services);
  if (check.isValid) return decide("alive", true, { received: values.client(token.clientId) });
  const { because, expected, received } = explainLoss(token, check.loss, services);
  return decide("alive", false, {
    expected,
    received: received === undefined ? because : `${because}: ${received}`,
  });
}

/** The holder of the whole code may see what it was issued for, as on the page `/authorized`. */
export async function describeCode(
  { id, entry: { value: grant }, code }: GrantByCode,
  { services, show, flowUrl, values }: CredentialOptions,
): Promise<Omit<PastedProps, "kind">> {
  const { lifetimes } = services.settings;
  const now = services.now();
  const isFresh = grant.status === "approved";
  return {
    checks: [
      decide("alive", isFresh && code.expiresAt > now, {
        expected: values.oneUse(lifetimes.code),
        received: isFresh
          ? code.expiresAt > now ? values.notUsed : values.expired(Math.ceil(now - code.expiresAt))
          : grant.status === "active"
          ? values.used
          : values.revoked,
        rule: "OAuth 2.1 §4.1.3",
      }),
      await checkClientIn("client", grant.clientId, { services, values }),
    ],
    parameters: showMembers(
      {
        client_id: grant.clientId,
        ...present({ username: services.settings.people.findBySubject(grant.subject)?.username }),
        redirect_uri: code.redirectUri,
        scope: grant.scope.join(" "),
        ...present({ resource: grant.resource.length === 0 ? undefined : grant.resource.join(" ") }),
        ...present({ code_challenge: code.challenge }),
        exp: code.expiresAt,
      },
      () => "open",
      show,
    ),
    flowUrl: flowUrl(id),
    inner: [],
  };
}

/** Takes a callback URL or an authorization request apart: explains its parameters, and checks them. */

import { deriveVerifier } from "../../../server/client/flow.ts";
import { type Check, judgeResponse, type ResponseCheckName } from "../../../server/client/check.ts";
import { openResponse } from "../../../ground/crypto/jwt_parts.ts";
import { secrecyOfParameter, showValue } from "../../../kit/mock/journal/show_value.ts";
import { provesSecret } from "../../../server/oauth/secrets/credential.ts";
import { matchesRedirectUri } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { formatParams } from "../../../ground/http/form.ts";
import { redactText } from "../../../server/oauth/secrets/redaction.ts";
import { findGrantByCode } from "../../../server/oauth/tokens/check_grant.ts";
import type { NamedValue, ShownCheck } from "../../../server/pages/token/token_props.ts";
import type { PastedProps } from "./playground_reader.tsx";
import { listKnownClients } from "../known_clients.ts";
import { askServer, type PastedOptions } from "./pasted_check.ts";
import type { PastedParams } from "./pasted_text.ts";
import { decide } from "./shown_check.ts";
import { describeCode } from "./pasted_credential.ts";
import { present } from "../../../ground/values/present.ts";

// The page lists no more parameters.
const mostParameters = 100;

export async function takeParamsApart(
  { pairs, url }: PastedParams,
  options: PastedOptions,
): Promise<Omit<PastedProps, "inner">> {
  const { show } = options;
  const parameters = pairs.slice(0, mostParameters).map(([name, value]): NamedValue => ({
    name: redactText(name),
    ...showValue(value, secrecyOfParameter(name), show),
  }));
  const names = new Set(pairs.map(([name]) => name));
  if (names.has("response_type") || isAuthorizationEndpoint(url, options)) {
    // A request to another server gets the answer that this one would give.
    const { baseUrl, paths } = options.services.settings;
    const check = await askServer({ url: `${baseUrl}${paths.authorize}?${formatParams(pairs)}` }, options);
    return { kind: "authorization_request", parameters, checks: [check] };
  }
  const inside = openResponse(pairs);
  const error = inside.find(([name]) => name === "error")?.[1];
  return {
    kind: "authorization_response",
    parameters,
    ...present({ error }),
    ...await checkResponse({ pairs: inside, ...present({ url }) }, options),
  };
}

function isAuthorizationEndpoint(url: URL | undefined, { services: { settings } }: PastedOptions): boolean {
  return url !== undefined && url.origin + url.pathname === settings.baseUrl + settings.paths.authorize;
}

/** Checks an authorization response as its client must (OAuth 2.1 §4.1.2; RFC 9207 §2.4). */
async function checkResponse(
  { pairs, url }: PastedParams,
  options: PastedOptions,
): Promise<Pick<PastedProps, "checks" | "flowUrl">> {
  const { services, browser, values } = options;
  const { issuer } = services.settings;
  const get = (name: string) => pairs.find(([each]) => each === name)?.[1];
  const [code, state] = [get("code"), get("state")];
  const found = code === undefined ? undefined : await findGrantByCode(code, services);
  const described = found && await describeCode(found, options);
  const verifier = browser !== undefined && state ? deriveVerifier(browser, state) : undefined;
  const challenge = found?.code.challenge;
  return {
    checks: [
      ...judgeResponse({ state, iss: get("iss") }, { sent: undefined, issuer }).flatMap(
        describeResponseCheck,
      ),
      ...(url === undefined ? [] : [await checkRedirectUri(url, found?.code.redirectUri, options)]),
      ...(code === undefined ? [] : described?.checks ?? [
        decide("alive", false, {
          expected: values.codeOfServer,
          received: values.unknownCode,
        }),
      ]),
      ...(verifier === undefined || challenge === undefined ? [] : [
        decide("browser", provesSecret(verifier, challenge) ? true : undefined, {}),
      ]),
    ],
    ...present({ flowUrl: described?.flowUrl }),
  };
}

/** Only the client knows the state of its request. */
function describeResponseCheck(
  { name, result, expected, received, rule }: Check<ResponseCheckName>,
): readonly ShownCheck[] {
  return name === "state" || result === "absent"
    ? []
    : [decide(name, result === "passed", { expected: `${expected}`, received, rule })];
}

/** The response must arrive at the URI of the request, or of a client. */
async function checkRedirectUri(
  url: URL,
  requested: string | undefined,
  { services, values }: PastedOptions,
): Promise<ShownCheck> {
  const withoutParams = (uri: string) => uri.replace(/[?#].*/s, "");
  const received = withoutParams(url.href);
  const rule = "OAuth 2.1 §4.1.2";
  if (requested !== undefined) {
    return decide("redirect_uri", received === withoutParams(requested), {
      expected: requested,
      received,
      rule,
    });
  }
  const clients = await listKnownClients(services);
  const owner = clients.find(({ redirectUris }) =>
    redirectUris.some((registered) => matchesRedirectUri(withoutParams(registered), received))
  );
  return decide("redirect_uri", owner !== undefined, {
    expected: owner === undefined ? values.clientRedirectUri : values.client(owner.id),
    received,
    rule,
  });
}

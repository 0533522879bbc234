/** What Google answers a workload: it exchanges the token of its platform, and acts as a service account. */

import { decodePercent } from "../../../ground/http/address.ts";
import { json } from "../../../ground/http/respond.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Members } from "../../../ground/values/members.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Endpoint, Services } from "../../../server/oauth/contracts/feature.ts";
import { readForm, requireParam, requireUnrepeatedForm } from "../../../server/oauth/contracts/params.ts";
import { fail, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { createAccessToken } from "../../../server/oauth/tokens/access_token.ts";
import {
  answerDirectly,
  redeemForItself,
  requireDirectAccess,
} from "../../../server/oauth/tokens/issue_directly.ts";
import { requireAccessToken } from "../../../server/oauth/tokens/require_access_token.ts";
import { signIdToken } from "./google_service_account.ts";
import { type Laxness, pagesOf, type ProviderEndpoint } from "./look_alike.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

const refusal = refusals({
  provider_grant_unknown: {
    error: "unsupported_grant_type",
    sentence: "Only tokens of workloads are exchanged here",
    expected: exchangeGrant,
    change: "Send the grant_type of a token exchange.",
  },
  provider_pool_unknown: {
    error: "invalid_target",
    sentence: "The audience names no provider of a workload identity pool",
    expected: "the client_id of a configured client: //iam.googleapis.com/projects/…/providers/…",
    change: "Configure a client with this audience as its client_id.",
  },
  provider_subject_unknown: {
    error: "invalid_grant",
    sentence: "The subject_token is of no trusted issuer",
    expected: "a JWT of an issuer in trust, with the type urn:ietf:params:oauth:token-type:jwt",
    change: "Configure the issuer of the token in trust, with the audience of the token in audiences.",
  },
  provider_impersonation_scope: {
    error: "insufficient_scope",
    sentence: "The access token may not act as a service account",
    expected: "a scope that ends with /auth/cloud-platform or /auth/iam",
    change: "Ask for https://www.googleapis.com/auth/cloud-platform in the exchange.",
  },
  provider_account_unknown: {
    error: "not_found",
    status: 404,
    sentence: "Unknown service account",
    expected: "a configured client whose client_id is the email of the service account",
    change: "Configure the service account as a client.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The provider of the pool is a client that needs no secret. */
const exchangeSubject: Endpoint["handle"] = async (exchange, services) => {
  // parse
  const form = await readForm(exchange);
  requireUnrepeatedForm(form);
  const text = requireParam(form, "subject_token");
  const type = requireParam(form, "subject_token_type");
  if (requireParam(form, "grant_type") !== exchangeGrant) throw refusal("provider_grant_unknown");
  // identify
  const client = await findClient(requireParam(form, "audience"), services) ??
    fail(refusal("provider_pool_unknown"));
  exchange.note({ clientId: client.id });
  // validate
  const readers = services.slots.exchangeable.filter(({ types }) => types.includes(type));
  const presented = { param: "subject_token", text, type, client, exchange } as const;
  const read = await Promise.all(readers.map((reader) => reader.read(presented, services)));
  const { issuedFor } = read.find((each) => each !== undefined) ?? fail(refusal("provider_subject_unknown"));
  const access = requireDirectAccess(requireParam(form, "scope"), [], client, services);
  // act, respond
  const members = { issued_token_type: "urn:ietf:params:oauth:token-type:access_token" };
  const redemption = { ...issuedFor, ...access, members, accessTokenOnly: true } as const;
  return await answerDirectly(redemption, client, exchange, services);
};

type Act = (account: Client, asked: Members, exchange: Exchange, services: Services) => Promise<Members>;

/** Each token with one of the scopes may act as each service account. */
function actsAs(act: Act): Endpoint["handle"] {
  return async (exchange, services) => {
    const { token } = await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
    if (!token.scope.some((name) => /\/auth\/(?:cloud-platform|iam)$/.test(name))) {
      throw refusal("provider_impersonation_scope", { received: token.scope.join(" ") });
    }
    const [email = ""] = exchange.request.address.path.split("/").at(-1)!.split(":");
    const account = await findClient(decodePercent(email) ?? "", services) ??
      fail(refusal("provider_account_unknown", { received: email }));
    return json(await act(account, parseJsonObject(await exchange.body()) ?? {}, exchange, services));
  };
}

/** The methods of the API for credentials, by their names. */
const credentialMethods: Readonly<Record<string, Endpoint["handle"]>> = {
  generateAccessToken: actsAs(async (account, { scope, lifetime }, exchange, services) => {
    const access = requireDirectAccess([scope].flat().join(" "), [], account, services);
    const redemption = redeemForItself(
      { scope: access.scope.join(" "), resource: [] },
      account,
      exchange,
      services,
    );
    const expiresBy = Math.floor(services.now()) + (parseInt(`${lifetime}`) || 3600);
    const token = await createAccessToken({ ...redemption, expiresBy }, account, exchange, services);
    const expireTime = new Date(token.expiresAt * 1000).toISOString().replace(".000", "");
    return { accessToken: token.text, expireTime };
  }),
  generateIdToken: actsAs(async (account, { audience }, exchange, services) => ({
    token: await signIdToken(`${audience}`, account, exchange, services),
  })),
};

/** The default credentials of Python ask for the project of the pool. */
const describeProject: Endpoint["handle"] = async (exchange, services) => {
  await requireAccessToken(exchange, { audience: services.settings.issuer }, services);
  const projectNumber = exchange.request.address.path.split("/").at(-1);
  return json({ projectId: "postern", projectNumber, name: "Postern", lifecycleState: "ACTIVE" });
};

const page = pagesOf("https://docs.cloud.google.com/iam/docs/reference/");
const sts = page("Security Token Service API, token", "sts/rest/v1/TopLevel/token");
const impersonation = page(
  "Service Account Credentials API",
  "credentials/rest/v1/projects.serviceAccounts",
);
const googleAuth = page(
  "google-auth, the library of Google, which asks for the project of a pool",
  "https://github.com/googleapis/google-auth-library-python/blob/main/google/auth/external_account.py",
);
const projects = "https://cloudresourcemanager.googleapis.com/v1/projects/";
const credentials = "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/";

export function listFederationEndpoints(): readonly ProviderEndpoint[] {
  return [
    {
      ...{ url: "https://sts.googleapis.com/v1/token", is: "token", method: "POST", source: sts },
      answer: exchangeSubject,
    },
    {
      ...{ url: projects, written: `${projects}{number}`, is: "userinfo", method: "GET" },
      ...{ source: googleAuth, answer: describeProject },
    },
    ...Object.entries(credentialMethods).map(([name, answer]): ProviderEndpoint => ({
      ...{ url: `${credentials}:${name}`, is: "token", method: "POST", source: impersonation },
      ...{ written: `${credentials}{email}:${name}`, answer },
    })),
  ];
}

export const federationLax: readonly Laxness[] = [{
  server:
    "A workload needs no secret to exchange a token. The provider of its pool, the `audience`, is the client_id of a client.",
  source: sts,
}];

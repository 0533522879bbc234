/** Suggests a configuration that would allow a refused request. */

import type { Members } from "../../../../ground/values/members.ts";
import { present } from "../../../../ground/values/present.ts";
import type { Services } from "../../contracts/feature.ts";
import type { RefusalDetails } from "../../contracts/refusals.ts";
import { type Client, methodOf, publicClientMethod, sendsSecret } from "../../contracts/client.ts";
import { acceptsUnknownClients, configuredClients } from "./find_client.ts";
import { losses } from "./losses.ts";
import { unfitForAnswers } from "../metadata/redirect_uri.ts";

/** The members of a refusal about the configuration. Without `remedy`, no configuration helps. */
export type Remedy = Pick<RefusalDetails, "instead" | "remedy">;

/** Suggests to configure an unregistered client. A registered client has no remedy. */
export function clientRemedy(client: Client, members: Members, services: Services): Remedy {
  return client.unregistered ? suggestWhole(client, members, services) : {};
}

/** Suggests what to change in the configured entry of a client. A demo client and an unregistered one have no entry. */
export function memberRemedy(client: Client, members: Members, services: Services): Remedy {
  if (client.unregistered || client.isDemo) return suggestWhole(client, members, services);
  if (client.source !== configuredClients.name) return {};
  const { client_secret: secret, ...keys } = findProof(members, services);
  const hasSecret = secret === undefined || client.authentication?.secretHash !== undefined;
  const proof = hasSecret ? keys : { client_secret: secret };
  return suggestConfiguration({ clients: [{ client_id: client.id, ...members, ...proof }] });
}

/** Suggests to configure an unknown client. Its redirect URI must be fit for a client with `allow_private_http`. */
export function unknownClientRemedy(
  { id, redirectUri, method }: {
    readonly id: string;
    readonly redirectUri: string | undefined;
    /** How the client authenticates. Absent: the server cannot know. */
    readonly method?: string;
  },
  services: Services,
): Remedy {
  const needsPrivateHttp = redirectUri !== undefined &&
    unfitForAnswers(redirectUri, { apps: "all" }) !== undefined;
  const presumed = method ??
    (services.slots.acceptsPublicClients ? publicClientMethod : presumeMethod(services));
  if (presumed === undefined) return {};
  return suggest({
    client_id: id,
    ...present({
      redirect_uris: redirectUri === undefined ? undefined : [redirectUri],
      allow_private_http: needsPrivateHttp || undefined,
      token_endpoint_auth_method: presumed === publicClientMethod ? undefined : presumed,
    }),
  }, services);
}

/** Returns how a client probably sends its secret that has not done so yet. The keys of a client cannot be presumed. */
export function presumeMethod({ slots }: Services): string | undefined {
  return [...slots.clientAuth.keys()].find(sendsSecret);
}

function suggestWhole(client: Client, members: Members, services: Services): Remedy {
  return suggest(
    {
      client_id: client.id,
      redirect_uris: client.redirectUris,
      token_endpoint_auth_method: methodOf(client),
      ...members,
    },
    services,
    client.demoSecret,
  );
}

function suggest(metadata: Members, services: Services, secret?: string): Remedy {
  return suggestConfiguration({
    // With configured clients, first use is off unless the configuration switches it on.
    ...present({ firstUse: acceptsUnknownClients(services.slots) || undefined }),
    clients: [{ ...metadata, ...findProof(metadata, services, secret) }],
  });
}

function findProof(
  { token_endpoint_auth_method: method = publicClientMethod }: Members,
  { slots }: Services,
  secret = "<the secret of the client>",
): Members {
  if (method === publicClientMethod) return {};
  const { needs: [need = "client_secret"] = [] } = slots.clientAuth.get(`${method}`) ?? {};
  return need === "client_secret" ? { client_secret: secret } : { [need]: { keys: [] } };
}

/** Writes the configuration, and says what the server gives up with it. */
export function suggestConfiguration(configuration: Members): Remedy {
  const remedy = JSON.stringify(configuration, null, 2);
  // In a value, the quotes would be escaped.
  const given = Object.entries(losses).flatMap(([member, loss]) => remedy.includes(member) ? [loss] : []);
  return { ...present({ instead: given.length === 0 ? undefined : given.join(" ") }), remedy };
}

/** Answers at `/clients`: lists the clients, shows each one with its grants, and ends them. */

import { clientHref, filterHref } from "../addresses.ts";
import { writeWord } from "../inspector/list_options.ts";
import { listAccess } from "./access_rows.ts";
import { describeList } from "./lists.ts";
import { listGrants } from "./records.ts";
import {
  answerBelow,
  endAccess,
  exportList,
  formTarget,
  nameEnded,
  readNotices,
  redirectTo,
  refuseMissing,
  requireField,
  type Routes,
} from "./shared.ts";
import { findKnownClient, listKnownClients, mostClients } from "../known_clients.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { requireSecrets } from "../permission.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { findRequiredSources } from "../../../server/oauth/authorization/require_authorization_request.ts";
import { findFlowBlocker, findFlowEnd, startUrlOf } from "../../../server/oauth/authorization/sample_flow.ts";
import type { Client } from "../../../server/oauth/contracts/client.ts";
import {
  acceptsUnknownClients,
  configuredClients,
} from "../../../server/oauth/clients/records/find_client.ts";
import { findInitiateLogin } from "../../../server/oauth/clients/metadata/initiate_login_uri.ts";
import { endClient } from "../../../server/oauth/clients/records/end_client.ts";
import type { Members } from "../../../ground/values/members.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import {
  type CannotStart,
  clientPage,
  type ClientProps,
  type ClientRow,
  clientsPage,
} from "./clients_page.tsx";
import { visibleLines } from "../../../ground/values/visible.ts";
import { englishDirectory } from "./directory_english.ts";
import { present } from "../../../ground/values/present.ts";

const routes: Routes = new Map([
  ["", [showClients, "GET", "HEAD"]],
  ["/client", [showClient, "GET", "HEAD"]],
  ["/export", [exportClients, "GET", "HEAD", "POST"]],
  ["/remove", [removeClient, "POST"]],
  ["/end", [endAccessOf, "POST"]],
]);

export const answerClients: AnswerPage = (call) => answerBelow("clients", routes, call);

async function showClients(call: PageCall): Promise<Answer> {
  const { services } = call.watched;
  const clients = await listKnownClients(services);
  const grants = await listGrants({}, services);
  const { shown, common } = describeList("clients", {
    entries: clients.map((client) => describeClient(client, call)),
    textsOf: ({ id, name }) => [id, name],
    isIncomplete: clients.length >= mostClients || !grants.isComplete,
  }, call);
  return call.show(clientsPage({
    ...common,
    clients: shown.map((row) => ({
      ...row,
      grants: grants.found.filter(({ grant: { clientId } }) => clientId === row.id).length,
    })),
    acceptsFirstUse: acceptsUnknownClients(services.slots),
  }));
}

export function describeClient(client: Client, call: PageCall): Omit<ClientRow, "grants"> {
  const { id, name, authentication, source } = client;
  return {
    id,
    href: clientHref(id, call),
    group: groupOf(source),
    ...present({ name, method: authentication?.method }),
    ...describeStart(client, call),
  };
}

function describeStart(
  client: Client,
  { watched: { services }, pathOf }: PageCall,
): Pick<ClientRow, "startUrl" | "endsAt" | "cannotStart"> {
  const endsAt = findFlowEnd(client, services);
  if (endsAt !== undefined) return { startUrl: startUrlOf(client, services.settings), endsAt };
  const cannotStart = findBlocker(client, services);
  const query = new URLSearchParams({ kind: "device_authorization", client_id: client.id });
  const startUrl = cannotStart === "device" ? `${pathOf("playground")}?${query}` : undefined;
  return { cannotStart, ...present({ startUrl }) };
}

function groupOf(source: string): ClientRow["group"] {
  return Object.hasOwn(englishDirectory.clients.groups, source)
    ? source as ClientRow["group"]
    : "configuration";
}

/** Says why no link can start a login of the client. */
function findBlocker(client: Client, services: Services): CannotStart {
  const [source] = findRequiredSources(client, services);
  if (source === undefined) return findFlowBlocker(client);
  if (source.param === "request_uri") return "pushed";
  return source.param === "request" ? "signed" : "other_source";
}

async function showClient(call: PageCall): Promise<Answer> {
  const { services } = call.watched;
  const client = await findKnownClient(call.query.get("id") ?? "", services) ??
    refuseMissing("client", "clients", call);
  const { isIncomplete, ...access } = await listAccess({ clientId: client.id }, call);
  const target = (rest: string) => formTarget(call, "clients", rest);
  const props: ClientProps = {
    client,
    origin: client.isDemo ? "demo" : groupOf(client.source),
    ...describeStart(client, call),
    ...present({
      initiateLogin: findInitiateLogin(client, services.settings),
      remedy: isStored(client) ? visibleLines(JSON.stringify(describeMetadata(client), null, 2)) : undefined,
    }),
    ...access,
    now: services.now(),
    notices: readNotices(call, { isIncomplete, ...await nameEnded(client.id, call) }),
    ...present(
      call.mayChange === "yes"
        ? { end: target("/end"), remove: isStored(client) ? target("/remove") : undefined }
        : {},
    ),
    backUrl: call.pathOf("clients"),
    requestsUrl: filterHref(writeWord("client", client.id), call),
  };
  return call.show(clientPage(props));
}

function isStored({ source }: Client): boolean {
  return source !== configuredClients.name;
}

async function removeClient(call: PageCall): Promise<Answer> {
  const wasThere = await endClient(requireField(call.readChange(), "id"), call.watched.services);
  return redirectTo(call.pathOf("clients"), wasThere ? "client_removed" : "gone");
}

async function endAccessOf(call: PageCall): Promise<Answer> {
  const form = call.readChange();
  const clientId = requireField(form, "id");
  return await endAccess(form, { clientId }, clientHref(clientId, call), call);
}

async function exportClients(call: PageCall): Promise<Answer> {
  requireSecrets(call);
  const clients = await listKnownClients(call.watched.services);
  return exportList("clients", clients.map(describeMetadata));
}

/** Describes a client with the members of its configuration (RFC 7591), without its secret. */
function describeMetadata(client: Client): Members {
  const { authentication, scope, rememberConsent, oauthVersion } = client;
  return {
    client_id: client.id,
    ...present({ client_name: client.name }),
    redirect_uris: client.redirectUris,
    ...present({ token_endpoint_auth_method: authentication?.method }),
    grant_types: client.grantTypes,
    response_types: client.responseTypes,
    ...present({
      scope: scope?.join(" "),
      require_pkce: client.requirePkce ? undefined : false,
      subject_type: client.sector === undefined ? undefined : "pairwise",
      allow_private_http: client.allowsPrivateHttp || undefined,
      remember_consent: rememberConsent,
      oauth_version: oauthVersion,
    }),
    ...client.members,
  };
}

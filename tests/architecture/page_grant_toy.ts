/** A grant that ends on a page: a device login in small. The person answers in a browser, the client asks for tokens. */

import { assert, assertEquals } from "@std/assert";
import { json, page } from "../../src/http/respond.ts";
import { askPerson } from "../../src/oauth/authorization/asking/ask_person.ts";
import type { PendingRequest, RequestEnd } from "../../src/oauth/authorization/asking/contract.ts";
import { authenticateClient } from "../../src/oauth/clients/authenticate_client.ts";
import { findClient } from "../../src/oauth/clients/find_client.ts";
import { refusalPage } from "../../src/oauth/refuse.ts";
import { type AddedErrorCode, fail } from "../../src/oauth/error.ts";
import type { Exchange } from "../../src/oauth/exchange.ts";
import type { Feature, GrantType } from "../../src/oauth/feature.ts";
import { readForm, readQuery, requireParam } from "../../src/oauth/params.ts";
import type { Services } from "../../src/oauth/services.ts";
import { createId } from "../../src/oauth/credential.ts";
import { grants } from "../../src/oauth/tokens/grant.ts";
import { requireScope } from "../../src/oauth/clients/scope.ts";
import { refusals } from "../../src/oauth/refusals.ts";
import type { Kind } from "../../src/store/store.ts";
import { createBrowser, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

const grantTypeName = "urn:example:toy-login";
const kind = "toy_login";
const lifetime = 600;

const pendingCode: AddedErrorCode = { code: "authorization_pending", status: 400 };

const refusal = refusals({
  toy_unknown: {
    error: "invalid_grant",
    sentence: "This toy code is {fault}",
    change: "Begin another toy login.",
  },
  toy_pending: {
    error: pendingCode,
    sentence: "The person has not answered yet",
    change: "Send the request again later.",
  },
  toy_denied: { error: "access_denied", sentence: "The person said no", change: "Let the person approve." },
  toy_used: { error: "invalid_grant", sentence: "This toy code is used", change: "Begin another toy login." },
});

/** A login that a client began. The id of the record is the code that the person opens. */
interface ToyLogin {
  readonly clientId: string;
  readonly scope: readonly string[];
  readonly grantId: string;
}

const logins: Kind<ToyLogin> = { name: "toy_login" };

async function begin(exchange: Exchange, services: Services) {
  const { store, now, random } = services;
  const form = await readForm(exchange);
  const { client } = await authenticateClient(exchange, form, services);
  const scope = requireScope(form.get("scope"), client, services);
  const login: ToyLogin = { clientId: client.id, scope, grantId: createId(random) };
  const code = createId(random);
  await store.put(logins, code, login, { expiresAt: now() + lifetime, now: now(), if: null });
  return json({ code });
}

async function requireLogin(code: string, { store, now }: Services): Promise<ToyLogin> {
  const login = await store.get(logins, code, now());
  return login?.value ??
    fail(refusal("toy_unknown", { fault: "unknown" }));
}

async function openPage(exchange: Exchange, services: Services) {
  const params = readQuery(exchange);
  const resolve = async () => {
    const { grantId } = await requireLogin(requireParam(params, "code"), services);
    return { params, arrivedBy: [], grantId };
  };
  return await askPerson({ kind, params, resolve }, exchange, services);
}

async function findEnd(
  { params }: PendingRequest,
  exchange: Exchange,
  services: Services,
): Promise<RequestEnd> {
  const { clientId, scope } = await requireLogin(requireParam(params, "code"), services);
  const client = await findClient(clientId, services) ??
    fail(refusal("toy_unknown", { fault: "without its client" }));
  return {
    client,
    validate: () =>
      Promise.resolve({
        request: { client, scope, resource: [], carried: {} },
        issue: ({ grant }) => ({
          grant,
          expiresAt: services.now() + lifetime,
          answer: () => Promise.resolve(page("<!doctype html><title>You may go back to your toy</title>")),
        }),
      }),
    accepts: () => true,
    refuse: (error) => refusalPage(error, exchange, services),
  };
}

const grantType: GrantType = {
  name: grantTypeName,
  params: ["device_code"],
  async redeem({ form, client: { client } }, services) {
    const { grantId, clientId } = await requireLogin(requireParam(form, "device_code"), services);
    if (clientId !== client.id) {
      throw refusal("toy_unknown", { fault: "of another client" });
    }
    const entry = await services.store.get(grants, grantId, services.now());
    if (entry === undefined) {
      throw refusal("toy_pending");
    }
    const grant = entry.value;
    if (grant.status === "denied") {
      throw refusal("toy_denied");
    }
    if (grant.status !== "approved") {
      throw refusal("toy_used");
    }
    return {
      grantId,
      grant: { ...grant, status: "active" },
      replaces: entry.version,
      keepUntil: entry.expiresAt,
      scope: grant.scope,
      resource: grant.resource,
    };
  },
};

const feature: Feature<"toy_begin" | "toy_login"> = {
  name: kind,
  spec: "none",
  endpoints: [
    {
      ...{ method: "POST", path: "/toy/begin", name: "toy_begin", refusal: "json", handle: begin },
      ...{ metadataName: "toy_begin_endpoint", announcesClientAuth: "all", params: ["scope"] },
    },
    { method: "GET", path: "/toy/login", name: "toy_login", refusal: "page", handle: openPage },
  ],
  requestKinds: [{ name: kind, path: "/toy/login", findEnd }],
  grantTypes: [grantType],
};

export const pageGrantToy: Toy = {
  kind: "a grant that ends on a page",
  feature,
  options: {
    login: "picker",
    clients: [{ client_id: "toy", grant_types: [grantTypeName, "refresh_token"] }],
  },
  async works(world) {
    const { code } = await (await world.post("/toy/begin", { client_id: "toy", scope: "openid" })).json();
    assertEquals(await redeem(world, code), [400, "authorization_pending"]);
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.toy_begin_endpoint, `${world.issuer}/toy/begin`);
    assertEquals(metadata.toy_begin_endpoint_auth_methods_supported.includes("none"), true);

    const browser = createBrowser(world);
    const signIn = await browser.open(`/toy/login?code=${code}`);
    const consent = await browser.submit(signIn, { person: "alice" });
    assertEquals([await redeem(world, code), consent.leftFor], [[400, "authorization_pending"], undefined]);
    const end = await browser.submit(consent, { decision: "approve" });
    assert(end.html.includes("You may go back to your toy"), end.html);
    // The form cannot be answered again.
    assertEquals((await browser.submit(consent, { decision: "deny" })).status, 409);

    assertEquals(await redeem(world, code), [
      200,
      "access_token expires_in id_token refresh_token scope token_type",
    ]);
    assertEquals(await redeem(world, code), [400, "invalid_grant"]);

    const other = await (await world.post("/toy/begin", { client_id: "toy", scope: "read" })).json();
    // Alice is signed in, so the first page is the consent page.
    const denied = await browser.submit(await browser.open(`/toy/login?code=${other.code}`), {
      decision: "deny",
    });
    assertEquals([denied.status, denied.leftFor], [400, undefined]);
    assertEquals(await redeem(world, other.code), [400, "access_denied"]);
  },
};

/** The status of the token response, with its error or the names of its members. */
async function redeem(world: World, code: string): Promise<readonly [status: number, outcome: string]> {
  const response = await world.post("/oauth2/token", {
    grant_type: grantTypeName,
    client_id: "toy",
    device_code: code,
  });
  const body = await response.json();
  return [response.status, body.error ?? Object.keys(body).sort().join(" ")];
}

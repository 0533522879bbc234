/** Mutual TLS in small (RFC 8705): a header holds the certificate that the TLS proxy has verified. */

import { assertEquals } from "@std/assert";
import { sha256 } from "../../src/crypto/platform.ts";
import type { Client } from "../../src/oauth/clients/client.ts";
import { memberOf } from "../../src/oauth/clients/client_member.ts";
import type { Exchange } from "../../src/oauth/exchange.ts";
import type { ClientMember, Feature } from "../../src/oauth/feature.ts";
import { refusals } from "../../src/oauth/refusals.ts";
import { send } from "../features/registration.ts";
import { claimsOf, introspect, readTokens, refusalOf } from "../tokens/bearer.ts";
import { basic, redirectUri, type World, type WorldOptions } from "../world.ts";
import type { Toy } from "./toys.ts";

const header = "toy-certificate";
const methodName = "toy_tls_auth";
const thumbprintName = "toy#S256";

const refusal = refusals({
  toy_certificate_differs: {
    error: "invalid_client",
    sentence: "The certificate is not that of the client",
    change: "Connect with the certificate whose subject is registered.",
  },
});

const subjectMember: ClientMember<string> = {
  name: "tls_client_auth_subject_dn",
  schema: { type: "string" },
};
const boundMember: ClientMember<boolean> = {
  name: "tls_client_certificate_bound_access_tokens",
  schema: { type: "boolean" },
};

function certificateOf({ request }: Exchange): string | undefined {
  return request.header(header);
}

function isBound(client: Client): boolean {
  return memberOf(client, boundMember) === true;
}

const feature: Feature = {
  name: "toy_tls",
  spec: "none",
  clientMembers: [subjectMember, boundMember],
  clientAuth: [{
    name: methodName,
    needs: [subjectMember.name],
    read(exchange, form) {
      const certificate = certificateOf(exchange);
      const clientId = form.get("client_id");
      const others = exchange.request.header("authorization") ?? form.get("client_secret");
      if (certificate === undefined || clientId === undefined || others !== undefined) return [];
      return [{
        clientId,
        prove: (client) =>
          Promise.resolve(
            memberOf(client, subjectMember) === certificate ? undefined : refusal("toy_certificate_differs"),
          ),
      }];
    },
  }],
  senderProofs: [{
    name: thumbprintName,
    tokenType: "Bearer",
    presentedIn: "the TLS connection",
    isRequired: isBound,
    prove(exchange, { client }) {
      const certificate = certificateOf(exchange);
      if (certificate === undefined || client !== undefined && !isBound(client)) return undefined;
      return { thumbprint: sha256(certificate) };
    },
  }],
  metadata: {
    toy_tls_bound_access_tokens: true,
    toy_tls_aliases: ({ settings }) => ({ token_endpoint: `${settings.baseUrl}${settings.paths.token}` }),
  },
};

/** The public type does not know the members. */
function withCertificate(
  more: Readonly<Record<string, unknown>> & { readonly client_id: string },
): NonNullable<WorldOptions["clients"]>[number] {
  return {
    ...more,
    ...{ redirect_uris: [redirectUri], token_endpoint_auth_method: methodName },
    ...{ tls_client_auth_subject_dn: "CN=app" },
  };
}

export const certificateToy: Toy = {
  kind: "mutual TLS",
  feature,
  options: {
    registration: true,
    clients: [
      withCertificate({ client_id: "tls" }),
      withCertificate({ client_id: "tls_bound", tls_client_certificate_bound_access_tokens: true }),
      { client_id: "api", client_secret: "api-secret", introspects: ["https://as.test"] },
    ],
  },
  async works(world) {
    await authenticates(world);
    await bindsTokens(world);
    await registers(world);
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.toy_tls_aliases, { token_endpoint: metadata.token_endpoint });
    assertEquals(metadata.introspection_endpoint_auth_methods_supported.includes(methodName), true);
  },
};

const presenting = (certificate: string) => ({ [header]: certificate });

async function authenticates(world: World): Promise<void> {
  const code = await world.code({ client_id: "tls" });
  const redeem = (headers: HeadersInit) => world.redeem(code, { client_id: "tls" }, headers);
  const refused = (headers: HeadersInit) => refusalOf(world, redeem(headers));
  assertEquals(await refused(presenting("CN=other")), [401, "invalid_client", "toy_certificate_differs"]);
  assertEquals(await refused({}), [401, "invalid_client", "secret_missing"]);
  const { access_token, token_type } = await (await redeem(presenting("CN=app"))).json();
  assertEquals([token_type, claimsOf(access_token)["cnf"]], ["Bearer", undefined]);
}

async function bindsTokens(world: World): Promise<void> {
  const request = { client_id: "tls_bound", scope: "openid" };
  const { access_token: token, token_type } = await readTokens(
    await world.redeem(await world.code(request), { client_id: "tls_bound" }, presenting("CN=app")),
  );
  const cnf = { [thumbprintName]: sha256("CN=app") };
  const said = await (await introspect(world, token, basic("api", "api-secret"))).json();
  assertEquals([token_type, claimsOf(token)["cnf"], said.cnf], ["Bearer", cnf, cnf]);
  const open = async (headers: Readonly<Record<string, string>>) =>
    (await world.get("/userinfo", { authorization: `Bearer ${token}`, ...headers })).status;
  assertEquals([await open({}), await open(presenting("CN=other")), await open(presenting("CN=app"))], [
    401,
    401,
    200,
  ]);
}

/** Of the methods that a client offers, registration chooses the one with a key of the client's own. */
async function registers(world: World): Promise<void> {
  const { body } = await send(world, "POST", "/connect/register", {
    body: {
      redirect_uris: ["https://app.test/cb"],
      tls_client_auth_subject_dn: "CN=app",
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", methodName],
    },
  });
  assertEquals(body["token_endpoint_auth_method"], methodName);
}

/** Answers the requests that come through the proxy, as the provider, and without the credentials of the real one. */

import { Buffer } from "node:buffer";
import type { Mock } from "../../../kit/mock/mock.ts";
import { findSigner } from "../../../kit/faults/look_alikes/jwt_signer.ts";
import { routeAnyRequest } from "../../../kit/mock/route_request.ts";
import type { RunningMock } from "../../../kit/mock/running_mock.ts";
import {
  type Answer,
  changeRequest,
  type Header,
  type IncomingRequest,
} from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { findClient } from "../../../server/oauth/clients/records/find_client.ts";
import type { Services } from "../../../server/oauth/contracts/feature.ts";
import { findToken } from "../../../server/oauth/tokens/find_token.ts";
import type { Respond } from "../../../server/runtime/listener.ts";
import { originsOf, type ProxyPlan } from "./plan_proxy.ts";

export function createProxiedAnswer(
  runningMock: RunningMock<Mock>,
  plan: Pick<ProxyPlan, "origins" | "added">,
): Respond {
  const { origins: provided } = plan;
  const [first = ""] = provided;
  const origins = originsOf(plan);
  return async (request) => {
    const { origin } = request.address;
    if (!origins.includes(origin)) {
      return refuse(`The request is for ${origin}, but its connection is for ${origins.join(", ")}`);
    }
    const answering = runningMock.providerAt(origin);
    if (answering === undefined && provided.includes(origin)) {
      return refuse(`The look-alike at ${origin} is off: switch it on by POST /look_alikes, or start again`);
    }
    // Programs send the tokens of the provider to the added hosts, too.
    const issuing = answering ?? runningMock.providerAt(first) ?? runningMock.root;
    const services = await issuing.servicesAt(first);
    return await routeAnyRequest(await keepIssued(request, services), runningMock);
  };
}

function refuse(error_description: string): Answer {
  return json({ error: "invalid_request", error_description }, { status: 421 });
}

/**
 * Returns the request without the cookies and the credentials that the server did not issue: browsers and programs send
 * those of the real provider. A JWT of a GitHub App stays if a client of the configuration has its key.
 */
async function keepIssued(request: IncomingRequest, services: Services): Promise<IncomingRequest> {
  const kept: Readonly<Record<string, string | undefined>> = {
    cookie: keepCookies(request.header("cookie"), services),
    authorization: await keepAuthorization(request.header("authorization"), services),
  };
  const header = (name: string) => Object.hasOwn(kept, name) ? kept[name] : request.header(name);
  return changeRequest(request, {
    header,
    headers: () =>
      request.headers().flatMap(([name]): readonly Header[] => {
        const value = header(name);
        return value === undefined ? [] : [[name, value]];
      }),
  });
}

function keepCookies(header: string | undefined, { cookies }: Services): string | undefined {
  const [own = ""] = cookies.name("*").split("*");
  const kept = header?.split(";").map((pair) => pair.trim()).filter((pair) => pair.startsWith(own));
  return kept === undefined || kept.length === 0 ? undefined : kept.join("; ");
}

/**
 * A client that the server knows has its secret from the configuration, or from its first use. Other credentials become
 * some that are wrong for every server, so that the answer is that to a wrong token or client, and not that to none.
 */
async function keepAuthorization(
  header: string | undefined,
  services: Services,
): Promise<string | undefined> {
  const [, scheme = "", text = ""] = /^([A-Za-z]+:? +)([A-Za-z\d._~+/=-]+) *$/.exec(header ?? "") ?? [];
  if (text === "") return undefined;
  if (/^basic/i.test(scheme)) {
    return await knowsClient(text, services) ? header : `${scheme}${withheldClient}`;
  }
  const isIssued = await findToken(text, undefined, services) !== undefined ||
    await findSigner(text, services) !== undefined;
  return isIssued ? header : `${scheme}withheld`;
}

const withheldClient = Buffer.from("withheld:withheld").toString("base64");

/** RFC 6749 §2.3.1 encodes the id as in a form, and many clients do not. */
async function knowsClient(credentials: string, services: Services): Promise<boolean> {
  const [id = ""] = Buffer.from(credentials, "base64").toString("utf8").split(":", 1);
  const decoded = new URLSearchParams(`id=${id}`).get("id") ?? id;
  return (await findClient(id, services) ?? await findClient(decoded, services)) !== undefined;
}

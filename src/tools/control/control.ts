/** The control plane offers the test kit over HTTP below `/_postern`, for tests in any language. */

import { acceptsHtml, type Answer, type IncomingRequest } from "../../ground/http/message.ts";
import { answerHeaders, empty, json } from "../../ground/http/respond.ts";
import type { Mock } from "../../kit/mock/mock.ts";
import type { RunningMock } from "../../kit/mock/running_mock.ts";
import { NotConfigured } from "../../kit/mock/terms/configured.ts";
import { findAsset } from "../guard/asset_names.ts";
import { answerAsset } from "../guard/assets.ts";
import { describeKnown } from "../../ground/schema/nearest.ts";
import type { ControlDashboard } from "../guard/control_dashboard.ts";
import { answerProblem, ControlRefused, missingRefusal } from "../guard/control_refused.ts";
import { type ControlledTenant, createControlledTenants } from "./controlled_tenants.ts";
import { findRoute } from "./find_route.ts";
import { createGuard } from "../guard/guard.ts";
import { createDocumentRoute, describeControl } from "./openapi.ts";
import { readBody, readQuery } from "./read_request.ts";
import { type ControlRoute, type Reply, responseOf, type TextReply } from "./route.ts";
import { controlBase, controlPath } from "../guard/control_paths.ts";
import { controlRoutes } from "./routes.ts";
import { present } from "../../ground/values/present.ts";

/** Loaded with the first page or the first agent. */
const importSeldom = () => import("./seldom.ts");

export interface ControlOptions {
  /** The token that each request must send as `Authorization: Bearer`. Left out: requests need no token. */
  readonly token?: string;
  /** Whether other machines may use the control plane. Default: false, for programs on this machine only. */
  readonly open?: boolean;
  readonly also?: readonly string[];
  readonly dashboard?: ControlDashboard | undefined;
}

interface Control {
  /** Returns `undefined` if the path of the request is not below `/_postern`. */
  answer(request: IncomingRequest): Promise<Answer> | undefined;
}

export function createControl(
  runningMock: RunningMock<Mock>,
  { token, open = false, also = [], dashboard }: ControlOptions = {},
): Control {
  const { mock } = runningMock;
  const issuer = () => mock.issuer;
  const guard = createGuard({ issuer, also, token, open });
  // A browser cannot send the token, so a session opens the page. Its forms need more: see ControlVisit.
  const guardPage = createGuard({
    issuer,
    token,
    open,
    ...present({ hasSession: dashboard?.hasSession }),
  });
  const routes: readonly ControlRoute[] = [createDocumentRoute(() => document), ...controlRoutes];
  const document = describeControl(routes, { base: controlPath, needsToken: token !== undefined });
  const tenants = createControlledTenants(runningMock);

  /** Only a POST creates a missing tenant, so that a misspelt name in another call is an error. */
  function requireTenant(name: string, { method }: ControlRoute): ControlledTenant {
    const found = tenants.find(name);
    if (found === undefined && method !== "POST") {
      const message = `There is no tenant ${JSON.stringify(name)}: ${describeKnown(tenants.names())}`;
      throw new ControlRefused("not_found", `${message}. The first POST to it creates it`);
    }
    // The mock checks the name.
    return found ?? tenants.add(name, mock.tenant(name));
  }

  async function answer(request: IncomingRequest): Promise<Answer> {
    if (wantsPage(request)) return await answerPage(request);
    guard(request);
    if (request.address.path === `${controlPath}/mcp`) {
      const { answerAgent } = await importSeldom();
      const answerTool = (call: IncomingRequest) => answer(call).catch(answerProblem);
      return await answerAgent(request, { fetch: mock.fetch, answer: answerTool });
    }
    return await answerCall(request);
  }

  /** Answers a call that a guard has allowed. */
  async function answerCall(request: IncomingRequest): Promise<Answer> {
    const path = request.address.path.slice(controlPath.length);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const { route, id, tenantName } = findRoute(routes, method, path);
    const query = readQuery(request.address.query, route);
    const body = await readBody(request, route);
    const controlled = tenantName === undefined ? tenants.root : requireTenant(tenantName, route);
    return await tenants.run(controlled, async () => {
      try {
        const call = { ...controlled, tenants, ...present({ tenantName }), id, query, body };
        return write(await route.handle(call), route);
      } catch (error) {
        throw translateError(error, route, controlBase(tenantName));
      }
    });
  }

  async function answerPage(request: IncomingRequest): Promise<Answer> {
    const { createControlPage } = await importSeldom();
    const send = (call: IncomingRequest) => answerCall(call).catch(answerProblem);
    const page = createControlPage(mock, { needsToken: token !== undefined, dashboard, send });
    try {
      guardPage(request);
      return await page.answer(request);
    } catch (error) {
      if (error instanceof ControlRefused) return page.refuse(request, error);
      throw error;
    }
  }

  return {
    answer(request) {
      const { path } = request.address;
      if (path !== controlPath && !path.startsWith(`${controlPath}/`)) return undefined;
      const asset = findAsset(path.slice(controlPath.length));
      const answering = asset === undefined ? answer(request) : answerAsset(request, asset);
      return answering.catch(answerProblem).then((answered) =>
        request.method === "HEAD" ? { ...answered, body: "" } : answered
      );
    },
  };
}

function wantsPage(request: IncomingRequest): boolean {
  const { method, address: { path } } = request;
  return /^(GET|HEAD|POST)$/.test(method) && (path === controlPath || path === `${controlPath}/`) &&
    acceptsHtml(request);
}

/** Replaces errors about missing people and clients, because the test kit's messages give advice in TypeScript. */
function translateError(error: unknown, { query }: ControlRoute, base: string): unknown {
  if (!(error instanceof NotConfigured)) return error;
  const { missing } = error;
  const member = missing.kind === "person" ? "username" : "client";
  const isInQuery = query?.properties?.[member] !== undefined;
  return missingRefusal(missing, { base, place: isInQuery ? `?${member}` : member });
}

function write(reply: Reply, route: ControlRoute): Answer {
  const { status, schema } = responseOf(route);
  if (schema === undefined) return empty(status);
  if (route.types === undefined) return json(reply, { status });
  const { text, type } = reply as TextReply;
  return { status, headers: { ...answerHeaders, "content-type": type }, body: text };
}

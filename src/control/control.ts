/** A mock over HTTP: everything below `/_postern`, for tests in any language. */

import type { Answer, IncomingRequest } from "../http/message.ts";
import { empty, json } from "../http/respond.ts";
import { answerHeaders } from "../http/security_headers.ts";
import type { Mock } from "../mock/mock.ts";
import { NotFoundHere } from "../mock/terms/configured.ts";
import { answerProblem, ControlRefused, missingRefusal } from "./errors.ts";
import { findRoute, type Found } from "./find_route.ts";
import { createGuard } from "./guard.ts";
import { describeControl, documentRoute } from "./openapi.ts";
import { readBody, readQuery } from "./read_parts.ts";
import { createRooms, type Room } from "./room.ts";
import { controlBase, controlPath, type ControlRoute, type Reply } from "./route.ts";
import { controlRoutes } from "./routes.ts";

export interface ControlTerms {
  /** Given: asked for as `Authorization: Bearer`. */
  readonly token?: string;
  /** Not for programs on this machine only. */
  readonly open?: boolean;
}

export interface Control {
  /** `undefined`: the request is not for the control. */
  answer(request: IncomingRequest): Promise<Answer> | undefined;
}

export function createControl(mock: Mock, { token, open = false }: ControlTerms = {}): Control {
  const guard = createGuard({ issuer: () => mock.issuer, token, open });
  const routes: readonly ControlRoute[] = [documentRoute(() => document), ...controlRoutes];
  const document = describeControl(routes, { base: controlPath, needsToken: token !== undefined });
  const rooms = createRooms(mock);

  /** Whoever only looks makes no tenant: a misspelt name is none that there is. */
  function enter(name: string | undefined, { method }: ControlRoute): Room {
    if (name === undefined) return rooms.root;
    const known = rooms.find(name);
    if (known === undefined && method !== "POST") {
      const names = rooms.names().join(", ") || "none";
      throw new ControlRefused(
        "not_found",
        `There is no tenant ${JSON.stringify(name)}: there is ${names}, and the first POST makes one`,
      );
    }
    // The mock says what a tenant may be called.
    const tenant = mock.tenant(name);
    if (known?.tenant === tenant) return known;
    return rooms.create(name, tenant);
  }

  async function call(found: Found<ControlRoute>, request: IncomingRequest): Promise<Answer> {
    const { route, named, tenant: name } = found;
    const query = readQuery(request.address.query, route.schema.query);
    const body = await readBody(request, route.schema);
    const room = enter(name, route);
    const asked = {
      tenant: room.tenant,
      room,
      rooms,
      named,
      query,
      body,
      ...(name === undefined ? {} : { tenantName: name }),
    };
    return write(
      await rooms.attempt(room, async () => {
        try {
          return await route.call(asked);
        } catch (error) {
          throw inWordsOfHttp(error, route, controlBase(name));
        }
      }),
      route,
    );
  }

  async function pass(request: IncomingRequest): Promise<Answer> {
    guard(request);
    const path = request.address.path.slice(controlPath.length);
    const method = request.method === "HEAD" ? "GET" : request.method;
    return await call(findRoute(routes, method, path), request);
  }

  return {
    answer(request) {
      const { path } = request.address;
      if (path !== controlPath && !path.startsWith(`${controlPath}/`)) return undefined;
      return pass(request).catch(answerProblem).then((said) =>
        request.method === "HEAD" ? { ...said, body: "" } : said
      );
    },
  };
}

/** The kit's own advice is a line of TypeScript. */
function inWordsOfHttp(error: unknown, { schema: { body, query } }: ControlRoute, base: string): unknown {
  if (!(error instanceof NotFoundHere)) return error;
  const { missing } = error;
  const member = missing.kind === "person" ? "username" : "client";
  const isInQuery = body?.properties?.[member] === undefined && query?.properties?.[member] !== undefined;
  return missingRefusal(missing, { base, place: isInQuery ? `?${member}` : member });
}

function write(reply: Reply, { schema }: ControlRoute): Answer {
  if (reply === undefined) return empty(204);
  if ("json" in reply) return json(reply.json, { status: schema.answer?.status ?? 200 });
  return { status: 200, headers: { ...answerHeaders, "content-type": reply.type }, body: reply.text };
}

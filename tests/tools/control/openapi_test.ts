/** The OpenAPI document: it describes every route, and the answers fit it. */

import { assert, assertEquals } from "@std/assert";
import calls from "../../../static/calls.json" with { type: "json" };
import type { OpenApiDocument } from "../../../src/tools/control/openapi.ts";
import { type HookName, hookNames, hookTable } from "../../../src/kit/mock/conditions/hook_table.ts";
import { checkSchema } from "../../../src/ground/schema/check_schema.ts";
import type { Schema } from "../../../src/ground/schema/schema.ts";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { type CallControl, origin, withControl } from "./with_control.ts";

const it = testIn(withControl);

it("control: the document has the patches of each hook", async ({ ask }) => {
  const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
  const { requestBody } = document.paths["/hooks"]!["post"]!;
  const body = resolve(requestBody!.content["application/json"]!.schema, document) as Schema;
  const alternatives = body.anyOf!;
  const names = alternatives.map(({ properties }) => properties?.["name"]?.const);
  assertEquals(names, [...body.properties!["name"]!.enum!]);
  assertEquals(names, [...hookNames]);
  for (const { title, properties } of alternatives) {
    const { about } = hookTable[title as HookName];
    assert(properties?.["patch"]?.description?.startsWith(about), title);
  }
  const patches = [{ status: 503, members: {} }, { status: 1 }, { keys: [] }, { header: 1 }, { x: 1 }];
  for (const patch of patches) {
    for (const name of names) {
      const asked = { name, patch };
      const { status } = await ask("POST", "/hooks", { body: asked });
      const fitting = alternatives.filter((each) => checkSchema(asked, each) === undefined).length;
      assertEquals(fitting, status === 201 ? 1 : 0, JSON.stringify(asked));
    }
  }
});

it("control: the document names each schema once, so that code generators make one type of it", async ({ ask }) => {
  const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
  const { schemas } = document.components;
  const told = JSON.stringify(document);
  for (const name of Object.keys(schemas)) {
    assert(told.includes(`"#/components/schemas/${name}"`), `nothing is a ${name}`);
  }
  const { servers, security, components: { securitySchemes } } = document;
  assertEquals([servers, security, securitySchemes], [[{ url: "/_postern" }], [{}], undefined]);
  assertEquals(schemas["Tokens"]?.description, calls.types.Tokens.description);
  const names = ["RecordedRequest", "Refusal", "Tokens", "Person", "Client", "Gate", "Hook", "Clock"];
  for (const name of names) {
    assert(schemas[name] !== undefined, name);
  }
  // In the operations, every object and every enum has a name.
  assertEquals(/.{0,80}"(?:properties|enum)":/.exec(JSON.stringify(document.paths)), null);
  // So does a member that four schemas share.
  for (const member of ["jwks", "subject_type", "id_token_signed_response_alg"]) {
    assertEquals(told.split(`"${member}":{"$ref":`).length - 1, 4, member);
  }
  const whole = Object.values(schemas).map((each) => JSON.stringify(resolve(each, document)));
  assertEquals(new Set(whole).size, whole.length);
});

test("control: recorded requests have the members that the document describes, and all of them occur", async () => {
  await withControl(async ({ ask, as }) => {
    const signOut = "https://shop.test/signed-out";
    const shop = {
      client_id: "shop",
      redirect_uris: ["https://shop.test/cb"],
      backchannel_logout_uri: signOut,
    };
    as.clients.add(shop);
    const resource = "https://api.test/";
    const { body: tokens } = await ask("POST", "/login", {
      body: { client: "shop", resource, username: "bob", dpop: true, pushed: true },
    });
    await ask("POST", "/end_session", { body: tokens });
    await ask("POST", "/refresh", { body: { refresh_token: "canary", client: "app" } });
    as.clients.add({ client_id: "raw", client_secret: "a+b" });
    await (await as.fetch(`${origin}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("raw:a+b")}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    })).text();
    const elsewhere = "response_type=code&client_id=shop&redirect_uri=https://shop.test/other";
    await (await as.fetch(`${origin}/oauth2/authorize?${elsewhere}`)).text();
    await ask("POST", "/hooks", { body: { name: "jwks", patch: { keys: [] } } });
    using _fault = as.on("metadata", () => {
      throw new Error("a fault");
    });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const path of ["/oauth2/jwks", "/.well-known/openid-configuration"]) {
      await (await as.fetch(origin + path, { headers: { traceparent } })).text();
    }
    await ask("POST", "/gates", { body: { endpoint: "token", kind: "drop", count: 1 } });
    await ask("POST", "/login", { body: {} });
    const { id } = (await ask("POST", "/resources", { body: { url: "/mcp" } })).body;
    await (await as.fetch(`${origin}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    })).text();
    const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
    const schema = resolve(document.components.schemas["RecordedRequest"], document) as Schema;
    const lists = await Promise.all(
      ["/requests", `/resources/${id}/requests`].map((path) => ask("GET", `${path}?raw=true`)),
    );
    const requests = lists.flatMap(({ body }) => body.requests);
    assert(requests.some(({ raw }) => /^Error: The hook "metadata" threw/.test(raw.facts.fault)));
    const closed: Schema = { ...schema, additionalProperties: false };
    for (const each of requests) assertEquals(checkSchema(each, closed), undefined, JSON.stringify(each));
    const seen = new Set<string>(requests.flatMap((each: object) => Object.keys(each)));
    assertEquals(Object.keys(schema.properties!).filter((name) => !seen.has(name)), []);
    const refusal = schema.properties!["refusal"]!;
    assertEquals(Object.keys(refusal.properties!), [
      ...["error", "reason", "description", "spec", "expected", "redirectUris", "received", "change"],
      ...["looksLike", "instead", "remedy"],
    ]);
    // The schema refuses text as a number, and an endpoint that no server has.
    assertEquals(checkSchema({ ...requests[0], at: "now" }, schema)?.place, "at");
    assertEquals(checkSchema({ ...requests[0], endpoint: "tokens" }, schema)?.place, "endpoint");
    const shown = requests.filter((each: { refusal?: object }) => each.refusal !== undefined);
    assert(shown.some((each: { refusal: { redirectUris?: object } }) => each.refusal.redirectUris));
    for (const { refusal: given } of shown) {
      assertEquals(checkSchema(given, { ...refusal, additionalProperties: false }), undefined);
    }
  }, { options: { fetch: () => Promise.resolve(new Response(null, { status: 200 })) } });
});

it("control: the examples in the document fit their schemas, and have no secrets", ({ ask }) =>
  walk(ask, (_operation, { body }) => {
    if (body === undefined) return Promise.resolve();
    const [example] = body.examples ?? [];
    assert(example !== undefined);
    assertEquals(checkSchema(example, body), undefined);
    assert(!/"(client_secret|password)":|eyJ/.test(JSON.stringify(example)));
    return Promise.resolve();
  }));

/** The lists that an operation shows, or of which it names an entry. */
const listed: readonly { readonly list: string; readonly id: string; readonly made?: object }[] = [
  { list: "gates", id: "gate", made: { endpoint: "page", kind: "hold" } },
  { list: "hooks", id: "hook", made: { name: "userinfo", patch: {} } },
  {
    list: "misbehaviours",
    id: "misbehaviour",
    made: { name: "id_token.aud_wrong", client: "app-confidential" },
  },
  { list: "look_alikes", id: "look_alike", made: { name: "google", client: "app-confidential" } },
  { list: "client_documents", id: "document" },
  { list: "resources", id: "resource", made: { url: "/api" } },
  { list: "routes", id: "route", made: { route: "GET /status" } },
  { list: "snapshots", id: "snapshot" },
];

it("control: every operation answers as the document says", async ({ ask, as }) => {
  const { paths } = (await ask("GET", "/openapi.json")).body;
  await walk(ask, async (operation, { method, path, body, answers }) => {
    // it is asked as the operation of a tenant
    if (path !== "/" && paths[`/tenants/{tenant}${path}`]?.[method] !== undefined) return;
    const below = path.startsWith("/tenants/") ? "/tenants/acme" : "";
    await ask("POST", `${below}/reset`);
    const ids: Record<string, string> = { tenant: "acme", username: "bob", client_id: "app" };
    for (const { list, id, made } of listed) {
      const isUsed = path.includes(`{${id}}`) || path.endsWith(`/${list}`) && method === "get";
      if (isUsed) ids[id] = (await ask("POST", `${below}/${list}`, { body: made })).body.id;
    }
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => ids[name]!);
    const [example] = (body?.examples ?? []) as readonly object[];
    const answer = await ask(method.toUpperCase(), filled, {
      ...(example === undefined ? {} : { body: { ...example, ...await realValues(example) } }),
    });
    const schema = answers[answer.status];
    assert(schema !== undefined, `${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (schema !== "nothing") assertEquals(checkSchema(answer.body, schema), undefined, operation);

    /** The members of an example that a server must know, with values of this one. */
    async function realValues(example: object): Promise<object> {
      const { issuer } = (await ask("GET", below)).body;
      const url = path.endsWith("/resources") ? {} : { url: authorizeUrl(issuer) };
      const { claims: _, ...tokens } = (await ask("POST", `${below}/login`, { body: { dpop: true } })).body;
      const begun = await as.fetch(`${issuer}/oauth2/device_authorization`, {
        method: "POST",
        body: new URLSearchParams({ client_id: "a-device" }),
      });
      const userCode = (await begun.json()).user_code;
      const real = { ...tokens, token: tokens.access_token, userCode, ...url };
      return Object.fromEntries(
        Object.keys(example).filter((name) => name in real).map((name) => [name, real[name]]),
      );
    }
  });
});

/** Replaces references by the schemas that they name. */
function resolve(value: unknown, document: OpenApiDocument): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, document));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(`${value.$ref}`)?.[1] ?? "";
    const found = document.components.schemas[name];
    assert(found !== undefined, `${value.$ref}`);
    return resolve(found, document);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, resolve(member, document)]),
  );
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body: Schema | undefined;
  /** The answers by status, without refusals. */
  readonly answers: Readonly<Record<number, Schema | "nothing">>;
}

async function walk(
  ask: CallControl,
  look: (id: string, operation: Operation) => Promise<void>,
): Promise<void> {
  const document: OpenApiDocument = (await ask("GET", "/openapi.json")).body;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (
      const [method, { operationId, requestBody, responses, parameters = [] }] of Object.entries(methods)
    ) {
      const ofServer = path.replace(/^\/tenants\/\{tenant\}/, "") || "/";
      const isBoth = ofServer !== path && document.paths[ofServer]?.[method] !== undefined;
      assertEquals(operationId.endsWith("OfTenant"), isBoth, operationId);
      for (const each of parameters) assertEquals(each.required, each.in === "path", operationId);
      const answers = Object.entries(responses).flatMap(([status, response]) => {
        if ("$ref" in response) return [];
        const { content = {}, description } = response;
        assertEquals(description, status === "201" ? "Created." : "Done.", operationId);
        const { schema } = Object.values(content)[0] ?? {};
        return [[status, schema === undefined ? "nothing" : resolve(schema, document) as Schema]];
      });
      const body = resolve(requestBody?.content["application/json"]?.schema, document) as Schema | undefined;
      const isRequired = body && checkSchema({}, body) !== undefined;
      assertEquals(requestBody?.required, isRequired, operationId);
      await look(operationId, { method, path, body, answers: Object.fromEntries(answers) });
    }
  }
}

/** A call of the test kit that takes only terms needs no route of its own over HTTP. */

import { assert, assertEquals } from "@std/assert";
import { parseJwt } from "../../../src/ground/crypto/jwt_parts.ts";
import type { Schema } from "../../../src/ground/schema/schema.ts";
import { createMock } from "../../../src/kit/mod.ts";
import { createCallRoutes } from "../../../src/tools/control/call_routes.ts";
import { summaryOf } from "../../../src/tools/control/kit_types.ts";
import type { Call, ControlRoute } from "../../../src/tools/control/route.ts";
import { controlRoutes } from "../../../src/tools/control/routes.ts";
import { test } from "../../runner.ts";

const made = createCallRoutes([]);

test("call routes: a call has a route with its terms and its comment, unless another route is at its path", () => {
  assertEquals(made.map(({ method, path, name }) => `${method} ${path} ${name}`), [
    "POST /rotate_keys rotateKeys",
    "POST /mint mint",
    "POST /id_jag idJag",
  ]);
  for (const { name, summary, body } of made) {
    assertEquals([summary, body?.additionalProperties], [summaryOf(name), false], name);
    assert(Object.keys(body?.properties ?? {}).length > 0, name);
  }
  const answers = made.map(({ answer }) => Object.keys(answer?.properties ?? {}));
  assertEquals(answers, [[], ["result"], ["token", "verdict"]]);
  assertEquals(createCallRoutes(controlRoutes), []);
  assertEquals(createCallRoutes(controlRoutes.filter(({ path }) => path !== "/mint")).length, 1);
});

test("call routes: a route calls the test kit with the body, and returns what JSON has", async () => {
  await using as = await createMock({ alg: "ES256" });
  const ask = async (name: string, body: object) =>
    await made.find((each) => each.name === name)!.handle({ tenant: as, body } as unknown as Call);
  const { result } = await ask("mint", { username: "bob", scope: "orders" }) as { readonly result: string };
  assertEquals(parseJwt(result)?.claims?.["sub"], (await as.login("bob")).claims!.sub);
  const listKids = async (): Promise<readonly string[]> =>
    (await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json()).keys.map(({ kid }: { kid: string }) => kid);
  const before = await listKids();
  assertEquals(await ask("rotateKeys", { atOnce: true }), undefined);
  assert((await listKids()).some((kid) => !before.includes(kid)));
});

/** What a call, or a member of it, needs beside a member. */
const companions: Readonly<Record<string, object>> = {
  "createGate by": { kind: "delay" },
  "createGate status": { kind: "fail" },
  "createGate retryAfter": { kind: "fail" },
  "nextSignIn client": { username: "bob" },
  "guardResource body": { method: "POST" },
  refresh: { refresh_token: "a refresh token" },
  revoke: { refresh_token: "a refresh token" },
  dpopHeaders: { access_token: "an access token" },
};

test("control: each member of a body reaches the test kit", async () => {
  const lost: string[] = [];
  for (const route of controlRoutes) {
    const { name, body = {} } = route;
    const [example = {}] = (body.examples ?? []) as readonly Readonly<Record<string, unknown>>[];
    const valueOf = (member: string): unknown =>
      example[member] ?? sampleOf(body.properties![member]!, member);
    const needed = Object.fromEntries((body.required ?? []).map((member) => [member, valueOf(member)]));
    for (const member of Object.keys(body.properties ?? {})) {
      const beside = { ...needed, ...companions[name], ...companions[`${name} ${member}`] };
      const { [member]: _, ...without } = beside;
      const after = await callsOf(route, { ...beside, [member]: valueOf(member) });
      if (after === "" || after === await callsOf(route, without)) lost.push(`${name} ${member}`);
    }
  }
  // A caller may send a whole token response, of which the call takes what it needs.
  assertEquals(lost, [
    ...["refresh authorization_details", "dpopHeaders refresh_token", "dpopHeaders id_token"],
    ...["rotateRefreshToken access_token", "rotateRefreshToken id_token"],
  ]);
});

function sampleOf(
  { examples, const: constant, enum: names, anyOf, type, items }: Schema,
  name: string,
): unknown {
  const [given = constant ?? names?.at(-1)] = examples ?? [];
  if (given !== undefined) return given;
  if (anyOf !== undefined) return sampleOf(anyOf[0]!, name);
  if (type === "array") return [sampleOf(items ?? {}, name)];
  const plain: Readonly<Record<string, unknown>> = {
    boolean: true,
    integer: 201,
    number: 201,
    object: { name },
  };
  return plain[`${type}`] ?? `sample-${name}`;
}

/** What the route asks of the test kit, as text. */
async function callsOf({ handle }: ControlRoute, body: object): Promise<string> {
  const asked: string[] = [];
  const standIn = (path: string): unknown =>
    new Proxy(() => {}, {
      get(_, name) {
        if (name === "then" || name === "toJSON") return undefined;
        if (name === "issuer" || name === "url") return "https://as.test";
        return name === Symbol.toPrimitive ? () => path : standIn(`${path}.${String(name)}`);
      },
      set: (_, name, value) => asked.push(`${path}.${String(name)} = ${JSON.stringify(value)}`) > 0,
      apply(_, _this, given) {
        for (const each of given) void Promise.resolve(each).catch(() => {});
        asked.push(`${path} ${JSON.stringify(given, (_name, value) => show(value))}`);
        return standIn(`${path}()`);
      },
    });
  const call = new Proxy({ id: "x-1", query: {}, body }, {
    get: (own, name) => Reflect.get(own, name) ?? standIn(String(name)),
  });
  try {
    await handle(call as unknown as Call);
  } catch {
    // The stand-in has no answers, so a route may fail after its call.
  }
  return asked.join("\n");
}

function show(value: unknown): unknown {
  if (!(value instanceof Request)) return typeof value === "function" ? `${value}` : value;
  return [value.method, value.url, ...value.headers, value.body !== null];
}

/** A response mode: it sends the authorization response as one JSON text, in the fragment. */

import { assertEquals } from "@std/assert";
import { callbackParams, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

const name = "toy.json";

export const responseModeToy: Toy = {
  kind: "a response mode",
  feature: {
    name: "toy_response_mode",
    spec: "none",
    responseModes: [{
      name,
      sentBy: "fragment",
      async respond(target, params, exchange, services) {
        const text = JSON.stringify({ ...Object.fromEntries(params), client: target.client.id });
        const sender = services.slots.responseModes.get("fragment")!;
        return await sender.respond(target, [["response", text]], exchange, services);
      },
    }],
  },
  options: {
    seams: {
      authorization_response: (value) => ({ ...value, params: [...value.params, ["added", value.mode]] }),
    },
  },
  async works(world) {
    const { client, code, added } = await readResponse(world, {});
    assertEquals([client, typeof code, added], ["public", "string", name]);
    // A refusal is sent in the same way.
    assertEquals((await readResponse(world, { resource: "relative" }))["error"], "invalid_target");
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assertEquals(metadata.response_modes_supported.includes(name), true);
  },
};

async function readResponse(
  world: World,
  changed: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await world.authorize({ response_mode: name, ...changed });
  return JSON.parse(callbackParams(response).get("response")!);
}

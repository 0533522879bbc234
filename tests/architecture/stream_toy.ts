/** Adds an endpoint that answers with a stream of events, and one that answers with bytes. */

import { assertEquals } from "@std/assert";
import { createSource } from "../portable/http/source.ts";
import type { Toy } from "./toys.ts";

const events = createSource();

export const streamToy: Toy = {
  kind: "a body of bytes or a stream",
  feature: {
    name: "toy_events",
    spec: "none",
    endpoints: [
      {
        method: "GET",
        path: "/toy/events",
        refusal: "json",
        cors: true,
        handle: () => ({
          status: 200,
          headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
          body: events.stream,
        }),
      },
      {
        method: "GET",
        path: "/toy/image",
        refusal: "page",
        handle: () => ({
          status: 200,
          headers: { "content-type": "image/png" },
          body: Uint8Array.of(137, 80, 78, 71),
        }),
      },
    ],
  },
  async works(world) {
    const response = await world.get("/toy/events");
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
      events.push(event);
      assertEquals((await reader.read()).value, event);
    }
    await reader.cancel();
    await events.cancelled;
    assertEquals(world.journal.at(-1)?.response.bodyLength, "unknown");
    const image = await world.get("/toy/image");
    assertEquals(new Uint8Array(await image.arrayBuffer()), Uint8Array.of(137, 80, 78, 71));
    assertEquals(world.journal.at(-1)?.response.bodyLength, 4);
  },
};

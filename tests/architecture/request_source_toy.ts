/** A source of authorization requests: the client leaves the parameters here first, and then sends a name for them. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { json } from "../../src/http/respond.ts";
import type { Pair } from "../../src/http/form.ts";
import { createParams, readForm } from "../../src/oauth/params.ts";
import { createId } from "../../src/oauth/credential.ts";
import { refusals } from "../../src/oauth/refusals.ts";
import type { Kind } from "../../src/store/store.ts";
import { assertRefusedByRedirect, assertRefusedOnPage, assertTokens } from "../oauth/refusals.ts";
import { createBrowser, type Params, type World } from "../world.ts";
import type { Toy } from "./toys.ts";

/** Kept for a minute, under the id that the grant gets. */
const toyRequests: Kind<readonly Pair[]> = { name: "toy_request" };
const prefix = "urn:toy:";

const refusal = refusals({
  toy_request_unknown: {
    error: "invalid_request",
    sentence: "This request is not held here",
    change: "Leave the request here first.",
  },
});

export const requestSourceToy: Toy = {
  kind: "a request source",
  feature: {
    name: "toy_request",
    spec: "none",
    endpoints: [{
      method: "POST",
      path: "/toy/request",
      refusal: "json",
      async handle(exchange, { store, now, random }) {
        const { pairs } = await readForm(exchange);
        const grantId = createId(random);
        await store.put(toyRequests, grantId, pairs, { expiresAt: now() + 60, now: now() });
        return json({ request_uri: prefix + grantId });
      },
    }],
    requestSources: [{
      name: "toy request",
      param: "request_uri",
      async resolve(value, _outer, _exchange, { store, now }) {
        if (!value.startsWith(prefix)) return undefined;
        const grantId = value.slice(prefix.length);
        const held = await store.get(toyRequests, grantId, now());
        if (held !== undefined) {
          return { params: createParams(held.value), arrivedBy: ["toy request"], grantId };
        }
        throw refusal("toy_request_unknown");
      },
      isRequired: ({ id }) => id === "basic",
    }],
  },
  options: { login: "picker" },
  async works(world) {
    const browser = createBrowser(world);
    const name = await leaveRequest(world, { scope: "held" });
    const url = `/oauth2/authorize?${new URLSearchParams({
      client_id: "public",
      request_uri: name,
      scope: "beside",
    })}`;

    // The name is needed at the first look only; then the form counts, and Back opens it again.
    const signIn = await browser.open(url);
    const other = await browser.open(url);
    world.clock.advance(60);
    const consent = await browser.submit(signIn, { person: "alice" });
    assertStringIncludes((await browser.open(consent.url)).html, "held");
    const answer = await browser.submit(consent, { decision: "approve" });
    assertEquals(world.journal.at(-1)?.facts.arrivedBy, ["toy request"]);
    const code = new URL(answer.leftFor!).searchParams.get("code")!;
    assertEquals([code.split(".")[0], new URL(answer.leftFor!).searchParams.get("state")], [
      name.slice(prefix.length),
      "held too",
    ]);
    assertEquals((await assertTokens(await world.redeem(code)))["scope"], "held");

    // The grant's id was fixed when the request was left: it is approved once, however often it was opened.
    assertEquals((await browser.submit(other, { person: "alice" })).status, 409);
    assertEquals(world.lastRefusal()?.reason, "already_approved");
    const unknown = { error: "invalid_request", reason: "toy_request_unknown" };
    await assertRefusedOnPage(world, await world.get(url), unknown);

    // RFC 9101 §5, RFC 9126 §4.
    const request_uri = await leaveRequest(world);
    for (const client_id of ["post", undefined]) {
      const query = new URLSearchParams({ request_uri, ...(client_id === undefined ? {} : { client_id }) });
      const differs = { error: "invalid_request", reason: "client_id_differs" };
      await assertRefusedOnPage(world, await world.get(`/oauth2/authorize?${query}`), differs);
    }

    // What no source takes is still not supported.
    const elsewhere = await world.authorize({ request_uri: "https://app.example/request" });
    const unsupported = { error: "request_uri_not_supported", reason: "parameter_unsupported" };
    assertRefusedByRedirect(world, elsewhere, unsupported);

    // A client may be bound to the source.
    const plain = await world.authorize({ client_id: "basic" });
    const required = { error: "invalid_request", reason: "request_source_required" };
    assertRefusedByRedirect(world, plain, required);
    const left = await leaveRequest(world, { client_id: "basic" });
    const query = new URLSearchParams({ client_id: "basic", request_uri: left });
    assertEquals((await world.get(`/oauth2/authorize?${query}`)).status, 200);
  },
};

async function leaveRequest(world: World, changed: Params = {}): Promise<string> {
  const { searchParams } = new URL(world.authorizeUrl({ state: "held too", ...changed }));
  return (await (await world.post("/toy/request", searchParams.toString())).json()).request_uri;
}

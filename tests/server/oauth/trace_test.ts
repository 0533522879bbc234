/** Traces (W3C Trace Context): which headers count, where the journal shows them, and the requests of the server. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { formatTraceparent, readTraceparent } from "../../../src/ground/http/trace.ts";
import { redact } from "../../../src/mod.ts";
import { documentOf, usual } from "../features/client_documents.ts";
import { test } from "../../runner.ts";
import { clientOf, inOpenId, signIn } from "../openid/openid_world.ts";
import { testWith } from "./test_in_world.ts";
import { createWorld } from "../../world.ts";

const it = testWith();

const traceId = "0af7651916cd43dd8448eb211c80319c", parentId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${parentId}-01`;

test("trace: a valid traceparent is read, also that of a later version (W3C Trace Context §3.2.2)", () => {
  assertEquals(readTraceparent(traceparent), { traceId, parentId, isSampled: true });
  assertEquals(readTraceparent(`00-${traceId}-${parentId}-00`)?.isSampled, false);
  assertEquals(readTraceparent(`00-${traceId}-${parentId}-ff`)?.isSampled, true);
  assertEquals(readTraceparent(`00-${traceId}-${parentId}-fe`)?.isSampled, false);
  for (const more of ["", "-", "-what-the-future-brings"]) {
    assertEquals(readTraceparent(`cc-${traceId}-${parentId}-01${more}`), {
      traceId,
      parentId,
      isSampled: true,
    });
  }
});

const invalid: Readonly<Record<string, string | undefined>> = {
  "no header": undefined,
  "an empty one": "",
  "the version ff": `ff-${traceId}-${parentId}-01`,
  "a trace id of zeros": `00-${"0".repeat(32)}-${parentId}-01`,
  "a parent id of zeros": `00-${traceId}-${"0".repeat(16)}-01`,
  "upper-case letters": traceparent.toUpperCase(),
  "an upper-case version": `CC-${traceId}-${parentId}-01`,
  "a short trace id": `00-${traceId.slice(1)}-${parentId}-01`,
  "a long trace id": `00-${traceId}0-${parentId}-01`,
  "a long parent id": `00-${traceId}-${parentId}0-01`,
  "a version of one digit": `0-${traceId}-${parentId}-01`,
  "no flags": `00-${traceId}-${parentId}`,
  "flags of one digit": `00-${traceId}-${parentId}-1`,
  "more fields in version 00": `${traceparent}-more`,
  "more characters without a hyphen": `cc-${traceId}-${parentId}-01more`,
  "another letter": `00-${traceId.replace("0", "g")}-${parentId}-01`,
  "two headers": `${traceparent}, ${traceparent}`,
  "white space": ` ${traceparent}`,
};

for (const [what, header] of Object.entries(invalid)) {
  test(`trace: ${what} is ignored (W3C Trace Context §3.2.2)`, () => {
    assertEquals(readTraceparent(header), undefined);
  });
}

test("trace: the header of an outgoing request has the same trace and a parent of its own", () => {
  const sent = formatTraceparent(
    { traceId, parentId, isSampled: false },
    new Uint8Array([1, 2, 3, 4, 5, 6, 7, 255]),
  );
  assertEquals(sent, `00-${traceId}-01020304050607ff-00`);
  assertEquals(readTraceparent(sent)?.traceId, traceId);
});

it("trace: the journal and redacted entries have it, and a request without one has none", async ({ world }) => {
  await world.get("/oauth2/jwks", { traceparent });
  await world.get("/oauth2/jwks", { traceparent: traceparent.toUpperCase() });
  await world.get("/oauth2/jwks");
  assertEquals(world.journal.map(({ trace }) => trace?.traceId), [traceId, undefined, undefined]);
  const { headers } = redact(world.journal[0]!).request;
  assertEquals(headers.find(([name]) => name === "traceparent")?.[1], traceparent);
});

test("trace: the server's own requests belong to it, each with its own parent", async () => {
  const sent: (string | null)[] = [];
  const fetch = (_url: string | Request, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get("traceparent"));
    return Promise.resolve(Response.json(documentOf()));
  };
  await using world = createWorld({ clients: [], clientDocuments: true, fetch });
  const send = (headers: HeadersInit) => world.get(world.authorizeUrl(usual), headers);
  await (await send({ traceparent })).text();
  const [outgoing] = sent;
  assert(outgoing);
  assertMatch(outgoing, new RegExp(`^00-${traceId}-[\\da-f]{16}-01$`));
  assertNotEquals(outgoing, traceparent);
  world.clock.advance(30 * 24 * 3600);
  await (await send({})).text();
  assertEquals(sent.length, 2);
  assertEquals(sent[1], null);
});

test("trace: the fetch of keys and of a sector belongs to it, and the call that tells a sign-out", async () => {
  const sent = new Map<string, string | null>();
  const fetch = (url: string | Request, init?: RequestInit) => {
    sent.set(String(url), new Headers(init?.headers).get("traceparent"));
    return Promise.resolve(Response.json(["https://app.example/cb"]));
  };
  const [sector, logout, keys] = ["sector", "logout", "keys"].map((each) => `https://app.example/${each}`);
  const clients = [
    clientOf("app", {
      ...{ subject_type: "pairwise", sector_identifier_uri: sector!, backchannel_logout_uri: logout! },
    }),
    { client_id: "signer", token_endpoint_auth_method: "private_key_jwt", jwks_uri: keys! },
  ] as const;
  await inOpenId({ clients, fetch }, async (world, browser) => {
    const request = { client_id: "app", redirect_uri: "https://app.example/cb", scope: "openid" };
    await (await world.get(world.authorizeUrl(request), { traceparent })).text();
    await signIn(world, browser, "alice");
    await browser.submit(await browser.open("/connect/logout"), { decision: "sign_out" }, { traceparent });
    const form = {
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: [{ alg: "ES256" }, { sub: "signer" }, 0].map((part) => btoa(JSON.stringify(part)))
        .join(".").replaceAll("=", ""),
    };
    await (await world.post("/oauth2/token", form, { traceparent })).text();
    for (const url of [sector, logout, keys]) assertMatch(`${sent.get(url!)}`, new RegExp(`^00-${traceId}-`));
  });
});

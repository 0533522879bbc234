/** Plays the scenarios of `@modelcontextprotocol/conformance` with the client of the MCP SDK. */

import { assertEquals } from "@std/assert";
import { createMock } from "../../src/kit/mod.ts";
import { callGreet, greeter, type Saved } from "../portable/kit/clients/mcp_client.ts";
import { test } from "../runner.ts";
import { clientDocument, documentUrl, mcpUrl, requiredScenarios, type Scenario } from "./mcp_scenarios.ts";

/** Returns the rules that the client broke. */
async function run(
  { options, build, terms = {}, url = mcpUrl, client, judge }: Scenario,
  application: NonNullable<Scenario["application"]>,
) {
  await using as = await createMock({ alg: "ES256", clients: [], ...options });
  as.clientDocument(clientDocument, { url: documentUrl });
  const api = build?.(as) ?? as.resource(mcpUrl, terms, greeter);
  const saved: Saved = { verifier: "", ...(client === undefined ? {} : { client }) };
  const outcome = await callGreet({ as, url, saved, application }).catch(({ message }) => `${message}`);
  return judge({ as, api, saved, outcome }).filter((fault) => fault !== false);
}

for (const [name, scenario] of Object.entries(requiredScenarios)) {
  const { application = {}, sdkBreaks = [], remedy } = scenario;
  const verdict = sdkBreaks.length === 0 ? "obeys" : sdkBreaks.join(", ");
  test(`mcp scenario auth/${name}: the client of the SDK ${verdict}`, async () => {
    assertEquals(await run(scenario, application), sdkBreaks);
  });
  if (remedy === undefined) continue;
  test(`mcp scenario auth/${name}: an application that adds the check obeys`, async () => {
    assertEquals(await run(scenario, { ...application, ...remedy }), []);
  });
}

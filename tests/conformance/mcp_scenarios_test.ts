/** Plays the scenarios of `@modelcontextprotocol/conformance` with the client of the MCP SDK. */

import { assertEquals } from "@std/assert";
import { createMock } from "../../src/mock/mod.ts";
import { callGreet, greeter, type Saved } from "../portable/clients/mcp_client.ts";
import { test } from "../runner.ts";
import {
  clientDocument,
  documentUrl,
  mcpUrl,
  otherScenarios,
  requiredScenarios,
  type Scenario,
} from "./mcp_scenarios.ts";

/** Returns the rules that the client broke. */
async function run(
  { options, build, terms = {}, url = mcpUrl, client, judge }: Scenario,
  given: NonNullable<Scenario["application"]>,
) {
  await using as = await createMock({ alg: "ES256", clients: [], ...options });
  as.clientDocument(clientDocument, { url: documentUrl });
  const api = build?.(as) ?? as.resource(mcpUrl, terms, greeter);
  const saved: Saved = { verifier: "", ...(client === undefined ? {} : { client }) };
  const application = typeof given === "function" ? given(as) : given;
  const outcome = await callGreet({ as, url, saved, application }).catch(({ message }) => `${message}`);
  return judge({ as, api, saved, outcome }).filter((fault) => fault !== false);
}

for (const [name, scenario] of Object.entries({ ...requiredScenarios, ...otherScenarios })) {
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

/** The client scenarios `auth/…` in `requirements/2026-07-28.yaml` of the runner. */
const requiredNames = [
  ...["metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd"],
  ...["scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined"],
  ...["scope-step-up", "scope-retry-limit"],
  ...["token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none"],
  ...["pre-registration", "resource-mismatch", "offline-access-scope", "offline-access-not-supported"],
  ...["authorization-server-migration", "iss-supported", "iss-not-advertised", "iss-supported-missing"],
  ...["iss-wrong-issuer", "iss-unexpected", "iss-normalized", "metadata-issuer-mismatch"],
];

test("mcp scenarios: the table has every scenario about authorization that MCP 2026-07-28 requires", () => {
  assertEquals(Object.keys(requiredScenarios), requiredNames);
});

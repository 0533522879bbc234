/** Plays an agent with the client of the official SDK. */

import { Client, type Transport } from "@modelcontextprotocol/client";

/** The texts of the answer, and the last of them as JSON, if the tool has not failed. */
// deno-lint-ignore no-explicit-any -- each tool has its own answer
type Called = { readonly texts: string[]; readonly json: any };

export interface Agent {
  readonly client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  read(name: string): Promise<string>;
}

/** `legacy`: as agents of 2025 do. `auto`: by the protocol of 2026. */
export async function connectAgent(transport: Transport, mode: "legacy" | "auto" = "legacy"): Promise<Agent> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const texts = content.map((each) => each.type === "text" ? each.text : each.type);
      return { texts, json: isError ? undefined : JSON.parse(`${texts.at(-1)}`) };
    },
    read: async (name) => JSON.stringify(await client.readResource({ uri: `postern://${name}` })),
  };
}

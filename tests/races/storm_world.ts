/** A world whose store other processes can share: it has a fixed key and a fixed clock, and keeps no journal. */
import type { ServerOptions } from "../../src/mod.ts";
import { createWorld, type World } from "../world.ts";
import { fastKey } from "./explorer.ts";

export function openStormWorld(options: ServerOptions = {}): World {
  return createWorld({ alg: "EdDSA", signingKeys: [fastKey], journal: () => {}, ...options });
}

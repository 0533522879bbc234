/** Writes a learned configuration with its comments, and what a server with it cannot do. */

import { createMock } from "../../../kit/mock/mock.ts";
import type { Members } from "../../../ground/values/members.ts";
import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { parseJsonc } from "../configuration/parse_jsonc.ts";
import { compareMetadata, describeDifference, type Difference, onlyTheirs } from "./compare_metadata.ts";
import type { LearnContext } from "./learn_parts.ts";
import { type Parts, writePart } from "./part.ts";

export interface Learned {
  readonly parts: Parts;
  /** The metadata of the provider, if the source has it. */
  readonly metadata?: Members;
}

interface Written {
  readonly text: string;
  /** Lines for the terminal, also with text of others. */
  readonly notes: readonly string[];
}

/** Rejects if a server does not accept the result. */
export async function writeLearned(
  { parts, metadata }: Learned,
  { leftOut, usual }: LearnContext,
): Promise<Written> {
  const body = writePart({ members: parts, from: "Each line says where its value comes from." }).join("\n");
  const here = await describeConfigured(parseJsonc(body) as Configuration);
  const differences = metadata === undefined ? [] : onlyTheirs(compareMetadata(metadata, here));
  const all = new Map([
    ...leftOut,
    ...differences.map((difference) => [describeDifference(difference), explain(difference, usual)] as const),
  ]);
  const sentences = new Set([...all.values()].map((sentence) => `// - ${sentence}`));
  return {
    text: [
      "// A configuration of Postern, as it was learned. The issuer and the secrets are for development only.",
      body,
      ...sentences.size === 0 ? [] : ["// What a server with this file does not do as the provider:"],
      ...sentences,
      "",
    ].join("\n"),
    notes: [...all.keys()],
  };
}

/** Returns a sentence without text of others. */
function explain({ member, there }: Difference, usual: Members): string {
  return Object.hasOwn(usual, member)
    ? `${member}: the provider has ${Array.isArray(there) ? "more" : "another value"}.`
    : "Postern does not have a member of the metadata.";
}

/** Returns the metadata of a server with the configuration. */
export async function describeConfigured({ metadata: _, ...configuration }: Configuration): Promise<Members> {
  const as = await createMock(configuration);
  try {
    const response = await as.fetch(`${as.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
    return parseJsonObject(await response.text()) ?? {};
  } finally {
    await as.close();
  }
}

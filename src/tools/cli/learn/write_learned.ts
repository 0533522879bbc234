/** Writes a learned configuration with its comments, and what a server with it cannot do. */

import { createMock } from "../../../kit/mock/mock.ts";
import type { Members } from "../../../server/oauth/members.ts";
import { parseJsonObject } from "../../../server/schema/json_object.ts";
import type { Configuration } from "../../../server/setup/configuration.ts";
import { parseJsonc } from "../parse_jsonc.ts";
import { compareMetadata, describeDifference, onlyTheirs } from "./compare_metadata.ts";
import { type Parts, writeJson, writePart } from "./part.ts";

/** A part of the source that is not taken over. */
export interface LeftOut {
  /** In our words. */
  readonly sentence: string;
  /** The names and values of the source that it is about. They are text of others, so only the terminal shows them. */
  readonly values?: readonly string[];
}

export interface Learned {
  readonly parts: Parts;
  readonly leftOut: readonly LeftOut[];
  /** The metadata of the provider, if the source has it. */
  readonly metadata?: Members;
}

export interface Written {
  readonly text: string;
  /** Lines for the terminal, also with text of others. */
  readonly notes: readonly string[];
}

/** `usual` is the metadata of a server without a configuration. Rejects if a server does not accept the result. */
export async function writeLearned({ parts, leftOut, metadata }: Learned, usual: Members): Promise<Written> {
  const body = writePart({ members: parts, from: "Each line says where its value comes from." }).join("\n");
  const here = await describeConfigured(parseJsonc(body) as Configuration);
  const differences = metadata === undefined ? [] : onlyTheirs(compareMetadata(metadata, here));
  const all = [
    ...leftOut.map(({ sentence, values = [] }) => ({
      sentence,
      line: [sentence, ...values.map(writeJson)].join(" "),
    })),
    ...differences.map((difference) => ({
      sentence: Object.hasOwn(usual, difference.member)
        ? `${difference.member}: the provider has more.`
        : "Postern does not have a member of the metadata.",
      line: describeDifference(difference),
    })),
  ];
  return {
    text: [
      "// A configuration of Postern, as it was learned. The issuer and the secrets are for development only.",
      body,
      ...all.length === 0 ? [] : ["// What a server with this file does not do as the provider:"],
      ...new Set(all.map(({ sentence }) => `// - ${sentence}`)),
      "",
    ].join("\n"),
    notes: [...new Set(all.map(({ line }) => line))],
  };
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

/** The options `issAnnounced` and `issSent`, with which a test checks how a client treats `iss` (RFC 9207 §2.4). */

import {
  changeFirst,
  changeMetadata,
  changeParams,
  type Seams,
  setParam,
  without,
} from "../oauth/contracts/seams.ts";
import type { Schema } from "../../ground/schema/schema.ts";

/** The `iss` of authorization responses. */
export type IssSent = "right" | "absent" | "foreign" | "slash";

/** What the server is wrong about, for tests of clients. */
export interface IssuerFaultsConfiguration {
  /**
   * `false`: the metadata does not announce `iss` in authorization responses (RFC 9207 §3), for tests of clients.
   * Default: `true`.
   */
  readonly issAnnounced?: boolean;
  /**
   * The `iss` of authorization responses, for tests of clients: `right`, `absent`, `foreign` (another issuer), or
   * `slash` (the issuer with a slash added). A client must refuse a wrong `iss`, and an absent one that is
   * announced (RFC 9207 §2.4). Default: `right`.
   */
  readonly issSent?: IssSent;
}

export const issAnnouncedSchema: Schema = { type: "boolean" };

export const issSentSchema: Schema = {
  type: "string",
  enum: ["right", "absent", "foreign", "slash"] satisfies readonly IssSent[],
};

/** An issuer that cannot exist (RFC 6761 §6.4). */
const foreignIssuer = "https://another-issuer.invalid";

export function readResponseIssuer(option: IssSent | undefined, issuer: string): string | undefined {
  switch (option) {
    case "absent":
      return undefined;
    case "foreign":
      return foreignIssuer;
    case "slash":
      return `${issuer}/`;
    default:
      return issuer;
  }
}

/** Adds the functions that make the server wrong about `iss`. The functions of `seams` see what these leave. */
export function addIssuerFaults(
  seams: Seams,
  { issSent = "right", issAnnounced = true }: IssuerFaultsConfiguration,
  issuer: string,
): Seams {
  const { authorization_response } = changeParams((params) =>
    setParam(params, "iss", readResponseIssuer(issSent, issuer))
  );
  const { metadata } = changeMetadata((members) =>
    without(members, "authorization_response_iss_parameter_supported")
  );
  const sending = issSent === "right"
    ? seams
    : changeFirst("the option issSent", "authorization_response", authorization_response, seams);
  return issAnnounced ? sending : changeFirst("the option issAnnounced", "metadata", metadata, sending);
}

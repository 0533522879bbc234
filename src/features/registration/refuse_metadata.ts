/** Refuses client metadata with the error codes of RFC 7591 §3.2.2. */

import { findAt } from "../../schema/place.ts";
import { describeReceived } from "../../schema/received.ts";
import { type AddedErrorCode, fail } from "../../oauth/error.ts";
import type { MetadataProblem } from "../../oauth/feature.ts";
import type { Members } from "../../oauth/members.ts";

export type MetadataReason =
  | "metadata_invalid"
  | "redirect_uri_invalid"
  | "metadata_needs_initial_access_token"
  | "redirect_uri_needs_initial_access_token";

const invalidClientMetadata: AddedErrorCode = { code: "invalid_client_metadata", status: 400 };
const invalidRedirectUri: AddedErrorCode = { code: "invalid_redirect_uri", status: 400 };

/** A problem with metadata. */
export interface RefusedMetadata extends MetadataProblem {
  /** Absent: the received value is described by its place in the metadata. */
  readonly received?: string | undefined;
  /** A client with an initial access token may register this value. */
  readonly needsInitialToken?: true;
}

/** Throws. The description names the place, because the developer of the client reads it. */
export function refuseMetadata(problem: RefusedMetadata, metadata: Members): never {
  const { place, expected, needsInitialToken } = problem;
  const received = problem.received ?? describeReceived(place, findAt(place, metadata));
  const description = `${place} ${expected}`;
  const details = {
    spec: "RFC 7591 §3.2.2",
    expected: description,
    received: received ?? "a value that the journal does not show",
  };
  if (/^redirect_uris(\[|$)/.test(place)) {
    fail<MetadataReason>(invalidRedirectUri, description, {
      reason: needsInitialToken ? "redirect_uri_needs_initial_access_token" : "redirect_uri_invalid",
      ...details,
    });
  }
  fail<MetadataReason>(invalidClientMetadata, description, {
    reason: needsInitialToken ? "metadata_needs_initial_access_token" : "metadata_invalid",
    ...details,
  });
}

/** Refuses client metadata with the error codes of RFC 7591 §3.2.2. */

import { findAt } from "../../../ground/schema/json_object.ts";
import { describeReceived } from "../../../ground/schema/received.ts";
import { type AddedErrorCode, type RefusalRows, refusals } from "../../oauth/contracts/refusals.ts";
import type { MetadataProblem } from "../../oauth/contracts/feature.ts";
import type { Members } from "../../../ground/values/members.ts";

const invalidClientMetadata: AddedErrorCode = { code: "invalid_client_metadata", status: 400 };
const invalidRedirectUri: AddedErrorCode = { code: "invalid_redirect_uri", status: 400 };

const refusal = refusals({
  error: invalidClientMetadata,
  spec: "RFC 7591 §3.2.2",
  sentence: "{place} {need}",
  expected: "{place} {need}",
}, {
  metadata_invalid: {
    change: "Change the named member of the metadata to the expected value.",
  },
  metadata_needs_initial_access_token: {
    change: "Register authorization_code and refresh_token only, or send an initial access token.",
  },
  redirect_uri_invalid: {
    error: invalidRedirectUri,
    change: "Change the redirect URI to the expected form.",
  },
  redirect_uri_needs_initial_access_token: {
    error: invalidRedirectUri,
    change: "Register an http address on loopback or a private scheme, or send an initial access token.",
  },
});

export const refused: RefusalRows = refusal.rows;

export interface RefusedMetadata extends MetadataProblem {
  /** Absent: the received value is described by its place in the metadata. */
  readonly received?: string | undefined;
  /** A client with an initial access token may register this value. */
  readonly needsInitialToken?: true;
}

export function refuseMetadata(problem: RefusedMetadata, metadata: Members): never {
  const { place, expected: need, needsInitialToken } = problem;
  const received = problem.received ?? describeReceived(place, findAt(place, metadata));
  const values = { place, need, received: received ?? "a value that the journal does not show" };
  if (/^redirect_uris(\[|$)/.test(place)) {
    throw refusal(
      needsInitialToken ? "redirect_uri_needs_initial_access_token" : "redirect_uri_invalid",
      values,
    );
  }
  throw refusal(needsInitialToken ? "metadata_needs_initial_access_token" : "metadata_invalid", values);
}

/** The outcomes of a run in which the server misbehaves. */

/**
 * `noticed`: the client refused. `unharmed`: it showed no check, but it sent nothing wrong and succeeded, or only the server
 * refused what it sent. `fooled`: it went on as if nothing were wrong, or it repeated a value that must be new. `tolerated`
 * and `broke`: it went on, or not, where a correct client goes on. `crashed`: its own code failed. `not_applicable`: it does
 * not do what the misbehaviour is about. `not_reached`: it never met the misbehaviour. `hung`: it did not end in time.
 * `unknown`: nothing shows what it did, so this never counts as passed. `pending`: the run is not over.
 */
export type Outcome =
  | "pending"
  | "noticed"
  | "unharmed"
  | "fooled"
  | "tolerated"
  | "broke"
  | "crashed"
  | "not_applicable"
  | "not_reached"
  | "hung"
  | "unknown";

export const outcomes: readonly Outcome[] = [
  ...["pending", "noticed", "unharmed", "fooled", "tolerated", "broke", "crashed", "not_applicable"] as const,
  ...["not_reached", "hung", "unknown"] as const,
];

/** Why the outcome is `not_reached`. */
export const neverReached = "The client never came to the place where the server misbehaves.";

/** What a client or an API did that trusts the URL in the header of a token. Its answer does not matter. */
export const calledUrl = "called the URL in the header";

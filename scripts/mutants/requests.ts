/** What the program and its processes of tests say to each other, as lines of JSON. */

/** Begins the line of an answer, because tests print, too. */
export const marker = "\u0001mutants ";

export type WorkerRequest = { readonly load: string } | RunRequest;

export interface LoadOutcome {
  /** The names of the tests of the file: none if it does not load. */
  readonly names: readonly string[];
  /** The mutants whose code ran before a test did: in the file, or in a module that was not loaded yet. Empty with a mutant. */
  readonly reached: readonly string[];
}

export interface RunRequest {
  readonly file: string;
  /** Of the test in its file. */
  readonly index: number;
  /** The mutant that is on. Absent: none, and what the test reaches is recorded. */
  readonly mutant?: string;
  /** In milliseconds. */
  readonly limit: number;
}

export interface TestOutcome {
  readonly outcome: "passed" | "failed" | "late";
  readonly milliseconds: number;
  /** The mutants whose code ran. Empty with a mutant. */
  readonly reached: readonly string[];
}

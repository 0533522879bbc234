/** Lists of people or clients that a test can change while the mock runs. */

import { withGetters } from "../../../ground/values/with_getters.ts";
import { present } from "../../../ground/values/present.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeUnknown } from "../../../ground/schema/nearest.ts";
import { SetUpMistake } from "../../../server/oauth/options/set_up_mistake.ts";

/** The people or the clients of a mock. Each change is checked like a configuration, and throws if it is invalid. */
export interface Directory<T> {
  /** All entries, in the order in which they were added. */
  readonly all: readonly T[];
  /** Finds an entry by its username or its client id. */
  get(name: string): T | undefined;
  /** Adds an entry. Throws if there is one with this name. */
  add(entry: T): void;
  /** Changes the given members of an entry, removes those that are `undefined`, and keeps its other members. */
  change(name: string, changes: Partial<T>): void;
  /** Removes an entry. Its sessions and grants end. */
  remove(name: string): void;
}

export interface ChangingDirectory<T> extends Directory<T> {
  /** Restores earlier entries, unless they are saved. Default: the initial ones. The caller rebuilds the server. */
  restore(entries?: readonly T[]): void;
}

/** The error of an invalid change. The cause is the server's error about its configuration. */
export class InvalidEntry extends TypeError {
  /** The place of the mistake in the configuration, for example `people[2].username`. */
  readonly place: string;
  readonly expected: string;

  constructor(what: string, mistake: SetUpMistake) {
    super(`Cannot change ${what}: ${mistake.problem}`, { cause: mistake });
    this.place = mistake.place;
    this.expected = mistake.expected;
  }
}

/** The error of a valid change that could not be saved. The change is undone. */
export class NotSaved extends Error {
  override readonly name = "NotSaved";
}

/** Where the entries are kept, so that they outlive the process. */
export interface SavedList<T> {
  /** Returns an entry, or changes of an entry, as they are saved: for example with a hash instead of the password. */
  prepare(entry: Partial<T>): Partial<T>;
  /** Throws `NotSaved` if that fails. */
  save(all: readonly T[]): void;
}

interface DirectoryOptions<T> {
  /** Called after each change. If it throws, the change is undone. */
  readonly apply: () => void;
  /** Absent: the entries are in memory, and `restore` restores the initial ones. */
  readonly saved?: SavedList<T> | undefined;
}

export function createDirectory<T extends object>(
  what: "people" | "clients",
  key: keyof T,
  initialEntries: readonly T[],
  { apply, saved }: DirectoryOptions<T>,
): ChangingDirectory<T> {
  const initial = freezeCopy(initialEntries);
  const prepare = <P extends Partial<T>>(entry: P): P => freezeCopy(saved?.prepare(entry) as P ?? entry);
  let all = initial;

  function replace(next: T[]): void {
    const before = all;
    all = Object.freeze(next);
    try {
      apply();
    } catch (error) {
      all = before;
      throw error instanceof SetUpMistake ? new InvalidEntry(what, error) : error;
    }
    try {
      saved?.save(all);
    } catch (error) {
      all = before;
      apply();
      throw error;
    }
  }

  function requireEntry(name: string): T {
    const found = all.find((entry) => entry[key] === name);
    if (found !== undefined) return found;
    const known = all.map((entry) => `${entry[key]}`);
    throw new TypeError(`Cannot change ${what}: ${name} ${describeUnknown(name, known)}`);
  }

  const directory: Omit<ChangingDirectory<T>, "all"> = {
    get: (name) => all.find((entry) => entry[key] === name),
    add: (entry) => replace([...all, prepare(entry)]),
    change(name, changes) {
      const before = requireEntry(name);
      const removed = Object.entries(changes).filter(([, member]) => member === undefined);
      const after = freezeCopy({ ...before, ...prepare(changes), ...Object.fromEntries(removed) });
      replace(all.map((entry) => entry === before ? after : entry));
    },
    remove(name) {
      const removed = requireEntry(name);
      replace(all.filter((entry) => entry !== removed));
    },
    restore(entries = initial) {
      // What is saved was kept on purpose.
      if (saved === undefined) all = entries;
    },
  };
  return withGetters(directory, { all: () => all });
}

/** Leaves out `undefined`. Without a copy, a test could change an entry after the check, also in other mocks. */
function freezeCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(freezeCopy)) as T;
  if (!isJsonObject(value)) return value;
  const members = Object.entries(present(value)).map(([name, member]) => [name, freezeCopy(member)]);
  return Object.freeze(Object.fromEntries(members)) as T;
}

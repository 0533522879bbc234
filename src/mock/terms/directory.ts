/** People or clients that a test changes while the mock runs. Each change is checked like the configuration. */

import { isJsonObject } from "../../schema/json_object.ts";
import { describeUnknown } from "../../schema/nearest.ts";
import { SetUpMistake } from "../../setup/set_up_mistake.ts";

/** People or clients by name, while the mock runs. */
export interface Directory<T> {
  readonly all: readonly T[];
  get(name: string): T | undefined;
  add(entry: T): void;
  /** Changes the given members, and leaves the others. */
  change(name: string, changes: Partial<T>): void;
  remove(name: string): void;
}

export interface ChangingDirectory<T> extends Directory<T> {
  /** Goes back to the first entries. The caller applies them. */
  restore(): void;
}

/** A change that does not fit, with the error of the server about its configuration. */
export class UnfitEntry extends TypeError {
  /** The place in the configuration: `people[2].username`. */
  readonly place: string;
  readonly expected: string;

  constructor(what: string, mistake: SetUpMistake) {
    super(`Cannot change ${what}: ${mistake.problem}`, { cause: mistake });
    this.place = mistake.place;
    this.expected = mistake.expected;
  }
}

/** `apply` throws if the new entries do not fit together. Then nothing has changed. */
export function createDirectory<T extends object>(
  what: "people" | "clients",
  key: keyof T,
  first: readonly T[],
  apply: () => void,
): ChangingDirectory<T> {
  const initial = freezeCopy(first);
  let all = initial;

  function replace(next: T[]): void {
    const before = all;
    all = Object.freeze(next);
    try {
      apply();
    } catch (error) {
      all = before;
      throw error instanceof SetUpMistake ? new UnfitEntry(what, error) : error;
    }
  }

  function requireEntry(name: string): T {
    const found = all.find((entry) => entry[key] === name);
    if (found !== undefined) return found;
    const known = all.map((entry) => `${entry[key]}`);
    throw new TypeError(`Cannot change ${what}: ${name} ${describeUnknown(name, known)}`);
  }

  return {
    get all() {
      return all;
    },
    get: (name) => all.find((entry) => entry[key] === name),
    add: (entry) => replace([...all, freezeCopy(entry)]),
    change(name, changes) {
      const before = requireEntry(name);
      const after = freezeCopy({ ...before, ...changes });
      replace(all.map((entry) => entry === before ? after : entry));
    },
    remove(name) {
      const gone = requireEntry(name);
      replace(all.filter((entry) => entry !== gone));
    },
    restore: () => void (all = initial),
  };
}

/** Later changes to the original would get past the check, and would reach every mock that has the same one. */
function freezeCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(freezeCopy)) as T;
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, freezeCopy(member)]);
  return Object.freeze(Object.fromEntries(members)) as T;
}

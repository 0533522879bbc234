/** People or clients that can be changed while a mock runs: every change is checked as the configuration is. */

import { isJsonObject } from "../../schema/json_object.ts";
import { SetUpMistake } from "../../setup/set_up_mistake.ts";

/** People or clients by name, while the mock runs. */
export interface Directory<T> {
  readonly all: readonly T[];
  get(name: string): T | undefined;
  add(entry: T): void;
  /** Only what is said is changed. */
  change(name: string, changes: Partial<T>): void;
  remove(name: string): void;
}

export interface ChangingDirectory<T> extends Directory<T> {
  /** As it was at first, without taking it over yet. */
  restore(): void;
}

/** A change that does not fit: what the server says of its configuration with it. */
export class UnfitEntry extends TypeError {
  /** As in a configuration: `people[2].username`. */
  readonly place: string;
  readonly expected: string;

  constructor(what: string, mistake: SetUpMistake) {
    super(`Cannot change ${what}: ${mistake.problem}`, { cause: mistake });
    this.place = mistake.place;
    this.expected = mistake.expected;
  }
}

/** `takeOver` throws where the whole does not fit together; then nothing has changed. */
export function createDirectory<T extends object>(
  what: "people" | "clients",
  key: keyof T,
  first: readonly T[],
  takeOver: () => void,
): ChangingDirectory<T> {
  const initial = freezeCopy(first);
  let all = initial;

  function replace(next: T[]): void {
    const before = all;
    all = Object.freeze(next);
    try {
      takeOver();
    } catch (error) {
      all = before;
      throw inWordsOfDirectory(error, what);
    }
  }

  function requireEntry(name: string): T {
    const found = all.find((entry) => entry[key] === name);
    if (found !== undefined) return found;
    const names = all.map((entry) => String(entry[key])).join(", ") || noneOf(what);
    throw new TypeError(`Cannot change ${what}: ${name} is not among them; there is ${names}`);
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

/** For a list of names that is empty. */
export function noneOf(what: "people" | "clients"): string {
  return what === "people" ? "nobody" : "none";
}

/** What a server says of its configuration, said of the list. Whatever else went wrong says by itself what it is. */
function inWordsOfDirectory(error: unknown, what: "people" | "clients"): unknown {
  return error instanceof SetUpMistake ? new UnfitEntry(what, error) : error;
}

/** Whatever is done to the original later would change what was checked, and every mock that was given the same. */
function freezeCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(freezeCopy)) as T;
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, freezeCopy(member)]);
  return Object.freeze(Object.fromEntries(members)) as T;
}

/** Adds people while the server runs: to the directory of the test kit, or in memory. */

import type { Newcomers, NewPerson, People, Person } from "../oauth/people/people.ts";
import type { Settings } from "../oauth/settings.ts";
import { createPeople, readPeople } from "./read_people.ts";

/** Where new people are kept. */
export interface PeopleSource {
  /** The people as they are now, also after another server has replaced this one. */
  readonly current: People;
  add(person: NewPerson): void;
}

/** `in memory`: until the server ends. */
export type GrowingPeople = PeopleSource | "in memory";

export function createNewcomers(growing: GrowingPeople, { people, clients }: Settings): Newcomers {
  const source: PeopleSource = growing !== "in memory" ? growing : {
    current: people,
    add: (person) => include(readPeople([person], clients).all[0]!),
  };
  // Every step of a running request finds the person in its settings.
  function include(person: Person): void {
    const others = people.all.filter(({ subject }) => subject !== person.subject);
    Object.assign(people, createPeople([...others, person]));
  }
  function recognise(person: Person): void {
    if (people.findBySubject(person.subject) !== person) include(person);
  }
  return {
    get current() {
      return source.current;
    },
    recognise,
    add(added) {
      source.add(added);
      const person = source.current.find(added.username)!;
      recognise(person);
      return person;
    },
  };
}

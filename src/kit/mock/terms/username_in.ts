/** The username in terms. Earlier versions called it `as` or `person`, and tests still may. */

/** Terms that name a person by one of these members. */
export interface NamedPerson {
  readonly username?: string | undefined;
  readonly as?: string | undefined;
  readonly person?: string | undefined;
}

export function usernameIn({ username, as, person }: NamedPerson): string | undefined {
  return username ?? as ?? person;
}

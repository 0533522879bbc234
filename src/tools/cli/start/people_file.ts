/** `--people FILE`: people in a file of their own. With --control, the server writes changes of people into it. */

import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { hashPasswordSync, isPasswordHash } from "../../../ground/crypto/password.ts";
import { NotSaved, type SavedList } from "../../../kit/mock/terms/directory.ts";
import { createPlainSchema } from "../../../server/plain_schema.ts";
import type { Configuration, PersonConfiguration } from "../../../server/setup/configuration.ts";
import { requireConfiguration } from "../../../server/setup/read_settings.ts";
import { CommandError, explaining } from "../terminal/command_error.ts";
import { explainingSetUp } from "../configuration/configuration_file.ts";
import { type JsonFile, readJsonFile } from "../configuration/json_file.ts";
import { explainMissingFile } from "../configuration/text_file.ts";
import { present } from "../../../ground/values/present.ts";

export interface PeopleFile extends SavedList<PersonConfiguration> {
  /** Absent: there is no such file yet. The first change creates it. */
  readonly people?: readonly PersonConfiguration[];
  readonly locate?: (place: string) => string;
}

/** `mayBeMissing`: the server can create it later. */
export async function readPeopleFile(path: string, mayBeMissing: boolean): Promise<PeopleFile> {
  const flag = `--people ${path}`;
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    if (mayBeMissing) return createSavedList(path, undefined);
    throw new CommandError(
      `${flag}: ${explainMissingFile(path)}. With --control, the first change of a person creates it`,
    );
  }
  const file = await readJsonFile(path, flag);
  requirePlainJson(file, path);
  const { locate } = file;
  const { people, $schema } = explainingSetUp({ locate, flags: {} }, () => readPeople(file.value));
  return { people, locate, ...createSavedList(path, file.text, $schema) };
}

/** Refuses comments and trailing commas, which the server would remove when it writes the file. */
function requirePlainJson({ text }: JsonFile, path: string): void {
  explaining(
    SyntaxError,
    () =>
      `${basename(path)} must be JSON without comments and trailing commas, because the server may write it`,
    () => JSON.parse(text),
  );
}

function readPeople(
  value: unknown,
): { readonly people: readonly PersonConfiguration[]; readonly $schema?: string } {
  const { properties: { people, $schema } = {}, ...schema } = createPlainSchema();
  const properties = { $schema: $schema!, people: people! };
  const read = requireConfiguration(value, { ...schema, required: ["people"], properties });
  return read as Required<Pick<Configuration, "people">>;
}

/** `first`: the text of the file, or `undefined` if there is none yet. */
function createSavedList(
  path: string,
  first: string | undefined,
  $schema?: string,
): SavedList<PersonConfiguration> {
  let text = first;
  return {
    prepare: hidePassword,
    save(people) {
      const next = `${JSON.stringify({ ...present({ $schema }), people }, null, 2)}\n`;
      replaceFile(path, text, next);
      text = next;
    },
  };
}

/** Replaces a password by its hash, because the file should not contain passwords. */
function hidePassword(person: Partial<PersonConfiguration>): Partial<PersonConfiguration> {
  const { password } = person;
  // An empty password and a damaged hash are refused later.
  return !password || isPasswordHash(password) || password.startsWith("scrypt:")
    ? person
    : { ...person, password: hashPasswordSync(password) };
}

/** Replaces the file in one step, if it still has the text `before`. A crash leaves the old or the new file. */
function replaceFile(path: string, before: string | undefined, text: string): void {
  const name = basename(path);
  // A link stays a link.
  const target = before === undefined ? path : realpathSync(path);
  const temporary = `${target}.new`;
  const descriptor = openForOneWriter(temporary, name);
  try {
    try {
      if (readIfPresent(target) !== before) {
        throw new NotSaved(
          `${name} has changed since the server read it, and the server does not overwrite it. ` +
            "Restart the server to load it, and repeat the change",
        );
      }
      // The umask may have removed permissions, and a file that another person may read stays readable.
      if (before !== undefined) fchmodSync(descriptor, statSync(target).mode & 0o777);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    unlinkSync(temporary);
    throw error instanceof NotSaved ? error : cannotWrite(name, error);
  }
}

/** Creates the temporary file, which keeps other servers with the same file from writing at the same time. */
function openForOneWriter(temporary: string, name: string): number {
  try {
    return openSync(temporary, "wx", 0o600);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== "EEXIST") throw cannotWrite(name, error);
    throw new NotSaved(
      `Another server is writing ${name}, or was interrupted while it did. ` +
        `Repeat the change. If that does not help, remove ${basename(temporary)}`,
      { cause: error },
    );
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

function cannotWrite(name: string, cause: unknown): NotSaved {
  return new NotSaved(`Cannot write ${name}: ${(cause as Error).message}`, { cause });
}

/** Reads and fills the form of a person. */

import { parseJsonObject } from "../../../ground/schema/json_object.ts";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import type { PersonFields } from "./people_page.tsx";
import { present } from "../../../ground/values/present.ts";

export class InvalidForm extends Error {
  override readonly name = "InvalidForm";
}

/** Returns the fields of a person. Claims that have no field of their own are together as JSON. */
export function describeFields({ username, sub, claims = {}, disabled }: PersonConfiguration): PersonFields {
  const { name, email, ...others } = claims;
  const [nameField, otherName] = typeof name === "string" ? [name, {}] : ["", present({ name })];
  const [emailField, otherEmail] = typeof email === "string" ? [email, {}] : ["", present({ email })];
  const rest = { ...otherName, ...otherEmail, ...others };
  return {
    username,
    name: nameField,
    email: emailField,
    sub: sub ?? "",
    claims: Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2),
    isDisabled: disabled === true,
  };
}

/** Reads the fields that a refused form shows again. Passwords are not among them. */
export function readFields(form: URLSearchParams): PersonFields {
  const read = (name: string) => (form.get(name) ?? "").trim();
  return {
    username: read("username"),
    name: read("name"),
    email: read("email"),
    sub: read("sub"),
    claims: read("claims"),
    isDisabled: form.get("disabled") === "yes",
  };
}

/** Returns the person that the form describes. Without a new password, the person keeps the old one. */
export function readPerson(fields: PersonFields, form: URLSearchParams): PersonConfiguration {
  const { username, name, email, sub, isDisabled } = fields;
  // An empty field removes the member.
  const optional = { sub: sub || undefined, disabled: isDisabled || undefined, ...readPassword(form) };
  return {
    username,
    ...optional as Partial<PersonConfiguration>,
    claims: { ...present({ name: name || undefined, email: email || undefined }), ...readClaims(fields) },
  };
}

function readPassword(form: URLSearchParams): { readonly password?: string | undefined } {
  if (form.get("remove_password") === "yes") return { password: undefined };
  // Not trimmed, because a password may begin or end with a space.
  const password = form.get("password");
  return password ? { password } : {};
}

function readClaims({ claims }: PersonFields): PersonConfiguration["claims"] {
  if (claims === "") return {};
  const value = parseJsonObject(claims);
  if (value !== undefined) return value;
  throw new InvalidForm("The other claims must be a JSON object");
}

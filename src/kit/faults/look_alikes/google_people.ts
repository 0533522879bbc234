/** A person, as the People API and the Directory API of Google show it. */

import { decodePercent } from "../../../ground/http/address.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import { describeProfile, emailScope, profileScope } from "./google_answers.ts";
import type { ShownPerson } from "./look_alike.ts";

const refusal = refusals({
  provider_fields_missing: {
    error: "invalid_request",
    sentence: "The People API of Google needs the parameter personFields",
    expected: "personFields with names, emailAddresses and photos, separated by commas",
    change: "Add personFields to the query, for example personFields=names,emailAddresses.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The access token needs one of these scopes. */
export const personScopes: readonly string[] = ["profile", "email", profileScope, emailScope];

/** Shows the fields that the request names, as far as the scope gives them. */
export function describeGooglePerson(
  person: ShownPerson,
  scope: readonly string[],
  { address }: IncomingRequest,
): Members {
  const fields = new URLSearchParams(address.query).getAll("personFields").flatMap((each) => each.split(","));
  if (fields.every((each) => each === "")) throw refusal("provider_fields_missing");
  const { sub: id, name, given_name: givenName, family_name: familyName, picture, email, email_verified } =
    describeProfile(person, scope);
  const listOf = (type: string, value: Members, verified?: unknown) => [{
    metadata: { primary: true, ...present({ verified }), source: { type, id } },
    ...value,
  }];
  const known = present({
    names: name && listOf("PROFILE", { displayName: name, familyName, givenName, unstructuredName: name }),
    photos: picture && listOf("PROFILE", { url: picture }),
    emailAddresses: email && listOf("ACCOUNT", { value: email }, email_verified),
  });
  return {
    resourceName: `people/${id}`,
    etag: `%${id}`,
    ...Object.fromEntries(Object.entries(known).filter(([field]) => fields.includes(field))),
  };
}

/** What the access token needs for the groups or users of the Directory API. */
export function listDirectoryScopes(what: "group" | "user"): readonly string[] {
  return ["", ".readonly"].map((end) => `https://www.googleapis.com/auth/admin.directory.${what}${end}`);
}

export function namesDirectoryUser({ subject, claims }: ShownPerson, { address }: IncomingRequest): boolean {
  const asked = decodePercent(address.path.split("/").at(-1)!);
  const { email } = claims;
  return asked === subject || typeof email === "string" && asked?.toLowerCase() === email.toLowerCase();
}

export function describeDirectoryUser({ username, subject: id, claims }: ShownPerson): Members {
  const { name: fullName = username, given_name: givenName, family_name: familyName, email, picture } =
    claims;
  return {
    ...{ kind: "admin#directory#user", id, etag: `%${id}`, primaryEmail: email },
    name: present({ fullName, givenName, familyName }),
    ...{ isAdmin: false, isDelegatedAdmin: false, suspended: false, archived: false },
    ...present({ thumbnailPhotoUrl: picture, emails: email && [{ address: email, primary: true }] }),
    ...{ customerId: "C03az79cb", orgUnitPath: "/" },
  };
}

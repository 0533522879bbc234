/** People and groups, as the Directory API of Google Workspace shows them to programs of an administrator. */

import { decodePercent } from "../../../ground/http/address.ts";
import type { IncomingRequest } from "../../../ground/http/message.ts";
import type { Members } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { digitsFor, groupsAmong, groupsOf, isCalled } from "./differences.ts";
import { pagesOf, type ProviderEndpoint, type ShownPerson } from "./look_alike.ts";

const page = pagesOf("https://developers.google.com/workspace/admin/directory/reference/rest/v1/");
const users = page("Directory API, users", "users");
const groups = page("Directory API, groups", "groups");
const members = page("Directory API, members", "members");

/** The usual host of this API was `www.googleapis.com`, where libraries go on to ask. */
const place = "/admin/directory/v1/";

export function listDirectoryEndpoints(): readonly ProviderEndpoint[] {
  const ofGroup = { source: groups, scopes: listScopes("group"), lists: showGroup };
  const ofMembers = { source: members, scopes: listScopes("group", "group.member"), lists: showGroup };
  const ofUser = { source: users, scopes: listScopes("user") };
  return [
    { ...placed("users"), ...ofUser, lists: listUsers },
    { ...placed("groups"), ...ofGroup, lists: listGroups },
    { ...placed("groups/", "groups/{groupKey}"), ...ofGroup },
    { ...placed("groups/members", "groups/{groupKey}/members"), ...ofMembers },
    ...["members", "hasMember"].map((part) => ({
      ...placed(`groups/${part}/`, `groups/{groupKey}/${part}/{memberKey}`),
      ...ofMembers,
    })),
    { ...placed("users/", "users/{userKey}"), ...ofUser, names: namesUser, shows: describeUser },
  ];
}

function placed(path: string, written = path): Pick<ProviderEndpoint, "url" | "is" | "written"> {
  return {
    ...{ url: `https://www.googleapis.com${place}${path}`, is: "userinfo" },
    written: `https://admin.googleapis.com${place}${written}`,
  };
}

function listScopes(...what: readonly string[]): readonly string[] {
  return what.flatMap((each) =>
    ["", ".readonly"].map((end) => `https://www.googleapis.com/auth/admin.directory.${each}${end}`)
  );
}

function namesUser(person: ShownPerson, { address }: IncomingRequest): boolean {
  return isCalled(person, decodePercent(address.path.split("/").at(-1)!));
}

type List = NonNullable<ProviderEndpoint["lists"]>;

/** Lists all groups, or those of the person whom `userKey` names. */
const listGroups: List = (people, { request: { address } }) => {
  const key = new URLSearchParams(address.query).get("userKey");
  const asked = key === null ? people : people.filter((each) => isCalled(each, key));
  const groups = groupsAmong(asked).map((email) => describeGroup(email, people));
  // A list without members has no member for them.
  return asked.length === 0 ? undefined : {
    kind: "admin#directory#groups",
    etag: "%groups",
    ...present({ groups: groups.length === 0 ? undefined : groups }),
  };
};

const listUsers: List = (people) => ({
  kind: "admin#directory#users",
  etag: "%users",
  users: people.map(describeUser),
});

/** Answers below the address of a group. */
const showGroup: List = (people, { request: { address } }) => {
  const [, key = "", part, member] =
    /\/groups\/([^/]+)(?:\/(members|hasMember)(?:\/([^/]+))?)?$/.exec(address.path) ??
      [];
  const asked = decodePercent(key)?.toLowerCase();
  const email = groupsAmong(people).find((each) => each.toLowerCase() === asked || digitsFor(each) === asked);
  if (email === undefined) return undefined;
  const members = people.filter((each) => groupsOf(each).includes(email));
  if (part === undefined) return describeGroup(email, people);
  if (member === undefined) {
    return { kind: "admin#directory#members", etag: "%members", members: members.map(describeGroupMember) };
  }
  const found = members.find((each) => isCalled(each, decodePercent(member)));
  return part === "hasMember" ? { isMember: found !== undefined } : found && describeGroupMember(found);
};

function describeGroup(email: string, people: readonly ShownPerson[]): Members {
  const count = people.filter((each) => groupsOf(each).includes(email)).length;
  return {
    ...{ kind: "admin#directory#group", id: digitsFor(email), etag: `%${digitsFor(email)}`, email },
    ...{ name: email.split("@")[0], description: "", directMembersCount: `${count}`, adminCreated: true },
  };
}

function describeGroupMember({ subject: id, claims: { email } }: ShownPerson): Members {
  return {
    kind: "admin#directory#member",
    etag: `%${id}`,
    id,
    email,
    role: "MEMBER",
    type: "USER",
    status: "ACTIVE",
  };
}

function describeUser({ username, subject: id, claims }: ShownPerson): Members {
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

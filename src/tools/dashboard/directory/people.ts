/** Answers at `/people`: lists the people, shows each one with sign-ins and grants, and with --control changes them. */

import { sameDigest } from "../../../ground/crypto/platform.ts";
import type { Answer } from "../../../ground/http/message.ts";
import { redirect } from "../../../ground/http/respond.ts";
import { type Directory, InvalidEntry, NotSaved } from "../../../kit/mock/terms/directory.ts";
import { type ListedGrant, type ListedSignIn, listGrants, listSignIns } from "./records.ts";
import { drawQrCode } from "../../../kit/mock/client/qr_code.ts";
import { findAccounts } from "../../../server/oauth/people/find_session.ts";
import { type Person, summarisePerson } from "../../../server/oauth/contracts/people.ts";
import {
  addPersonPage,
  type AddPersonProps,
  peoplePage,
  type PeopleProps,
  type PersonFields,
  personPage,
  type PersonProps,
  type PersonRow,
  wayOf,
} from "./people_page.tsx";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import type { AnswerPage, PageCall } from "../page.ts";
import { requireSecrets } from "../permission.ts";
import { filterHref, personHref } from "../addresses.ts";
import { writeWord } from "../inspector/list_options.ts";
import { listAccess, listSignInsOf } from "./access_rows.ts";
import {
  answerBelow,
  endAccess,
  exportList,
  formTarget,
  nameEnded,
  readNotices,
  redirectTo,
  refuseMissing,
  requireField,
  type Routes,
} from "./shared.ts";
import { describeFields, InvalidForm, readFields, readPerson } from "./person_form.ts";
import { describeList } from "./lists.ts";
import { listNewestTokens } from "../frame/list_recent.ts";
import { present } from "../../../ground/values/present.ts";

const routes: Routes = new Map([
  ["", [showPeople, "GET", "HEAD"]],
  ["/person", [showPerson, "GET", "HEAD"]],
  ["/export", [exportPeople, "GET", "HEAD", "POST"]],
  ["/add", [answerAdd, "GET", "HEAD", "POST"]],
  ["/edit", [editPerson, "POST"]],
  ["/remove", [removePerson, "POST"]],
  ["/end", [endAccessOf, "POST"]],
]);

export const answerPeople: AnswerPage = (call) => answerBelow("people", routes, call);

async function showPeople(call: PageCall): Promise<Answer> {
  const { kit, services, services: { settings: { people, automaticPerson } } } = call.watched;
  const { pathOf } = call;
  const mayChange = call.mayChange === "yes";
  const signIns = await listSignIns({}, services);
  const grants = await listGrants({}, services);
  const here = await findAccounts(call, services);
  const tokens = listNewestTokens(call);
  const { shown, common } = describeList("people", {
    entries: people.all.map((person) => ({ person, ...summarisePerson(person) })),
    textsOf: ({ username, name, email }) => [username, name, email],
    isIncomplete: !signIns.isComplete || !grants.isComplete,
  }, call);
  const props: PeopleProps = {
    ...common,
    now: services.now(),
    here: here.map(({ person: { username } }) => username),
    people: shown.map(({ person, hasPassword: _, ...summary }) => ({
      ...summary,
      href: personHref(person.username, call),
      signInWith: wayOf(person),
      isAutomatic: person.username === automaticPerson,
      clients: listClientsOf(person, grants.found),
      ...present({
        signedIn: describeSignedIn(signIns.found.filter((signIn) => signIn.person === person)),
        tokenUrl: tokens.get(person.username),
      }),
    })),
    end: mayChange ? formTarget(call, "people", "/end") : undefined,
    ...(mayChange
      ? { addUrl: pathOf("people", "/add"), keptIn: kit?.terms.savedPeople ? "file" : "memory" }
      : {}),
  };
  return call.show(peoplePage(props));
}

/** The ids of the clients with a grant of the person, the last used one first. */
function listClientsOf({ subject }: Person, grants: readonly ListedGrant[]): readonly string[] {
  const own = grants.filter(({ grant }) => grant.subject === subject);
  return [...new Set(own.map(({ grant }) => grant.clientId))];
}

/** The latest sign-in is the first one. */
function describeSignedIn([latest, ...others]: readonly ListedSignIn[]): PersonRow["signedIn"] {
  return latest && { since: latest.account.authTime, browsers: 1 + others.length };
}

async function showPerson(call: PageCall): Promise<Answer> {
  return await showPersonWith(requirePerson(call.query.get("username") ?? "", call), call);
}

interface Failed {
  /** What the person typed. Absent: the form was another one. */
  readonly fields?: PersonFields;
  readonly problem: string;
}

async function showPersonWith(person: Person, call: PageCall, failed?: Failed): Promise<Answer> {
  const { username, subject } = person;
  const { isIncomplete: isCut, ...access } = await listAccess({ subject }, call);
  const { signIns, isIncomplete } = await listSignInsOf(subject, call);
  const { name = username } = summarisePerson(person);
  const props: PersonProps = {
    person,
    name,
    signIns,
    ...access,
    notices: readNotices(call, {
      isIncomplete: isIncomplete || isCut,
      ...await nameEnded(username, call),
    }),
    now: call.watched.services.now(),
    ...present({
      factor: call.watched.services.slots.secondFactor?.factorOf(person),
      authenticator: await describeAuthenticator(person, call),
      forms: call.mayChange === "yes" ? createForms(person, call, failed) : undefined,
      tokenUrl: listNewestTokens(call).get(username),
    }),
    backUrl: call.pathOf("people"),
    requestsUrl: filterHref(writeWord("person", username), call),
  };
  return call.show(personPage(props), failed === undefined ? 200 : 400);
}

/** Only for those who may see secrets, and for a person whose codes an app makes. */
async function describeAuthenticator(
  person: Person,
  { seesSecrets, watched: { services } }: PageCall,
): Promise<PersonProps["authenticator"]> {
  if (!seesSecrets) return undefined;
  const described = await services.slots.secondFactor?.describeAuthenticator(person, services);
  return described && { ...described, ...present({ qrCode: await drawQrCode(described.uri) }) };
}

function createForms(
  person: Person,
  call: PageCall,
  failed: Failed | undefined,
): NonNullable<PersonProps["forms"]> {
  const target = (rest: string) => formTarget(call, "people", rest);
  const entry = requireDirectory(call).get(person.username) ?? refuseMissing("person", "people", call);
  return {
    edit: { target: target("/edit"), fields: describeFields(entry), ...failed },
    hasPassword: person.password !== undefined,
    remove: target("/remove"),
    end: target("/end"),
  };
}

function requirePerson(username: string, call: PageCall): Person {
  const { people } = call.watched.services.settings;
  return people.find(username) ?? refuseMissing("person", "people", call);
}

/** Returns the list that a change needs. A page that may change the server always has the test kit. */
function requireDirectory({ watched: { kit } }: PageCall): Directory<PersonConfiguration> {
  if (kit === undefined) throw new Error("The dashboard may change a server without the test kit");
  return kit.tenant.people;
}

function answerAdd(call: PageCall): Answer {
  if (call.request.method === "POST") return addPerson(call);
  return showAddForm(call, { fields: readFields(new URLSearchParams()), ...findNext(call.query, call) });
}

function showAddForm(call: PageCall, form: Pick<AddPersonProps, "fields" | "problem" | "back">): Answer {
  const props = {
    ...form,
    target: formTarget(call, "people", "/add"),
    notices: readNotices(call),
    backUrl: call.pathOf("people"),
  };
  return call.show(addPersonPage(props), form.problem === undefined ? 200 : 400);
}

function addPerson(call: PageCall): Answer {
  const form = call.readChange();
  const fields = readFields(form);
  const problem = findProblem(() => requireDirectory(call).add(readPerson(fields, form)));
  const next = findNext(form, call);
  if (problem !== undefined) return showAddForm(call, { fields, problem, ...next });
  return next.back ? redirect(next.back.next) : redirectTo(personHref(fields.username, call), "added");
}

/** Returns the sign-in page that led to the form, if the mark proves that a page of this server did. */
function findNext(terms: URLSearchParams, { frame }: PageCall): Pick<AddPersonProps, "back"> {
  const next = terms.get("next") ?? "";
  const mark = terms.get("mark") ?? "";
  const expected = new URLSearchParams(frame.addPersonUrl?.(next).split("?")[1]).get("mark");
  return expected !== null && sameDigest(mark, expected) ? { back: { next, mark } } : {};
}

async function editPerson(call: PageCall): Promise<Answer> {
  const form = call.readChange();
  const username = requireField(form, "username");
  const person = requirePerson(username, call);
  const fields = readFields(form);
  const problem = findProblem(() => requireDirectory(call).change(username, readPerson(fields, form)));
  if (problem !== undefined) return await showPersonWith(person, call, { fields, problem });
  return redirectTo(personHref(username, call), "saved");
}

async function removePerson(call: PageCall): Promise<Answer> {
  const username = requireField(call.readChange(), "username");
  const person = requirePerson(username, call);
  const problem = findProblem(() => requireDirectory(call).remove(username));
  if (problem !== undefined) return await showPersonWith(person, call, { problem });
  return redirectTo(call.pathOf("people"), "removed");
}

/** Makes a change, and returns why it was refused. */
function findProblem(change: () => void): string | undefined {
  try {
    change();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidForm || error instanceof NotSaved) return error.message;
    if (error instanceof InvalidEntry) {
      return `${error.place} ${error.expected}`.replace(/^people\[\d+\]\./, "");
    }
    throw error;
  }
}

async function endAccessOf(call: PageCall): Promise<Answer> {
  const form = call.readChange();
  const { username, subject } = requirePerson(requireField(form, "username"), call);
  return await endAccess(form, { subject }, personHref(username, call), call);
}

/** A person with a password is exported as disabled: without the password, one click would sign in. */
function exportPeople(call: PageCall): Answer {
  const { services } = call.watched;
  requireSecrets(call);
  const people = services.settings.people.all;
  return exportList(
    "people",
    people.map(({ username, subject, claims, password, isDisabled }) => ({
      username,
      ...present({ sub: subject === username ? undefined : subject }),
      ...present({ claims: Object.keys(claims).length === 0 ? undefined : claims }),
      ...present({ disabled: isDisabled || password !== undefined ? true : undefined }),
    })),
  );
}

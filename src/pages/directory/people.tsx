/** The page `/people`, and the pages of one person and of a new one. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { ConsentRow, GrantRow, Rows, SignInRow } from "./access.tsx";
import { Consents, Grants, SignIns } from "./access.tsx";
import { BackLink, NoticeBar, type Notices, RemoveForm } from "./directory.tsx";
import { ListCard, listPage, type ListProps } from "./list.tsx";
import type { Page } from "../document.tsx";
import { Fact, ValueFact } from "../parts.tsx";
import { type FormTarget, PageLink, TokenForm } from "../pass.tsx";
import { quote, visible } from "../visible.ts";
import { englishDirectory } from "../words/directory_english.ts";

const { people: words } = englishDirectory;

export interface PersonRow {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  readonly href: string;
  readonly hasPassword: boolean;
  readonly isDisabled: boolean;
  readonly isAutomatic: boolean;
  readonly isSignedIn: boolean;
}

export interface PeopleProps extends ListProps {
  readonly people: readonly PersonRow[];
  /** Where added people are kept. Absent: the page only shows. */
  readonly keptIn?: "memory" | "file";
  readonly addUrl?: string;
}

export function peoplePage({ people, keptIn, addUrl, ...props }: PeopleProps): Page {
  const action = addUrl !== undefined && (
    <p class="start">
      <PageLink class="button primary" id="add" href={addUrl}>{words.add}</PageLink>
    </p>
  );
  const note = keptIn !== undefined && <p class="aside" id="kept-in">{words.keptIn[keptIn]}</p>;
  const cards = people.map((each) => <PersonCard key={each.username} person={each} />);
  return listPage({ list: "people", cards, action, note }, props);
}

function PersonCard({ person }: { readonly person: PersonRow }): VNode {
  const { username, name, email, href, hasPassword, isDisabled, isAutomatic, isSignedIn } = person;
  const tags = [
    ...(isSignedIn ? [words.tags.signedIn] : []),
    ...(isDisabled ? [words.tags.disabled] : []),
    ...(hasPassword ? [words.tags.password] : []),
    ...(isAutomatic ? [words.tags.automatic] : []),
  ];
  const details = email === undefined ? [username] : [username, email];
  return <ListCard href={href} name={name ?? username} details={details} tags={tags} />;
}

/** What the form of a person has in its fields. A password never comes back. */
export interface PersonFields {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly sub: string;
  readonly claims: string;
  readonly isDisabled: boolean;
}

interface PersonForm {
  readonly target: FormTarget;
  readonly fields: PersonFields;
  /** Why the sent form was refused. */
  readonly problem?: string;
}

export interface AddPersonProps extends PersonForm {
  /** The sign-in page that waits for the new person, and the proof that this server led to the form. */
  readonly back?: { readonly next: string; readonly mark: string };
  readonly notices: Notices;
  readonly backUrl: string;
}

export function addPersonPage({ notices, backUrl, back, ...form }: AddPersonProps): Page {
  const isOpen = notices.change.may === "yes";
  return {
    title: words.addHeading,
    shape: "sheet",
    here: "people",
    styles: ["directory.css"],
    main: (
      <>
        <BackLink list="people" href={backUrl} />
        <h1>{words.addHeading}</h1>
        <NoticeBar {...notices} />
        {isOpen && <PersonFormOf form={form} isNew hasPassword={false} back={back} />}
      </>
    ),
  };
}

export interface PersonProps {
  readonly name: string;
  readonly username: string;
  readonly subject: string;
  readonly signInWith: "password" | "click" | "disabled";
  /** JSON. */
  readonly claims: string;
  readonly notices: Notices;
  readonly now: number;
  readonly signIns: Rows<SignInRow>;
  readonly grants: Rows<GrantRow>;
  readonly consents: Rows<ConsentRow>;
  /** Present if the page may change the person. */
  readonly forms?: PersonForms;
  readonly backUrl: string;
}

export interface PersonForms {
  readonly edit: PersonForm;
  readonly hasPassword: boolean;
  readonly remove: FormTarget;
  readonly signOut: FormTarget;
  readonly endGrant: FormTarget;
  readonly endConsent: FormTarget;
}

export function personPage(props: PersonProps): Page {
  const { name, username, subject, signInWith, claims, notices, forms, backUrl } = props;
  const common = { now: props.now, of: { username } };
  return {
    title: words.heading,
    shape: "sheet",
    here: "people",
    styles: ["directory.css"],
    main: (
      <>
        <BackLink list="people" href={backUrl} />
        <h1>
          <bdi>{quote(name)}</bdi>
        </h1>
        <NoticeBar {...notices} />
        <dl class="facts">
          <ValueFact term={words.username} value={username} />
          <ValueFact term={words.sub} value={subject} />
          <Fact term={words.signIn}>{words.signInWith[signInWith]}</Fact>
          <Fact term={words.claims}>
            {claims === "{}" ? words.noClaims : <pre class="long" tabIndex={0}><code>{claims}</code></pre>}
          </Fact>
        </dl>
        {forms && (
          <details open={forms.edit.problem !== undefined}>
            <summary>{words.edit}</summary>
            <PersonFormOf form={forms.edit} isNew={false} hasPassword={forms.hasPassword} />
          </details>
        )}
        <SignIns {...props.signIns} {...common} end={forms?.signOut} />
        <Grants {...props.grants} shows="client" {...common} end={forms?.endGrant} />
        <Consents {...props.consents} shows="client" {...common} end={forms?.endConsent} />
        <RemoveForm form={forms?.remove} fields={{ username }} label={words.remove} note={words.removeNote} />
      </>
    ),
  };
}

function PersonFormOf(
  { form: { target, fields, problem }, isNew, hasPassword, back }: {
    readonly form: PersonForm;
    readonly back?: AddPersonProps["back"] | undefined;
    readonly isNew: boolean;
    readonly hasPassword: boolean;
  },
): VNode {
  const passwordNote = words.fields.passwordNote[isNew ? "new" : hasPassword ? "kept" : "none"];
  return (
    <TokenForm form={target} fields={back} class="person-form" autocomplete="off">
      {problem !== undefined && (
        <p class="notice problem" id="problem" role="alert">
          <strong>{words.problem}.</strong> {visible(problem)}.
        </p>
      )}
      {isNew
        ? <Field name="username" label={words.fields.username} value={fields.username} isRequired />
        : <input type="hidden" name="username" value={fields.username} />}
      <Field name="name" label={words.fields.name} value={fields.name} />
      <Field name="email" label={words.fields.email} value={fields.email} />
      <Field name="password" label={words.fields.password} note={passwordNote} value="" type="password" />
      {!isNew && hasPassword && (
        <Option name="remove_password" label={words.fields.removePassword} isOn={false} />
      )}
      <Field name="sub" label={words.fields.sub} note={words.fields.subNote} value={fields.sub} />
      <label for="claims">{words.fields.claims}</label>
      <textarea id="claims" name="claims" rows={5} spellcheck={false} aria-describedby="claims-note">
        {fields.claims}
      </textarea>
      <p class="aside" id="claims-note">{words.fields.claimsNote}</p>
      <Option name="disabled" label={words.fields.disabled} isOn={fields.isDisabled} />
      <button type="submit" class="button primary" id="save">{isNew ? words.addSend : words.save}</button>
    </TokenForm>
  );
}

function Field(
  { name, label, value, note, type = "text", isRequired = false }: {
    readonly name: string;
    readonly label: string;
    readonly value: string;
    readonly note?: string;
    readonly type?: "text" | "password";
    readonly isRequired?: boolean;
  },
): VNode {
  const common = {
    id: name,
    name,
    value,
    required: isRequired,
    spellcheck: false,
    ...(note === undefined ? {} : { "aria-describedby": `${name}-note` }),
  } as const;
  return (
    <>
      <label for={name}>{label}</label>
      {type === "password"
        ? <input type="password" autocomplete="new-password" {...common} />
        : <input type="text" autocomplete="off" autocapitalize="none" {...common} />}
      {note && <p class="aside" id={`${name}-note`}>{note}</p>}
    </>
  );
}

function Option(
  { name, label, isOn }: { readonly name: string; readonly label: string; readonly isOn: boolean },
): VNode {
  return (
    <label class="option">
      <input type="checkbox" name={name} value="yes" checked={isOn} />
      {label}
    </label>
  );
}

/** The page `/people`, and the pages of one person and of a new one. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import { type AccessProps, Consents, Grants, markHere, type SignInRows, SignIns, When } from "./access.tsx";
import {
  AskForm,
  directoryPage,
  EndForm,
  type EndProps,
  NameLink,
  type Notices,
  RequestsLink,
} from "./directory_parts.tsx";
import { listPage, type ListProps } from "./list_page.tsx";
import type { Page } from "../frame/dashboard_document.tsx";
import { NewestToken } from "../frame/front_parts.tsx";
import { Copyable, Fact, Section, ValueFact } from "../../../server/pages/parts.tsx";
import type { QrCode } from "../../../kit/mock/client/qr_code.ts";
import type { SecondFactor } from "../../../server/oauth/contracts/feature.ts";
import type { Person } from "../../../server/oauth/contracts/people.ts";
import { Field, Option } from "../parts/field.tsx";
import { type FormTarget, PageLink, TokenForm } from "../parts/pass.tsx";
import { quote, visible, visibleLines } from "../../../ground/values/visible.ts";
import { type DirectoryWords, englishDirectory } from "./directory_english.ts";

const { people: words } = englishDirectory;

export interface PersonRow {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  readonly href: string;
  readonly signInWith: SignInWay;
  readonly isAutomatic: boolean;
  /** Since when the person is signed in, and at how many browsers. Absent: nowhere. */
  readonly signedIn?: { readonly since: number; readonly browsers: number };
  /** The ids of the clients with a grant. */
  readonly clients: readonly string[];
  /** The latest token response for the person. Absent if none is among the latest requests. */
  readonly tokenUrl?: string;
}

type SignInWay = keyof DirectoryWords["people"]["signInWith"];

export interface PeopleProps extends ListProps {
  readonly people: readonly PersonRow[];
  readonly now: number;
  /** The usernames of the people who are signed in at the browser that shows the page. */
  readonly here: readonly string[];
  /** Where added people are kept. Absent: the page only shows. */
  readonly keptIn?: "memory" | "file";
  readonly addUrl?: string;
  readonly end: FormTarget | undefined;
}

export function peoplePage({ people, now, here, keptIn, addUrl, end, ...props }: PeopleProps): Page {
  const { name, username, email, signedIn, grants, tokens, signIn } = words.columns;
  return listPage({
    list: "people",
    rows: people,
    columns: [
      [name, (person) => <NameLink href={person.href} name={person.name ?? person.username} />, "clip"],
      [username, (person) => <bdi>{quote(person.username)}</bdi>, "clip under"],
      [email, (person) => <bdi>{quote(person.email ?? "")}</bdi>, "clip under"],
      [
        signedIn,
        (person) => <SignedIn {...person} now={now} isHere={here.includes(person.username)} />,
        "under",
      ],
      [grants, ({ clients, href }) => <GrantLinks clients={clients} href={`${href}#grants`} />, "under"],
      [tokens, ({ username, tokenUrl }) => <NewestToken username={username} url={tokenUrl} />, "short under"],
      [
        signIn,
        ({ isAutomatic, signInWith }) => isAutomatic ? words.automatic : words.signInWith[signInWith],
        "short wide",
      ],
      end !== undefined && [
        englishDirectory.shared.action,
        (person) =>
          (person.signedIn !== undefined || person.clients.length > 0) && (
            <EndForm form={end} {...endOf(person.username)} isQuiet />
          ),
        "end wide",
      ],
    ],
    action: addUrl !== undefined && (
      <PageLink class="button primary" id="add" href={addUrl}>{words.add}</PageLink>
    ),
    lead: <p class="aside" id="this-browser">{words.here(here.map(quote))}</p>,
    note: keptIn !== undefined && <p class="aside" id="kept-in">{words.keptIn[keptIn]}</p>,
  }, props);
}

function SignedIn(
  { signedIn, now, isHere }: Pick<PersonRow, "signedIn"> & {
    readonly now: number;
    readonly isHere: boolean;
  },
): VNode {
  return signedIn === undefined ? <span class="aside">{words.notSignedIn}</span> : (
    <>
      {words.signedIn(signedIn.browsers)} <When at={signedIn.since} now={now} />
      {isHere && markHere()}
    </>
  );
}

/** Ends all grants and sign-ins of a person, and forgets the consents. */
export const endOf = (username: string): Omit<EndProps, "form"> => ({
  fields: { username, grant: "all", sign_in: "all", consent: "all" },
  label: words.endAccess,
  what: words.endAccessOf(visible(username)),
});

const mostClients = 2;

/** The clients with a grant of a person. Each leads to where the grant is revoked. */
function GrantLinks(
  { clients, href }: { readonly clients: readonly string[]; readonly href: string },
): VNode {
  if (clients.length === 0) return <span class="aside">{words.noGrants}</span>;
  return (
    <>
      {clients.slice(0, mostClients).map((id, at) => [
        at > 0 && ", ",
        <NameLink key={id} href={href} name={id} />,
      ])}
      {clients.length > mostClients && words.moreGrants(clients.length - mostClients)}
    </>
  );
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
  return directoryPage(
    {
      list: "people",
      title: words.add,
      backUrl,
    },
    notices,
    isOpen && <PersonFormOf form={form} isNew hasPassword={false} back={back} />,
  );
}

export interface PersonProps extends AccessProps, Pick<PersonRow, "tokenUrl"> {
  readonly person: Person;
  readonly name: string;
  readonly signIns: SignInRows;
  /** Absent: the person has no second factor. */
  readonly factor?: NonNullable<ReturnType<SecondFactor["factorOf"]>>;
  /** What an authenticator app needs to make the codes of the person. Present if the page may show it. */
  readonly authenticator?:
    | { readonly secret: string; readonly uri: string; readonly qrCode?: QrCode }
    | undefined;
  /** Present if the page may change the person. */
  readonly forms?: {
    readonly edit: PersonForm;
    readonly hasPassword: boolean;
    readonly remove: FormTarget;
    readonly end: FormTarget;
  };
}

export function personPage(props: PersonProps): Page {
  const { name, person, person: { username, subject }, notices, forms, backUrl } = props;
  const common = { now: props.now, of: { username }, end: forms?.end, shows: "client" } as const;
  const hasAccess = [props.grants, props.signIns, props.consents].some(({ rows }) => rows.length > 0);
  return directoryPage(
    {
      list: "people",
      title: visible(name),
      heading: <bdi>{quote(name)}</bdi>,
      backUrl,
      beside: (
        <>
          <NewestToken username={username} url={props.tokenUrl} />
          <RequestsLink href={props.requestsUrl} id={username} />
        </>
      ),
      scripts: props.authenticator ? ["copy.js"] : [],
    },
    notices,
    <Section id="details" heading={englishDirectory.shared.details}>
      <dl class="facts compact">
        <ValueFact term={words.columns.username} value={username} />
        <Fact term={words.columns.signIn}>{words.signInWith[wayOf(person)]}</Fact>
        {props.factor !== undefined && (
          <Fact term={words.secondFactor}>
            <span id="second-factor">
              {words.factorKinds[props.factor.kind]}
              {props.factor.always && words.factorAlways}
            </span>
          </Fact>
        )}
        <ValueFact term={words.sub} value={subject} />
      </dl>
      {props.authenticator && <Authenticator {...props.authenticator} />}
      {forms && (
        <details id="edit" open={forms.edit.problem !== undefined}>
          <summary>{words.edit}</summary>
          <PersonFormOf form={forms.edit} isNew={false} hasPassword={forms.hasPassword} />
        </details>
      )}
    </Section>,
    <Section id="claims" heading={words.claims}>
      <Claims {...person} />
    </Section>,
    <Grants {...props.grants} {...common} />,
    <SignIns {...props.signIns} {...common} />,
    <Consents {...props.consents} {...common} />,
    forms && (
      <Section id="end" heading={words.end}>
        <div class="onward">
          {hasAccess && <EndForm form={forms.end} {...endOf(username)} />}
          <AskForm
            form={forms.remove}
            fields={common.of}
            label={words.remove}
            question={words.removeNote}
          />
        </div>
      </Section>
    ),
  );
}

function Authenticator({ secret, uri, qrCode }: NonNullable<PersonProps["authenticator"]>): VNode {
  return (
    <details id="authenticator">
      <summary>{words.authenticator}</summary>
      <p>{words.authenticatorNote}</p>
      {qrCode !== undefined && (
        <svg
          role="img"
          aria-label={words.authenticatorCode}
          viewBox={`0 0 ${qrCode.side} ${qrCode.side}`}
          width="240"
          height="240"
          shape-rendering="crispEdges"
        >
          <path fill="#fff" d={qrCode.light} />
          <path fill="#000" d={qrCode.dark} />
        </svg>
      )}
      <dl class="facts compact">
        <ValueFact term={words.authenticatorSecret} value={secret} id="authenticator-secret" />
        <Fact term={words.authenticatorLink}>
          <Copyable id="authenticator-link" value={uri} what={words.authenticatorLink} />
        </Fact>
      </dl>
    </details>
  );
}

/** How a person signs in. */
export function wayOf({ isDisabled, password }: Person): SignInWay {
  return isDisabled ? "disabled" : password === undefined ? "click" : "password";
}

function Claims({ claims }: Pick<Person, "claims">): VNode {
  const text = visibleLines(JSON.stringify(claims, null, 2));
  return text === "{}" ? <p>{words.noClaims}</p> : <pre id="claims-shown"><code>{text}</code></pre>;
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
        <p class="notice problem" id="problem" role="alert" tabIndex={-1} autofocus>
          <strong>{words.problem}.</strong> {visible(problem)}.
        </p>
      )}
      {!isNew && <input type="hidden" name="username" value={fields.username} />}
      <div class="fields">
        {isNew && <Field name="username" label={words.fields.username} value={fields.username} isRequired />}
        <Field name="name" label={words.fields.name} value={fields.name} />
        <Field name="email" label={words.fields.email} value={fields.email} />
        <Field name="password" label={words.fields.password} note={passwordNote} value="" type="password" />
        <Field name="sub" label={words.fields.sub} note={words.fields.subNote} value={fields.sub} />
      </div>
      <div class="field">
        <label for="claims">{words.fields.claims}</label>
        <textarea
          id="claims"
          name="claims"
          rows={Math.max(4, fields.claims.split("\n").length)}
          spellcheck={false}
          aria-describedby="claims-note"
        >
          {fields.claims}
        </textarea>
        <p class="aside" id="claims-note">{words.fields.claimsNote}</p>
      </div>
      {!isNew && hasPassword && (
        <Option name="remove_password" value="yes">{words.fields.removePassword}</Option>
      )}
      <Option name="disabled" value="yes" checked={fields.isDisabled}>{words.fields.disabled}</Option>
      <button type="submit" class="button primary" id="save">{isNew ? words.addSend : words.save}</button>
    </TokenForm>
  );
}

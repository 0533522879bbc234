/** The sign-in page: the user picks a person, enters a name and a password, or denies the request. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { PersonSummary, SignInProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import type { Frame } from "../pages_options.ts";
import { EncryptedRequest, PeopleButtons, ProblemNotice, WhoAsks } from "../parts.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { askingPage } from "./gate_page.tsx";
import type { Words } from "../words/english.ts";
import { fill, fillText } from "../../../ground/values/fill.ts";
import { useWords } from "../words/use_words.ts";

interface FramedProps extends SignInProps {
  readonly frame: Frame | undefined;
}

export function signInPage(props: FramedProps, words: Words): Page {
  const oneClick = props.people.filter((person) => !person.hasPassword);
  const hinted = oneClick.find((person) => person.username === props.username);
  const people = hinted ? [hinted, ...oneClick.filter((person) => person !== hinted)] : oneClick;
  const addPersonUrl = props.frame?.addPersonUrl?.(props.here);
  const isNamed = props.username !== undefined && hinted === undefined;
  const picks = oneClick.length > 0 && props.problem === undefined && !isNamed;
  const asksPassword = props.people.length > oneClick.length || props.people.length === 0 ||
    props.problem !== undefined;
  const page = askingPage(
    words.signIn,
    props,
    <WhoAsks props={props} />,
    people.length > 0 && <PickPerson props={props} people={people} hinted={hinted} leads={picks} />,
    asksPassword && (
      <PasswordForm props={props} isSecond={people.length > 0} hasHint={!hinted} leads={!picks} />
    ),
    props.signUpUrl !== undefined && (
      <p class="aside">
        <a id="create-account" href={props.signUpUrl}>{words.signUp.title}</a>
      </p>
    ),
    addPersonUrl !== undefined && (
      <p class="aside" id="add-person">
        <a href={addPersonUrl}>{words.signIn.addPerson}</a>
      </p>
    ),
  );
  return people.length > manyPeople ? { ...page, scripts: ["form.js", "people.js"] } : page;
}

interface PickProps {
  readonly props: SignInProps;
  readonly people: readonly PersonSummary[];
  readonly hinted: PersonSummary | undefined;
  readonly leads: boolean;
}

function PickPerson({ props, people, hinted, leads }: PickProps): VNode {
  const words = useWords();
  const finds = leads && people.length > manyPeople && hinted === undefined;
  const shown = people.slice(0, mostShown);
  return (
    <>
      <h2 id="pick-heading">{words.signIn.people}</h2>
      {people.length > manyPeople && <FindPerson props={props} people={shown} leads={finds} />}
      <form class="pick" method="post" action={props.action} aria-labelledby="pick-heading">
        <EncryptedRequest request={props.request} />
        <PeopleButtons
          name="person"
          people={shown}
          leads={leads && !finds}
          focused={props.problem ? undefined : hinted}
        />
      </form>
      {people.length > shown.length && (
        <p class="aside" id="more-people">
          {fillText(words.signIn.morePeople, { shown: shown.length, all: people.length })}
        </p>
      )}
    </>
  );
}

/** With more people than this, the page has a field that finds a person. */
const manyPeople = 8;

// A page with more people than this would be slow to load.
const mostShown = 100;

/** Without scripts, the form sends the typed name. With scripts, typing also filters the list. */
function FindPerson({ props, people, leads }: Omit<PickProps, "hinted">): VNode {
  const words = useWords();
  return (
    <form class="find" method="post" action={props.action}>
      <EncryptedRequest request={props.request} />
      <div class="field">
        <input
          id="find-person"
          name="person"
          type="search"
          list="people"
          placeholder={words.signIn.find}
          aria-label={words.signIn.find}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <button type="submit" class={leads ? "button primary" : "button"} id="find">
          {words.signIn.findSend}
        </button>
      </div>
      <datalist id="people">
        {people.map(({ username, name }) => <option key={username} value={username} label={name} />)}
      </datalist>
    </form>
  );
}

function PasswordForm({ props, isSecond, hasHint, leads }: {
  readonly props: FramedProps;
  readonly isSecond: boolean;
  readonly hasHint: boolean;
  readonly leads: boolean;
}): VNode {
  const words = useWords();
  const { problem, frame } = props;
  const kind = problem?.kind;
  const username = hasHint ? props.username : undefined;
  // `autofocus` puts the cursor into the field to correct, even without scripts.
  const isOtherPersonNeeded = kind === "unknown_person" || kind === "disabled" || kind === "password_not_set";
  const focus = isOtherPersonNeeded || username === undefined && problem
    ? "username"
    : problem || username !== undefined
    ? "password"
    : undefined;
  const described = problem && "problem";
  return (
    <form class="password" method="post" action={props.action} aria-labelledby="password-heading">
      <h2 id="password-heading">{isSecond ? words.signIn.passwordInstead : words.signIn.withPassword}</h2>
      <EncryptedRequest request={props.request} />
      {problem && <ProblemNotice problem={problem} texts={words.signIn.problems} address={props.address} />}
      <label for="username">{words.signIn.username}</label>
      <input
        id="username"
        name="username"
        value={username}
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        autofocus={focus === "username"}
        aria-invalid={isOtherPersonNeeded ? "true" : undefined}
        aria-describedby={focus === "username" ? described : undefined}
      />
      <label for="password">{words.signIn.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        autofocus={focus === "password"}
        aria-invalid={kind === "wrong_password" ? "true" : undefined}
        aria-describedby={focus === "password" ? described : undefined}
      />
      {/* The people who signed up have passwords of their own. */}
      {props.listsPeople && (frame?.peopleFile ?? props.signUpUrl === undefined) && (
        <p class="aside" id="password-note">
          {frame?.peopleFile === undefined
            ? fill(words.signIn.passwordNote, { people: <code>people</code> })
            : fill(words.signIn.passwordFileNote, {
              flag: <code>--people</code>,
              file: <code>{visible(frame.peopleFile)}</code>,
            })}
        </p>
      )}
      <button type="submit" class={leads ? "button primary" : "button"} id="sign-in">
        {words.signIn.signIn}
      </button>
    </form>
  );
}

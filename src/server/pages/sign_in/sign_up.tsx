/** The page of the sign-up: the user makes an account, signs in with one, or denies the request. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import { EncryptedRequest, ProblemNotice, WhoAsks } from "../parts.tsx";
import { askingPage } from "./gate_page.tsx";
import type { SignUpProps } from "./sign_up_props.ts";
import type { Words } from "../words/english.ts";
import { fillText } from "../../../ground/values/fill.ts";
import { useWords } from "../words/use_words.ts";

export function signUpPage(props: SignUpProps, words: Words): Page {
  const { have, signIn } = words.signUp;
  return askingPage(
    words.signUp,
    props,
    <WhoAsks props={props} />,
    <AccountForm {...props} />,
    <form method="post" action={props.action}>
      <EncryptedRequest request={props.request} />
      <p class="aside">
        {have}{" "}
        <button type="submit" class="plain" id="sign-in" name="decision" value="sign_in">{signIn}</button>
      </p>
    </form>,
  );
}

function AccountForm({ action, request, problem, address, ...props }: SignUpProps): VNode {
  const words = useWords();
  const { needsPassword, shortestPassword } = props;
  const note = needsPassword ? words.signUp.passwordNote : words.signUp.passwordOptional;
  return (
    <form class="password" method="post" action={action}>
      <EncryptedRequest request={request} />
      {problem !== undefined && (
        <ProblemNotice problem={problem} texts={words.signUp.problems} address={address} />
      )}
      <Field name="username" label={words.signIn.username} props={{ ...props, problem }} isNeeded />
      <Field name="name" label={words.signUp.name} props={{ ...props, problem }} />
      <Field name="email" label={words.signUp.email} props={{ ...props, problem }} />
      <Field
        name="password"
        label={words.signIn.password}
        props={{ ...props, problem }}
        isNeeded={needsPassword}
        note={fillText(note, { shortest: shortestPassword })}
      />
      <button type="submit" class="button primary" id="sign-up">{words.signUp.proceed}</button>
    </form>
  );
}

type FieldName = "username" | "name" | "email" | "password";

const kinds = {
  username: { autocomplete: "username", autocapitalize: "none" },
  name: { autocomplete: "name" },
  email: { autocomplete: "email", autocapitalize: "none", inputmode: "email" },
  password: { autocomplete: "new-password", type: "password" },
} as const;

function Field({ name, label, props, isNeeded = false, note }: {
  readonly name: FieldName;
  readonly label: string;
  readonly props: Pick<SignUpProps, "fields" | "shortestPassword"> & {
    readonly problem: SignUpProps["problem"];
  };
  readonly isNeeded?: boolean;
  readonly note?: string;
}): VNode {
  const { signUp } = useWords();
  const wrong = props.problem?.kind === "fields" ? props.problem.fields : {};
  const mistake = wrong[name];
  const texts: Readonly<Record<string, string>> = signUp.mistakes[name];
  // `autofocus` puts the cursor into the first field to correct, even without scripts.
  const first = Object.keys(wrong)[0] ?? "username";
  const described = [mistake && `${name}-problem`, note && `${name}-note`].filter(Boolean).join(" ");
  return (
    <>
      <label for={name}>{isNeeded ? label : fillText(signUp.optional, { field: label })}</label>
      <input
        id={name}
        name={name}
        value={name === "password" ? undefined : props.fields[name]}
        {...kinds[name]}
        spellcheck={false}
        required={isNeeded}
        autofocus={name === first}
        aria-invalid={mistake && "true"}
        aria-describedby={described || undefined}
      />
      {mistake !== undefined && (
        <p class="notice problem" id={`${name}-problem`}>
          {fillText(texts[mistake]!, { shortest: props.shortestPassword })}
        </p>
      )}
      {note !== undefined && <p class="aside" id={`${name}-note`}>{note}</p>}
    </>
  );
}

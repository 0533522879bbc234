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
  return askingPage(
    words.signUp,
    props,
    <WhoAsks props={props} />,
    <AccountForm {...props} />,
    <form method="post" action={props.action}>
      <EncryptedRequest request={props.request} />
      <p class="aside">
        {words.signUp.have}{" "}
        <button type="submit" class="plain" id="sign-in" name="decision" value="sign_in">
          {words.signIn.signIn}
        </button>
      </p>
    </form>,
  );
}

function AccountForm(props: SignUpProps): VNode {
  const { action, request, problem, address } = props;
  const { signIn, signUp } = useWords();
  const problems = { ...signIn.problems, ...signUp.problems };
  return (
    <form class="password" method="post" action={action}>
      <EncryptedRequest request={request} />
      {problem !== undefined && <ProblemNotice problem={problem} texts={problems} address={address} />}
      <Field name="username" props={props} />
      <Field name="name" props={props} />
      <Field name="email" props={props} />
      <Field name="password" props={props} />
      <button type="submit" class="button primary" id="sign-up">{signUp.proceed}</button>
    </form>
  );
}

const kinds = {
  username: { autocomplete: "username", autocapitalize: "none" },
  name: { autocomplete: "name" },
  email: { autocomplete: "email", autocapitalize: "none", inputmode: "email" },
  password: { autocomplete: "new-password", type: "password" },
} as const;

function Field({ name, props: { problem, fields, needsPassword, shortestPassword: shortest } }: {
  readonly name: keyof typeof kinds;
  readonly props: SignUpProps;
}): VNode {
  const { signIn, signUp } = useWords();
  const label = { ...signIn, ...signUp }[name];
  const isPassword = name === "password";
  const isNeeded = name === "username" || isPassword && needsPassword;
  const note = isPassword && (needsPassword ? signUp.passwordNote : signUp.passwordOptional);
  const wrong = problem?.kind === "fields" ? problem.fields : {};
  const mistake = wrong[name];
  const texts: Readonly<Record<string, string>> = signUp.mistakes;
  // `autofocus` puts the cursor into the first field to correct, even without scripts.
  const first = Object.keys(wrong)[0] ?? "username";
  const described = [mistake && `${name}-problem`, note && `${name}-note`].filter(Boolean).join(" ");
  return (
    <>
      <label for={name}>{isNeeded ? label : fillText(signUp.optional, { field: label })}</label>
      <input
        id={name}
        name={name}
        value={isPassword ? undefined : fields[name]}
        {...kinds[name]}
        spellcheck={false}
        required={isNeeded}
        autofocus={name === first}
        aria-invalid={mistake && "true"}
        aria-describedby={described || undefined}
      />
      {mistake !== undefined && (
        <p class="notice problem" id={`${name}-problem`}>
          {fillText(texts[`${name}_${mistake}`]!, { shortest })}
        </p>
      )}
      {note && <p class="aside" id={`${name}-note`}>{fillText(note, { shortest })}</p>}
    </>
  );
}

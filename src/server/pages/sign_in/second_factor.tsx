/** The page of the second factor: the user types the code of an authenticator app, or denies the request. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../document.tsx";
import { ClientName, EncryptedRequest, ProblemNotice } from "../parts.tsx";
import { formatDuration } from "../../../ground/schema/duration.ts";
import { visible } from "../../../ground/values/visible.ts";
import { askingPage } from "./gate_page.tsx";
import type { SecondFactorProps } from "./second_factor_props.ts";
import type { Words } from "../words/english.ts";
import { fill } from "../../../ground/values/fill.ts";
import { useWords } from "../words/use_words.ts";

export function secondFactorPage(props: SecondFactorProps, words: Words): Page {
  const { asks } = words.secondFactor;
  return askingPage(
    words.secondFactor,
    props,
    <p class="lead">{fill(asks, { client: <ClientName client={props.client} /> })}</p>,
    <CodeForm {...props} />,
  );
}

function CodeForm({ action, request, person, kind, problem, ...props }: SecondFactorProps): VNode {
  const { address, shownCode } = props;
  const clockAhead = kind === "totp" ? props.clockAhead : undefined;
  const { signIn, device, secondFactor: words } = useWords();
  const problems = { ...signIn.problems, ...device.problems, ...words.problems };
  // The app has no other code to try.
  const texts = clockAhead === undefined ? problems : { ...problems, wrong_code: words.wrongByClock };
  const name = <strong>{visible(person.name ?? person.username)}</strong>;
  return (
    <form class="password" method="post" action={action}>
      <EncryptedRequest request={request} />
      {problem !== undefined && <ProblemNotice problem={problem} texts={texts} address={address} />}
      <label for="code">{words.code}</label>
      <input
        id="code"
        name="code"
        autocomplete="one-time-code"
        inputmode="numeric"
        spellcheck={false}
        required
        autofocus
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={problem === undefined ? "code-note" : "problem code-note"}
      />
      <p class="aside" id="code-note">{fill(words.sources[kind], { person: name })}</p>
      {clockAhead !== undefined && (
        <p class="aside" id="turned-clock">
          {fill(clockAhead > 0 ? words.clockAhead : words.clockBehind, {
            by: <>{formatDuration(clockAhead)}</>,
            call: <code>clock.set(new Date())</code>,
          })}
        </p>
      )}
      {shownCode !== undefined && (
        <p class="aside" id="shown-code">
          {fill(words.shown, { person: name, code: <code>{shownCode}</code> })}
        </p>
      )}
      <button type="submit" class="button primary" id="continue">{device.proceed}</button>
    </form>
  );
}

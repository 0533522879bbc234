/** The pages of a device login: the form for the code that the device shows, and the end (RFC 8628 §3.3). */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DeviceEnd, DeviceForm, DeviceProps } from "../../oauth/contracts/pages.ts";
import type { Page } from "../document.tsx";
import { ClientName, ProblemNotice } from "../parts.tsx";
import { gatePage } from "./gate_page.tsx";
import type { Words } from "../words/english.ts";
import { fill } from "../../../ground/values/fill.ts";
import { useWords } from "../words/use_words.ts";

export function devicePage(props: DeviceProps, words: Words): Page {
  return "outcome" in props ? endPage(props, words) : codePage(props, words);
}

function codePage(props: DeviceForm, words: Words): Page {
  const { problem, homeUrl } = props;
  const { title, titleAgain, heading, asks } = words.device;
  return gatePage(
    { title: problem === undefined ? title : titleAgain, heading, homeUrl, scripts: ["form.js"] },
    <p class="lead">{asks}</p>,
    <CodeForm {...props} />,
  );
}

function CodeForm({ action, userCode, problem }: DeviceForm): VNode {
  const words = useWords();
  return (
    <form class="user-code" method="post" action={action}>
      {problem !== undefined && <ProblemNotice problem={problem} texts={words.device.problems} />}
      <label for="user-code">{words.device.code}</label>
      <input
        id="user-code"
        name="user_code"
        value={userCode}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        required
        autofocus={userCode === undefined}
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={problem === undefined ? "user-code-note" : "problem user-code-note"}
      />
      <p class="aside" id="user-code-note">
        {userCode === undefined ? words.device.codeNote : words.device.filledNote}
      </p>
      <button type="submit" class="button primary" id="continue" autofocus={userCode !== undefined}>
        {words.device.proceed}
      </button>
    </form>
  );
}

function endPage({ outcome, client, homeUrl }: DeviceEnd, words: Words): Page {
  const { heading, text } = words.device.ends[outcome];
  return gatePage(
    { title: heading, homeUrl },
    <p class="lead" id="outcome">{fill(text, { client: <ClientName client={client} /> })}</p>,
  );
}

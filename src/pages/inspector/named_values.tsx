/** The components that show values with their names and explanations. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DecodedJwt, NamedValue, ShownValue } from "./exchange_props.ts";
import { Fact } from "../parts.tsx";
import { describeMoment } from "../time_text.ts";
import { quote, visible } from "../visible.ts";
import { englishInspector as words } from "../words/inspector_english.ts";

export type Explanations = ReadonlyMap<string, string>;

/** Values with their names and explanations. */
export function Values({ values, explain }: {
  readonly values: readonly NamedValue[];
  readonly explain: readonly Explanations[];
}): VNode {
  return (
    <dl class="facts">
      {values.map((value, at) => {
        const meaning = value.meaning ?? value.name;
        const explanation = explain.find((each) => each.has(meaning))?.get(meaning);
        return (
          <Fact key={at} term={<code>{quote(value.name)}</code>}>
            <Value value={value} />
            {explanation !== undefined && <span class="aside">{explanation}</span>}
            {value.jwt !== undefined && <Jwt jwt={value.jwt} carriedBy={value.name} />}
          </Fact>
        );
      })}
    </dl>
  );
}

/** A JWT without its signature. */
export function Jwt({ jwt: { header, claims }, carriedBy }: {
  readonly jwt: DecodedJwt;
  /** The name of the parameter or header with the JWT. Absent if it is not known. */
  readonly carriedBy?: string;
}): VNode {
  const { explanations } = words;
  const ofClient = explanations.clientClaims.get(carriedBy ?? "");
  return (
    <div class="jwt">
      <Values values={header} explain={[explanations.jwtHeader]} />
      <Values
        values={claims}
        explain={ofClient === undefined
          ? [explanations.claims]
          : [ofClient, explanations.parameters, explanations.claims]}
      />
    </div>
  );
}

/** A value, or what is known about a secret. */
export function Value({ value }: { readonly value: ShownValue }): VNode {
  const { text, length, fingerprint, hasOuterSpace, cutFrom, time } = value;
  const notes = [
    ...(text === undefined
      ? [length === undefined ? words.secret.hidden : words.secret.hiddenLength(length)]
      : []),
    ...(text === undefined && fingerprint !== undefined ? [words.secret.fingerprint(fingerprint)] : []),
    ...(hasOuterSpace ? [words.secret.outerSpace] : []),
    ...(cutFrom === undefined ? [] : [words.secret.cut(cutFrom)]),
    ...(text === "" ? [words.secret.empty] : []),
    ...(time === undefined ? [] : [describeMoment(time)]),
  ];
  return (
    <>
      {text !== undefined && text !== "" && <code class="value">{visible(text)}</code>}
      {notes.length > 0 && <span class="note">{notes.join(", ")}</span>}
    </>
  );
}

/** The page `/misbehaviours/gates`: the gates that are closed now, and a form that closes one. */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { Page } from "../frame/dashboard_document.tsx";
import { ActionButton, LookAgain, TableForm, wrongPage, type WrongProps } from "./misbehaviour_parts.tsx";
import { Choice, Field, Option } from "../parts/field.tsx";
import type { ClosedGate } from "../../../kit/mock/conditions/closed_gate.ts";
import { TokenForm } from "../parts/pass.tsx";
import { visible } from "../../../ground/values/visible.ts";
import { englishMisbehaviours, type MisbehaviourWords } from "./misbehaviours_english.ts";
import { Section } from "../../../server/pages/parts.tsx";

const { gates: words } = englishMisbehaviours;

export const gateKinds: readonly ClosedGate["kind"][] = ["hold", "delay", "fail", "drop"];

/** A gate, a delay, a failure or a drop. */
export interface ShownGate extends Pick<ClosedGate, "id" | "kind" | "endpoint" | "waiting" | "used"> {
  readonly terms: Parameters<MisbehaviourWords["gates"]["terms"]>[0];
  /** How many more requests it applies to. Absent: all. */
  readonly remaining?: number;
}

interface GatesProps extends WrongProps {
  readonly closed: readonly ShownGate[];
  /** They apply to no further request. */
  readonly usedUp: readonly ShownGate[];
  readonly endpoints: readonly string[];
}

export function gatesPage(props: GatesProps): Page {
  const { closed, usedUp, form, address } = props;
  return wrongPage(
    {
      section: "gates",
      lead: words.about,
      labels: { count: words.count, status: words.status },
      scripts: ["live.js"],
    },
    props,
    <Section id="closed" heading={words.closed}>
      <div id="closed" data-live>
        {closed.length === 0 ? <p>{words.none}</p> : <Gates gates={closed} form={form} />}
        {usedUp.length > 0 && (
          <>
            <h3>{words.usedUp}</h3>
            <Gates gates={usedUp} form={form} isUsedUp />
          </>
        )}
      </div>
      <LookAgain href={address} />
    </Section>,
    form !== undefined && (
      <Section id="close" heading={words.close}>
        <CloseForm {...props} />
      </Section>
    ),
  );
}

function Gates(
  { gates, form, isUsedUp = false }: Pick<GatesProps, "form"> & {
    readonly gates: readonly ShownGate[];
    readonly isUsedUp?: boolean;
  },
): VNode {
  const { endpoint, happens, waiting, used, remaining } = words.columns;
  return (
    <TableForm
      form={form}
      rows={gates}
      attributesOf={({ id }) => ({ id })}
      columns={[
        [endpoint, (gate) => gate.endpoint, "name"],
        [
          happens,
          ({ kind, terms }) => visible(`${words.happens[kind]} ${words.terms(terms)}`.trim()),
          "under",
        ],
        !isUsedUp && [
          waiting,
          ({ id, kind, waiting }) => (
            <span id={`waiting-${id}`}>{/^(hold|delay)$/.test(kind) && words.waiting(waiting)}</span>
          ),
          "end",
        ],
        [used, (gate) => gate.used, "end"],
        !isUsedUp && [remaining, (gate) => gate.remaining ?? words.all, "end"],
      ]}
      action={[words.action, (gate) => <Releases {...gate} isUsedUp={isUsedUp} />, "end under"]}
    >
      {!isUsedUp && gates.length > 1 && (
        <p class="onward">
          <ActionButton action="open_all">{words.openAll}</ActionButton>
        </p>
      )}
    </TableForm>
  );
}

/** What can be done at a gate. One that is used up is open already. */
function Releases(
  { id, kind, endpoint, waiting, isUsedUp }: ShownGate & { readonly isUsedUp: boolean },
): VNode {
  const name = words.of(`${kind} ${endpoint}`);
  return (
    <>
      {kind === "hold" && waiting > 0 && (
        <>
          <ActionButton action="release_one" of={id} unseen={name} primary>{words.releaseOne}</ActionButton>
          {" "}
        </>
      )}
      {kind === "hold" && waiting > 1 && (
        <>
          <ActionButton action="release_all" of={id} unseen={name}>{words.releaseAll}</ActionButton>
          {" "}
        </>
      )}
      <ActionButton action="open" of={id} unseen={name}>{isUsedUp ? words.remove : words.open}</ActionButton>
    </>
  );
}

/** The style sheet shows the fields of the chosen kind only. */
function CloseForm({ form, closed, endpoints, typed }: GatesProps): VNode {
  return (
    <TokenForm form={form} id="close-form">
      <fieldset>
        <legend>{words.kind}</legend>
        {gateKinds.map((kind) => (
          <Option
            key={kind}
            type="radio"
            name="kind"
            value={kind}
            checked={kind === (typed["kind"] ?? "hold")}
          >
            {words.kinds[kind]}
          </Option>
        ))}
      </fieldset>
      <div class="inline">
        <Choice
          name="endpoint"
          label={words.columns.endpoint}
          value={typed["endpoint"] ?? "token"}
          options={endpoints.map((name) => ({ value: name, text: name }))}
        />
        {(["count", "by", "status", "retryAfter"] as const).map((name) => (
          <Field key={name} name={name} label={words[name]} hint={words[`${name}Hint`]} value={typed[name]} />
        ))}
        <ActionButton action="close" primary={closed.every(({ waiting }) => waiting === 0)}>
          {words.send}
        </ActionButton>
      </div>
      <p class="aside">{words.pageNote}</p>
    </TokenForm>
  );
}

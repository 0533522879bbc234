/** The form on which a person chooses what an examination tries, and the form of each step of it. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";
import { Option } from "../../parts/field.tsx";
import { type FormTarget, TokenForm } from "../../parts/pass.tsx";
import type { LevelName } from "../../../../kit/timeline/levels_english.ts";
import { englishMisbehaviours } from "../misbehaviours_english.ts";

const { examine: words, catalogue, levels: levelWords } = englishMisbehaviours;

interface ExamineOption {
  readonly name: string;
  readonly isChosen: boolean;
  readonly count: number;
}

interface StepProps {
  readonly form?: FormTarget | undefined;
  /** Grows with each action, so that a form of an older page does nothing. */
  readonly step: number;
}

export interface ChoiceProps extends StepProps {
  readonly levels: readonly ExamineOption[];
  readonly areas: readonly ExamineOption[];
}

export function StepForm(
  { form, step, kind, children }: StepProps & {
    readonly kind?: "onward";
    readonly children: ComponentChildren;
  },
): VNode {
  return <TokenForm form={form} fields={{ step: `${step}` }} class={kind}>{children}</TokenForm>;
}

export function Choice(props: ChoiceProps & { readonly action: string }): VNode {
  const { form, step, levels, areas, action } = props;
  return (
    <StepForm form={form} step={step}>
      <fieldset>
        <legend>{words.level}</legend>
        {levels.map(({ name, ...option }) => (
          <Counted key={name} group="level" name={name} {...option}>
            <span class="tag">{name}</span> {levelWords.client[name as LevelName]}
          </Counted>
        ))}
      </fieldset>
      <fieldset class="columns">
        <legend>{words.area}</legend>
        {areas.map(({ name, ...option }) => (
          <Counted key={name} group="area" name={name} {...option}>{catalogue.areas(name)}</Counted>
        ))}
      </fieldset>
      <button type="submit" class="button primary" id="choose" name="action" value="choose">{action}</button>
    </StepForm>
  );
}

function Counted(
  { group, name, isChosen, count, children }: ExamineOption & {
    readonly group: string;
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <Option name={group} value={name} checked={isChosen}>
      {children} <span class="aside">{words.count(count)}</span>
    </Option>
  );
}

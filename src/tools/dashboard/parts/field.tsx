/** Fields of forms, with their labels: a line of text, and a choice. */
/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from "preact";

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  /** Stands below the field. */
  readonly note?: string | undefined;
  /** Values that the browser offers. */
  readonly list?: readonly string[];
  readonly type?: "text" | "search" | "password";
  readonly isRequired?: boolean;
  /** The page says what is wrong with the value. */
  readonly isWrong?: boolean;
}

export function Field(
  { name, label, value, hint, note, list, type = "text", isRequired = false, isWrong = false }: FieldProps,
): VNode {
  const described = isWrong ? "problem" : note && `${name}-note`;
  const common = {
    id: name,
    name,
    value,
    placeholder: hint,
    required: isRequired,
    autocapitalize: "none",
    spellcheck: false,
    "aria-describedby": described,
    "aria-invalid": isWrong || undefined,
  } as const;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {type === "password"
        ? <input type="password" autocomplete="new-password" {...common} />
        : <input type={type} autocomplete="off" list={list && `${name}-list`} {...common} />}
      {list && (
        <datalist id={`${name}-list`}>{list.map((each) => <option key={each} value={each} />)}</datalist>
      )}
      {note && <p class="aside" id={`${name}-note`}>{note}</p>}
    </div>
  );
}

export function Choice(
  { name, label, value, options }: Pick<FieldProps, "name" | "label" | "value"> & {
    readonly options: readonly { readonly value: string; readonly text: string }[];
  },
): VNode {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A box to tick, or one of several choices. `children` is its label. */
export function Option({ type = "checkbox", children, ...input }: {
  readonly name: string;
  readonly type?: "checkbox" | "radio";
  readonly value?: string;
  readonly checked?: boolean;
  readonly "aria-label"?: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <label class="option">
      <input type={type} {...input} />
      <span>{children}</span>
    </label>
  );
}
